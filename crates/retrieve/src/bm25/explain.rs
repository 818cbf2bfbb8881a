//! A score, term by term.

use serde::{Deserialize, Serialize};

/// Why a chunk has the score it has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// The sum of the terms' scores in order; 0 when no term of the query is seen, and then the chunk is not returned.
    pub score: f64,
    /// Terms of the chunk as the view shows it, repeats counted.
    pub length: u32,
    /// The query's terms in the order they first occur, those the chunk lacks with score 0.
    pub terms: Vec<TermScore>,
}

/// What one term of the query adds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TermScore {
    /// The term: lower case, stemmed.
    pub term: String,
    /// How often the query has it.
    pub count: u32,
    /// How many chunks have it.
    pub chunks: usize,
    /// Its weight by rarity.
    pub idf: f64,
    /// How often this chunk has it.
    pub tf: u32,
    /// What it adds.
    pub score: f64,
}
