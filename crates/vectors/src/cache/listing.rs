//! What is in a cache, and throwing it out.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use eightk_encode::{EncodeError, Identity};

use super::aside::beside;
use super::connection::connect;
use super::file::contents;
use super::name::{ASIDE, ENDING};
use super::trouble::Trouble;
use super::{Cache, at, locked};

/// One file of a cache.
#[derive(Debug, Clone, PartialEq)]
pub struct CacheEntry {
    /// Its name in the folder.
    pub file: String,
    /// Whose vectors it holds; none where that cannot be read.
    pub identity: Option<Identity>,
    /// How many.
    pub vectors: u64,
    /// What it takes on disk, its journal included.
    pub bytes: u64,
    /// When it was last written.
    pub written: Option<SystemTime>,
    /// Why it cannot be used, where it cannot.
    pub fault: Option<String>,
}

impl CacheEntry {
    /// Whether file, provider or model has this in its name; case does not matter.
    pub fn is_named(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let who = self.identity.iter().flat_map(|i| [&i.provider, &i.model]);
        who.chain([&self.file]).any(|name| name.to_lowercase().contains(&text))
    }
}

impl Cache {
    /// What is there, by the names of the files: caches and what was set aside as damaged. Anything else in the folder is somebody else's.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Io`] where the folder is there and cannot be read.
    pub fn list(&self) -> Result<Vec<CacheEntry>, EncodeError> {
        let folder = match fs::read_dir(self.folder()) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other.map_err(|e| EncodeError::io(self.folder(), &e))?,
        };
        let mut names = Vec::new();
        for entry in folder {
            let entry = entry.map_err(|e| EncodeError::io(self.folder(), &e))?;
            // Ours are plain ASCII.
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.ends_with(ENDING) || name.strip_suffix(ASIDE).is_some_and(|n| n.ends_with(ENDING)) {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names.into_iter().map(|name| self.entry(name)).collect())
    }

    fn entry(&self, file: String) -> CacheEntry {
        let path = self.folder().join(&file);
        let size = |ending| fs::metadata(beside(&path, ending)).map_or(0, |m| m.len());
        let (bytes, written) = (size("") + size("-journal"), fs::metadata(&path).and_then(|m| m.modified()).ok());
        let empty = CacheEntry { file, identity: None, vectors: 0, bytes, written, fault: None };
        if empty.file.ends_with(ASIDE) {
            return CacheEntry { fault: Some("damaged, set aside".to_owned()), ..empty };
        }
        match contents(&path) {
            Ok(Some((who, vectors))) => CacheEntry { identity: Some(who), vectors, ..empty },
            Ok(None) => empty,
            Err(Trouble::Damaged(why) | Trouble::Moved(why) | Trouble::Io(why)) => {
                CacheEntry { fault: Some(why), ..empty }
            }
        }
    }

    /// Throws out what `which` chooses of [`list`](Self::list) and returns it. A process that is still writing there begins its file anew.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Io`] where a file cannot be removed; those before it are gone.
    pub fn clear(&self, which: impl Fn(&CacheEntry) -> bool) -> Result<Vec<CacheEntry>, EncodeError> {
        let mut gone = Vec::new();
        for entry in self.list()? {
            if which(&entry) {
                remove(&self.folder().join(&entry.file))?;
                gone.push(entry);
            }
        }
        // What this process has open is no longer what is there.
        locked(&self.files).clear();
        Ok(gone)
    }
}

/// Removes a file while nobody is in the middle of writing it: then it has no journal, which would be played into its successor.
fn remove(path: &Path) -> Result<(), EncodeError> {
    let connection = match connect(path, false) {
        Ok(None) => return Ok(()),
        Ok(Some(connection)) => match connection.execute_batch("BEGIN EXCLUSIVE").map_err(Trouble::from) {
            Err(Trouble::Io(why)) => return Err(at(path, why)),
            _ => Some(connection),
        },
        // What cannot even be opened is nobody's.
        Err(_) => None,
    };
    fs::remove_file(path).map_err(|e| EncodeError::io(path, &e))?;
    drop(connection);
    let _ = fs::remove_file(beside(path, "-journal"));
    Ok(())
}
