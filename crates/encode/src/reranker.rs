//! Models that score a query and a passage together.

use crate::{EncodeError, Identity, Usage};

/// Scores passages for a query.
pub trait Reranker: Send + Sync {
    /// Who it is. Does not change.
    fn identity(&self) -> &Identity;

    /// One score per passage, in the passages' order; none for a passage that the service left out (`top_n`). Higher is better; scores
    /// of two calls need not be comparable.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from scoring.
    fn rerank(&self, query: &str, passages: &[&str]) -> Result<Vec<Option<f64>>, EncodeError>;

    /// What it has used up since it was made.
    fn usage(&self) -> Usage {
        Usage::default()
    }
}
