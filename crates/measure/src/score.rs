//! A run against judgements: a value per query and metric, and their means.
//!
//! The mean is over **all** judged queries that have gold for the metric. A query that the run lacks counts as an empty
//! ranking — the road not taken is the mean over shared queries, which rewards a system for failing on the hard ones. A query
//! without gold for a metric has no value, neither 0 nor 1; it is left out and counted.

use std::collections::BTreeMap;

use eightk_core::{Hit, Run};
use serde::{Deserialize, Serialize};

use crate::bootstrap::{Interval, intervals};
use crate::placed::Placed;
use crate::ranking::Ranking;
use crate::ties::{Discounts, Spread};
use crate::wanted::Wanted;
use crate::{Judgements, MeasureError, Metric};

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
    /// How many rivals it has.
    pub rivals: usize,
    /// Rivals above the best answer.
    pub rivals_above: usize,
    /// Rivals level with it. Its rank among them all is expected at `1 + above + level / 2`.
    pub rivals_level: usize,
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

    /// Whether there are too few answerable queries to conclude anything.
    pub fn smoke_test(&self) -> bool {
        self.queries.len() - self.undefined.answer < SMOKE_TEST_BELOW
    }
}

/// Scores a run.
///
/// # Errors
/// Judgements without a query, a run or rivals that share no query with them, a score that is no number, a document
/// retrieved twice for a query. An empty run and empty rankings are fine and count 0.
pub fn score(
    run: &Run,
    judgements: &Judgements,
    metrics: &[Metric],
    options: &Options,
) -> Result<SystemScores, MeasureError> {
    check_shared(run, judgements)?;
    let qrels = &judgements.qrels.queries;
    let answer_grade = judgements.qrels.answer_grade();
    let longest = run.queries.values().map(Vec::len).chain(qrels.values().map(BTreeMap::len)).max().unwrap_or(0);
    let discounts = Discounts::up_to(longest);
    let mut scores = SystemScores {
        name: run.system.clone(),
        queries: Vec::with_capacity(qrels.len()),
        missing: Vec::new(),
        ignored: run.queries.keys().filter(|q| !qrels.contains_key(*q)).cloned().collect(),
        undefined: Undefined::default(),
        ties: GoldTies::default(),
        metrics: metrics
            .iter()
            .map(|metric| MetricScores { metric: *metric, value: None, per_query: Vec::with_capacity(qrels.len()) })
            .collect(),
        clusters: Vec::with_capacity(qrels.len()),
        draws: 0,
    };
    let mut ranking = Ranking::default();
    let mut cluster_names: BTreeMap<String, usize> = BTreeMap::new();
    // Chance of `resolved@1` per query: the share of the answers among answers and rivals.
    let mut chance = (0.0, 0_usize);
    for (query, grades) in qrels {
        let hits: Option<&[Hit]> = run.queries.get(query).map(Vec::as_slice);
        if hits.is_none() {
            scores.missing.push(query.clone());
        }
        ranking.set(run, query, hits.unwrap_or_default())?;
        let wanted = Wanted::new(judgements, query, grades, answer_grade);
        let placed = Placed::new(&wanted, &ranking, judgements.filing_of.as_ref());
        scores.undefined.answer += usize::from(wanted.answers.is_empty());
        scores.undefined.evidence += usize::from(wanted.grades.is_empty());
        if wanted.contested() {
            chance.0 += wanted.answers.len() as f64 / (wanted.answers.len() + wanted.rivals.len()) as f64;
            chance.1 += 1;
        }
        for place in &placed.positives {
            scores.ties.retrieved += 1;
            scores.ties.exact += usize::from(place.len > 1);
            scores.ties.within_1e6 += usize::from(ranking.tied_within(place.rank, 1e-6));
            scores.ties.within_1e4 += usize::from(ranking.tied_within(place.rank, 1e-4));
        }
        for column in &mut scores.metrics {
            column.per_query.push(placed.value(column.metric, &wanted, &discounts));
        }
        let cluster = cluster_of(judgements, query, &wanted);
        let next = cluster_names.len();
        scores.clusters.push(*cluster_names.entry(cluster).or_insert(next));
        scores.queries.push(outcome(query, hits.map(<[Hit]>::len), &wanted, &placed));
    }
    scores.draws = options.draws_for(cluster_names.len());
    let columns: Vec<Vec<Option<f64>>> =
        scores.metrics.iter().map(|m| m.per_query.iter().map(|v| v.as_ref().map(|v| v.expected)).collect()).collect();
    let intervals = intervals(&columns, &scores.clusters, options);
    let chance = (chance.1 > 0).then(|| chance.0 / chance.1 as f64);
    for (column, interval) in scores.metrics.iter_mut().zip(intervals) {
        column.value = mean(column, interval, chance);
    }
    Ok(scores)
}

/// The mean over the queries that have a value.
fn mean(column: &MetricScores, interval: Option<Interval>, resolved_chance: Option<f64>) -> Option<Value> {
    let mut sum = Spread::default();
    let mut queries = 0_usize;
    for value in column.per_query.iter().flatten() {
        sum.add(*value);
        queries += 1;
    }
    let mean = (queries > 0).then(|| sum.over(queries as f64))?;
    let chance = match column.metric {
        Metric::RivalAuc => Some(0.5),
        Metric::ResolvedAt1 => resolved_chance,
        _ => None,
    };
    let Spread { expected, trec, best, worst } = mean;
    let (low, high) = (interval.map(|i| i.low), interval.map(|i| i.high));
    Some(Value { expected, trec, best, worst, low, high, queries, chance })
}

fn outcome(query: &str, retrieved: Option<usize>, wanted: &Wanted<'_>, placed: &Placed) -> QueryOutcome {
    let best = placed.answers.first();
    let (rivals_above, rivals_level) = if wanted.contested() { placed.rivals_above_and_level() } else { (0, 0) };
    QueryOutcome {
        query: query.to_owned(),
        retrieved,
        answer_rank: best.map(|p| p.rank + 1),
        answer_tie: best.map(|p| (p.start + 1, p.len)),
        rivals: wanted.rivals.len(),
        rivals_above,
        rivals_level,
    }
}

/// What a query is taken together with: its filing, or itself. Prefixed, so that no filing is mistaken for a query.
fn cluster_of(judgements: &Judgements, query: &str, wanted: &Wanted<'_>) -> String {
    let stated = judgements.clusters.get(query).map(String::as_str);
    let first = || wanted.answers.first().and_then(|id| judgements.filing_of.as_ref()?.get(id));
    stated.or_else(first).map_or_else(|| format!("query {query}"), |filing| format!("filing {filing}"))
}

fn check_shared(run: &Run, judgements: &Judgements) -> Result<(), MeasureError> {
    let qrels = &judgements.qrels.queries;
    let Some(judged) = qrels.keys().next() else {
        return Err(MeasureError::NoJudgements { origin: format!("judgements for run `{}`", run.system) });
    };
    if let Some(retrieved) = run.queries.keys().next()
        && !run.queries.keys().any(|q| qrels.contains_key(q))
    {
        let (judged, retrieved) = (judged.clone(), retrieved.clone());
        return Err(MeasureError::NoSharedQuery { system: run.system.clone(), judged, retrieved });
    }
    if let Some(rivals) = &judgements.rivals
        && let Some(listed) = rivals.keys().next()
        && !rivals.keys().any(|q| qrels.contains_key(q))
    {
        return Err(MeasureError::NoSharedRivals { judged: judged.clone(), listed: listed.clone() });
    }
    Ok(())
}
