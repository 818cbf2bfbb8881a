//! The cache on disk, in the Hub's own layout.
//!
//! ```text
//! datasets--OWNER--NAME/
//!   blobs/HASH               the bytes, once however many commits have them
//!   refs/REV                 the commit that a branch or tag pointed to last
//!   snapshots/COMMIT/PATH    links into blobs (plain files where links cannot be made)
//!   trees/COMMIT.json        the listing
//! ```
//!
//! Python's tools read and write the same files, which is the reason for the layout: nobody wants a benchmark twice on a disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::listing::{Files, RemoteFile, from_json, to_json};
use crate::name::{is_commit, is_safe_path};
use crate::part::{Part, remove_stale};
use crate::{HubError, RepoName};

/// Most files that are looked at in a snapshot without a listing.
const MOST_FILES: usize = 100_000;

/// A repository's folder in the cache.
pub(crate) struct CachedRepo {
    root: PathBuf,
    symlinks: bool,
}

impl CachedRepo {
    /// The folder of a repository; nothing is made.
    pub(crate) fn new(cache: &Path, name: &RepoName, symlinks: bool) -> Self {
        let folder = format!("{}--{}", name.kind.plural(), name.id.replace('/', "--"));
        Self { root: cache.join(folder), symlinks }
    }

    /// The folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of a commit's files.
    pub(crate) fn snapshot(&self, commit: &str) -> PathBuf {
        self.root.join("snapshots").join(commit)
    }

    /// The commit that a branch or tag pointed to when it was last asked for.
    pub(crate) fn commit_of(&self, revision: &str) -> Option<String> {
        let text = fs::read_to_string(self.root.join("refs").join(revision)).ok()?;
        let commit = text.trim();
        is_commit(commit).then(|| commit.to_owned())
    }

    /// Remembers where a branch or tag points to.
    pub(crate) fn set_commit(&self, revision: &str, commit: &str) -> Result<(), HubError> {
        if is_commit(revision) || self.commit_of(revision).as_deref() == Some(commit) {
            return Ok(());
        }
        write(&self.root.join("refs").join(revision), commit.as_bytes())
    }

    /// The stored listing of a commit.
    pub(crate) fn listing(&self, commit: &str) -> Option<Files> {
        from_json(&fs::read(self.listing_path(commit)).ok()?)
    }

    /// Stores the listing of a commit.
    pub(crate) fn set_listing(&self, commit: &str, files: &Files) -> Result<(), HubError> {
        write(&self.listing_path(commit), to_json(files).as_bytes())
    }

    fn listing_path(&self, commit: &str) -> PathBuf {
        self.root.join("trees").join(format!("{commit}.json"))
    }

    /// What lies in a commit's snapshot, where there is no listing: older tools wrote none.
    pub(crate) fn files_on_disk(&self, commit: &str) -> Option<Files> {
        let root = self.snapshot(commit);
        let mut files = Files::new();
        let mut open = vec![root.clone()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).ok()?.flatten() {
                let path = entry.path();
                // Folders are entered, links to folders are not: a link could lead in a circle.
                if entry.file_type().is_ok_and(|t| t.is_dir()) {
                    open.push(path);
                } else if path.is_file() && files.len() < MOST_FILES {
                    let below = path.strip_prefix(&root).ok().and_then(Path::to_str);
                    let below = below.map(|p| p.replace(std::path::MAIN_SEPARATOR, "/"));
                    files.extend(below.filter(|p| is_safe_path(p)).map(|p| (p, None)));
                }
            }
        }
        (!files.is_empty()).then_some(files)
    }

    /// Whether a file of a commit is there with the length that is listed.
    pub(crate) fn has(&self, commit: &str, path: &str, file: Option<&RemoteFile>) -> bool {
        is_file_of(&self.snapshot(commit).join(path), file)
    }

    /// Takes a file over from another commit that has the same bytes; `false` where there is none.
    pub(crate) fn adopt(&self, commit: &str, path: &str, file: &RemoteFile) -> Result<bool, HubError> {
        let blob = self.blobs().join(file.blob());
        if !is_file_of(&blob, Some(file)) {
            return Ok(false);
        }
        let target = self.prepare(commit, path)?;
        if !self.link(&blob, &target, path) {
            let folder = target.parent().unwrap_or(&self.root);
            let temp = tempfile::NamedTempFile::new_in(folder).map_err(HubError::cache("write to", folder))?;
            fs::copy(&blob, temp.path()).map_err(HubError::cache("copy", &blob))?;
            temp.persist(&target).map_err(|e| HubError::cache("write", &target)(e.error))?;
        }
        Ok(true)
    }

    /// A new file on its way.
    pub(crate) fn part<'a>(&self, file: &'a RemoteFile) -> Result<Part<'a>, HubError> {
        let blobs = self.blobs();
        fs::create_dir_all(&blobs).map_err(HubError::cache("create", &blobs))?;
        Part::new(&blobs, file)
    }

    /// Makes a whole part a file of a commit.
    pub(crate) fn publish(&self, part: Part<'_>, commit: &str, path: &str, file: &RemoteFile) -> Result<(), HubError> {
        let target = self.prepare(commit, path)?;
        if !self.symlinks {
            return part.publish(&target);
        }
        let blob = self.blobs().join(file.blob());
        part.publish(&blob)?;
        if self.link(&blob, &target, path) {
            return Ok(());
        }
        // No links here: the file itself goes where the link would be, as Python's tools do it.
        fs::rename(&blob, &target).map_err(HubError::cache("write", &target))
    }

    /// Removes what killed downloads have left.
    pub(crate) fn tidy(&self) {
        remove_stale(&self.blobs());
    }

    fn blobs(&self) -> PathBuf {
        self.root.join("blobs")
    }

    /// The path of a snapshot's file, its folder made.
    fn prepare(&self, commit: &str, path: &str) -> Result<PathBuf, HubError> {
        let target = self.snapshot(commit).join(path);
        let folder = target.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder).map_err(HubError::cache("create", folder))?;
        Ok(target)
    }

    /// Links a file of a snapshot to its blob, relative, so that the cache can be moved; whether that worked.
    fn link(&self, blob: &Path, target: &Path, path: &str) -> bool {
        let (Some(name), Some(folder)) = (blob.file_name(), target.parent()) else { return false };
        if !self.symlinks {
            return false;
        }
        let up = "../".repeat(path.matches('/').count() + 2);
        let to = Path::new(&up).join("blobs").join(name);
        // Made under another name and renamed: a reader sees the old file or the new one.
        let made = tempfile::Builder::new().prefix(".link").make_in(folder, |temp| symlink(&to, temp));
        made.is_ok_and(|link| link.into_temp_path().persist(target).is_ok())
    }
}

/// Whether there is a file, with the length that is listed.
fn is_file_of(path: &Path, file: Option<&RemoteFile>) -> bool {
    fs::metadata(path).is_ok_and(|m| m.is_file() && file.is_none_or(|f| f.length() == m.len()))
}

#[cfg(unix)]
fn symlink(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(windows)]
fn symlink(to: &Path, at: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(to, at)
}

/// Writes a small file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), HubError> {
    use std::io::Write;
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(HubError::cache("create", folder))?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut temp = builder.tempfile_in(folder).map_err(HubError::cache("write to", folder))?;
    temp.write_all(bytes).map_err(HubError::cache("write", path))?;
    temp.persist(path).map_err(|e| HubError::cache("write", path)(e.error))?;
    Ok(())
}
