//! What a repository holds at one commit.
//!
//! A commit never changes, so its listing is kept for ever, in the file and format of Python's tools (`trees/COMMIT.json`). With it
//! a complete commit needs no request, and an incomplete one can say what is missing.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::name::{is_hex, is_safe_path};
use crate::{HubError, RepoName};

/// A file as the Hub describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RemoteFile {
    /// Bytes.
    pub size: u64,
    /// Git's name for the file (for large files, for the pointer that stands for it): 40 hex digits.
    pub blob_id: String,
    /// SHA-256 of a large file: 64 hex digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lfs_sha256: Option<String>,
    /// Bytes of a large file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lfs_size: Option<u64>,
    /// Kept for Python's tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xet_hash: Option<String>,
}

impl RemoteFile {
    /// Bytes that a download has.
    pub(crate) fn length(&self) -> u64 {
        self.lfs_size.unwrap_or(self.size)
    }

    /// The file's name in `blobs`: what the Hub sends as ETag.
    pub(crate) fn blob(&self) -> &str {
        self.lfs_sha256.as_deref().unwrap_or(&self.blob_id)
    }

    /// Whether the hashes are hashes: they become names of files.
    fn is_sound(&self) -> bool {
        (is_hex(&self.blob_id, 40) || is_hex(&self.blob_id, 64))
            && self.lfs_sha256.as_deref().is_none_or(|h| is_hex(h, 64))
    }
}

/// Files by path; `None` for one that lies in the cache and of which no more is known.
pub(crate) type Files = BTreeMap<String, Option<RemoteFile>>;

/// A repository at one commit.
#[derive(Debug, Clone)]
pub struct Listing {
    pub(crate) name: RepoName,
    pub(crate) commit: String,
    pub(crate) files: Files,
    pub(crate) notes: Vec<String>,
}

impl Listing {
    /// What was asked for.
    pub fn name(&self) -> &RepoName {
        &self.name
    }

    /// The commit: 40 hex digits.
    pub fn commit(&self) -> &str {
        &self.commit
    }

    /// The files, sorted, as paths below the folder that the name names.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let folder = self.name.folder();
        self.files.keys().filter_map(move |path| {
            if folder.is_empty() { Some(path.as_str()) } else { path.strip_prefix(folder)?.strip_prefix('/') }
        })
    }

    /// What the caller should pass on to people, one sentence each; empty as a rule.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The path in the repository of a path below the name's folder.
    pub(crate) fn whole(&self, path: &str) -> String {
        let folder = self.name.folder();
        if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
    }

    /// Whether the folder that is named is there.
    pub(crate) fn check_folder(&self) -> Result<(), HubError> {
        let folder = self.name.folder();
        if folder.is_empty() || self.paths().next().is_some() {
            return Ok(());
        }
        let missing = |problem: String, hint: String| HubError::NotFound { name: self.name.to_string(), problem, hint };
        if self.files.contains_key(folder) {
            let parent = folder.rsplit_once('/').map_or("", |(parent, _)| parent);
            let parent = RepoName { folder: parent.to_owned(), ..self.name.clone() };
            return Err(missing(format!("`{folder}` is a file"), format!("Name the folder that it is in: {parent}")));
        }
        let root = RepoName { folder: String::new(), ..self.name.clone() };
        Err(missing(format!("there is no folder `{folder}` at this revision"), format!("Look at what {root} holds")))
    }
}

