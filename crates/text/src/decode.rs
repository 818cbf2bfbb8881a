//! From bytes to characters, with the way back.
//!
//! Order: byte order mark, declared character set, UTF-8 where valid, windows-1252. One departure: bytes that are valid UTF-8
//! are read as UTF-8 even where a single-byte set is declared. Windows-1252 prose that happens to be valid UTF-8 does not
//! exist, while UTF-8 under an old `<meta>` line does.

use std::borrow::Cow;

use encoding_rs::{CoderResult, Encoding, UTF_8, WINDOWS_1252};
use memchr::memmem;

use crate::TextError;
use crate::clean::SegmentMap;

/// Text and, where it is not simply the source's bytes, the map to them.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    /// The characters.
    pub(crate) text: Cow<'a, str>,
    /// From bytes of `text` to bytes of the source; `None` where they are the same but for [`Decoded::skipped`].
    pub(crate) map: Option<SegmentMap>,
    /// Bytes of a byte order mark before the text.
    pub(crate) skipped: usize,
}

/// How far a declaration is looked for.
const HEAD: usize = 2 * 1024;

/// Decodes a document.
///
/// # Errors
///
/// [`TextError::Undecodable`] where more than one character in a hundred (and more than ten) is undecodable.
pub(crate) fn decode(bytes: &[u8]) -> Result<Decoded<'_>, TextError> {
    let marked = Encoding::for_bom(bytes);
    let skipped = marked.map_or(0, |(_, len)| len);
    let body = bytes.get(skipped..).unwrap_or_default();
    let declared = marked.map(|(encoding, _)| encoding).or_else(|| declared(body));
    let decoded = match declared {
        Some(encoding) if encoding != UTF_8 && !encoding.is_single_byte() => transcode(body, encoding),
        _ => match std::str::from_utf8(body) {
            Ok(text) => repair_mojibake(text),
            Err(_) => transcode(body, declared.filter(|e| e.is_single_byte()).unwrap_or(WINDOWS_1252)),
        },
    };
    let (text, map) = decoded;
    if text.is_ascii() {
        return Ok(Decoded { text, map, skipped });
    }
    let lost = memmem::find_iter(text.as_bytes(), "\u{FFFD}").count();
    if lost > 10 && lost * 100 > text.len() {
        return Err(TextError::Undecodable(lost));
    }
    Ok(Decoded { text, map, skipped })
}

/// The character set that an XML prolog or a `<meta>` names.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let prolog = head.trim_ascii_start().starts_with(b"<?xml").then(|| label_after(head, b"encoding=")).flatten();
    let meta = || memmem::find(head, b"charset").and_then(|at| label_after(head.get(at..)?, b"charset"));
    let encoding = Encoding::for_label(prolog.or_else(meta)?)?;
    // A document in UTF-16 could not have been read up to here.
    (!encoding.name().starts_with("UTF-16")).then_some(encoding)
}

/// The label that follows `key`, with `=` and quotes passed over.
fn label_after<'a>(head: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let at = memmem::find(head, key)? + key.len();
    let rest = head.get(at..)?;
    let skip = rest.iter().take(8).take_while(|b| matches!(b, b'=' | b'"' | b'\'' | b' ')).count();
    let rest = rest.get(skip..)?;
    let len = rest.iter().take(40).take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b':')).count();
    rest.get(..len)
}

/// Decodes piece by piece so that every character knows its bytes.
fn transcode(bytes: &[u8], encoding: &'static Encoding) -> (Cow<'static, str>, Option<SegmentMap>) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let ascii_runs = encoding.is_ascii_compatible();
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    let mut map = SegmentMap::default();
    let mut buffer = [0u8; 32];
    let mut at = 0;
    // First byte of the character at hand.
    let mut from = 0;
    while at < bytes.len() {
        if ascii_runs && from == at {
            let run = Encoding::ascii_valid_up_to(bytes.get(at..).unwrap_or_default());
            if run > 0 && encoding != encoding_rs::ISO_2022_JP {
                text.push_str(std::str::from_utf8(bytes.get(at..at + run).unwrap_or_default()).unwrap_or_default());
                map.append(run, at, run);
                at += run;
                from = at;
                continue;
            }
        }
        let last = at + 1 == bytes.len();
        let (result, _, written, _) = decoder.decode_to_utf8(bytes.get(at..=at).unwrap_or_default(), &mut buffer, last);
        at += 1;
        if written > 0 {
            text.push_str(std::str::from_utf8(buffer.get(..written).unwrap_or_default()).unwrap_or_default());
            map.append(written, from, at - from);
            from = at;
        }
        if result == CoderResult::OutputFull {
            break;
        }
    }
    (Cow::Owned(text), Some(map))
}

