//! What a run tells while it goes on, for whoever draws it.

use std::time::Duration;

use eightk_core::Accession;

/// One thing that happened. Counts are of this run's plan, not of the process.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A page of the search was read: filings found so far.
    Searched {
        /// Filings so far.
        found: usize,
        /// Documents that the search says there are in the range being read.
        total: u64,
    },
    /// An index file was read.
    Indexed {
        /// Files read.
        done: usize,
        /// Files to read.
        total: usize,
        /// Filings so far.
        found: usize,
    },
    /// The header of a filing from an index was looked at.
    Examined {
        /// Filings looked at.
        done: usize,
        /// Filings to look at.
        total: usize,
    },
    /// The plan stands.
    Planned {
        /// Documents it names.
        total: usize,
        /// Of them, already in the store.
        stored: usize,
    },
    /// A document is in the store, or was refused.
    Done {
        /// Size of the document; 0 when refused.
        bytes: u64,
    },
    /// Nothing is asked for this long; repeated while the wait lasts.
    Waiting {
        /// Time left.
        left: Duration,
        /// Why.
        why: String,
    },
    /// The wait is over.
    Resumed,
    /// A document was asked for and not got; it is also in the result of the run.
    Refused {
        /// The filing.
        accession: Accession,
        /// Why.
        reason: String,
    },
    /// Something a person should read: one line.
    Note(String),
}

/// Sees the events of a run. Called from several threads.
pub trait Watcher: Sync {
    /// One event.
    fn see(&self, event: Event);
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watcher for Unwatched {
    fn see(&self, _: Event) {}
}
