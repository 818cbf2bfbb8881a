//! Vectors that were made here, kept on disk.
//!
//! One SQLite file per encoder, so that one encoder's vectors can be shown, measured and thrown away without touching those of
//! another. Values carry a checksum over key and bytes, because SQLite has none of its own: what is damaged is not known, and is
//! never a wrong vector.
//!
//! **A rollback journal, not a write-ahead log.** Both survive a kill. The log needs memory shared between all its users, so it breaks where one
//! home folder is mounted on several machines, and it cannot be read in a folder that cannot be written. A cache that jobs of a
//! cluster share must do both. What the log would save, waiting for the disk at each commit, is saved otherwise: nobody waits,
//! 0.1 ms instead of 20 ms per filing, and should the machine itself fail, whatever of the file is sound is taken over into a new one.
//!
//! The road not taken, a file per vector: a million files are slow to list, to copy and to delete. A file of our own, only
//! appended to: two writers and a kill between two writes are just what SQLite has been tested for.

mod aside;
mod connection;
mod file;
mod listing;
mod name;
mod salvage;
mod trouble;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use eightk_encode::{EncodeError, Identity, Stored, VectorKey, VectorStore};

use file::VectorFile;
use trouble::Trouble;

pub use listing::CacheEntry;

/// How often a call may find its file gone or damaged and begin anew.
const ATTEMPTS: usize = 3;

/// The store of vectors in a folder. The folder need not exist; it is made when the first vector is put.
#[derive(Debug)]
pub struct Cache {
    folder: PathBuf,
    files: Mutex<BTreeMap<[u8; 32], Slot>>,
    notes: Mutex<Vec<String>>,
}

/// The open file of one encoder, once there is one.
type Slot = Arc<Mutex<Option<VectorFile>>>;

/// A thread that panicked with a connection in hand left no transaction open: SQLite rolls back what was not committed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Cache {
    /// The cache in this folder. Touches nothing yet.
    pub fn open(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), files: Mutex::default(), notes: Mutex::default() }
    }

    /// The folder it was opened with.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What people should know by now, each thing once: damaged files that were set aside, damaged vectors that are made anew.
    pub fn notes(&self) -> Vec<String> {
        locked(&self.notes).clone()
    }

    fn note(&self, note: String) {
        let mut notes = locked(&self.notes);
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    fn slot(&self, who: &Identity) -> Slot {
        Arc::clone(locked(&self.files).entry(who.hash()).or_default())
    }

    /// Does something with the encoder's file. `create`: make it where there is none; else none is the answer.
    fn with_file<T>(
        &self,
        who: &Identity,
        create: bool,
        mut act: impl FnMut(&mut VectorFile) -> Result<T, Trouble>,
    ) -> Result<Option<T>, EncodeError> {
        let path = self.folder.join(name::of_file(who));
        let slot = self.slot(who);
        let mut open = locked(&slot);
        let mut last = String::new();
        for _ in 0..ATTEMPTS {
            if open.is_none() {
                match VectorFile::open(&path, who, create) {
                    Ok(Some(file)) => *open = Some(file),
                    Ok(None) => return Ok(None),
                    Err(Trouble::Damaged(why)) => {
                        if !self.set_aside(&path, who, create, &why)? {
                            return Ok(None);
                        }
                        last = why;
                        continue;
                    }
                    Err(Trouble::Moved(why)) => {
                        last = why;
                        continue;
                    }
                    Err(Trouble::Io(why)) => return Err(at(&path, why)),
                }
            }
            let Some(file) = open.as_mut() else { continue };
            match act(file) {
                Ok(done) => return Ok(Some(done)),
                Err(Trouble::Io(why)) => return Err(at(&path, why)),
                Err(Trouble::Moved(why)) => {
                    *open = None;
                    last = why;
                }
                Err(Trouble::Damaged(why)) => {
                    *open = None;
                    if !self.set_aside(&path, who, create, &why)? {
                        return Ok(None);
                    }
                    last = why;
                }
            }
        }
        Err(at(&path, format!("is damaged or replaced over and over ({last})")))
    }

    /// Sets a damaged file aside with a note. False: it could not be, and whoever only wanted to read does without it.
    fn set_aside(&self, path: &Path, who: &Identity, create: bool, why: &str) -> Result<bool, EncodeError> {
        match aside::set_aside(path, who) {
            Ok(None) => Ok(true),
            Ok(Some((to, saved))) => {
                self.note(format!(
                    "{}: not a sound cache of vectors ({why}); set aside as {}, {saved} of its vectors were saved, others are made anew",
                    path.display(),
                    to.file_name().unwrap_or_default().display()
                ));
                Ok(true)
            }
            Err(error) if create => Err(at(
                path,
                format!("is damaged ({why}) and cannot be set aside: {error}; delete it, or use another folder"),
            )),
            Err(_) => {
                self.note(format!("{}: not a sound cache of vectors ({why}); not used", path.display()));
                Ok(false)
            }
        }
    }
}

fn at(path: &Path, why: String) -> EncodeError {
    EncodeError::Io { path: path.display().to_string(), why }
}

impl VectorStore for Cache {
    fn get(&self, who: &Identity, keys: &[VectorKey]) -> Result<Vec<Option<Stored>>, EncodeError> {
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let Some((found, damaged)) = self.with_file(who, false, |file| file.get(keys))? else {
            return Ok(vec![None; keys.len()]);
        };
        if damaged > 0 {
            let path = self.folder.join(name::of_file(who));
            self.note(format!("{}: damaged vectors were found; they are made anew", path.display()));
        }
        Ok(found)
    }

    fn put(&self, who: &Identity, entries: &[(VectorKey, Stored)]) -> Result<(), EncodeError> {
        if entries.is_empty() {
            return Ok(());
        }
        std::fs::create_dir_all(&self.folder).map_err(|e| EncodeError::io(&self.folder, &e))?;
        match self.with_file(who, true, |file| file.put(entries))? {
            Some(()) => Ok(()),
            None => Err(EncodeError::Bug("a file of vectors was neither made nor refused".to_owned())),
        }
    }
}
