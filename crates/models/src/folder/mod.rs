//! What lies in a model's folder: its name, its files, and the hash that pins it.
//!
//! A folder is foreign data like any other: it may be half downloaded, cut off, or made up. So every file is read with a
//! limit, every error names the file, and nothing is allocated on the word of a configuration alone.

mod sentence;
mod weights;

pub use sentence::PoolingMode;
pub(crate) use sentence::{Dense, SentenceConfig, Step};
pub(crate) use weights::{RawTensor, Tensors, Weights};

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use eightk_encode::EncodeError;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// Largest JSON file that is read, in bytes; the tokenizers of large multilingual models have some 20 MB.
const LARGEST_JSON: u64 = 256 << 20;

/// Folder names that say nothing about the model: then the folder above names it.
const SAYS_NOTHING: [&str; 6] = ["model", "models", "onnx", "snapshots", "main", "pytorch"];

/// A folder that holds a model.
#[derive(Debug, Clone)]
pub(crate) struct ModelFolder {
    path: PathBuf,
}

impl ModelFolder {
    /// Of a folder that must be there.
    pub(crate) fn open(path: &Path) -> Result<Self, EncodeError> {
        let folder = Self { path: path.to_owned() };
        match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => Ok(folder),
            Ok(_) => Err(EncodeError::Usage(format!(
                "{}: is a file; a local model is a folder with config.json, tokenizer.json and model.safetensors",
                path.display()
            ))),
            Err(e) => Err(EncodeError::io(path, &e)),
        }
    }

    /// A folder in it; the folder itself for an empty path.
    pub(crate) fn sub(&self, path: &str) -> Self {
        Self { path: if path.is_empty() { self.path.clone() } else { self.path.join(path) } }
    }

    /// The path of a file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Whether it has a file of that name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.file(name).is_file()
    }

    /// The bytes of a file, up to [`LARGEST_JSON`]; none where there is no such file.
    pub(crate) fn bytes(&self, name: &str) -> Result<Option<Vec<u8>>, EncodeError> {
        let path = self.file(name);
        // A pipe would be waited for without end.
        if std::fs::metadata(&path).is_ok_and(|m| !m.is_file()) {
            return Err(self.bad(name, "is not a file"));
        }
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(EncodeError::io(&path, &e)),
        };
        let mut bytes = Vec::new();
        file.take(LARGEST_JSON + 1).read_to_end(&mut bytes).map_err(|e| EncodeError::io(&path, &e))?;
        if bytes.len() as u64 > LARGEST_JSON {
            return Err(self.bad(name, format_args!("larger than {} MiB", LARGEST_JSON >> 20)));
        }
        Ok(Some(bytes))
    }

    /// A JSON file; none where there is no such file.
    pub(crate) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, EncodeError> {
        let Some(bytes) = self.bytes(name)? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|e| self.bad(name, e))
    }

    /// A JSON file that must be there; `why` says what it is needed for.
    pub(crate) fn needed_json<T: DeserializeOwned>(&self, name: &str, why: &str) -> Result<T, EncodeError> {
        self.json(name)?.ok_or_else(|| self.missing(name, why))
    }

    /// The error for a file that is not there.
    pub(crate) fn missing(&self, name: &str, why: &str) -> EncodeError {
        EncodeError::Data(format!(
            "{}: not there, but needed for {why}; is this the model's folder, and was it downloaded whole?",
            self.file(name).display()
        ))
    }

    /// The error for a file that says something it cannot mean.
    pub(crate) fn bad(&self, name: &str, why: impl std::fmt::Display) -> EncodeError {
        EncodeError::Data(format!("{}: {why}", self.file(name).display()))
    }

    /// What people call the model: the last part of the path that says something. Folders of the Hub's cache
    /// (`models--OWNER--NAME/snapshots/REVISION`) are named `OWNER/NAME`.
    pub(crate) fn name(&self) -> String {
        let whole = std::fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let parts: Vec<&str> = whole.iter().filter_map(|p| p.to_str()).filter(|p| *p != "/").collect();
        let hub = parts.iter().rev().take(3).find_map(|p| p.strip_prefix("models--"));
        if let Some(hub) = hub {
            return hub.replacen("--", "/", 1);
        }
        let is_revision = |p: &str| p.len() >= 32 && p.bytes().all(|b| b.is_ascii_hexdigit());
        let says_something = |p: &&&str| !is_revision(p) && !SAYS_NOTHING.contains(&p.to_ascii_lowercase().as_str());
        parts.iter().rev().find(says_something).or(parts.last()).map_or_else(|| "model".to_owned(), |p| (*p).to_owned())
    }

    /// SHA-256 over the names and bytes of the given files (those that are there), in that order, as hex. Two folders that hash alike
    /// make the same vectors, wherever they lie.
    pub(crate) fn revision(&self, files: &[String]) -> Result<String, EncodeError> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0u8; 1 << 20];
        for name in files {
            let path = self.file(name);
            let mut file = match File::open(&path) {
                Ok(file) => file,
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
                Err(e) => return Err(EncodeError::io(&path, &e)),
            };
            let length = file.metadata().map_err(|e| EncodeError::io(&path, &e))?.len();
            hash.update((name.len() as u64).to_le_bytes());
            hash.update(name.as_bytes());
            hash.update(length.to_le_bytes());
            loop {
                let read = file.read(&mut buffer).map_err(|e| EncodeError::io(&path, &e))?;
                let Some(part) = buffer.get(..read).filter(|p| !p.is_empty()) else { break };
                hash.update(part);
            }
        }
        Ok(hash.finalize().iter().map(|b| format!("{b:02x}")).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_by_what_says_something() {
        let base = tempfile::tempdir().unwrap();
        let name = |path: &str| {
            let whole = base.path().join(path);
            std::fs::create_dir_all(&whole).unwrap();
            ModelFolder::open(&whole).unwrap().name()
        };
        assert_eq!(name("bge-small"), "bge-small");
        assert_eq!(name("gt_minilm/model"), "gt_minilm");
        assert_eq!(name("models--acme--tiny/snapshots/0123456789abcdef0123456789abcdef01234567"), "acme/tiny");
        assert_eq!(name("tiny/0123456789abcdef0123456789abcdef01234567"), "tiny");
    }

    #[test]
    fn the_revision_is_of_names_and_bytes_alone() {
        let (a, b) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let files = ["config.json".to_owned(), "w".to_owned()];
        let of = |dir: &Path| ModelFolder::open(dir).unwrap().revision(&files).unwrap();
        for dir in [&a, &b] {
            std::fs::write(dir.path().join("config.json"), "{}").unwrap();
        }
        assert_eq!(of(a.path()), of(b.path()));
        std::fs::write(a.path().join("w"), "1").unwrap();
        std::fs::write(b.path().join("w"), "2").unwrap();
        assert_ne!(of(a.path()), of(b.path()));
        std::fs::write(b.path().join("w"), "1").unwrap();
        std::fs::write(b.path().join("note.txt"), "seen by nobody").unwrap();
        assert_eq!(of(a.path()), of(b.path()));
    }

    #[test]
    fn what_is_not_a_folder_is_said() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("m.bin");
        std::fs::write(&file, "x").unwrap();
        assert!(matches!(ModelFolder::open(&file), Err(EncodeError::Usage(_))));
        assert!(matches!(ModelFolder::open(&dir.path().join("none")), Err(EncodeError::Io { .. })));
        // A pipe stands for it like a folder does, and must not be waited for.
        std::fs::create_dir(dir.path().join("config.json")).unwrap();
        let error = ModelFolder::open(dir.path()).unwrap().bytes("config.json").unwrap_err().to_string();
        assert!(error.contains("is not a file"), "{error}");
    }
}
