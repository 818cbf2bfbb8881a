//! Whole or not at all.
//!
//! Everything is written to a hidden folder beside the target and renamed: whoever looks sees the old data set or the new
//! one, and a run that fails or is killed leaves the target as it was. Nothing is forced to the disk on the way: on a busy
//! machine that takes longer than building, and what is lost with the power can be built again, byte for byte. The audit
//! holds the rows against the manifest's fingerprint, so that a folder damaged so is noticed.
//!
//! Replacing is deleting. So only a folder that this program wrote is ever replaced, whatever was asked.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

use crate::DatasetError;

/// Folders in the making, for whoever has to clean up when the process is told to stop.
static IN_THE_MAKING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes every folder in the making. For handlers of signals: the commands that made them are lost.
pub fn remove_unfinished() {
    let mut folders = IN_THE_MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    for folder in folders.drain(..) {
        let _ = fs::remove_dir_all(folder);
    }
}

/// A folder in the making.
pub struct Staging {
    target: PathBuf,
    force: bool,
    folder: TempDir,
}

impl Staging {
    /// Makes the hidden folder; refuses a target that is in use.
    pub fn create(target: &Path, force: bool) -> Result<Self, DatasetError> {
        // A link to a folder stays a link: what it points to is replaced.
        if target.is_symlink() && !target.exists() {
            let why = "it is a link to nothing";
            return Err(DatasetError::TargetProtected { path: target.to_owned(), why });
        }
        let target = if target.exists() {
            fs::canonicalize(target).map_err(DatasetError::io("resolve", target))?
        } else {
            target.to_owned()
        };
        check(&target, force)?;
        let parent = parent(&target);
        fs::create_dir_all(&parent).map_err(DatasetError::io("create", &parent))?;
        let mut builder = tempfile::Builder::new();
        let prefix = hidden(&target, "new-");
        builder.prefix(&prefix);
        // Temporary folders are private by default; a data set is as readable as the user's other folders.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
        let folder = builder.tempdir_in(&parent).map_err(DatasetError::io("create a folder in", &parent))?;
        IN_THE_MAKING.lock().unwrap_or_else(PoisonError::into_inner).push(folder.path().to_owned());
        Ok(Self { target, force, folder })
    }

    /// Where the folder is while it is made.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes one small file.
    pub fn file(&self, name: &str, bytes: &[u8]) -> Result<(), DatasetError> {
        let path = self.path().join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(DatasetError::io("create", folder))?;
        }
        fs::write(&path, bytes).map_err(DatasetError::io("write", &path))
    }

    /// Puts everything in place; returns where.
    pub fn commit(self) -> Result<PathBuf, DatasetError> {
        // Time has passed: somebody else may have written there.
        check(&self.target, self.force)?;
        let parent = parent(&self.target);
        let old = if self.target.exists() { Some(set_aside(&self.target, &parent)?) } else { None };
        if let Err(e) = fs::rename(self.folder.path(), &self.target) {
            if let Some(old) = old
                && fs::rename(old.path().join("old"), &self.target).is_err()
            {
                // Better a hidden folder left over than the old data set gone.
                let _ = old.keep();
            }
            return Err(DatasetError::io("put in place", &self.target)(e));
        }
        IN_THE_MAKING.lock().unwrap_or_else(PoisonError::into_inner).retain(|f| f != self.folder.path());
        let _ = self.folder.keep();
        if let Some(old) = old {
            let path = old.path().to_owned();
            old.close().map_err(DatasetError::io("remove the replaced", &path))?;
        }
        Ok(self.target)
    }
}

/// Moves the present target into a hidden folder beside it.
fn set_aside(target: &Path, parent: &Path) -> Result<TempDir, DatasetError> {
    let old = tempfile::Builder::new().prefix(&hidden(target, "old-")).tempdir_in(parent);
    let old = old.map_err(DatasetError::io("create a folder in", parent))?;
    fs::rename(target, old.path().join("old")).map_err(DatasetError::io("move aside", target))?;
    Ok(old)
}

fn hidden(target: &Path, kind: &str) -> OsString {
    let mut name = OsString::from(".");
    name.push(target.file_name().unwrap_or_default());
    name.push(".");
    name.push(kind);
    name
}