/// Undoes UTF-8 that was read as windows-1252 and written as UTF-8 again (`â€™` for an apostrophe), run by run of non-ASCII
/// characters, and only where the whole run turns back.
fn repair_mojibake(text: &str) -> (Cow<'_, str>, Option<SegmentMap>) {
    if text.is_ascii() {
        return (Cow::Borrowed(text), None);
    }
    // The lead bytes C3, C2 and E2 read as windows-1252.
    let suspicious = ["â€", "Ã", "Â"].iter().any(|s| memmem::find(text.as_bytes(), s.as_bytes()).is_some());
    if !suspicious {
        return (Cow::Borrowed(text), None);
    }
    let mut out = String::with_capacity(text.len());
    let mut map = SegmentMap::default();
    let mut at = 0;
    let mut changed = false;
    while at < text.len() {
        let rest = text.get(at..).unwrap_or_default();
        let plain = rest.bytes().take_while(u8::is_ascii).count();
        out.push_str(rest.get(..plain).unwrap_or_default());
        map.append(plain, at, plain);
        at += plain;
        let rest = text.get(at..).unwrap_or_default();
        let len = rest.bytes().take_while(|b| !b.is_ascii()).count();
        let run = rest.get(..len).unwrap_or_default();
        if let Some(fixed) = turned_back(run) {
            out.push_str(&fixed);
            map.append(fixed.len(), at, len);
            changed = true;
        } else {
            out.push_str(run);
            map.append(len, at, len);
        }
        at += len;
    }
    if changed { (Cow::Owned(out), Some(map)) } else { (Cow::Borrowed(text), None) }
}

/// The run as UTF-8 bytes in windows-1252, if it is that.
fn turned_back(run: &str) -> Option<String> {
    if run.chars().count() < 2 {
        return None;
    }
    let (bytes, _, unmappable) = WINDOWS_1252.encode(run);
    if unmappable {
        return None;
    }
    String::from_utf8(bytes.into_owned()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use eightk_core::Span;

    fn text(bytes: &[u8]) -> String {
        decode(bytes).unwrap().text.into_owned()
    }

    #[test]
    fn the_order_of_character_sets() {
        assert_eq!(text(b"\xEF\xBB\xBFcaf\xC3\xA9"), "café");
        assert_eq!(text(b"caf\xC3\xA9"), "café");
        assert_eq!(text(b"company\x92s plan"), "company\u{2019}s plan");
        assert_eq!(
            text(b"<?xml version='1.0' encoding='ASCII'?>a\x97b"),
            "<?xml version='1.0' encoding='ASCII'?>a\u{2014}b"
        );
        assert_eq!(text(b"<meta charset=\"iso-8859-1\">caf\xC3\xA9"), "<meta charset=\"iso-8859-1\">café");
        assert!(text(b"<meta http-equiv=x content=\"text/html; charset=shift_jis\">\x83A").ends_with('\u{30A2}'));
        assert_eq!(text(b"\xFF\xFEa\x00\xE9\x00"), "aé");
        assert_eq!(text(b"\xFE\xFF\x00a"), "a");
    }

    #[test]
    fn the_map_leads_back_to_single_bytes() {
        let decoded = decode(b"a\x93b\x94").unwrap();
        assert_eq!(decoded.text, "a\u{201C}b\u{201D}");
        let map = decoded.map.unwrap();
        assert_eq!(map.source_of(Span::new(1, 4)), Span::new(1, 2));
        assert_eq!(map.source_of(Span::new(4, 5)), Span::new(2, 3));
        assert_eq!(map.source_of(Span::new(5, 8)), Span::new(3, 4));
    }

    #[test]
    fn double_encoding_is_undone_only_where_it_turns_back() {
        assert_eq!(text("the Companyâ€™s plan".as_bytes()), "the Company\u{2019}s plan");
        assert_eq!(text("São Paulo, Âge".as_bytes()), "São Paulo, Âge");
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let bytes = "\u{FFFD} ".repeat(40);
        assert_eq!(decode(bytes.as_bytes()).unwrap_err(), TextError::Undecodable(40));
    }
}
