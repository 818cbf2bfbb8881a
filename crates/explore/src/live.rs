//! Systems that can be asked while the explorer runs.
//!
//! The explorer knows nothing of models, specs or caches: it asks by name and shows what comes back. Preparing a system (encoding
//! a whole data set) may take minutes and a page may take a second, so whoever implements [`LiveSystems`] prepares in the background
//! and says meanwhile that it is not ready. The road not taken is a page that waits.

use eightk_core::Hit;

/// A system that can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveSystem {
    /// Its name, as specs and results call it. Shown, and sent back by forms.
    pub name: String,
    /// What it is, in a few words; may be empty.
    pub summary: String,
}

/// How far a system is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiveState {
    /// Asking it gives a ranking now.
    Ready,
    /// It is being prepared.
    Preparing {
        /// How far it is, in words: `encoding, 120 of 690 filings`. May be empty.
        what: String,
    },
    /// It cannot be prepared. The reason is shown to whoever opens the page.
    Failed(String),
    /// Nobody has asked it yet; asking starts the preparation.
    Idle,
}

/// Why a search gave no ranking.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// It is being prepared; ask again in a moment.
    #[error("the system is being prepared")]
    NotReady,
    /// There is no system of that name.
    #[error("there is no such system")]
    Unknown,
    /// It failed. The reason is shown to whoever opens the page: no secrets, no paths.
    #[error("{0}")]
    Failed(String),
}

/// Systems that can be asked now. Called from threads that may block, several at a time.
pub trait LiveSystems: Send + Sync {
    /// All of them, in the order they are offered.
    fn systems(&self) -> Vec<LiveSystem>;

    /// How far one is. Must return at once.
    fn state(&self, system: &str) -> LiveState;

    /// The best `depth` chunks for a query. May block for as long as one search takes; what has to be prepared first is
    /// prepared in the background, and until then the answer is [`LiveError::NotReady`].
    ///
    /// # Errors
    /// [`LiveError`] where there is no ranking.
    fn search(&self, system: &str, query: &str, depth: usize) -> Result<Vec<Hit>, LiveError>;
}

/// No systems: the search page says so.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSystems;

impl LiveSystems for NoSystems {
    fn systems(&self) -> Vec<LiveSystem> {
        Vec::new()
    }

    fn state(&self, _: &str) -> LiveState {
        LiveState::Failed("there is no such system".to_owned())
    }

    fn search(&self, _: &str, _: &str, _: usize) -> Result<Vec<Hit>, LiveError> {
        Err(LiveError::Unknown)
    }
}
