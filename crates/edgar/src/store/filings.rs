//! Documents, each beside its record.
//!
//! `filings/` holds what is in the data set to be, `candidates/` what had to be looked at to decide. Both are laid out alike, so
//! a candidate that is picked moves by one rename and is never fetched again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use eightk_core::Accession;

use super::disk::{entries, sync_folder};
use super::names::usable_file_name;
use super::record::Record;
use super::{CANDIDATES, FILINGS, RECORD, SET_ASIDE, Store};
use crate::EdgarError;
use crate::digest::sha256_hex;

/// No record comes near this; a larger file is something else.
const LARGEST_RECORD: u64 = 1_000_000;

/// What there is of a filing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nothing.
    Missing,
    /// Record and document, and the document is what the record says: length and hash were checked.
    Whole(Box<Record>),
    /// Something else; what.
    Damaged(String),
}

impl Store {
    /// Stores a picked filing: document and record appear together, or not at all. What was there under its number, unless it is the
    /// same, is moved to `set-aside/`; the answer says where to.
    pub fn put_filing(&self, record: &Record, bytes: &[u8]) -> Result<Option<PathBuf>, EdgarError> {
        self.put(FILINGS, record, bytes)
    }

    /// Stores a filing that was looked at and is not picked so far.
    pub fn put_candidate(&self, record: &Record, bytes: &[u8]) -> Result<Option<PathBuf>, EdgarError> {
        self.put(CANDIDATES, record, bytes)
    }

    /// What there is of a picked filing. Reads and hashes the document.
    pub fn filing(&self, accession: &Accession) -> Result<State, EdgarError> {
        state(&self.place(FILINGS, accession), accession)
    }

    /// What there is of a filing that was looked at and not picked.
    pub fn candidate(&self, accession: &Accession) -> Result<State, EdgarError> {
        state(&self.place(CANDIDATES, accession), accession)
    }

    /// The document of a whole filing, picked or looked at. `None` where there is none.
    pub fn document(&self, accession: &Accession) -> Result<Option<(Record, Vec<u8>)>, EdgarError> {
        for shelf in [FILINGS, CANDIDATES] {
            if let Ok(Some(whole)) = load(&self.place(shelf, accession), accession)? {
                return Ok(Some(whole));
            }
        }
        Ok(None)
    }

    /// Makes a candidate a picked filing. Whether there was a whole one to pick.
    pub fn adopt(&self, accession: &Accession) -> Result<bool, EdgarError> {
        self.writable()?;
        if !matches!(self.candidate(accession)?, State::Whole(_)) {
            return Ok(false);
        }
        let (from, to) = (self.place(CANDIDATES, accession), self.place(FILINGS, accession));
        if exists(&to)? {
            self.set_aside(&to, accession)?;
        }
        fs::rename(&from, &to).map_err(EdgarError::io("put in place", &to))?;
        sync_folder(&self.root.join(FILINGS))?;
        sync_folder(&self.root.join(CANDIDATES))?;
        Ok(true)
    }

    /// Numbers of the picked filings that there is anything of, in order.
    pub fn accessions(&self) -> Result<Vec<Accession>, EdgarError> {
        let folder = self.root.join(FILINGS);
        if !exists(&folder)? {
            return Ok(Vec::new());
        }
        Ok(entries(&folder)?.into_iter().filter_map(|(name, _)| dashed(&name)).collect())
    }

    pub(super) fn place(&self, shelf: &str, accession: &Accession) -> PathBuf {
        self.root.join(shelf).join(accession.as_str())
    }

