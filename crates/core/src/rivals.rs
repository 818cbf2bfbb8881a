//! The sentences a gold has to be told apart from.

use serde::{Deserialize, Serialize};

/// The rivals of one query: *D_fact* without the gold itself.
///
/// One line of `audit/rivals.jsonl`. Only `query` and `rivals` are needed to score a run with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RivalSet {
    /// Query id, as runs name it.
    pub query: String,
    /// Which fact.
    #[serde(default)]
    pub fact: String,
    /// Chunk id of the gold answer.
    #[serde(default)]
    pub gold: String,
    /// Chunk ids of kept sentences of other companies that match the fact, sorted; the gold is not among them.
    pub rivals: Vec<String>,
    /// For each rival, the Jaccard similarity of its masked words to the gold's, so that *D_near* at any τ is those with
    /// similarity ≥ τ. Empty when not known.
    #[serde(default)]
    pub similarity: Vec<f64>,
    /// How many rivals there are, where the recipe's limit left the less similar ones out of the list; else `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<usize>,
}
