//! What scoring yields, and what is asked of it.
//!
//! Per-query values stay with the means: comparing systems, splitting by fact or by number of rivals, and explaining a
//! single query all need them, and they are small beside the run.

use serde::{Deserialize, Serialize};

use crate::{FirstPlace, Metric, Spread};

/// With fewer queries than this, a result is a smoke test and says so.
pub const SMOKE_TEST_BELOW: usize = 30;

/// How certainty is computed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Draws of each bootstrap and randomization; 0 leaves intervals out. With very many clusters fewer are made, see
    /// [`Options::draws_for`].
    pub draws: usize,
    /// Where the random numbers begin. Same seed, same numbers, on every machine.
    pub seed: u64,
    /// Share of the resamples inside an interval.
    pub confidence: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { draws: 10_000, seed: 20_260_101, confidence: 0.95 }
    }
}

impl Options {
    /// How many draws are made for so many clusters: `draws`, but no more than keep draws × clusters within twenty million,
    /// and at least 1,000. The more clusters, the less a percentile gains from another draw.
    pub fn draws_for(&self, clusters: usize) -> usize {
        self.draws.min((20_000_000 / clusters.max(1)).max(1_000))
    }
}

/// Mean of a metric over the queries that have gold for it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// Mean over a random order inside ties: the number to quote.
    pub expected: f64,
    /// Ties in descending byte order of the ids: the number `trec_eval -c` prints.
    pub trec: f64,
    /// At the luckiest order inside ties.
    pub best: f64,
    /// At the unluckiest.
    pub worst: f64,
    /// Lower end of the bootstrap interval of `expected`; `None` with fewer than two clusters or no draws.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// How many queries have gold for it.
    pub queries: usize,
    /// What a system that cannot tell answers from rivals gets, where that does not depend on the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// Queries without gold at a tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Undefined {
    /// No document answers.
    pub answer: usize,
    /// No document has a grade above 0.
    pub evidence: usize,
}

/// How many of the retrieved golds share their score with another document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GoldTies {
    /// Golds (answers and evidence) that were retrieved.
    pub retrieved: usize,
    /// Those with exactly the score of another document.
    pub exact: usize,
    /// Those within 1e-6 of another.
    #[serde(rename = "1e-6")]
    pub within_1e6: usize,
    /// Those within 1e-4 of another.
    #[serde(rename = "1e-4")]
    pub within_1e4: usize,
}

/// One metric over all queries.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricScores {
    /// Which.
    pub metric: Metric,
    /// The mean; `None` when no query has gold for it.
    pub value: Option<Value>,
    /// Per query, in the order of [`SystemScores::queries`]; `None` where the query has no gold for it.
    pub per_query: Vec<Option<Spread>>,
}

/// Where a query's gold ended up: what an explanation needs. Ranks are 1-based, ties in `trec_eval`'s order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryOutcome {
    /// The query.
    pub query: String,
    /// Documents retrieved for it; `None` when the run lacks the query.
    pub retrieved: Option<usize>,
    /// Rank of the best answer; `None` when no answer was retrieved.
    pub answer_rank: Option<usize>,
    /// First rank of the tie that holds it, and how many documents share it.
    pub answer_tie: Option<(usize, usize)>,
    /// How many documents answer it, retrieved or not.
    pub answers: usize,
    /// How many rivals it has.
    pub rivals: usize,
    /// Rivals above the best answer.
    pub rivals_above: usize,
    /// Rivals level with it. A single answer's rank among them all is expected at `1 + above + level / 2`.
    pub rivals_level: usize,
}

impl QueryOutcome {
    /// What a system that cannot tell this query's answers from its rivals gets on average; `None` where that depends on
    /// the system, or there is nothing to tell apart.
    pub fn chance(&self, metric: Metric) -> Option<f64> {
        let (answers, rivals) = (self.answers as f64, self.rivals as f64);
        let chance = match metric {
            // All level: half. (Of several answers the best counts, and a random order favours it above that.)
            Metric::RivalAuc => 0.5,
            Metric::ResolvedAt1 => answers / (answers + rivals),
            Metric::RivalRank => 1.0 + rivals / (answers + 1.0),
            _ => return None,
        };
        (self.answers > 0 && self.rivals > 0).then_some(chance)
    }
}

/// What one system got.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemScores {
    /// The system.
    pub name: String,
    /// Every judged query, in byte order, with what became of its gold.
    pub queries: Vec<QueryOutcome>,
    /// Judged queries that the run lacks: each counts as an empty ranking.
    pub missing: Vec<String>,
    /// Queries of the run that are not judged: not scored.
    pub ignored: Vec<String>,
    /// Judged queries without gold.
    pub undefined: Undefined,
    /// Ties at golds.
    pub ties: GoldTies,
    /// The first place, factor by factor; `None` where no chunk's filing is known.
    pub first_place: Option<FirstPlace>,
    /// The scores, in the order they were asked for.
    pub metrics: Vec<MetricScores>,
    /// For each query the number of its cluster: queries of one filing share one.
    pub clusters: Vec<usize>,
    /// Draws made for the intervals.
    pub draws: usize,
}

impl SystemScores {
    /// The scores of one metric, if it was asked for.
    pub fn metric(&self, metric: Metric) -> Option<&MetricScores> {
        self.metrics.iter().find(|m| m.metric == metric)
    }

    /// Whether the run has none of the judged queries. Such a system did not find nothing: it did not run. Its values are 0
    /// by the rule for missing queries, and mean nothing; it is not compared with others.
    pub fn never_ran(&self) -> bool {
        !self.queries.is_empty() && self.missing.len() == self.queries.len()
    }

    /// Whether there are too few answerable queries to conclude anything.
    pub fn smoke_test(&self) -> bool {
        self.queries.len() - self.undefined.answer < SMOKE_TEST_BELOW
    }
}
