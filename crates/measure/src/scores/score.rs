//! A run against judgements: a value per query and metric, and their means.
//!
//! The mean is over **all** judged queries that have gold for the metric. A query that the run lacks counts as an empty
//! ranking — the road not taken is the mean over shared queries, which rewards a system for failing on the hard ones. A query
//! without gold for a metric has no value, neither 0 nor 1; it is left out and counted.

use std::collections::BTreeMap;

use eightk_core::{Hit, Run};

use super::first_place::Tally;
use crate::certainty::{Interval, intervals};
use crate::judgements::Rivals;
use crate::one_query::{Discounts, Placed, Ranking, Spread, Wanted};
use crate::{
    GoldTies, Judgements, MeasureError, Metric, MetricScores, Options, QueryOutcome, SystemScores, Undefined, Value,
};

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
    let scores = score_families(run, judgements, &[judgements.rivals.as_ref()], metrics, options)?;
    scores.into_iter().next().ok_or_else(|| no_judgements(run))
}

/// Scores a run over each family of rivals, from one ranking per query.
pub(super) fn score_families(
    run: &Run,
    judgements: &Judgements,
    families: &[Option<&Rivals>],
    metrics: &[Metric],
    options: &Options,
) -> Result<Vec<SystemScores>, MeasureError> {
    check_shared(run, judgements, families)?;
    let qrels = &judgements.qrels.queries;
    let answer_grade = judgements.qrels.answer_grade();
    let longest = run.queries.values().map(Vec::len).chain(qrels.values().map(BTreeMap::len)).max().unwrap_or(0);
    let discounts = Discounts::up_to(longest);
    let mut tallies: Vec<Tallies> = families.iter().map(|_| Tallies::new(run, judgements, metrics)).collect();
    let mut ranking = Ranking::default();
    for (query, grades) in qrels {
        let hits: Option<&[Hit]> = run.queries.get(query).map(Vec::as_slice);
        ranking.set(run, query, hits.unwrap_or_default())?;
        for (tally, rivals) in tallies.iter_mut().zip(families) {
            let wanted = Wanted::new(judgements, *rivals, query, grades, answer_grade);
            let placed = Placed::new(&wanted, &ranking, judgements.filing_of.as_ref());
            let cluster = cluster_of(judgements, query, &wanted);
            tally.push(outcome(query, hits.map(<[Hit]>::len), &wanted, &placed), cluster);
            tally.first.push(placed.own_filing_first.map(|f| (f, placed.answer_first(), wanted.answers.len())));
            tally.count(&wanted, &placed, &ranking);
            for column in &mut tally.scores.metrics {
                column.per_query.push(placed.value(column.metric, &wanted, &discounts));
            }
        }
    }
    Ok(tallies.into_iter().map(|tally| tally.finish(options)).collect())
}

/// Scores in the making.
struct Tallies {
    scores: SystemScores,
    cluster_numbers: BTreeMap<String, usize>,
    first: Tally,
}

impl Tallies {
    fn new(run: &Run, judgements: &Judgements, metrics: &[Metric]) -> Self {
        let qrels = &judgements.qrels.queries;
        let column = |metric: &Metric| MetricScores { metric: *metric, value: None, per_query: Vec::new() };
        let scores = SystemScores {
            name: run.system.clone(),
            queries: Vec::with_capacity(qrels.len()),
            missing: Vec::new(),
            ignored: run.queries.keys().filter(|q| !qrels.contains_key(*q)).cloned().collect(),
            undefined: Undefined::default(),
            ties: GoldTies::default(),
            first_place: None,
            metrics: metrics.iter().map(column).collect(),
            clusters: Vec::with_capacity(qrels.len()),
            draws: 0,
        };
        Self { scores, cluster_numbers: BTreeMap::new(), first: Tally::default() }
    }

    fn push(&mut self, outcome: QueryOutcome, cluster: String) {
        if outcome.retrieved.is_none() {
            self.scores.missing.push(outcome.query.clone());
        }
        let next = self.cluster_numbers.len();
        self.scores.clusters.push(*self.cluster_numbers.entry(cluster).or_insert(next));
        self.scores.queries.push(outcome);
    }

