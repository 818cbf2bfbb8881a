//! Lines from a pipe, none longer than allowed.

use std::io::{self, BufRead};

/// What came of reading a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its end; the last one may have had none.
    Whole(Vec<u8>),
    /// Longer than allowed; the rest is unread.
    TooLong,
    /// Nothing more comes.
    End,
}

/// Reads a line of at most `most()` bytes. The limit is asked for when bytes arrive, not when the wait begins: by then it may be another.
///
/// # Errors
///
/// Those of the pipe.
pub(super) fn read_line(from: &mut impl BufRead, most: impl Fn() -> usize) -> io::Result<Line> {
    let mut line = Vec::new();
    loop {
        let bytes = match from.fill_buf() {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        if bytes.is_empty() {
            return Ok(if line.is_empty() { Line::End } else { Line::Whole(line) });
        }
        let end = bytes.iter().position(|b| *b == b'\n');
        let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        if line.len() + part.len() > most() {
            return Ok(Line::TooLong);
        }
        line.extend_from_slice(part);
        let used = part.len() + usize::from(end.is_some());
        from.consume(used);
        if end.is_some() {
            return Ok(Line::Whole(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_limit_is_a_limit() {
        let mut from: &[u8] = b"123\n1234\n";
        assert_eq!(read_line(&mut from, || 3).unwrap(), Line::Whole(b"123".to_vec()));
        assert_eq!(read_line(&mut from, || 3).unwrap(), Line::TooLong);
    }

    proptest! {
        #[test]
        fn lines_are_those_of_split(bytes in prop::collection::vec(prop::sample::select(b"a\n\xff".to_vec()), 0..40), buffer in 1usize..9) {
            let mut from = io::BufReader::with_capacity(buffer, &bytes[..]);
            let mut lines = Vec::new();
            while let Line::Whole(line) = read_line(&mut from, || 99).unwrap() {
                lines.push(line);
            }
            let mut wanted: Vec<Vec<u8>> = bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            if wanted.last().is_some_and(Vec::is_empty) {
                wanted.pop();
            }
            prop_assert_eq!(lines, wanted);
        }
    }
}
