//! The lines of the files beside `results.json`.

use std::collections::BTreeMap;

use eightk_measure::Metric;
use serde::{Deserialize, Serialize};

/// What is known of a query beside its grades: a line of `queries.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryFacts {
    /// Its id.
    pub query: String,
    /// What is asked.
    pub text: String,
    /// The filing it is about: queries of one filing are drawn together.
    pub filing: Option<String>,
    /// What it asks for.
    pub fact: Option<String>,
    /// Kept sentences from the answer to the nearest evidence.
    pub distance: Option<usize>,
    /// Chunk ids of other sentences of its filing that state the fact.
    pub alternatives: Vec<String>,
    /// Chunk ids of its answers.
    #[serde(default)]
    pub answers: Vec<String>,
    /// Chunk ids of its evidence.
    #[serde(default)]
    pub evidence: Vec<String>,
}

/// A filing's chunks, in the order of the filing: a line of `filings.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilingFacts {
    /// Its `source_url`.
    pub filing: String,
    /// `{company short name} 8-K {filing date}`; empty where the set has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Where the document was published, as the data set says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// EDGAR's number of the filing, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accession: Option<String>,
    /// Central Index Key of the filer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cik: Option<String>,
    /// Chunk ids.
    pub chunks: Vec<String>,
}

/// A chunk that a report shows: a line of `texts.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextRow {
    /// Its id.
    pub chunk_id: String,
    /// The sentence.
    pub text: String,
    /// Groups the chunks of one filing.
    pub source_url: String,
    /// Of its filing.
    pub title: String,
    /// Position in the filing, from 0.
    pub idx: usize,
}

/// Where a chunk stands in a ranking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// Which chunk.
    pub chunk: String,
    /// First rank of the tie that holds it, from 1; none where it was not retrieved.
    pub rank: Option<usize>,
    /// How many chunks share its score, itself included; 0 where it was not retrieved.
    pub tie: usize,
    /// Its score.
    pub score: Option<f64>,
}

/// A chunk and its score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranked {
    /// Which chunk.
    pub chunk: String,
    /// Higher is better.
    pub score: f64,
}

/// What became of one query with one system: a line of `per-query.jsonl`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutcomeRow {
    /// The system.
    pub system: String,
    /// The query.
    pub query: String,
    /// Its text, where known.
    pub text: Option<String>,
    /// Chunks retrieved; none where the run lacks the query.
    pub retrieved: Option<usize>,
    /// Rank of the best answer in `trec_eval`'s order; none when no answer was retrieved.
    pub answer_rank: Option<usize>,
    /// First rank of the tie that holds it, and how many chunks share it.
    pub answer_tie: Option<(usize, usize)>,
    /// How many rivals the query has.
    pub rivals: usize,
    /// Rivals above the best answer.
    pub rivals_above: usize,
    /// Rivals level with it.
    pub rivals_level: usize,
    /// Every answer's place.
    #[serde(default)]
    pub answers: Vec<Place>,
    /// The best-ranked rival, ties in `trec_eval`'s order; none where there is no rival or none was retrieved.
    #[serde(default)]
    pub best_rival: Option<Place>,
    /// The first ten chunks, ties in `trec_eval`'s order.
    #[serde(default)]
    pub first: Vec<Ranked>,
    /// By metric, expected over ties; null where the query has no gold for it.
    pub metrics: BTreeMap<Metric, Option<f64>>,
}
