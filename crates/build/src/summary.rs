//! What a build did, in numbers.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::Refused;

/// The summary of a build, as `build --json` prints it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BuildSummary {
    /// Filings in the data set.
    pub filings: usize,
    /// Filings of the data set in which no sentence was kept.
    pub filings_without_chunks: usize,
    /// Files that are not in the data set, with the reason.
    pub refused: Vec<Refused>,
    /// Documents beside a manifest that does not name them: not read.
    pub unlisted: usize,
    /// Sentences, kept or dropped.
    pub sentences: usize,
    /// Dropped sentences by reason.
    pub dropped: BTreeMap<String, usize>,
    /// Kept sentences.
    pub chunks: usize,
    /// Queries.
    pub queries: usize,
    /// Queries by fact.
    pub queries_by_fact: BTreeMap<String, usize>,
    /// Queries that have an evidence sentence.
    pub with_evidence: usize,
    /// Kept sentences that state each fact, in the whole data set.
    pub rivals: BTreeMap<String, usize>,
    /// Queries that have more rivals than the recipe lists: their less similar ones are left out.
    pub rivals_cut: usize,
    /// Answers that became no query, by reason.
    pub left_out: BTreeMap<String, usize>,
    /// The data set's fingerprint.
    pub fingerprint: String,
}
