//! Content encodings, undone so that a body that is not whole shows.
//!
//! Done here and not by the HTTP client: a client gives an error or a text, and the difference between "cut", "damaged" and "followed by
//! something else" is lost, as is what was readable before.

use std::io::{self, Write};

use flate2::write::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

/// Collects decoded bytes up to a limit.
#[derive(Debug)]
struct Bounded(Vec<u8>, usize);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > self.1 {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!("it decodes to more than {} MB", self.1 >> 20),
            ));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum Inner {
    Plain(Bounded),
    Gzip(MultiGzDecoder<Bounded>),
    /// `deflate` means zlib, but servers have sent the bare stream: the first byte tells.
    DeflateUnseen,
    Zlib(ZlibDecoder<Bounded>),
    Deflate(DeflateDecoder<Bounded>),
    Unknown,
}

/// Decodes a body as it comes.
pub struct Decoder {
    inner: Inner,
    limit: usize,
    failed: Option<io::Error>,
}

/// How far a body was decoded.
#[derive(Debug, Default)]
pub struct Decoded {
    /// What could be read; all of it when `fault` is `None`.
    pub body: Vec<u8>,
    /// Why it is not whole.
    pub fault: Option<String>,
    /// Whether the fault is that there is too much of it.
    pub too_long: bool,
    /// Whether the encoding itself proves that the body is whole, by a checksum at its end.
    pub proven: bool,
}

impl Decoder {
    /// For a `Content-Encoding`; `None`, empty and `identity` leave the bytes as they are. More than `limit` decoded bytes are a fault.
    pub fn new(encoding: Option<&str>, limit: usize) -> Self {
        let bounded = || Bounded(Vec::new(), limit);
        let inner = match encoding.unwrap_or_default().trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Inner::Plain(bounded()),
            "gzip" | "x-gzip" => Inner::Gzip(MultiGzDecoder::new(bounded())),
            "deflate" => Inner::DeflateUnseen,
            _ => Inner::Unknown,
        };
        Self { inner, limit, failed: None }
    }

    /// The next bytes as they came.
    pub fn push(&mut self, bytes: &[u8]) {
        if bytes.is_empty() || self.failed.is_some() {
            return;
        }
        if let Inner::DeflateUnseen = self.inner {
            let bounded = Bounded(Vec::new(), self.limit);
            self.inner = if bytes.first().is_some_and(|b| b & 0x0f == 8) {
                Inner::Zlib(ZlibDecoder::new(bounded))
            } else {
                Inner::Deflate(DeflateDecoder::new(bounded))
            };
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let written = match &mut self.inner {
                Inner::Plain(w) => w.write(rest),
                Inner::Gzip(w) => w.write(rest),
                Inner::Zlib(w) => w.write(rest),
                Inner::Deflate(w) => w.write(rest),
                Inner::DeflateUnseen | Inner::Unknown => return,
            };
            match written {
                Ok(0) => self.failed = Some(io::Error::new(io::ErrorKind::InvalidData, "bytes follow its end")),
                Ok(n) => rest = rest.get(n..).unwrap_or_default(),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => self.failed = Some(e),
            }
            if self.failed.is_some() {
                return;
            }
        }
        // Decoders keep output back; whoever watches the body as it comes has to see all there is.
        let flushed = match &mut self.inner {
            Inner::Gzip(w) => w.flush(),
            Inner::Zlib(w) => w.flush(),
            Inner::Deflate(w) => w.flush(),
            Inner::Plain(_) | Inner::DeflateUnseen | Inner::Unknown => Ok(()),
        };
        self.failed = flushed.err();
    }

    /// What is decoded so far.
    pub fn so_far(&self) -> &[u8] {
        match &self.inner {
            Inner::Plain(w) => &w.0,
            Inner::Gzip(w) => &w.get_ref().0,
            Inner::Zlib(w) => &w.get_ref().0,
            Inner::Deflate(w) => &w.get_ref().0,
            Inner::DeflateUnseen | Inner::Unknown => &[],
        }
    }

    /// Whether it is no use to push more.
    pub fn is_stuck(&self) -> bool {
        self.failed.is_some()
    }

    /// Ends the body. `cut` says that more was to come but is not wanted, so that an open end is none of its faults.
    pub fn finish(mut self, cut: bool) -> Decoded {
        if let Inner::Unknown = self.inner {
            return Decoded {
                fault: Some("it comes in an encoding that was not asked for".to_owned()),
                ..Decoded::default()
            };
        }
        let mut fault = self.failed.take();
        if fault.is_none() && !cut {
            fault = match &mut self.inner {
                Inner::Gzip(w) => w.try_finish().err(),
                Inner::Zlib(w) => w.try_finish().err(),
                Inner::Deflate(w) => w.try_finish().err(),
                Inner::Plain(_) | Inner::DeflateUnseen | Inner::Unknown => None,
            };
        }
        let checked = matches!(self.inner, Inner::Gzip(_) | Inner::Zlib(_));
        let proven = fault.is_none() && checked && !cut;
        let too_long = fault.as_ref().is_some_and(|e| e.kind() == io::ErrorKind::FileTooLarge);
        let fault = fault.map(|e| match e.kind() {
            io::ErrorKind::FileTooLarge => e.to_string(),
            io::ErrorKind::UnexpectedEof => "its compressed data is cut".to_owned(),
            _ => format!("its compressed data is cut or damaged ({e})"),
        });
        Decoded { body: self.take(), fault, too_long, proven }
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(match &mut self.inner {
            Inner::Plain(w) => &mut w.0,
            Inner::Gzip(w) => &mut w.get_mut().0,
            Inner::Zlib(w) => &mut w.get_mut().0,
            Inner::Deflate(w) => &mut w.get_mut().0,
            Inner::DeflateUnseen | Inner::Unknown => return Vec::new(),
        })
    }
}

