//! What runs are scored against: a data set, a folder of saved runs, or a qrels file.
//!
//! All three become one value before anything is scored, so that scoring cannot tell them apart and a saved run scores as it did
//! when it was made.

use std::collections::BTreeMap;

use eightk_core::{Qrels, RivalSet};
use eightk_measure::{Filings, Judgements, RivalFamily, Split, SystemScores};
use eightk_runs::{DataFacts, FilingFacts, QueryFacts};

/// All that scoring needs.
pub(crate) struct Against {
    /// What results call it.
    pub(crate) name: String,
    /// Of a data set.
    pub(crate) data: Option<DataFacts>,
    pub(crate) queries: Vec<QueryFacts>,
    pub(crate) filings: Vec<FilingFacts>,
    pub(crate) rivals: Option<Vec<RivalSet>>,
    pub(crate) judgements: Judgements,
}

/// Where a cut by number begins anew.
const SIZES_OF_D: &[usize] = &[2, 5, 10, 20, 50, 100];
const DISTANCES: &[usize] = &[1, 2, 4, 8, 16];

impl Against {
    /// Judgements alone.
    pub(crate) fn qrels(name: String, qrels: Qrels) -> Self {
        let judgements = Judgements { qrels, ..Judgements::default() };
        Self { name, data: None, queries: Vec::new(), filings: Vec::new(), rivals: None, judgements }
    }

    /// A data set, or what was saved of one.
    pub(crate) fn new(
        (name, data): (String, DataFacts),
        qrels: Qrels,
        rivals: Option<Vec<RivalSet>>,
        queries: Vec<QueryFacts>,
        filings: Vec<FilingFacts>,
    ) -> Self {
        let chunks = filings.iter().flat_map(|f| f.chunks.iter().map(|c| (c.clone(), &f.filing)));
        let alternatives = queries.iter().filter(|q| !q.alternatives.is_empty());
        let clusters: BTreeMap<String, String> =
            queries.iter().filter_map(|q| Some((q.query.clone(), q.filing.clone()?))).collect();
        let judgements = Judgements {
            qrels,
            rivals: None,
            alternatives: alternatives.map(|q| (q.query.clone(), q.alternatives.clone())).collect(),
            filing_of: Some(Filings::new(chunks)),
            clusters,
        };
        let mut against = Self { name, data: Some(data), queries, filings, rivals: None, judgements };
        if let Some(rivals) = rivals {
            against.set_rivals(rivals);
        }
        against
    }

    /// Takes these rivals.
    pub(crate) fn set_rivals(&mut self, sets: Vec<RivalSet>) {
        self.judgements.rivals = Some(RivalFamily::fact(&sets).rivals);
        self.rivals = Some(sets);
    }

    /// *D_fact*, and *D_near* where similarities are known.
    pub(crate) fn families(&self) -> Vec<RivalFamily> {
        let Some(sets) = &self.rivals else { return Vec::new() };
        let known = sets.iter().any(|s| !s.similarity.is_empty());
        RivalFamily::sweep(sets, if known { RivalFamily::THRESHOLDS } else { &[] })
    }

    /// What scores are cut by, as far as it is known here.
    pub(crate) fn splits(&self, scores: &SystemScores) -> Vec<Split> {
        let facts = || self.queries.iter().filter_map(|q| Some((q.query.as_str(), q.fact.as_deref()?)));
        let distances = || self.queries.iter().filter_map(|q| Some((q.query.clone(), q.distance?)));
        let mut splits = Vec::new();
        if facts().next().is_some() {
            splits.push(Split::new("fact", facts()));
        }
        if scores.queries.iter().any(|q| q.rivals > 0) {
            splits.push(Split::by_size_of_d(scores, SIZES_OF_D));
        }
        splits.push(Split::by_evidence(&self.judgements.qrels));
        if distances().next().is_some() {
            splits.push(Split::buckets("sentences to the evidence", distances(), DISTANCES));
        }
        splits
    }
}
