//! What makes a folder a store, and what keeps us from writing into somebody's holiday pictures.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use eightk_core::store_layout::{FORMAT, MARKER};
use serde_json::Value;

use super::disk::{entries, is_temporary};
use super::lock::{self, LOCK};
use crate::EdgarError;

/// What there is at a store's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum There {
    /// Nothing.
    Nothing,
    /// A folder without anything of anybody's in it.
    Empty,
    /// A store of a version that is known.
    Store,
}

/// Looks at `root`. Everything that must not be used is an error.
pub(super) fn examine(root: &Path) -> Result<There, EdgarError> {
    let not = |problem: String| EdgarError::NotAStore { path: root.to_owned(), problem };
    match fs::metadata(root) {
        Ok(meta) if meta.is_dir() => {}
        Ok(_) => return Err(not("this is a file; a store is a folder: name another place".into())),
        Err(e) if e.kind() == io::ErrorKind::NotFound && !root.is_symlink() => return Ok(There::Nothing),
        Err(e) => return Err(not(format!("it cannot be used as a store: {e}"))),
    }
    let marker = root.join(MARKER);
    match fs::read(&marker) {
        Ok(bytes) => known(root, &marker, &bytes).map(|()| There::Store),
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            let foreign: Vec<String> = (entries(root)?.into_iter().map(|(name, _)| name))
                // What a run that was killed in its first moment leaves: nothing else may lie here, or it is somebody's.
                .filter(|name| !(name == LOCK && lock::is_ours(&root.join(LOCK))))
                .filter(|name| !(is_temporary(name) && is_marker_in_the_making(root, name)))
                .collect();
            match foreign.as_slice() {
                [] => Ok(There::Empty),
                [first, ..] => Err(not(format!(
                    "this folder is no store of filings and not empty ({first:?}{}); name a new folder, or a store",
                    if foreign.len() > 1 { format!(" and {} more", foreign.len() - 1) } else { String::new() }
                ))),
            }
        }
        Err(source) => Err(EdgarError::Io { what: "read", path: marker, source }),
    }
}

/// Whether a temporary file is the marker that a process was about to put in place: it had the lock then.
fn is_marker_in_the_making(root: &Path, name: &str) -> bool {
    let small = |meta: fs::Metadata| meta.is_file() && meta.len() <= content().len() as u64;
    let locked = fs::metadata(root.join(LOCK)).is_ok_and(|meta| meta.len() > 0) && lock::is_ours(&root.join(LOCK));
    locked && fs::symlink_metadata(root.join(name)).is_ok_and(small)
}

/// Whether the marker is of a format that is known.
fn known(root: &Path, marker: &Path, bytes: &[u8]) -> Result<(), EdgarError> {
    let value: Option<Value> = serde_json::from_slice(bytes).ok();
    let format = value.as_ref().and_then(|v| v.get("format")).and_then(Value::as_u64);
    let by = value.as_ref().and_then(|v| v.get("written_by")).and_then(Value::as_str).unwrap_or("a newer eightk");
    match format {
        Some(FORMAT) => Ok(()),
        Some(newer) if newer > FORMAT => Err(EdgarError::NotAStore {
            path: root.to_owned(),
            problem: format!(
                "this store has format {newer}, written by {by}; {} knows format {FORMAT}: use the newer version",
                version()
            ),
        }),
        _ => Err(EdgarError::Damaged {
            path: marker.to_owned(),
            problem: format!("it tells no format; if the folder is a store, write {{\"format\": {FORMAT}}} into it"),
        }),
    }
}

/// What the marker of a new store says.
pub(super) fn content() -> Vec<u8> {
    let by = version();
    format!(
        "{{\n  \"format\": {FORMAT},\n  \"written_by\": \"{by}\",\n  \"what\": \"8-K filings fetched from EDGAR\"\n}}\n"
    )
    .into_bytes()
}

/// `eightk 0.1.0`.
pub(super) fn version() -> String {
    format!("eightk {}", env!("CARGO_PKG_VERSION"))
}

/// An error of making files at the store's place: mostly another place helps.
pub(super) fn unwritable(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> EdgarError {
    let path: PathBuf = path.to_owned();
    move |source| match source.kind() {
        io::ErrorKind::PermissionDenied
        | io::ErrorKind::ReadOnlyFilesystem
        | io::ErrorKind::NotADirectory
        | io::ErrorKind::NotFound
        | io::ErrorKind::AlreadyExists => EdgarError::NotAStore {
            path,
            problem: format!("cannot {what}: {source}; name a place that can be written"),
        },
        _ => EdgarError::Io { what, path, source },
    }
}
