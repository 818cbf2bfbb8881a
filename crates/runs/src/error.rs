//! What can be wrong with a folder of runs.

use std::path::{Path, PathBuf};

/// Why a folder of runs could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RunsError {
    /// The user named something else.
    #[error(
        "{}: a folder without results.json; name a folder that `eightk eval DATASET --out FOLDER` wrote",
        .0.display()
    )]
    NotARunsFolder(PathBuf),
    /// A file is not as it was written.
    #[error("{}{}: {problem}; it is not as `eightk eval` wrote it: run eval again", .path.display(), line.map(|n| format!(", line {n}")).unwrap_or_default())]
    BadFile {
        /// Which.
        path: PathBuf,
        /// Where in it, counted from 1, for files of lines.
        line: Option<usize>,
        /// What is wrong.
        problem: String,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl RunsError {
    /// Whether the command was used wrong, as opposed to a file being wrong.
    pub fn is_user_mistake(&self) -> bool {
        matches!(self, Self::NotARunsFolder(_))
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}
