//! Filings on disk.
//!
//! ```text
//! STORE/
//!   eightk-store.json      makes the folder a store
//!   lock                   held while a process works on it; empty after a clean end
//!   requests.jsonl         every request, one line each
//!   pause.json             while EDGAR's block lasts
//!   plans/NAME.json        which filings a query named, and which of them are wanted
//!   answers/KEY            pages of searches, indexes
//!   headers/ACCESSION      headers of submissions that were looked at
//!   candidates/ACCESSION/  documents that were looked at and not picked, laid out as filings/
//!   filings/ACCESSION/     the document as EDGAR served it, and filing.json
//!   set-aside/             filings that were damaged, before they were fetched again
//! ```
//!
//! Plain files, so that a person can look at them, copy them, and build from them with another tool. A database would make the
//! bookkeeping easier and the filings unreachable without us. What keeps plain files sound is one rule: **nothing gets its name
//! before it is whole.** A filing is a folder that is written under a temporary name, forced to the disk, and renamed; so there is
//! no moment at which a killed run, a full disk or a lost power line leaves half of one.
//!
//! No record holds a time or anything else that would differ between two fetches of the same document: equal documents give equal
//! stores. When things happened is in the log.

mod answers;
mod check;
mod disk;
mod filings;
mod lock;
mod marker;
mod names;
mod plans;
mod record;

use std::path::{Path, PathBuf};

use crate::EdgarError;

pub use check::{CheckReport, Trouble, check};
pub use filings::State;
pub use names::usable_file_name;
pub use record::Record;

use disk::Disk;
use lock::Lock;

pub use eightk_core::store_layout::{FILINGS, MARKER, RECORD};

/// The log of requests.
pub const REQUESTS: &str = "requests.jsonl";
/// The pause that EDGAR's block asks for.
pub const PAUSE: &str = "pause.json";
const PLANS: &str = "plans";
const ANSWERS: &str = "answers";
const HEADERS: &str = "headers";
const CANDIDATES: &str = "candidates";
const SET_ASIDE: &str = "set-aside";
/// Folders in which things are made.
const WORKSHOPS: [&str; 5] = [PLANS, ANSWERS, HEADERS, CANDIDATES, FILINGS];

/// A store, opened. May be used from several threads.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    disk: Disk,
    /// `None` where the store is only looked at.
    lock: Option<Lock>,
}

impl Store {
    /// Opens the store at `root` to work on it, as the only process. Makes the folder where there is none or an empty one; clears
    /// away what a killed run left in the making.
    ///
    /// # Errors
    /// A file, a foreign folder, a store of a newer version, a place that cannot be written, another process at work: all before
    /// anything was asked for from EDGAR.
    pub fn open(root: &Path) -> Result<Self, EdgarError> {
        Self::open_on(root, Disk::real())
    }

    fn open_on(root: &Path, disk: Disk) -> Result<Self, EdgarError> {
        let there = marker::examine(root)?;
        if there == marker::There::Nothing {
            std::fs::create_dir_all(root).map_err(marker::unwritable(root, "make the folder"))?;
        }
        let lock = Lock::take(root)?;
        disk::clear_temporary(root)?;
        // Between the look and the lock another process may have made the store, so it is looked at again.
        if marker::examine(root)? != marker::There::Store {
            disk.put_file(&root.join(MARKER), &[&marker::content()])?;
        }
        for name in WORKSHOPS {
            let folder = root.join(name);
            std::fs::create_dir_all(&folder).map_err(marker::unwritable(root, "make a folder in it"))?;
            disk::clear_temporary(&folder)?;
            disk.probe(&folder).map_err(marker::unwritable(&folder, "write in it"))?;
        }
        disk::sync_folder(root)?;
        Ok(Self { root: root.to_owned(), disk, lock: Some(lock) })
    }

    /// Opens the store at `root` to read it. Takes no lock and writes nothing: a run may go on meanwhile.
    ///
    /// # Errors
    /// When there is no store, or one of a newer version.
    pub fn look(root: &Path) -> Result<Self, EdgarError> {
        match marker::examine(root)? {
            marker::There::Store => Ok(Self { root: root.to_owned(), disk: Disk::real(), lock: None }),
            marker::There::Nothing | marker::There::Empty => Err(EdgarError::NotAStore {
                path: root.to_owned(),
                problem: format!("there is no store of filings here (no {MARKER}); `eightk fetch` makes one"),
            }),
        }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the log of requests is.
    pub fn requests_path(&self) -> PathBuf {
        self.root.join(REQUESTS)
    }

    /// Where the pause is written down.
    pub fn pause_path(&self) -> PathBuf {
        self.root.join(PAUSE)
    }

    /// Whether the last process that worked on the store did not come to a clean end.
    pub fn left_running(&self) -> bool {
        self.lock.as_ref().is_some_and(Lock::left_running)
    }

    /// When a request was last written to the log; `None` where there was none.
    pub fn last_active(&self) -> Option<std::time::SystemTime> {
        std::fs::metadata(self.requests_path()).and_then(|meta| meta.modified()).ok()
    }

    /// Whether this process may write in it.
    pub fn is_writable(&self) -> bool {
        self.lock.is_some()
    }

    /// Writing is for whoever holds the lock.
    fn writable(&self) -> Result<(), EdgarError> {
        match &self.lock {
            Some(_) => Ok(()),
            None => Err(EdgarError::Usage(format!("{}: this store was opened to be read only", self.root.display()))),
        }
    }
}

#[cfg(test)]
mod tests;