    fn put(&self, shelf: &str, record: &Record, bytes: &[u8]) -> Result<Option<PathBuf>, EdgarError> {
        self.writable()?;
        let target = self.place(shelf, &record.accession);
        // The record's fields are open, so they are held against what they describe.
        let wrong = if record.bytes != bytes.len() as u64 || record.sha256 != sha256_hex(bytes) {
            Err("the record describes another document".to_owned())
        } else {
            usable_file_name(&record.file)
        };
        wrong.map_err(|e| EdgarError::Usage(format!("{}: {e}", target.display())))?;
        let moved = match state(&target, &record.accession)? {
            State::Missing => None,
            State::Whole(present) if *present == *record => return Ok(None),
            State::Whole(_) | State::Damaged(_) => Some(self.set_aside(&target, &record.accession)?),
        };
        let json = record.to_json().map_err(|e| EdgarError::Usage(format!("{}: {e}", target.display())))?;
        self.disk.put_folder(&target, &[(&record.file, bytes), (RECORD, &json)])?;
        Ok(moved)
    }

    /// Moves away what must not be overwritten: it may be all that somebody has.
    fn set_aside(&self, from: &Path, accession: &Accession) -> Result<PathBuf, EdgarError> {
        let folder = self.root.join(SET_ASIDE);
        fs::create_dir_all(&folder).map_err(EdgarError::io("make", &folder))?;
        let mut number = 1_u32;
        let to = loop {
            let to = folder.join(format!("{accession}-{number}"));
            if !exists(&to)? {
                break to;
            }
            number += 1;
        };
        fs::rename(from, &to).map_err(EdgarError::io("move aside", from))?;
        sync_folder(&folder)?;
        Ok(to)
    }
}

/// The accession number that a folder's name is. Only the dashed form is one: two names for one filing would be two filings.
pub(super) fn dashed(name: &str) -> Option<Accession> {
    name.parse::<Accession>().ok().filter(|a| a.as_str() == name)
}

/// Whether there is anything, a dead link included.
fn exists(path: &Path) -> Result<bool, EdgarError> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(EdgarError::Io { what: "read", path: path.to_owned(), source }),
    }
}

pub(super) fn state(folder: &Path, accession: &Accession) -> Result<State, EdgarError> {
    Ok(match load(folder, accession)? {
        Ok(None) => State::Missing,
        Ok(Some((record, _))) => State::Whole(Box::new(record)),
        Err(problem) => State::Damaged(problem),
    })
}

/// A filing's record and document; the inner error is what is damaged.
type Loaded = Result<Option<(Record, Vec<u8>)>, String>;

fn load(folder: &Path, accession: &Accession) -> Result<Loaded, EdgarError> {
    if !exists(folder)? {
        return Ok(Ok(None));
    }
    Ok(read_record(folder, accession).and_then(|record| {
        let bytes = read_document(folder, &record)?;
        Ok(Some((record, bytes)))
    }))
}

fn read_record(folder: &Path, accession: &Accession) -> Result<Record, String> {
    let path = folder.join(RECORD);
    let meta = fs::metadata(&path).map_err(|e| format!("{RECORD} cannot be read: {e}"))?;
    if !meta.is_file() || meta.len() > LARGEST_RECORD {
        return Err(format!("{RECORD} is no record of a filing"));
    }
    let bytes = fs::read(&path).map_err(|e| format!("{RECORD} cannot be read: {e}"))?;
    let record: Record = serde_json::from_slice(&bytes).map_err(|e| format!("{RECORD} cannot be read: {e}"))?;
    if record.accession != *accession {
        return Err(format!("{RECORD} is that of {}, not of the folder's {accession}", record.accession));
    }
    usable_file_name(&record.file)?;
    Ok(record)
}

fn read_document(folder: &Path, record: &Record) -> Result<Vec<u8>, String> {
    let (name, path) = (&record.file, folder.join(&record.file));
    let meta = fs::metadata(&path).map_err(|e| format!("{name} cannot be read: {e}"))?;
    if !meta.is_file() {
        return Err(format!("{name} is no regular file"));
    }
    if meta.len() != record.bytes {
        return Err(format!("{name} has {} bytes, not the {} that were fetched", meta.len(), record.bytes));
    }
    let bytes = fs::read(&path).map_err(|e| format!("{name} cannot be read: {e}"))?;
    let sha256 = sha256_hex(&bytes);
    if sha256 != record.sha256 {
        return Err(format!("{name} is not what was fetched: its SHA-256 is {sha256}, not {}", record.sha256));
    }
    Ok(bytes)
}
