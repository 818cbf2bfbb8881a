//! What can go wrong with a data set, told apart by who can mend it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Who can mend an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The command was given something it cannot work with.
    Usage,
    /// The data are wrong.
    Data,
    /// The file system said no.
    Io,
    /// We are wrong.
    Bug,
}

/// Where a row stands: `documents.jsonl, line 12`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// 1-based line of a JSONL file, or 1-based row of a parquet file.
    pub number: usize,
    /// Whether `number` counts lines.
    pub is_line: bool,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} {}", self.file.display(), if self.is_line { "line" } else { "row" }, self.number)
    }
}

/// A data set that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// What was named is no data set.
    #[error("{path} is no data set: {problem}. {hint}")]
    NotADataset {
        /// What was named.
        path: String,
        /// What is missing.
        problem: String,
        /// What to do next.
        hint: String,
    },
    /// The output folder is in use.
    #[error("{} exists and is not empty. Choose another folder, or pass --force to replace it", .0.display())]
    TargetExists(PathBuf),
    /// The output folder must not be replaced, whatever was asked.
    #[error("{} will not be replaced: {why}. Choose another folder", .path.display())]
    TargetProtected {
        /// The folder.
        path: PathBuf,
        /// What makes it precious.
        why: &'static str,
    },
    /// A file that is not what its name says.
    #[error("{}: {problem}. {hint}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
        /// What to do next.
        hint: &'static str,
    },
    /// One row is wrong.
    #[error("{place}, column `{column}`: {problem}")]
    Row {
        /// Which row.
        place: Place,
        /// Which column.
        column: String,
        /// What is wrong and what would be right.
        problem: String,
    },
    /// Two chunks share an id.
    #[error(
        "chunk id `{id}` stands twice: {first} and {second}. Ids must be unique; drop or rename one of the two rows"
    )]
    DuplicateChunk {
        /// The id.
        id: String,
        /// Where it stands first.
        first: Place,
        /// Where it stands again.
        second: Place,
    },
    /// Filings were handed to the writer in the wrong order.
    #[error("filing `{next}` came after `{before}`: filings are written once each, in the order of source_url")]
    FilingOrder {
        /// The one that came first.
        before: String,
        /// The one that came too late.
        next: String,
    },
    /// Rows that contradict each other were handed to the writer.
    #[error("filing `{source_url}`: {problem}")]
    Inconsistent {
        /// Which filing.
        source_url: String,
        /// What does not fit.
        problem: String,
    },
    /// A data set that a format cannot hold.
    #[error("this data set does not fit the {format} format: {problem}. {hint}")]
    Unfit {
        /// The format.
        format: &'static str,
        /// What does not fit, and how often.
        problem: String,
        /// What to do next.
        hint: &'static str,
    },
    /// The file system said no.
    #[error("cannot {action} {}: {source}", .path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which path.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Encoding failed, which no input should bring about.
    #[error("cannot encode {what}: {problem}. This is a bug in eightk; please report it")]
    Encode {
        /// What was being encoded.
        what: String,
        /// What the encoder said.
        problem: String,
    },
}

impl DatasetError {
    /// Who can mend it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotADataset { .. } | Self::TargetExists(_) | Self::TargetProtected { .. } => ErrorKind::Usage,
            Self::File { .. } | Self::Row { .. } | Self::DuplicateChunk { .. } | Self::Unfit { .. } => ErrorKind::Data,
            Self::Io { .. } => ErrorKind::Io,
            Self::FilingOrder { .. } | Self::Inconsistent { .. } | Self::Encode { .. } => ErrorKind::Bug,
        }
    }

    /// Wraps an I/O error with what was tried on which path.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// Wraps an encoder's error.
    pub(crate) fn encode(what: &str) -> impl FnOnce(String) -> Self {
        let what = what.to_owned();
        move |problem| Self::Encode { what, problem }
    }
}
