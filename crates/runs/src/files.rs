//! Names of the files, and reading them.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::RunsError;

/// What the files are called.
pub mod file {
    /// What was scored, against what, how, and the scores.
    pub const RESULTS: &str = "results.json";
    /// Of every query and system.
    pub const PER_QUERY: &str = "per-query.jsonl";
    /// The judgements.
    pub const QRELS: &str = "qrels.txt";
    /// Rivals by query.
    pub const RIVALS: &str = "rivals.jsonl";
    /// What is asked.
    pub const QUERIES: &str = "queries.jsonl";
    /// Which chunks belong together.
    pub const FILINGS: &str = "filings.jsonl";
    /// The chunks that a report shows.
    pub const TEXTS: &str = "texts.jsonl";
}

/// The rows of a file of JSON lines, one at a time through one buffer; blank lines are passed over.
///
/// # Errors
/// The file cannot be read; a line is no such row.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, RunsError> {
    let mut reader = BufReader::new(File::open(path).map_err(RunsError::io(path))?);
    let (mut rows, mut line) = (Vec::new(), Vec::new());
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(RunsError::io(path))? == 0 {
            break;
        }
        let text = line.trim_ascii();
        if !text.is_empty() {
            rows.push(serde_json::from_slice(text).map_err(|e| bad(path, Some(number), &e))?);
        }
    }
    Ok(rows)
}

/// A file that is one JSON value.
pub(crate) fn read_value<T: DeserializeOwned>(path: &Path) -> Result<T, RunsError> {
    let bytes = std::fs::read(path).map_err(RunsError::io(path))?;
    serde_json::from_slice(&bytes).map_err(|e| bad(path, None, &e))
}

fn bad(path: &Path, line: Option<usize>, error: &serde_json::Error) -> RunsError {
    RunsError::BadFile { path: path.to_owned(), line, problem: error.to_string() }
}
