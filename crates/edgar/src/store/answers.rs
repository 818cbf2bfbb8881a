//! Answers kept for the next run: pages of searches, indexes, headers.
//!
//! The first line of each file says what it answers, how long it is and its hash; the answer follows as it came. A file that does not
//! hold what it says, or answers something else, counts as absent and is asked for again: nothing here is lost that EDGAR does not
//! have.

use std::fs;
use std::path::Path;

use eightk_core::Accession;
use serde::{Deserialize, Serialize};

use super::disk::entries;
use super::{ANSWERS, HEADERS, Store};
use crate::EdgarError;
use crate::digest::sha256_hex;

/// How much of an address is in a file's name.
const PREFIX: usize = 100;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Label {
    answers: String,
    bytes: u64,
    sha256: String,
}

impl Store {
    /// The stored answer to what was asked for at `url`.
    pub fn answer(&self, url: &str) -> Option<Vec<u8>> {
        read(&self.root.join(ANSWERS).join(key(url)), url)
    }

    /// Stores a whole answer; replaces an earlier one.
    pub fn put_answer(&self, url: &str, body: &[u8]) -> Result<(), EdgarError> {
        self.put_labelled(&self.root.join(ANSWERS).join(key(url)), url, body)
    }

    /// Forgets all answers of searches and indexes, so that EDGAR is asked anew. Headers and filings never change and stay.
    pub fn forget_answers(&self) -> Result<(), EdgarError> {
        self.writable()?;
        for (_, path) in entries(&self.root.join(ANSWERS))?.into_iter().filter(|(_, path)| path.is_file()) {
            fs::remove_file(&path).map_err(EdgarError::io("remove", path))?;
        }
        Ok(())
    }

    /// Forgets the answer to what was asked for at `url`.
    pub fn forget_answer(&self, url: &str) -> Result<(), EdgarError> {
        self.writable()?;
        remove(&self.root.join(ANSWERS).join(key(url)))
    }

    /// Forgets the header of a submission.
    pub fn forget_header(&self, accession: &Accession) -> Result<(), EdgarError> {
        self.writable()?;
        remove(&self.root.join(HEADERS).join(accession.as_str()))
    }

    /// The stored header of a submission.
    pub fn header(&self, accession: &Accession) -> Option<Vec<u8>> {
        read(&self.root.join(HEADERS).join(accession.as_str()), accession.as_str())
    }

    /// Stores the header of a submission.
    pub fn put_header(&self, accession: &Accession, header: &[u8]) -> Result<(), EdgarError> {
        self.put_labelled(&self.root.join(HEADERS).join(accession.as_str()), accession.as_str(), header)
    }

    fn put_labelled(&self, path: &Path, answers: &str, body: &[u8]) -> Result<(), EdgarError> {
        self.writable()?;
        let label = Label { answers: answers.to_owned(), bytes: body.len() as u64, sha256: sha256_hex(body) };
        let mut line = serde_json::to_vec(&label)
            .map_err(|e| EdgarError::Damaged { path: path.to_owned(), problem: e.to_string() })?;
        line.push(b'\n');
        self.disk.put_file(path, &[&line, body])
    }
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), EdgarError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(EdgarError::io("remove", path)(e)),
        _ => Ok(()),
    }
}

fn read(path: &Path, answers: &str) -> Option<Vec<u8>> {
    let mut bytes = fs::read(path).ok()?;
    let (label, start) = label(&bytes)?;
    let body = bytes.split_off(start);
    (label.answers == answers && holds(&label, &body)).then_some(body)
}

/// Whether a file of answers is what its first line says.
pub(super) fn is_sound(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| {
        label(&bytes).is_some_and(|(label, start)| bytes.get(start..).is_some_and(|body| holds(&label, body)))
    })
}

/// The first line, and where the answer begins.
fn label(bytes: &[u8]) -> Option<(Label, usize)> {
    let end = memchr::memchr(b'\n', bytes)?;
    Some((serde_json::from_slice(bytes.get(..end)?).ok()?, end + 1))
}

fn holds(label: &Label, body: &[u8]) -> bool {
    label.bytes == body.len() as u64 && label.sha256 == sha256_hex(body)
}

/// A file name for an address: as much of it as a person needs, and a hash that tells it from all others.
fn key(url: &str) -> String {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = path.split_once('/').map_or(path, |(_, path)| path);
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-.=".contains(c) { c } else { '_' };
    let prefix: String = path.chars().take(PREFIX).map(plain).collect();
    let hash = sha256_hex(url.as_bytes());
    format!("{}-{}", prefix.trim_start_matches('.'), hash.get(..16).unwrap_or(&hash))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_address_has_a_plain_key(url in "\\PC{0,40}|https?://[ -~]{0,300}|(\\.|/|~|\n){0,20}") {
            let key = key(&url);
            prop_assert!(crate::store::usable_file_name(&key).is_ok(), "{key:?}");
            prop_assert!(key.is_ascii() && key.len() <= PREFIX + 17);
        }
    }

    #[test]
    fn keys_are_readable_and_distinct() {
        let a = key("https://www.sec.gov/Archives/edgar/full-index/2024/QTR1/master.idx");
        assert!(a.starts_with("Archives_edgar_full-index_2024_QTR1_master.idx-"), "{a}");
        let long = |end: &str| key(&format!("https://efts.sec.gov/LATEST/search-index?q={}{end}", "x".repeat(4000)));
        assert!(long("a") != long("b") && long("a").len() < 130);
        for url in ["", "https://", "https://h/../../etc", "https://h/.tmp-1", "https://h/ü\n"] {
            let key = key(url);
            assert!(!key.is_empty() && !key.starts_with('.') && !key.contains(['/', '\n']), "{key}");
        }
    }
}
