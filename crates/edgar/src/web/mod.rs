//! The seam to EDGAR: one GET, answered whole or not at all.
//!
//! A caller says what it wants, because that decides what counts as a whole answer: JSON may come labelled as HTML, an error page
//! comes with status 200, a document may be cut in the middle of its last tag. How often to try, how long to wait and when to fall
//! silent is below the seam and nobody else's concern.

//!
//! ```text
//! get ──▶ pause ──▶ limiter ──▶ transport ──▶ verdict ──▶ log ──▶ the whole answer
//!  ▲                 (pace)      (head)       (decode,      │
//!  └───────────── back-off, block, redirect ◀─ page) ───────┘
//! ```

pub mod agent;
pub mod clock;
pub mod decode;
pub mod head;
pub mod limiter;
pub mod log;
pub mod offline;
pub mod pace;
pub mod page;
pub mod pause;
pub mod polite;
pub mod sent;
pub mod settings;
pub mod stop;
pub mod transport;
pub mod verdict;

pub use agent::UserAgent;
pub use log::RequestLog;
pub use offline::Offline;
pub use polite::{Polite, Records};
pub use settings::Settings;
pub use stop::Stop;

use std::fmt;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wanted {
    /// A page of search results: JSON.
    Search,
    /// A `master.idx`.
    Index,
    /// The head of a full submission, up to the first document's text: reading stops there.
    Header,
    /// A primary document: HTML, or a full submission (`.txt`).
    Document,
}

impl Wanted {
    /// The most bytes an answer may have, decoded: many times what EDGAR has of each, and little enough for one process. A page of
    /// results is parsed into something many times its size; a document of more is none that can be cleaned.
    pub const fn limit(self) -> usize {
        match self {
            Self::Search => 8 << 20,
            Self::Index => 256 << 20,
            Self::Header => 64 << 20,
            Self::Document => 50 << 20,
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Search => "search",
            Self::Index => "index",
            Self::Header => "header",
            Self::Document => "document",
        })
    }
}

/// A whole answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// The body, decompressed; of [`Wanted::Header`] only its beginning.
    pub body: Vec<u8>,
    /// Whether nothing in it marks its end: it was taken because it came twice the same.
    pub unclosed: bool,
}

/// No whole answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WebError {
    /// EDGAR has no such file.
    #[error("EDGAR has no such file (status {status})")]
    NotFound {
        /// 404, 410.
        status: u16,
    },
    /// Every try brought something else than the whole answer. A later run tries again.
    #[error("{tries} tries, the last one: {reason}")]
    Unanswered {
        /// What the last try brought.
        reason: String,
        /// How many tries.
        tries: u32,
    },
    /// EDGAR does not accept the user agent; asking again is no use.
    #[error(
        "EDGAR calls this an undeclared automated tool: it does not accept the user agent. Give your own name and mail address with --user-agent \"Name mail@host\""
    )]
    Undeclared,
    /// EDGAR went on refusing after several pauses.
    #[error("EDGAR still refuses all requests after {pauses} pauses; try again in an hour, with a lower --rate")]
    StillBlocked {
        /// How many pauses.
        pauses: u32,
    },
    /// Not in the store, and nobody may be asked.
    #[error("it is not in the store, and nothing is asked for offline")]
    Offline,
    /// The run was told to stop.
    #[error("stopped")]
    Stopped,
    /// The log or the pause could not be written.
    #[error("cannot write {path}: {source}")]
    Record {
        /// The file.
        path: std::path::PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl WebError {
    /// Whether the run has to end, rather than go on with the next file.
    pub fn ends_the_run(&self) -> bool {
        !matches!(self, Self::NotFound { .. } | Self::Unanswered { .. } | Self::Offline)
    }
}

/// Answers GETs.
pub trait Web: Sync {
    /// Asks for what EDGAR publishes at `url` (its real address, whoever stands in for it).
    fn get(&self, url: &str, wanted: Wanted) -> Result<Answer, WebError>;

    /// The answer that came from `url` was whole, and yet none to go on with: a search for something else, a list without rows.
    /// Whoever remembers answers forgets it, or every later run would get it again.
    fn reject(&self, _url: &str) {}
}