/// Decodes a body that is all there.
pub fn decode(encoding: Option<&str>, bytes: &[u8], cut: bool, limit: usize) -> Decoded {
    let mut decoder = Decoder::new(encoding, limit);
    decoder.push(bytes);
    decoder.finish(cut)
}

#[cfg(test)]
pub(crate) mod tests {
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use proptest::prelude::*;

    use super::*;

    const LIMIT: usize = 64 << 20;

    pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
        let mut w = GzEncoder::new(Vec::new(), Compression::fast());
        w.write_all(text).unwrap();
        w.finish().unwrap()
    }

    fn text() -> Vec<u8> {
        (0..5000_u32).flat_map(|n| format!("line {n} ").into_bytes()).collect()
    }

    #[test]
    fn whole_bodies() {
        let text = text();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(&text).unwrap();
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::fast());
        deflate.write_all(&text).unwrap();
        for (encoding, bytes, proven) in [
            (None, text.clone(), false),
            (Some("identity"), text.clone(), false),
            (Some("GZIP"), gzip(&text), true),
            (Some("deflate"), zlib.finish().unwrap(), true),
            (Some("deflate"), deflate.finish().unwrap(), false),
        ] {
            let got = decode(encoding, &bytes, false, LIMIT);
            assert_eq!((got.fault, got.proven), (None, proven), "{encoding:?}");
            assert!(got.body == text);
        }
    }

    #[test]
    fn what_is_not_whole_says_so() {
        let whole = gzip(&text());
        let fault = |bytes: &[u8]| decode(Some("gzip"), bytes, false, LIMIT).fault.unwrap();
        for keep in [1, 5, 12, whole.len() / 2, whole.len() - 9, whole.len() - 8, whole.len() - 1] {
            assert!(fault(&whole[..keep]).contains("cut"), "{keep}: {}", fault(&whole[..keep]));
        }
        let mut flipped = whole.clone();
        let crc = whole.len() - 6;
        flipped[crc] ^= 1;
        assert!(fault(&flipped).contains("checksum"));
        assert!(decode(Some("gzip"), &[&whole[..], b"<html>"].concat(), false, LIMIT).fault.is_some());
        assert!(fault(b"<html>not compressed at all</html>").contains("damaged"));
        assert!(decode(Some("br"), b"x", false, LIMIT).fault.unwrap().contains("not asked for"));
        // A body that was left on purpose is readable as far as it goes.
        let head = decode(Some("gzip"), &whole[..whole.len() / 2], true, LIMIT);
        assert_eq!(head.fault, None);
        assert!(text().starts_with(&head.body) && head.body.len() > 1000);
    }

    #[test]
    fn a_body_that_explodes_is_refused() {
        let bomb = gzip(&vec![0; LIMIT + 1]);
        assert!(bomb.len() < 1 << 20);
        assert!(decode(Some("gzip"), &bomb, false, LIMIT).fault.unwrap().contains("64 MB"));
    }

    proptest! {
        #[test]
        fn never_panics_and_pieces_make_no_difference(encoding in prop::sample::select(vec!["", "gzip", "deflate", "br"]), mut bytes in prop::collection::vec(any::<u8>(), 0..300), real in any::<bool>(), piece in 1_usize..40, cut in any::<bool>()) {
            if real { bytes = gzip(&bytes); }
            let at_once = decode(Some(encoding), &bytes, cut, LIMIT);
            let mut decoder = Decoder::new(Some(encoding), LIMIT);
            bytes.chunks(piece).for_each(|p| decoder.push(p));
            let in_pieces = decoder.finish(cut);
            prop_assert_eq!(at_once.fault.is_some(), in_pieces.fault.is_some());
            if at_once.fault.is_none() && !cut { prop_assert_eq!(at_once.body, in_pieces.body); }
        }
    }
}
