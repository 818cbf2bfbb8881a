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
mod tests {
    use super::*;
    use crate::Filings;
    use eightk_core::Qrels;

    fn qrels(rows: &[(&str, &str, i64)]) -> Qrels {
        let mut qrels = Qrels::default();
        for (query, document, grade) in rows {
            qrels.queries.entry((*query).into()).or_default().insert((*document).into(), *grade);
        }
        qrels
    }

    fn run(rows: &[(&str, &[(&str, f64)])]) -> Run {
        let hits =
            |list: &[(&str, f64)]| list.iter().map(|(id, score)| Hit { id: (*id).into(), score: *score }).collect();
        Run { system: "s".into(), queries: rows.iter().map(|(q, list)| ((*q).into(), hits(list))).collect() }
    }

    fn scored(run: &Run, judgements: &Judgements, metrics: &[&str]) -> SystemScores {
        let metrics: Vec<Metric> = metrics.iter().map(|m| m.parse().unwrap()).collect();
        score(run, judgements, &metrics, &Options::default()).unwrap()
    }

    fn expected(scores: &SystemScores, metric: &str) -> f64 {
        scores.metric(metric.parse().unwrap()).unwrap().value.unwrap().expected
    }

    #[test]
    fn a_missing_query_counts_zero_and_an_undefined_one_not_at_all() {
        let judgements = Judgements {
            qrels: qrels(&[("found", "a", 2), ("missing", "b", 2), ("evidence", "e", 1), ("none", "n", 0)]),
            ..Judgements::default()
        };
        let run = run(&[("found", &[("a", 1.0)]), ("evidence", &[]), ("elsewhere", &[("a", 1.0)])]);
        let scores = scored(&run, &judgements, &["standard_recall@1", "evidence_recall@1", "joint@1"]);
        assert_eq!(expected(&scores, "standard_recall@1"), 0.5);
        assert!((expected(&scores, "evidence_recall@1") - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(scores.metric(Metric::Joint(1)).unwrap().value, None);
        assert_eq!((scores.missing, scores.ignored), (vec!["missing".into(), "none".into()], vec!["elsewhere".into()]));
        assert_eq!(scores.undefined, Undefined { answer: 2, evidence: 1 });
    }

    #[test]
    fn grades_of_one_are_answers_where_nothing_is_higher() {
        let judgements = Judgements { qrels: qrels(&[("q", "a", 1)]), ..Judgements::default() };
        let scores =
            scored(&run(&[("q", &[("a", 1.0)])]), &judgements, &["standard_recall@1", "mrr", "evidence_only_recall@1"]);
        assert_eq!((expected(&scores, "standard_recall@1"), expected(&scores, "mrr")), (1.0, 1.0));
        assert_eq!(scores.metric(Metric::EvidenceOnlyRecall(1)).unwrap().value, None);
    }

    #[test]
    fn ties_at_golds_are_counted_at_three_resolutions() {
        let judgements = Judgements {
            qrels: qrels(&[("q", "a", 2), ("q", "b", 1), ("q", "c", 1), ("q", "d", 1), ("q", "e", 1)]),
            ..Judgements::default()
        };
        let hits: &[(&str, f64)] =
            &[("a", 3.0), ("x", 3.0), ("b", 2.0), ("y", 1.999_999_5), ("c", 1.0), ("z", 0.999_95), ("d", 0.5)];
        let ties = scored(&run(&[("q", hits)]), &judgements, &[]).ties;
        assert_eq!(ties, GoldTies { retrieved: 4, exact: 1, within_1e6: 2, within_1e4: 3 });
    }

    #[test]
    fn infinite_scores_rank_at_the_ends_and_tie_with_their_like() {
        let judgements = Judgements { qrels: qrels(&[("q", "a", 2)]), ..Judgements::default() };
        let hits: &[(&str, f64)] = &[("x", 1.0), ("a", f64::INFINITY), ("y", f64::INFINITY), ("z", f64::NEG_INFINITY)];
        let scores = scored(&run(&[("q", hits)]), &judgements, &["mrr"]);
        assert_eq!(expected(&scores, "mrr"), 0.75);
        assert_eq!(scores.ties.exact, 1);
    }

    #[test]
    fn chance_is_what_a_blind_system_gets() {
        let rivals: Vec<String> = (0..4).map(|i| format!("r{i}")).collect();
        let judgements = Judgements {
            qrels: qrels(&[("q", "g", 2), ("alone", "h", 2)]),
            rivals: Some(BTreeMap::from([("q".into(), [rivals.clone(), vec!["g".into(), "r0".into()]].concat())])),
            ..Judgements::default()
        };
        let blind: Vec<(&str, f64)> = rivals.iter().map(|r| (r.as_str(), 1.0)).chain([("g", 1.0)]).collect();
        for run in [run(&[("q", &blind)]), run(&[("q", &[])]), run(&[("alone", &[])])] {
            let scores = scored(&run, &judgements, &["rival_auc", "resolved@1"]);
            for (metric, chance) in [(Metric::RivalAuc, 0.5), (Metric::ResolvedAt1, 0.2)] {
                let value = scores.metric(metric).unwrap().value.unwrap();
                assert_eq!((value.expected, value.chance, value.queries), (chance, Some(chance), 1), "{metric}");
            }
        }
    }

    #[test]
    fn an_outcome_says_where_the_gold_is() {
        let judgements = Judgements {
            qrels: qrels(&[("q", "g", 2), ("q", "h", 2)]),
            rivals: Some(BTreeMap::from([("q".into(), ["r", "s", "t", "u"].map(String::from).to_vec())])),
            ..Judgements::default()
        };
        let hits: &[(&str, f64)] = &[("r", 3.0), ("g", 2.0), ("s", 2.0), ("x", 2.0), ("t", 1.0)];
        let outcome = scored(&run(&[("q", hits)]), &judgements, &[]).queries.remove(0);
        assert_eq!((outcome.answer_rank, outcome.answer_tie, outcome.retrieved), (Some(4), Some((2, 3)), Some(5)));
        assert_eq!((outcome.rivals, outcome.rivals_above, outcome.rivals_level), (4, 1, 1));
    }

    #[test]
    fn queries_of_one_filing_are_one_cluster() {
        let rows: Vec<(String, String)> = (0..6).map(|i| (format!("q{i}"), format!("f{}#s{i}", i / 2))).collect();
        let golds: Vec<(&str, &str, i64)> = rows.iter().map(|(q, d)| (q.as_str(), d.as_str(), 2)).collect();
        let filings = Filings::new(rows.iter().map(|(_, d)| (d.as_str(), d.split('#').next().unwrap())));
        let known = Judgements { qrels: qrels(&golds), filing_of: Some(filings), ..Judgements::default() };
        let empty = run(&[]);
        assert_eq!(scored(&empty, &known, &[]).clusters, [0, 0, 1, 1, 2, 2]);
        let unknown = Judgements { filing_of: None, ..known.clone() };
        assert_eq!(scored(&empty, &unknown, &[]).clusters, [0, 1, 2, 3, 4, 5]);
        let stated = Judgements { clusters: BTreeMap::from([("q5".into(), "f0".into())]), ..known };
        assert_eq!(scored(&empty, &stated, &[]).clusters, [0, 0, 1, 1, 2, 0]);
    }

    #[test]
    fn the_first_place_factor_by_factor() {
        let filings = Filings::new([("f#1", "f"), ("f#2", "f"), ("g#1", "g"), ("g#2", "g"), ("h#1", "h")]);
        let judgements = Judgements {
            qrels: qrels(&[("a", "f#1", 2), ("b", "f#1", 2), ("c", "g#1", 2), ("d", "g#1", 2), ("e", "elsewhere", 2)]),
            filing_of: Some(filings),
            ..Judgements::default()
        };
        let run = run(&[
            ("a", &[("f#1", 2.0), ("h#1", 1.0)]),
            ("b", &[("f#2", 2.0), ("f#1", 1.0)]),
            ("c", &[("g#1", 2.0), ("g#2", 2.0), ("h#1", 2.0), ("f#1", 2.0)]),
            ("d", &[]),
            ("e", &[("elsewhere", 1.0)]),
        ]);
        let got = scored(&run, &judgements, &[]).first_place.unwrap();
        // Filing right 1, 1, 1/2, 0; sentence right 1, 0, 1/4, 0.
        assert_eq!((got.filing_right, got.queries), (0.625, 4));
        assert_eq!(got.sentence_right_given_filing, Some(0.5));
        let unknown = Judgements { filing_of: None, ..judgements };
        assert_eq!(scored(&run, &unknown, &[]).first_place, None);
    }

    #[test]
    fn scoring_is_a_pure_function() {
        let rows: Vec<String> = (0..50).map(|i| format!("q{i}")).collect();
        let golds: Vec<(&str, &str, i64)> = rows.iter().map(|q| (q.as_str(), "a", 2)).collect();
        let judgements = Judgements { qrels: qrels(&golds), ..Judgements::default() };
        let hits: &[(&str, f64)] = &[("a", 1.0), ("b", 1.0), ("c", 2.0)];
        let run = run(&rows.iter().step_by(3).map(|q| (q.as_str(), hits)).collect::<Vec<_>>());
        let forward = scored(&run, &judgements, &["mrr", "ndcg@5", "standard_recall@2"]);
        assert_eq!(forward, scored(&run, &judgements, &["mrr", "ndcg@5", "standard_recall@2"]));
        let backward = scored(&run, &judgements, &["standard_recall@2", "ndcg@5", "mrr"]);
        assert!(forward.metrics.iter().rev().eq(&backward.metrics), "other metrics asked for change nothing");
    }

    #[test]
    fn what_cannot_be_scored_is_refused() {
        let judgements = Judgements { qrels: qrels(&[("1.1", "a", 1)]), ..Judgements::default() };
        let refuse = |run: &Run, judgements: &Judgements| score(run, judgements, &[], &Options::default()).unwrap_err();
        let message = refuse(&run(&[("1", &[("a", 1.0)])]), &judgements).to_string();
        assert!(message.contains("`1.1`") && message.contains("`1`"), "{message}");
        let message = refuse(&run(&[("1.1", &[("a", 1.0), ("b", 2.0), ("a", 3.0)])]), &judgements).to_string();
        assert!(message.contains("run `s`: document `a` is retrieved twice for query `1.1`"), "{message}");
        let message = refuse(&run(&[("1.1", &[("a", f64::NAN)])]), &judgements).to_string();
        assert!(message.contains("score `NaN` of document `a` for query `1.1`"), "{message}");
        assert!(matches!(refuse(&run(&[]), &Judgements::default()), MeasureError::NoJudgements { .. }));
        let foreign = Judgements { rivals: Some(BTreeMap::from([("q9".into(), vec![])])), ..judgements };
        assert!(refuse(&run(&[]), &foreign).to_string().contains("`q9`"));
    }

    #[test]
    fn no_grade_overflows() {
        let judgements = Judgements { qrels: qrels(&[("q", "a", 5_000), ("q", "b", 1)]), ..Judgements::default() };
        let scores = scored(&run(&[("q", &[("b", 2.0), ("a", 1.0)])]), &judgements, &["ndcg_exp@5", "ndcg@5"]);
        let value = expected(&scores, "ndcg_exp@5");
        assert!((value - 1.0 / 3_f64.log2()).abs() < 1e-12, "{value}");
    }
}
