//! What SQLite's errors mean for a cache.

use rusqlite::{Error, ErrorCode, ffi};

/// Why a file could not be used.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It is not what was once written. Nothing in it can be trusted to be found.
    Damaged(String),
    /// Somebody removed or replaced it while it was open.
    Moved(String),
    /// The system refuses: no right to it, no room, no such folder, held by another process for too long.
    Io(String),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        match &error {
            Error::SqliteFailure(code, _) => match code.code {
                _ if code.extended_code == ffi::SQLITE_READONLY_DBMOVED => Self::Moved(error.to_string()),
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Self::Damaged(error.to_string()),
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Self::Io(
                    "another process has been writing to it for too long; try again when that is finished".to_owned(),
                ),
                ErrorCode::DiskFull => Self::Io("no room is left on the disk".to_owned()),
                ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Self::Io(
                    "cannot be written (no right to the file or its folder); name another folder for the cache"
                        .to_owned(),
                ),
                // "No such table", "too many columns": the schema is not ours.
                ErrorCode::Unknown => Self::Damaged(error.to_string()),
                _ => Self::Io(error.to_string()),
            },
            // A value of another type than was ever put there.
            _ => Self::Damaged(error.to_string()),
        }
    }
}
