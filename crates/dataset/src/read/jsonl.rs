//! JSON lines, plain or gzipped.
//!
//! One line at a time through one buffer, so memory follows the longest line. A JSON array of rows is refused with a hint
//! rather than read: it would have to be held whole, and its errors could not name a line.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use serde::de::DeserializeOwned;

use crate::DatasetError;
use crate::error::Place;

/// How a gzipped file begins.
pub(crate) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Calls `each` with every row of a JSONL stream and its 1-based line number; blank lines are passed over.
pub(crate) fn visit<R: DeserializeOwned>(
    file: &Path,
    stream: impl Read,
    each: &mut dyn FnMut(Place, R) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    let mut reader = BufReader::with_capacity(1 << 16, stream);
    let packed = reader.fill_buf().map_err(DatasetError::io("read", file))?.starts_with(&GZIP);
    if packed {
        rows(file, 1, BufReader::with_capacity(1 << 16, MultiGzDecoder::new(reader)), each)
    } else {
        rows(file, 1, reader, each)
    }
}

/// The same for a part of a plain file; `first` is the number of its first line.
pub(crate) fn rows<R: DeserializeOwned>(
    file: &Path,
    first: usize,
    reader: impl BufRead,
    each: &mut dyn FnMut(Place, R) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    lines(file, first, reader, &mut |line| {
        let place = line.place(file);
        let row = row(&place, line.text)?;
        each(place, row)
    })
}

/// A line that is not blank.
pub(crate) struct Line<'a> {
    /// Its 1-based number.
    pub(crate) number: usize,
    /// Where it begins, counted from where reading began, and how many bytes it has with its end.
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
    /// What stands in it, without white space around.
    pub(crate) text: &'a [u8],
}

impl Line<'_> {
    pub(crate) fn place(&self, file: &Path) -> Place {
        Place { file: file.to_owned(), number: self.number, is_line: true }
    }
}

/// Calls `each` with every line that is not blank.
pub(crate) fn lines(
    file: &Path,
    first: usize,
    mut reader: impl BufRead,
    each: &mut dyn FnMut(Line<'_>) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    let (mut line, mut offset) = (Vec::new(), 0);
    for number in first.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(DatasetError::io("read", file))? == 0 {
            break;
        }
        let text = if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line) } else { &line };
        let (text, bytes) = (text.trim_ascii(), line.len() as u64);
        if !text.is_empty() {
            each(Line { number, offset, bytes, text })?;
        }
        offset += bytes;
    }
    Ok(())
}

/// The row that stands in a line.
pub(crate) fn row<R: DeserializeOwned>(place: &Place, line: &[u8]) -> Result<R, DatasetError> {
    serde_json::from_slice(line).map_err(|e| no_row(place, line, &e))
}

/// What to say of a line that is no row.
pub(crate) fn no_row(place: &Place, line: &[u8], error: &serde_json::Error) -> DatasetError {
    let problem = if line.starts_with(b"[") {
        "a JSON array; write one object per line instead".to_owned()
    } else if std::str::from_utf8(line).is_err() {
        "not UTF-8; convert the file first".to_owned()
    } else {
        // The line number inside the message would always be 1: one line is all the parser saw.
        let text = error.to_string();
        let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
        format!("{text}, at character {} of the line", error.column())
    };
    DatasetError::Row { place: place.clone(), column: column_at(line, error.column()), problem }
}

/// The key whose value the parser was reading at byte `at`, as far as a backward look can tell.
fn column_at(line: &[u8], at: usize) -> String {
    let before = line.get(..at.min(line.len())).unwrap_or_default();
    let text = String::from_utf8_lossy(before);
    let key = text.rmatch_indices("\":").find_map(|(end, _)| {
        let key = text.get(..end)?.rsplit('"').next()?;
        (!key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')).then_some(key)
    });
    key.unwrap_or("?").to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::rows::{RawDocument, RawQuery, Text, Whole};
    use super::*;
    use proptest::prelude::*;

    fn read<R: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<R>, DatasetError> {
        let mut rows = Vec::new();
        visit(Path::new("d.jsonl"), bytes, &mut |_, row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    #[test]
    fn ids_may_be_numbers_and_numbers_floats() {
        let text = "\u{feff}{\"chunk_id\": 7, \"chunk_idx\": 3.0, \"title\": null, \"embedding\": [[1], {\"a\": 2}]}\r\n\n  \n{\"chunk_id\": \"x\"}";
        let rows: Vec<RawDocument> = read(text.as_bytes()).unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].chunk_id, Text(Some("7".into())));
        assert_eq!(rows[0].chunk_idx, Whole(Some(3)));
        assert_eq!(rows[0].title, Text(None));
    }

    #[test]
    fn gzip_is_seen_by_its_first_bytes() {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut gz, b"{\"chunk_id\": \"a\"}\n{\"chunk_id\": \"b\"}\n").unwrap();
        let bytes = gz.finish().unwrap();
        assert_eq!(read::<RawDocument>(&bytes).unwrap().len(), 2);
        let cut = &bytes[..bytes.len() - 9];
        assert!(matches!(read::<RawDocument>(cut), Err(DatasetError::Io { .. })));
    }

    #[test]
    fn errors_name_line_and_column() {
        let says = |text: &[u8]| read::<RawQuery>(text).unwrap_err().to_string();
        let e = says(b"{\"query\": \"a\"}\n{\"query\": \"b\", \"score\": [2, \"x\"], \"fact\": 1}");
        assert!(e.contains("d.jsonl, line 2") && e.contains("`score`") && e.contains("whole number"), "{e}");
        assert!(says(b"[{}]").contains("one object per line"));
        assert!(says(b"{\"query\": \"\xff\"}").contains("UTF-8"));
        assert!(says(b"{\"n_gold\": 1.5}").contains("1.5 is no whole number"));
        assert!(says(b"{\"n_gold\": 99999999999999999999999}").contains("n_gold"));
        assert!(says(b"{\"query\": \"a\", \"query\": \"b\"}").contains("duplicate field"));
    }

    #[test]
    fn deep_nesting_is_an_error_or_nothing() {
        let deep = format!("{{\"x\": {}1{}, \"query\": \"a\"}}", "[".repeat(100_000), "]".repeat(100_000));
        let _ = read::<RawQuery>(deep.as_bytes());
        let deep = format!("{{\"answer\": {}", "[".repeat(100_000));
        assert!(read::<RawQuery>(deep.as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read::<RawDocument>(&bytes);
            let _ = read::<RawQuery>(&bytes);
        }

        #[test]
        fn nor_do_broken_rows(cut in 0usize..200, at in 0usize..200, byte in any::<u8>()) {
            let mut row = br#"{"query": "a", "answer": ["x"], "score": [2], "source_url": ["f"], "frag_start_char": [0], "frag_end_char": [1], "alternatives": [{"source_url": "f", "frag_start_char": 2}]}"#.to_vec();
            if let Some(b) = row.get_mut(at) { *b = byte; }
            row.truncate(cut);
            let _ = read::<RawQuery>(&row);
        }
    }
}