    fn count(&mut self, wanted: &Wanted<'_>, placed: &Placed, ranking: &Ranking<'_>) {
        let (undefined, ties) = (&mut self.scores.undefined, &mut self.scores.ties);
        undefined.answer += usize::from(wanted.answers.is_empty());
        undefined.evidence += usize::from(wanted.grades.is_empty());
        for place in &placed.positives {
            ties.retrieved += 1;
            ties.exact += usize::from(place.len > 1);
            ties.within_1e6 += usize::from(ranking.tied_within(place.rank, 1e-6));
            ties.within_1e4 += usize::from(ranking.tied_within(place.rank, 1e-4));
        }
    }

    fn finish(self, options: &Options) -> SystemScores {
        let mut scores = self.scores;
        scores.draws = options.draws_for(self.cluster_numbers.len());
        scores.first_place = self.first.finish(&scores.clusters, options);
        let expected = |m: &MetricScores| m.per_query.iter().map(|v| v.as_ref().map(|v| v.expected)).collect();
        let columns: Vec<Vec<Option<f64>>> = scores.metrics.iter().map(expected).collect();
        let intervals = intervals(&columns, &scores.clusters, options);
        for (column, interval) in scores.metrics.iter_mut().zip(intervals) {
            column.value = mean(column.metric, scores.queries.iter().zip(&column.per_query), interval);
        }
        scores
    }
}

/// The mean over the queries that have a value.
pub(super) fn mean<'q>(
    metric: Metric,
    queries: impl IntoIterator<Item = (&'q QueryOutcome, &'q Option<Spread>)>,
    interval: Option<Interval>,
) -> Option<Value> {
    let (mut sum, mut count) = (Spread::default(), 0_usize);
    // Chance is of the query, not of the system: all of them have one or none.
    let mut chance = Some(0.0);
    for (query, value) in queries {
        let Some(value) = value else { continue };
        sum.add(*value);
        count += 1;
        chance = chance.zip(query.chance(metric)).map(|(sum, c)| sum + c);
    }
    let Spread { expected, trec, best, worst } = (count > 0).then(|| sum.over(count as f64))?;
    let (low, high) = (interval.map(|i| i.low), interval.map(|i| i.high));
    let chance = chance.map(|c| c / count as f64);
    Some(Value { expected, trec, best, worst, low, high, queries: count, chance })
}

fn outcome(query: &str, retrieved: Option<usize>, wanted: &Wanted<'_>, placed: &Placed) -> QueryOutcome {
    let best = placed.answers.first();
    let (rivals_above, rivals_level) = if wanted.contested() { placed.rivals_above_and_level() } else { (0, 0) };
    QueryOutcome {
        query: query.to_owned(),
        retrieved,
        answer_rank: best.map(|p| p.rank + 1),
        answer_tie: best.map(|p| (p.start + 1, p.len)),
        answers: wanted.answers.len(),
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

fn no_judgements(run: &Run) -> MeasureError {
    MeasureError::NoJudgements { origin: format!("judgements for run `{}`", run.system) }
}

fn check_shared(run: &Run, judgements: &Judgements, families: &[Option<&Rivals>]) -> Result<(), MeasureError> {
    let qrels = &judgements.qrels.queries;
    let Some(judged) = qrels.keys().next() else { return Err(no_judgements(run)) };
    if let Some(retrieved) = run.queries.keys().next()
        && !run.queries.keys().any(|q| qrels.contains_key(q))
    {
        let (judged, retrieved) = (judged.clone(), retrieved.clone());
        return Err(MeasureError::NoSharedQuery { system: run.system.clone(), judged, retrieved });
    }
    for rivals in families.iter().flatten() {
        if let Some(listed) = rivals.keys().next()
            && !rivals.keys().any(|q| qrels.contains_key(q))
        {
            return Err(MeasureError::NoSharedRivals { judged: judged.clone(), listed: listed.clone() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
