//! Who is told how far a download is.
//!
//! A trait and not a channel: the library is blocking, and the caller draws its bar between two reads.

use std::time::Duration;

/// Is told of progress. `()` is an observer that does not care.
pub trait Observer {
    /// Downloads begin: so many files with so many bytes together. Not called where everything is in the cache.
    fn begin(&mut self, _files: usize, _bytes: u64) {}

    /// Of a file, `done` of `total` bytes are there. `done` falls back where a file has to be fetched again.
    fn progress(&mut self, _file: &str, _done: u64, _total: u64) {}

    /// A request is made again after a pause, and why.
    fn waiting(&mut self, _reason: &str, _pause: Duration) {}
}

impl Observer for () {}