fn parent(target: &Path) -> PathBuf {
    match target.parent() {
        Some(p) if !p.as_os_str().is_empty() => p.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Whether the target may be written.
fn check(target: &Path, force: bool) -> Result<(), DatasetError> {
    if target.file_name().is_none() {
        return Err(DatasetError::TargetProtected { path: target.to_owned(), why: "it is no folder of its own" });
    }
    if !target.exists() {
        return Ok(());
    }
    let in_use = !target.is_dir() || fs::read_dir(target).map_err(DatasetError::io("list", target))?.next().is_some();
    if !in_use {
        return Ok(());
    }
    if !force {
        return Err(DatasetError::TargetExists(target.to_owned()));
    }
    let protect = |why| Err(DatasetError::TargetProtected { path: target.to_owned(), why });
    if !is_ours(target) {
        return protect("--force replaces only folders that eightk wrote, and this is none");
    }
    // Replacing a folder above the one we work in would pull the ground from under this very process.
    match (std::env::current_dir(), fs::canonicalize(target)) {
        (Ok(here), Ok(target)) if here.starts_with(&target) => protect("the command is being run inside it"),
        _ => Ok(()),
    }
}

/// Whether this program wrote a folder: its manifest or its results say so, or it holds generated filings.
fn is_ours(folder: &Path) -> bool {
    let says_so = |file: &&str| {
        let stored = fs::read(folder.join(file)).ok();
        let stored = stored.and_then(|m| serde_json::from_slice::<serde_json::Value>(&m).ok());
        stored.as_ref().and_then(|m| m.get("tool")).and_then(serde_json::Value::as_str) == Some("eightk")
    };
    ["manifest.json", "results.json"].iter().any(says_so) || folder.join("planted.jsonl").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "{\"tool\": \"eightk\"}";

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn appears_whole_and_leaves_nothing_beside_it() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("deep/set");
        let staging = Staging::create(&target, false).unwrap();
        staging.file("audit/result.json", b"{}").unwrap();
        assert!(!target.exists());
        assert_eq!(staging.commit().unwrap(), target);
        assert_eq!(fs::read(target.join("audit/result.json")).unwrap(), b"{}");
        assert_eq!(names(&root.path().join("deep")), ["set"]);
    }

    #[test]
    fn a_dropped_run_leaves_the_old_set() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("set");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("manifest.json"), OLD).unwrap();
        assert!(matches!(Staging::create(&target, false), Err(DatasetError::TargetExists(_))));
        let staging = Staging::create(&target, true).unwrap();
        staging.file("manifest.json", b"new").unwrap();
        drop(staging);
        assert_eq!(fs::read_to_string(target.join("manifest.json")).unwrap(), OLD);
        assert_eq!(names(root.path()), ["set"]);
        let staging = Staging::create(&target, true).unwrap();
        staging.file("other.json", b"new").unwrap();
        staging.commit().unwrap();
        assert_eq!(names(&target), ["other.json"]);
        assert_eq!(names(root.path()), ["set"]);
    }

    #[test]
    fn a_target_filled_meanwhile_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("set");
        fs::create_dir(&target).unwrap();
        let staging = Staging::create(&target, false).unwrap();
        fs::write(target.join("x"), "").unwrap();
        assert!(matches!(staging.commit(), Err(DatasetError::TargetExists(_))));
        assert_eq!(names(root.path()), ["set"]);
    }

    #[test]
    fn what_force_must_not_replace() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join(".git")).unwrap();
        assert!(matches!(Staging::create(root.path(), true), Err(DatasetError::TargetProtected { .. })));
        assert!(matches!(Staging::create(Path::new("/"), true), Err(DatasetError::TargetProtected { .. })));
        let here = std::env::current_dir().unwrap();
        assert!(matches!(Staging::create(&here, true), Err(DatasetError::TargetProtected { .. })));
        assert!(matches!(Staging::create(Path::new("."), true), Err(DatasetError::TargetProtected { .. })));
    }

    #[test]
    fn a_folder_of_results_is_ours_too() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("runs");
        fs::create_dir(&target).unwrap();
        fs::write(target.join("results.json"), "{\"tool\": \"another\"}").unwrap();
        assert!(matches!(Staging::create(&target, true), Err(DatasetError::TargetProtected { .. })));
        fs::write(target.join("results.json"), OLD).unwrap();
        Staging::create(&target, true).unwrap().commit().unwrap();
        assert_eq!(names(&target), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let plain = root.path().join("plain");
        fs::create_dir(&plain).unwrap();
        let target = Staging::create(&root.path().join("set"), false).unwrap().commit().unwrap();
        let mode = |p: &Path| fs::metadata(p).unwrap().permissions().mode();
        assert_eq!(mode(&target), mode(&plain));
    }
}
