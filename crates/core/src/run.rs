//! What a system returned.

use std::collections::BTreeMap;

/// One retrieved document with its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Document id.
    pub id: String,
    /// Higher is better; never NaN.
    pub score: f64,
}

/// The rankings of one system.
///
/// Hits are kept as the system gave them; their order carries no meaning, only scores do (as in `trec_eval`).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Run {
    /// The system's name.
    pub system: String,
    /// Hits by query id. A query with an empty list was run and found nothing.
    pub queries: BTreeMap<String, Vec<Hit>>,
}
