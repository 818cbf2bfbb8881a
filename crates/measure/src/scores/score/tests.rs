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
    let hits = |list: &[(&str, f64)]| list.iter().map(|(id, score)| Hit { id: (*id).into(), score: *score }).collect();
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
