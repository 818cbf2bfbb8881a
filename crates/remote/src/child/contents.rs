//! What the words of a command line stand for: the contents of files and folders.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use eightk_encode::EncodeError;
use sha2::{Digest, Sha256};

/// More files than any model has: a folder of these is something else.
const MOST_FILES: usize = 10_000;
/// And more bytes than can be hashed while somebody waits.
const MOST_BYTES: u64 = 32 << 30;

/// SHA-256 of a file, or of a folder's files with their relative names in order; none for what is neither.
///
/// Links to files are followed (that is how model caches are laid out), links to folders are not. Hidden files and Python's
/// compiled ones do not count: the program writes them itself.
///
/// # Errors
///
/// [`EncodeError::Io`] for what cannot be read, [`EncodeError::Usage`] for a folder that is too large to be a model.
pub(super) fn hash_of(path: &Path) -> Result<Option<[u8; 32]>, EncodeError> {
    // What cannot be looked at is no file that the program could read: it is then a word like any other.
    let Ok(about) = path.metadata() else { return Ok(None) };
    if about.is_file() {
        return hash_file(path).map(Some);
    }
    if !about.is_dir() {
        return Ok(None);
    }
    let mut hash = Sha256::new();
    let mut bytes = 0;
    for (name, file) in files_of(path)? {
        bytes += file.metadata().map_err(|e| EncodeError::io(&file, &e))?.len();
        if bytes > MOST_BYTES {
            return Err(too_large(path));
        }
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
        hash.update(hash_file(&file)?);
    }
    Ok(Some(hash.finalize().into()))
}

fn too_large(path: &Path) -> EncodeError {
    let path = path.display();
    EncodeError::Usage(format!(
        "cmd: the folder {path} is too large to be hashed as part of the encoder; say revision=… instead"
    ))
}

/// Its files with their names below it, sorted by these.
fn files_of(folder: &Path) -> Result<Vec<(String, PathBuf)>, EncodeError> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), folder.to_owned())];
    while let Some((prefix, folder)) = open.pop() {
        let entries = folder.read_dir().map_err(|e| EncodeError::io(&folder, &e))?;
        for entry in entries {
            let entry = entry.map_err(|e| EncodeError::io(&folder, &e))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') || name == "__pycache__" {
                continue;
            }
            let (name, path) = (format!("{prefix}{name}"), entry.path());
            if entry.file_type().is_ok_and(|t| t.is_dir()) {
                open.push((format!("{name}/"), path));
            } else if path.is_file() {
                found.push((name, path));
            }
            if found.len() + open.len() > MOST_FILES {
                return Err(too_large(&folder));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Reads at most as much as a folder may hold: a file that grows while it is read does not keep us for ever.
fn hash_file(path: &Path) -> Result<[u8; 32], EncodeError> {
    let fail = |e: std::io::Error| EncodeError::io(path, &e);
    let mut file = File::open(path).map_err(fail)?.take(MOST_BYTES);
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hash.finalize().into()),
            Ok(n) => hash.update(buffer.get(..n).unwrap_or_default()),
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(fail(e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_its_files_and_their_names() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        let hash = || hash_of(&at("m")).unwrap().unwrap();
        std::fs::create_dir_all(at("m/1_Pooling")).unwrap();
        std::fs::write(at("m/a"), "x").unwrap();
        let first = hash();
        assert_eq!(first, hash());
        std::fs::write(at("m/1_Pooling/c"), "y").unwrap();
        let second = hash();
        assert_ne!(first, second);
        std::fs::rename(at("m/1_Pooling/c"), at("m/1_Pooling/d")).unwrap();
        assert_ne!(second, hash());
        std::fs::remove_file(at("m/1_Pooling/d")).unwrap();
        assert_eq!(first, hash(), "an empty folder is nothing");
        std::fs::create_dir(at("m/__pycache__")).unwrap();
        std::fs::write(at("m/__pycache__/z"), "z").unwrap();
        std::fs::write(at("m/.lock"), "z").unwrap();
        assert_eq!(first, hash(), "what programs leave behind is not theirs");
    }

    #[test]
    fn what_is_neither_file_nor_folder_is_a_word() {
        assert_eq!(hash_of(Path::new("no/such/thing")).unwrap(), None);
        assert_eq!(hash_of(Path::new("")).unwrap(), None);
        assert_eq!(hash_of(Path::new("/dev/null")).unwrap(), None);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_files_and_circles_are_not() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        std::fs::create_dir(at("m")).unwrap();
        std::fs::write(at("blob"), "weights").unwrap();
        std::os::unix::fs::symlink(at("m"), at("m/again")).unwrap();
        let empty = hash_of(&at("m")).unwrap();
        std::os::unix::fs::symlink(at("blob"), at("m/model")).unwrap();
        let linked = hash_of(&at("m")).unwrap();
        assert_ne!(empty, linked);
        std::fs::write(at("blob"), "others!").unwrap();
        assert_ne!(linked, hash_of(&at("m")).unwrap());
    }
}
