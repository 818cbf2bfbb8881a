//! Is a store what it says?

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use eightk_core::Accession;
use serde::Serialize;

use super::disk::{entries, is_temporary};
use super::filings::{State, dashed, state};
use super::{ANSWERS, CANDIDATES, FILINGS, HEADERS, REQUESTS, Store, WORKSHOPS, answers};
use crate::EdgarError;

/// Something in the store that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trouble {
    /// Where, relative to the store, `/` between parts.
    pub path: String,
    /// What.
    pub problem: String,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct CheckReport {
    /// Filings there is anything of: `whole` and the damaged ones.
    pub filings: usize,
    /// Of them, those that are as they were fetched.
    pub whole: usize,
    /// Bytes of their documents.
    pub bytes: u64,
    /// Filings that are not as they were fetched.
    pub damaged: Vec<Trouble>,
    /// Filings that are wanted and not there.
    pub missing: Vec<Accession>,
    /// What is in `filings/` and no filing.
    pub unexpected: Vec<Trouble>,
    /// What does no harm: leftovers of a killed run, kept answers and candidates that are damaged and will be asked for again.
    pub notes: Vec<Trouble>,
}

impl CheckReport {
    /// Whether every filing that is wanted is there, and every one that is there is whole.
    pub fn is_sound(&self) -> bool {
        self.damaged.is_empty() && self.missing.is_empty()
    }
}

/// Reads and hashes everything in the store. `wanted`: what plans name. May run beside a fetch.
///
/// # Errors
/// When a folder cannot be read; a file that cannot be is reported.
pub fn check<'a>(store: &Store, wanted: impl IntoIterator<Item = &'a Accession>) -> Result<CheckReport, EdgarError> {
    let mut report = CheckReport::default();
    let root = store.root();
    let mut present = BTreeSet::new();
    for (name, path) in listed(root, FILINGS)? {
        let at = format!("{FILINGS}/{name}");
        if is_temporary(&name) {
            continue;
        }
        let Some(accession) = dashed(&name) else {
            report.unexpected.push(Trouble { path: at, problem: "its name is no accession number".into() });
            continue;
        };
        report.filings += 1;
        match state(&path, &accession)? {
            State::Whole(record) => {
                report.whole += 1;
                report.bytes += record.bytes;
                report.unexpected.extend(beside(&path, &at, &record.file)?);
            }
            State::Damaged(problem) => report.damaged.push(Trouble { path: at, problem }),
            // Moved away since the folder was listed.
            State::Missing => report.filings -= 1,
        }
        present.insert(accession);
    }
    report.missing =
        (wanted.into_iter().filter(|a| !present.contains(*a)).cloned().collect::<BTreeSet<_>>()).into_iter().collect();
    notes(store, &mut report)?;
    Ok(report)
}

/// Files in a filing's folder that are neither its document nor its record.
fn beside(folder: &Path, at: &str, document: &str) -> Result<Vec<Trouble>, EdgarError> {
    let names = entries(folder)?.into_iter().map(|(name, _)| name);
    Ok(names
        .filter(|name| name != document && name != super::RECORD)
        .map(|name| Trouble { path: format!("{at}/{name}"), problem: "the record does not name it".into() })
        .collect())
}

fn notes(store: &Store, report: &mut CheckReport) -> Result<(), EdgarError> {
    let root = store.root();
    let mut note = |path: String, problem: &str| report.notes.push(Trouble { path, problem: problem.into() });
    for folder in ["."].iter().chain(&WORKSHOPS) {
        for (name, _) in listed(root, folder)?.iter().filter(|(name, _)| is_temporary(name)) {
            let path = if *folder == "." { name.clone() } else { format!("{folder}/{name}") };
            note(path, "left in the making by a run that was killed, or that goes on; the next fetch clears it away");
        }
    }
    for folder in [ANSWERS, HEADERS] {
        for (name, path) in listed(root, folder)? {
            if !is_temporary(&name) && !answers::is_sound(&path) {
                note(
                    format!("{folder}/{name}"),
                    "not the answer that was stored; it is asked for again when it is needed",
                );
            }
        }
    }
    for (name, path) in listed(root, CANDIDATES)? {
        let Some(accession) = dashed(&name) else { continue };
        if let State::Damaged(problem) = state(&path, &accession)? {
            note(format!("{CANDIDATES}/{name}"), &format!("{problem}; it is fetched again when it is needed"));
        }
    }
    if ends_torn(&root.join(REQUESTS)) {
        note(
            REQUESTS.into(),
            "its last line is cut short, as a run that is killed leaves it; the log goes on below it",
        );
    }
    Ok(())
}

/// What lies in a folder of the store; nothing where the folder is not there.
fn listed(root: &Path, folder: &str) -> Result<Vec<(String, std::path::PathBuf)>, EdgarError> {
    let folder = root.join(folder);
    if folder.exists() { entries(&folder) } else { Ok(Vec::new()) }
}

/// Whether a file has content and does not end with a line break.
fn ends_torn(path: &Path) -> bool {
    let last = || -> std::io::Result<u8> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::End(-1))?;
        let mut byte = [0];
        file.read_exact(&mut byte)?;
        Ok(byte[0])
    };
    last().is_ok_and(|byte| byte != b'\n')
}
