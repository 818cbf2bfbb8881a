//! One process per store.
//!
//! The system drops an advisory lock with its process, however that ends, so there is no stale lock to reason about. The process
//! number in the file is for people, and for the next run: where it still stands, the last run was killed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::marker::unwritable;
use crate::EdgarError;

/// Name of the lock file.
pub(super) const LOCK: &str = "lock";

/// The lock, held until dropped.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    left_running: bool,
}

/// Whether a file of that name is a lock: a plain file with a process number in it, or nothing.
pub(super) fn is_ours(path: &Path) -> bool {
    let plain = std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= 16);
    plain && std::fs::read(path).is_ok_and(|bytes| bytes.trim_ascii().iter().all(u8::is_ascii_digit))
}

impl Lock {
    /// Takes the lock of the store at `root`, or says who has it.
    pub(super) fn take(root: &Path) -> Result<Self, EdgarError> {
        let path = root.join(LOCK);
        if path.symlink_metadata().is_ok() && !is_ours(&path) {
            return Err(EdgarError::Damaged {
                path,
                problem: "this is not the lock of a store; move it away, and look whose it is".into(),
            });
        }
        let mut options = OpenOptions::new();
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(unwritable(root, "write in it"))?;
        let mut held_by = String::new();
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                // Where the system keeps others from reading a locked file, the number stays unknown.
                let _ = (&mut file).take(64).read_to_string(&mut held_by);
                return Err(EdgarError::Busy { path: root.to_owned(), pid: held_by.trim().parse().ok() });
            }
            Err(TryLockError::Error(source)) => return Err(EdgarError::Io { what: "lock", path, source }),
        }
        let mut bytes = Vec::new();
        (&mut file).take(64).read_to_end(&mut bytes).map_err(EdgarError::io("read", &path))?;
        let mut lock = Self { file, left_running: !bytes.trim_ascii().is_empty() };
        lock.write(&format!("{}\n", std::process::id())).map_err(EdgarError::io("write", &path))?;
        Ok(lock)
    }

    pub(super) fn left_running(&self) -> bool {
        self.left_running
    }

    fn write(&mut self, text: &str) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(text.as_bytes())
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A clean end. Should it fail, the next run only believes that this one was killed.
        let _ = self.write("");
    }
}
