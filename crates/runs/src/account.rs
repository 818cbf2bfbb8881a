//! Everything that a report shows, read from a folder at once.
//!
//! Runs themselves are not opened: who stood first, and where golds and rivals stood, is in `per-query.jsonl`, so that a report of ten
//! thousand queries by ten systems reads some megabytes and not gigabytes.

use std::collections::BTreeMap;
use std::path::Path;

use eightk_core::RivalSet;

use crate::files::{file, read_lines, read_value};
use crate::{FilingFacts, OutcomeRow, QueryFacts, Results, RunsError, TextRow};

/// A folder of runs and scores, in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// What was scored, how, and what came out.
    pub results: Results,
    /// What is asked, in the order of the data set.
    pub queries: Vec<QueryFacts>,
    /// In the order of their `source_url`.
    pub filings: Vec<FilingFacts>,
    /// Rivals; empty where there are none.
    pub rivals: Vec<RivalSet>,
    /// System by system, query by query.
    pub outcomes: Vec<OutcomeRow>,
    /// By chunk id, the chunks that were put down to be shown; empty for folders of a version that did not keep them.
    pub texts: BTreeMap<String, TextRow>,
}

impl Account {
    /// Reads a folder that `eightk eval` wrote.
    ///
    /// # Errors
    /// It is no such folder; a file is missing or not as it was written.
    pub fn read(folder: &Path) -> Result<Self, RunsError> {
        let results = folder.join(file::RESULTS);
        if !results.is_file() {
            return Err(RunsError::NotARunsFolder(folder.to_owned()));
        }
        let bad = |problem: String| RunsError::BadFile { path: results.clone(), line: None, problem };
        let read: Results = read_value(&results)?;
        if read.tool != "eightk" {
            return Err(bad(format!("it was written by `{}`", read.tool)));
        }
        let texts = folder.join(file::TEXTS);
        let rows: Vec<TextRow> = if texts.is_file() { read_lines(&texts)? } else { Vec::new() };
        let rivals = folder.join(file::RIVALS);
        Ok(Self {
            results: read,
            queries: read_lines(&folder.join(file::QUERIES))?,
            filings: read_lines(&folder.join(file::FILINGS))?,
            rivals: if rivals.is_file() { read_lines(&rivals)? } else { Vec::new() },
            outcomes: read_lines(&folder.join(file::PER_QUERY))?,
            texts: rows.into_iter().map(|row| (row.chunk_id.clone(), row)).collect(),
        })
    }

    /// A chunk that is shown.
    pub fn text(&self, chunk: &str) -> Option<&TextRow> {
        self.texts.get(chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_folder_is_said_with_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let said = |e: RunsError| e.to_string();
        let none = Account::read(dir.path()).unwrap_err();
        assert!(none.is_user_mistake() && said(none).contains("without results.json"));
        std::fs::write(dir.path().join(file::RESULTS), "{}").unwrap();
        let bad = Account::read(dir.path()).unwrap_err();
        assert!(!bad.is_user_mistake() && said(bad).contains("results.json: missing field"));
        let lines = dir.path().join("x.jsonl");
        std::fs::write(&lines, "{\"query\":\"q0\",\"rivals\":[]}\n\nnothing\n").unwrap();
        let bad = read_lines::<RivalSet>(&lines).unwrap_err();
        assert!(said(bad).contains("x.jsonl, line 3"));
    }
}
