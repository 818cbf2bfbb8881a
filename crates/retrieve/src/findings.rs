//! What a system found out about itself while it ran: what no ranking shows and every reader of its score should know.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What became of a system's inputs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Chunks and queries part of whose own text did not fit the model.
    pub truncated_inputs: u64,
    /// The view shows a context and the encoder does not look at it: one sentence got one vector in two filings.
    pub context_free: bool,
    /// Sentences for people, each with the number or name it is about.
    pub notes: Vec<String>,
    /// Vectors made in this run.
    pub encoded: u64,
    /// Vectors taken from the store.
    pub cached: u64,
    /// Requests made in this run.
    pub requests: u64,
    /// Tokens paid for or run through the model in this run, as far as the encoder counts them.
    pub tokens: u64,
    /// By query id, where there is something to tell.
    pub per_query: BTreeMap<String, QueryFinding>,
}

/// The same of one query.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct QueryFinding {
    /// In control `swap`: the chunk that stood in the answer's context, and the answer in its.
    pub swapped_with: Option<String>,
    /// In views with a context: whether the sentence that tells whose the answer is was in the part of the filing that
    /// the answer's vector was made from. None where no such sentence is known.
    pub binding_in_window: Option<bool>,
}
