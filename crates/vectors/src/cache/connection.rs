//! Opening SQLite so that a damaged file is seen as one.
//!
//! Everything about the file is asked of SQLite. To open it beside SQLite and look for oneself would, on closing it again, drop every lock this
//! process holds on it: such is POSIX.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::trouble::Trouble;

/// Who waits longer than this for another process's transaction, which takes milliseconds, waits for something that hangs.
const BUSY: Duration = Duration::from_secs(30);

/// Opens a file; none where there is none and none is to be made.
pub(super) fn connect(path: &Path, create: bool) -> Result<Option<Connection>, Trouble> {
    if !create {
        match std::fs::metadata(path) {
            Ok(_) => {}
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(Trouble::Io(e.to_string())),
        }
    }
    // No URI: a folder's name may hold `?`. Where the file may not be written, SQLite opens it for reading.
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, create);
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    // A cell that reaches over its page is damage, not an address. No mmap: a file cut short would end the process.
    // 32 MB hold the upper part of an index over millions of keys. Not to wait for the disk is safe under a kill; what a
    // power failure leaves is found damaged, and all that was written before the last half minute is saved from it.
    connection.execute_batch(
        "PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -32768; PRAGMA synchronous = OFF;",
    )?;
    connection.set_prepared_statement_cache_capacity(8);
    // Two flipped bits in the header would make it a write-ahead log or, below, a file that may only be read.
    let mode: String = connection.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    if mode != "delete" {
        return Err(Trouble::Damaged(format!("its journal is `{mode}`")));
    }
    // Here a look beside SQLite does no harm: who may only read has no lock that anybody waits for.
    if create && connection.is_readonly("main")? && OpenOptions::new().append(true).open(path).is_ok() {
        return Err(Trouble::Damaged("it says that it must not be written".to_owned()));
    }
    Ok(Some(connection))
}
