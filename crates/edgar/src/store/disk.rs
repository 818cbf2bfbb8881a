//! Writing so that a name means a whole file.
//!
//! Temporary name beside the target, content forced to the disk, rename, folder forced to the disk. Files are created through one
//! function that tests replace, because a disk that is full at the third write cannot be had on every machine.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use eightk_core::store_layout::TEMPORARY;

use crate::EdgarError;

/// A file that is being written.
pub(super) trait Sink: Write {
    /// Forces it to the disk.
    fn sync(&self) -> io::Result<()>;
}

impl Sink for File {
    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

type Create = dyn Fn(&Path) -> io::Result<Box<dyn Sink>> + Send + Sync;

/// Where files are written.
pub(super) struct Disk {
    create: Box<Create>,
    /// Number of the next temporary name. The lock keeps other processes out, so counting is enough.
    next: AtomicU64,
}

impl std::fmt::Debug for Disk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Disk").finish_non_exhaustive()
    }
}

impl Disk {
    /// The file system.
    pub(super) fn real() -> Self {
        Self::with(|path| Ok(Box::new(File::create_new(path)?)))
    }

    /// A disk whose files are created by `create`.
    pub(super) fn with(create: impl Fn(&Path) -> io::Result<Box<dyn Sink>> + Send + Sync + 'static) -> Self {
        Self { create: Box::new(create), next: AtomicU64::new(0) }
    }

    /// Writes a file, whole or not at all; replaces the present one. `parts` follow each other.
    pub(super) fn put_file(&self, target: &Path, parts: &[&[u8]]) -> Result<(), EdgarError> {
        let folder = target.parent().unwrap_or(Path::new("."));
        let temporary = self.temporary(folder);
        let put = || {
            self.write(&temporary, parts).map_err(EdgarError::io("write", target))?;
            fs::rename(&temporary, target).map_err(EdgarError::io("put in place", target))?;
            sync_folder(folder)
        };
        put().inspect_err(|_| {
            let _ = fs::remove_file(&temporary);
        })
    }

    /// Writes a folder of files, whole or not at all. There must be nothing at `target`.
    pub(super) fn put_folder(&self, target: &Path, files: &[(&str, &[u8])]) -> Result<(), EdgarError> {
        let folder = target.parent().unwrap_or(Path::new("."));
        let temporary = self.temporary(folder);
        let put = || {
            fs::create_dir(&temporary).map_err(EdgarError::io("make", target))?;
            for (name, bytes) in files {
                self.write(&temporary.join(name), &[bytes]).map_err(EdgarError::io("write", target.join(name)))?;
            }
            sync_folder(&temporary)?;
            fs::rename(&temporary, target).map_err(EdgarError::io("put in place", target))?;
            sync_folder(folder)
        };
        put().inspect_err(|_| {
            let _ = fs::remove_dir_all(&temporary);
        })
    }

    /// Tries whether files can be made in a folder.
    pub(super) fn probe(&self, folder: &Path) -> io::Result<()> {
        let path = self.temporary(folder);
        (self.create)(&path)?;
        fs::remove_file(&path)
    }

    fn write(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        let mut file = (self.create)(path)?;
        for part in parts {
            file.write_all(part)?;
        }
        file.flush()?;
        file.sync()
    }

    fn temporary(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{TEMPORARY}{}", self.next.fetch_add(1, Ordering::Relaxed)))
    }
}

/// Whether a name is one that [`Disk`] gives to what is in the making.
pub(super) fn is_temporary(name: &str) -> bool {
    name.strip_prefix(TEMPORARY).is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Removes what an earlier process left in the making.
pub(super) fn clear_temporary(folder: &Path) -> Result<(), EdgarError> {
    for (name, path) in entries(folder)? {
        if is_temporary(&name) {
            let is_folder = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir());
            let gone = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            gone.map_err(EdgarError::io("remove", path))?;
        }
    }
    Ok(())
}

/// What lies in a folder, sorted by name.
pub(super) fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, EdgarError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(EdgarError::io("read", folder))? {
        let entry = entry.map_err(EdgarError::io("read", folder))?;
        found.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    found.sort();
    Ok(found)
}

/// Forces a folder's names to the disk. Some network file systems cannot, and say so; that is no reason to stop.
pub(super) fn sync_folder(folder: &Path) -> Result<(), EdgarError> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(folder).and_then(|f| f.sync_all()) {
        Err(e) if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        other => other.map_err(EdgarError::io("sync", folder)),
    }
}
