//! Why there is no report.

use thiserror::Error;

/// What can be wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReportError {
    /// The user asked for less than a report without queries takes.
    #[error(
        "a report of these runs takes {needed} bytes before any query is shown, more than the {limit} asked for: raise --max-size"
    )]
    TooSmall {
        /// Bytes of everything but the queries.
        needed: usize,
        /// Bytes that were asked for.
        limit: usize,
    },
}

impl ReportError {
    /// Whether it is for the user to put right, rather than bad data or a bug.
    pub fn is_user_mistake(&self) -> bool {
        match self {
            Self::TooSmall { .. } => true,
        }
    }
}
