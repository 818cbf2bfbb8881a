//! What can go wrong, by whose doing.

use std::path::PathBuf;

use crate::web::WebError;

/// Why a fetch, or a look at a store, failed. What fails for one filing alone is no error: it is refused and counted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EdgarError {
    /// The user asked for something that cannot be.
    #[error("{0}")]
    Usage(String),
    /// What is at the store's place is no store, or not one this version can use.
    #[error("{}: {problem}", path.display())]
    NotAStore {
        /// The folder.
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// Another process works on the store.
    #[error("{}: another eightk process{} works on this store; wait for it to end, or stop it", path.display(), pid.map(|p| format!(" (number {p})")).unwrap_or_default())]
    Busy {
        /// The store.
        path: PathBuf,
        /// The process, where it said so.
        pid: Option<u32>,
    },
    /// A file of the store holds something else than it should.
    #[error("{}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A file could not be read or written.
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        /// What was tried: `read`, `write`, `rename`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// EDGAR gave no answer that the run could go on with.
    #[error("{url}: {source}")]
    Web {
        /// What was asked for.
        url: String,
        /// Why there is no answer.
        source: WebError,
    },
    /// One document after the other failed, so it is not the documents.
    #[error(
        "{in_a_row} documents in a row failed, the last one {url}: {source}; is EDGAR down, or does something stand between?"
    )]
    Failing {
        /// How many.
        in_a_row: usize,
        /// The last one.
        url: String,
        /// How it failed.
        source: WebError,
    },
    /// EDGAR's answer is not of the shape known.
    #[error("{url}: {problem}")]
    Answer {
        /// What was asked for.
        url: String,
        /// What is wrong with the answer.
        problem: String,
    },
}

impl EdgarError {
    /// Whether the user has to change the command, rather than the world.
    pub fn is_user_mistake(&self) -> bool {
        matches!(self, Self::Usage(_) | Self::NotAStore { .. })
    }

    /// An I/O error with its path.
    pub fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { what, path, source }
    }
}
