//! Getting a damaged file out of the way without losing a sound one.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use eightk_encode::Identity;

use super::file::VectorFile;
use super::name::ASIDE;
use super::salvage::salvage;
use super::trouble::Trouble;

/// Renames a damaged file and its journal, and begins it anew with what could be saved of it. Where it went and how many vectors were saved;
/// none where somebody else has seen to it already.
///
/// Only one process at a time does this in a folder, and each looks again before it does: else the second of two that saw
/// the same damage would throw out what the first has begun anew.
pub(super) fn set_aside(path: &Path, who: &Identity) -> io::Result<Option<(PathBuf, u64)>> {
    // Never removed: who waits for a lock on a file that is gone does not see the next one who takes it.
    let lock = File::create(path.with_file_name("lock"))?;
    lock.lock()?;
    let moved = match VectorFile::open(path, who, false) {
        Err(Trouble::Damaged(_)) => true,
        // Sound as far as opening goes; whether its damage lies deeper only a look at everything tells.
        Ok(Some(file)) => !file.is_whole(),
        Ok(None) | Err(_) => false,
    };
    let to = beside(path, ASIDE);
    if moved {
        // The journal first: left behind, it would be played into the file that comes next.
        for ending in ["-journal", "-wal", "-shm", ""] {
            match std::fs::rename(beside(path, ending), beside(&to, ending)) {
                Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
                _ => {}
            }
        }
    }
    Ok(moved.then(|| {
        let saved = salvage(&to, path, who);
        (to, saved)
    }))
}

/// The path with something at its end.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut whole = OsString::from(path);
    whole.push(ending);
    PathBuf::from(whole)
}
