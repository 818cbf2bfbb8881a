//! A file on its way: a name of its own beside the blobs, hashed as it is written, published by a rename.
//!
//! Two processes that fetch the same file do not meet: each writes its own part, and the second rename replaces a file by the
//! same bytes. The road not taken is a lock, which a killed process leaves behind and which some file systems only pretend to take.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sha1::Sha1;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::HubError;
use crate::listing::RemoteFile;

/// How the names of parts end.
const ENDING: &str = ".eightk-part";

/// After so long nobody is writing a part any more.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// Parts that are being written, for whoever has to clean up when the process is told to stop.
static UNDER_WAY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn under_way() -> std::sync::MutexGuard<'static, BTreeSet<PathBuf>> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every file that is not whole. For handlers of signals: the downloads that wrote them are lost.
pub fn remove_unfinished() {
    let mut parts = under_way();
    while let Some(part) = parts.pop_first() {
        let _ = fs::remove_file(part);
    }
}

/// Removes parts that killed processes left in a folder.
pub(crate) fn remove_stale(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_part = entry.file_name().to_str().is_some_and(|n| n.ends_with(ENDING));
        let age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_part && age().is_some_and(|a| a > STALE) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The hash that a file is listed with.
enum Hash {
    /// Of the bytes.
    Sha256(Sha256),
    /// Git's: of `blob LENGTH\0` and the bytes.
    Git(Sha1),
    /// Of a repository that uses git with SHA-256.
    Git256(Sha256),
}

impl Hash {
    fn of(file: &RemoteFile) -> Self {
        let head = format!("blob {}\0", file.length());
        if file.lfs_sha256.is_some() {
            Self::Sha256(Sha256::new())
        } else if file.blob_id.len() == 40 {
            Self::Git(Sha1::new_with_prefix(head))
        } else {
            Self::Git256(Sha256::new_with_prefix(head))
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Sha256(hash) | Self::Git256(hash) => hash.update(bytes),
            Self::Git(hash) => hash.update(bytes),
        }
    }

    fn hex(&self) -> String {
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect();
        match self {
            Self::Sha256(hash) | Self::Git256(hash) => hex(&hash.clone().finalize()),
            Self::Git(hash) => hex(&hash.clone().finalize()),
        }
    }
}

/// A file on its way. Dropped before it is published, it is removed.
pub(crate) struct Part<'a> {
    file: &'a RemoteFile,
    temp: NamedTempFile,
    hash: Hash,
    length: u64,
    _known: Known,
}

/// A part that [`remove_unfinished`] knows of.
struct Known(PathBuf);

impl Drop for Known {
    fn drop(&mut self) {
        under_way().remove(&self.0);
    }
}

impl<'a> Part<'a> {
    /// An empty part in the folder of blobs.
    pub(crate) fn new(blobs: &Path, file: &'a RemoteFile) -> Result<Self, HubError> {
        let prefix = format!("{}.", file.blob());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(ENDING);
        // As any other file: the cache may be shared by a group. The process's mask still applies.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temp = builder.tempfile_in(blobs).map_err(HubError::cache("write to", blobs))?;
        under_way().insert(temp.path().to_owned());
        let _known = Known(temp.path().to_owned());
        Ok(Self { file, temp, hash: Hash::of(file), length: 0, _known })
    }

    /// Bytes that are there.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Adds bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), HubError> {
        self.temp.as_file_mut().write_all(bytes).map_err(HubError::cache("write", self.temp.path()))?;
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self) -> Result<(), HubError> {
        use std::io::Seek;
        let file = self.temp.as_file_mut();
        file.set_len(0).and_then(|()| file.rewind()).map_err(HubError::cache("write", self.temp.path()))?;
        (self.hash, self.length) = (Hash::of(self.file), 0);
        Ok(())
    }

    /// What differs from the listing; `None` where the hash is right.
    pub(crate) fn difference(&self) -> Option<String> {
        let (found, listed) = (self.hash.hex(), self.file.blob());
        (found != listed).then(|| format!("its hash is {found} and not {listed}"))
    }

    /// Gives the file its name, once it is safely on disk.
    pub(crate) fn publish(self, target: &Path) -> Result<(), HubError> {
        self.temp.as_file().sync_all().map_err(HubError::cache("write", self.temp.path()))?;
        self.temp.persist(target).map_err(|e| HubError::cache("write", target)(e.error))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_hashed_as_it_is_listed_and_removed_on_demand() {
        let dir = tempfile::tempdir().unwrap();
        // What `git hash-object` and `sha256sum` say of the three bytes `abc`.
        let mut file = RemoteFile {
            size: 3,
            blob_id: "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f".to_owned(),
            lfs_sha256: None,
            lfs_size: None,
            xet_hash: None,
        };
        let mut part = Part::new(dir.path(), &file).unwrap();
        part.write(b"xyz").unwrap();
        assert!(part.difference().unwrap().contains("and not f2ba8f84"));
        part.clear().unwrap();
        part.write(b"a").unwrap();
        part.write(b"bc").unwrap();
        assert_eq!((part.length(), part.difference()), (3, None));
        part.publish(&dir.path().join("small")).unwrap();
        assert_eq!(fs::read(dir.path().join("small")).unwrap(), b"abc");
        file.lfs_sha256 = Some("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned());
        let mut part = Part::new(dir.path(), &file).unwrap();
        part.write(b"abc").unwrap();
        assert_eq!(part.difference(), None);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
        remove_unfinished();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        assert!(part.publish(&dir.path().join("late")).is_err());
    }
}
