//! A run against judgements: a value per query and metric, and their means.
//!
//! The mean is over **all** judged queries that have gold for the metric. A query that the run lacks counts as an empty
//! ranking — the road not taken is the mean over shared queries, which rewards a system for failing on the hard ones. A query
//! without gold for a metric has no value, neither 0 nor 1; it is left out and counted.

use std::collections::BTreeMap;

use eightk_core::{Hit, Run};

use crate::certainty::{Interval, intervals};
use crate::one_query::{Discounts, Placed, Ranking, Spread, Wanted};
use crate::{
    FirstPlace, GoldTies, Judgements, MeasureError, Metric, MetricScores, Options, QueryOutcome, SystemScores,
    Undefined, Value,
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
        first_place: None,
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
    // Filing right, sentence right, and over how many queries.
    let mut first = (0.0, 0.0, 0_usize);
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
        if let Some(filing_right) = placed.own_filing_first {
            first = (first.0 + filing_right, first.1 + placed.answer_first(), first.2 + 1);
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
    scores.first_place = (first.2 > 0).then(|| FirstPlace {
        filing_right: first.0 / first.2 as f64,
        sentence_right_given_filing: (first.0 > 0.0).then(|| first.1 / first.0),
        queries: first.2,
    });
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
