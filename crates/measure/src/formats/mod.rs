//! Runs and judgements as other tools write them.
//!
//! [`parse_run`] and [`parse_qrels`] tell the format by what is in the file, not by its name: names lie, and half of the files
//! in the wild end in `.txt`. All readers are functions from bytes to values; opening files and unpacking `.gz` is the
//! caller's.

pub mod json;
mod parsed;
pub mod trec;

use eightk_core::{Qrels, Run};

pub use self::parsed::{Oddity, Parsed, Warning};
use crate::MeasureError;

/// What a file holds, told by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Trec,
    Json,
}

impl Format {
    fn of(bytes: &[u8], origin: &str) -> Result<Self, MeasureError> {
        const BINARY: [(&[u8], &str, &str); 6] = [
            (b"\x1F\x8B", "gzip", "unpack it first"),
            (b"\x28\xB5\x2F\xFD", "zstd", "unpack it first"),
            (b"\x04\x22\x4D\x18", "LZ4", "unpack it first"),
            (b"PAR1", "Parquet", "save it as TREC or JSON"),
            (b"\xFF\xFE", "UTF-16", "save it as UTF-8"),
            (b"\xFE\xFF", "UTF-16", "save it as UTF-8"),
        ];
        if let Some((_, what, hint)) = BINARY.iter().find(|(magic, ..)| bytes.starts_with(magic)) {
            return Err(MeasureError::NotText { origin: origin.to_owned(), what, hint });
        }
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
        // An id may begin with a bracket; what is JSON goes on with a key or the end, or is a list, which no id begins with.
        let object = text.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
        let is_json = match object {
            Some(inside) => matches!(inside.first(), None | Some(b'"' | b'}')),
            None => text
                .strip_prefix(b"[")
                .is_some_and(|list| matches!(list.trim_ascii_start().first(), Some(b'{' | b'[' | b']'))),
        };
        Ok(if is_json { Self::Json } else { Self::Trec })
    }
}

/// Reads a run in any of the formats: TREC's six columns, or JSON. `section` chooses among the runs of a file that holds
/// several, see [`json::parse_run`]; a TREC run has no sections, and it is not looked at.
///
/// # Errors
/// As [`trec::parse_run`] and [`json::parse_run`]; a file that is no text.
pub fn parse_run(bytes: &[u8], origin: &str, section: Option<&str>) -> Result<Parsed<Run>, MeasureError> {
    match Format::of(bytes, origin)? {
        Format::Trec => trec::parse_run(bytes, origin),
        Format::Json => json::parse_run(bytes, origin, section),
    }
}

/// Reads judgements in any of the formats: TREC's four columns, BEIR's three with or without header, or JSON.
///
/// # Errors
/// As [`trec::parse_qrels`] and [`json::parse_qrels`]; a file that is no text.
pub fn parse_qrels(bytes: &[u8], origin: &str, section: Option<&str>) -> Result<Parsed<Qrels>, MeasureError> {
    match Format::of(bytes, origin)? {
        Format::Trec => trec::parse_qrels(bytes, origin),
        Format::Json => json::parse_qrels(bytes, origin, section),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contents_tell_the_format() {
        for json in ["{\"q\": {\"d\": 1}}", "\u{feff}\r\n {\n \"q\": {\"d\": 1.0}}"] {
            assert_eq!(parse_run(json.as_bytes(), "x.txt", None).unwrap().value.queries["q"][0].id, "d");
            assert_eq!(parse_qrels(json.as_bytes(), "x.tsv", None).unwrap().value.queries["q"]["d"], 1);
        }
        for trec in ["{q} Q0 d 1 2.5 s", "[q Q0 d 1 2.5 s", "# {\n{\"q\" Q0 d 1 2.5 s"] {
            let run = parse_run(trec.as_bytes(), "x.json", None).unwrap().value;
            assert_eq!(run.queries.values().next().unwrap()[0].score, 2.5, "{trec}");
        }
        assert_eq!(
            parse_qrels(b"query-id\tcorpus-id\tscore\r\nq\td\t2\r\n", "x", None).unwrap().value.queries["q"]["d"],
            2
        );
        let list = parse_run(b"[{\"query\": \"q\"}]", "x", None).unwrap_err().to_string();
        assert!(list.contains("x:1: a list at the top level"), "{list}");
    }

    #[test]
    fn what_is_no_text_is_called_by_its_name() {
        for (bytes, name) in [(&b"PAR1..."[..], "Parquet"), (b"\x1F\x8B\x08", "gzip"), (b"\xFF\xFEq\0", "UTF-16")] {
            let message = parse_run(bytes, "s.run", None).unwrap_err().to_string();
            assert!(message.starts_with("s.run") && message.contains(name), "{message}");
            assert!(parse_qrels(bytes, "s.run", None).is_err());
        }
    }
}