/// An entry of `/api/…/tree/…`.
#[derive(Debug, Deserialize)]
pub(crate) struct Entry {
    #[serde(rename = "type")]
    kind: String,
    path: String,
    #[serde(default)]
    oid: String,
    #[serde(default)]
    size: u64,
    #[serde(default)]
    lfs: Option<Lfs>,
    #[serde(default, rename = "xetHash")]
    xet_hash: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Lfs {
    oid: String,
    size: u64,
}

/// Adds a page of entries. Folders are passed over; a path that would leave the cache is an error, whether needed or not:
/// git cannot hold one, so whoever sent it is not to be trusted.
pub(crate) fn add(files: &mut Files, page: Vec<Entry>, name: &RepoName) -> Result<(), HubError> {
    for entry in page.into_iter().filter(|e| e.kind == "file") {
        // A backslash is a letter to git. Such a file can be listed, and is refused when it is asked for.
        if !is_safe_path(&entry.path.replace('\\', "_")) {
            return Err(HubError::UnsafePath { name: name.to_string(), path: entry.path });
        }
        let (lfs_sha256, lfs_size) = entry.lfs.map(|l| (l.oid, l.size)).unzip();
        let lfs_sha256 = lfs_sha256.map(|oid| oid.strip_prefix("sha256:").map(str::to_owned).unwrap_or(oid));
        let file = RemoteFile { size: entry.size, blob_id: entry.oid, lfs_sha256, lfs_size, xet_hash: entry.xet_hash };
        if !file.is_sound() {
            return Err(HubError::Damaged {
                name: name.to_string(),
                file: entry.path,
                problem: "its hash in the listing is none".to_owned(),
            });
        }
        files.insert(entry.path, Some(file));
    }
    Ok(())
}

/// The version of the format that is written and read.
const FORMAT: u64 = 1;

#[derive(Deserialize)]
struct Stored {
    format_version: u64,
    files: BTreeMap<String, RemoteFile>,
}

/// A stored listing; `None` where it is of another format or holds what must not be.
pub(crate) fn from_json(bytes: &[u8]) -> Option<Files> {
    let stored: Stored = serde_json::from_slice(bytes).ok()?;
    let sound = |(path, file): (&String, &RemoteFile)| is_safe_path(&path.replace('\\', "_")) && file.is_sound();
    let whole = stored.format_version == FORMAT && stored.files.iter().all(sound);
    whole.then(|| stored.files.into_iter().map(|(path, file)| (path, Some(file))).collect())
}

/// A listing to be stored.
pub(crate) fn to_json(files: &Files) -> String {
    let known: BTreeMap<&String, &RemoteFile> = files.iter().filter_map(|(p, f)| Some((p, f.as_ref()?))).collect();
    let mut out = String::new();
    let value = serde_json::json!({ "format_version": FORMAT, "files": known });
    let _ = write!(out, "{value:#}");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RepoKind;

    const GIT: &str = "0123456789012345678901234567890123456789";

    fn entries(json: &str) -> Result<Files, HubError> {
        let name = RepoName::parse("hf://datasets/acme/shelf", RepoKind::Dataset).unwrap();
        let mut files = Files::new();
        add(&mut files, serde_json::from_str(json).unwrap(), &name)?;
        Ok(files)
    }

    #[test]
    fn entries_become_files_and_come_back_from_the_cache() {
        let sha = "a".repeat(64);
        let files = entries(&format!(
            r#"[{{"type":"directory","path":"data","oid":"{GIT}","size":0}},
                {{"type":"file","path":"README.md","oid":"{GIT}","size":5}},
                {{"type":"file","path":"data/x","oid":"{GIT}","size":9,"lfs":{{"oid":"{sha}","size":9,"pointerSize":130}},"xetHash":"{sha}"}}]"#
        ))
        .unwrap();
        assert_eq!(files.keys().collect::<Vec<_>>(), ["README.md", "data/x"]);
        assert_eq!(files["README.md"].as_ref().unwrap().blob(), GIT);
        assert_eq!(files["data/x"].as_ref().unwrap().blob(), sha);
        assert_eq!(from_json(to_json(&files).as_bytes()), Some(files));
    }

    #[test]
    fn paths_that_climb_are_refused() {
        for path in ["../x", "/etc/x", "a/../../x", "a\\u0000b", "a//b", ".", "..\\\\..\\\\x"] {
            let json = format!(r#"[{{"type":"file","path":"{path}","oid":"{GIT}","size":5}}]"#);
            let refused = entries(&json);
            if path.contains("\\\\") {
                // Listed as one odd name; `is_safe_path` refuses it when it is asked for.
                assert!(refused.unwrap().keys().all(|p| !is_safe_path(p)));
            } else {
                assert!(matches!(refused, Err(HubError::UnsafePath { .. })), "{path}");
            }
        }
    }

    #[test]
    fn hashes_that_are_none_are_refused() {
        for oid in ["", "xyz", "../../../../x", "ABCDEF6789012345678901234567890123456789"] {
            let json = format!(r#"[{{"type":"file","path":"a","oid":"{oid}","size":5}}]"#);
            assert!(matches!(entries(&json), Err(HubError::Damaged { .. })), "{oid}");
        }
    }

    #[test]
    fn a_stored_listing_that_is_not_sound_counts_as_none() {
        let file = format!(r#"{{"size":1,"blob_id":"{GIT}"}}"#);
        assert!(from_json(format!(r#"{{"format_version":1,"files":{{"a":{file}}}}}"#).as_bytes()).is_some());
        assert!(from_json(format!(r#"{{"format_version":2,"files":{{"a":{file}}}}}"#).as_bytes()).is_none());
        assert!(from_json(format!(r#"{{"format_version":1,"files":{{"../a":{file}}}}}"#).as_bytes()).is_none());
        assert!(from_json(br#"{"format_version":1,"files":{"a":{"size":1,"blob_id":"../x"}}}"#).is_none());
        assert!(from_json(b"{\"format_ver").is_none());
    }
}
