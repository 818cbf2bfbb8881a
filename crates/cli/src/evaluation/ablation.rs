//! What context brought one model: the same encoder climbs a ladder of views, and controls take the context away again.
//!
//! A gain over the bare sentence alone proves little: a longer input changes a vector in many ways. So each view is held
//! against `bare`, and each control against the view it spoils: without the sentences that name the filer, in the wrong order, in a
//! wrong filing. In `swap` the answer and one rival stand in each other's filing; the *follow rate* is how often the
//! best of gold and rivals is then the rival that stands in the gold's place. It needs no scoring of its own: it is resolved@1
//! with that rival as the answer.

use std::collections::BTreeMap;

use eightk_core::{ANSWER_GRADE, Qrels, Run};
use eightk_measure::{Judgements, Metric, SystemScores, Value, compare_all, score};

use eightk_runs::{Ablation, Follow, Ladder, Rung, Swapped};

use super::{Against, Scoring};
use crate::failure::Outcome;

/// What a gain is shown on: the rivals above all.
const SHOWN_ON: [Metric; 3] = [Metric::RivalAuc, Metric::ResolvedAt1, Metric::NdcgAnswer(10)];

/// Scores what the rungs are to each other. Rungs that did not run are left out; without a bare rung there is no gain to tell.
pub(crate) fn climb(
    ladder: &Ladder,
    runs: &[Run],
    scores: &[&SystemScores],
    scoring: &Scoring,
    against: &Against,
) -> Outcome<Ablation> {
    let (options, swapped) = (&scoring.options, &scoring.swapped);
    let blind = |rung: &Rung| scoring.context_free.contains(&rung.system);
    let find = |rung: &Rung| scores.iter().copied().find(|s| s.name == rung.system && !s.never_ran() && !blind(rung));
    let plain = |view: &str| ladder.rungs.iter().find(|r| r.view == view && r.control.is_none());
    let views: Vec<&Rung> = ladder.rungs.iter().filter(|r| r.control.is_none() && r.view != "bare").collect();
    let mut gains = Vec::new();
    if let Some(bare) = plain("bare").and_then(find) {
        let contexts: Vec<SystemScores> = views.iter().filter_map(|r| find(r)).cloned().collect();
        gains = compare_all(&contexts, bare, &shown(bare), options)?;
    }
    let mut controls = Vec::new();
    for view in &views {
        let of_view = |r: &&Rung| r.control.is_some() && r.view == view.view;
        let spoiled: Vec<SystemScores> = ladder.rungs.iter().filter(of_view).filter_map(find).cloned().collect();
        if let Some(base) = find(view).filter(|_| !spoiled.is_empty()) {
            controls.extend(compare_all(&spoiled, base, &shown(base), options)?);
        }
    }
    let mut follow = Vec::new();
    for rung in &ladder.rungs {
        let Some(swapped) = swapped.get(&rung.system).filter(|s| !s.is_empty() && !blind(rung)) else { continue };
        let judgements = exchanged(against, swapped);
        let rate = |name: &str| -> Outcome<Option<Value>> {
            let Some(run) = runs.iter().find(|r| r.system == name) else { return Ok(None) };
            let scores = score(run, &judgements, &[Metric::ResolvedAt1], options)?;
            Ok(scores.metric(Metric::ResolvedAt1).and_then(|m| m.value))
        };
        let Some(followed) = rate(&rung.system)? else { continue };
        follow.push(Follow {
            system: rung.system.clone(),
            view: rung.view.clone(),
            rate: followed,
            before: plain(&rung.view).map(|r| rate(&r.system)).transpose()?.flatten(),
            stays: find(rung).and_then(|s| s.metric(Metric::ResolvedAt1)?.value),
        });
    }
    let context_free = ladder.rungs.iter().filter(|r| blind(r)).map(|r| r.system.clone()).collect();
    Ok(Ablation { model: ladder.model.clone(), gains, controls, follow, context_free })
}

/// The metrics that a system was scored with and has a value on.
fn shown(scores: &SystemScores) -> Vec<Metric> {
    let has_value = |m: &Metric| scores.metric(*m).is_some_and(|m| m.value.is_some());
    SHOWN_ON.into_iter().filter(has_value).collect()
}

/// The judgements in which the swapped rival is the answer, and the gold one of its rivals. Queries without a swap have no gold.
fn exchanged(against: &Against, swapped: &Swapped) -> Judgements {
    let (mut qrels, mut rivals) = (Qrels::default(), BTreeMap::new());
    for set in against.rivals.iter().flatten() {
        let Some(stand_in) = swapped.get(&set.query) else { continue };
        qrels.queries.insert(set.query.clone(), BTreeMap::from([(stand_in.clone(), ANSWER_GRADE)]));
        let others = set.rivals.iter().chain([&set.gold]).filter(|r| *r != stand_in && !r.is_empty());
        rivals.insert(set.query.clone(), others.cloned().collect());
    }
    let known = &against.judgements;
    Judgements { qrels, rivals: Some(rivals), clusters: known.clusters.clone(), ..Judgements::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eightk_core::{Hit, RivalSet};
    use eightk_measure::Judgements;

    fn run(system: &str, best: &[&str]) -> Run {
        let hits = |best: &str| {
            let scored = ["g", "r", "x"].map(|id| Hit { id: id.into(), score: if id == best { 2.0 } else { 1.0 } });
            scored.to_vec()
        };
        let queries = best.iter().enumerate().map(|(i, b)| (format!("q{i}"), hits(b))).collect();
        Run { system: system.into(), queries }
    }

    fn against(queries: usize) -> Against {
        let grades = |i| (format!("q{i}"), BTreeMap::from([("g".to_owned(), ANSWER_GRADE)]));
        let qrels = Qrels { queries: (0..queries).map(grades).collect() };
        let set = |i| RivalSet {
            query: format!("q{i}"),
            fact: "charges".into(),
            gold: "g".into(),
            rivals: vec!["r".into(), "x".into()],
            similarity: vec![0.5, 0.1],
            total: None,
        };
        let mut against = Against::qrels("test".into(), qrels);
        against.set_rivals((0..queries).map(set).collect());
        against
    }

    fn rung(system: &str, view: &str, control: Option<&str>) -> Rung {
        Rung { system: system.into(), view: view.into(), control: control.map(Into::into) }
    }

    #[test]
    fn gains_controls_and_what_the_ranking_follows() {
        // Bare finds one gold in four, the filing all; swapped, three of four go with the context.
        let runs = [
            run("m", &["g", "r", "x", "x"]),
            run("m:filing", &["g", "g", "g", "g"]),
            run("m:filing/swap", &["r", "r", "r", "g"]),
        ];
        let ladder = Ladder {
            model: "m".into(),
            rungs: vec![
                rung("m", "bare", None),
                rung("m:filing", "filing", None),
                rung("m:filing/swap", "filing", Some("swap")),
                rung("m:lead", "lead", None),
            ],
        };
        let against = against(4);
        let judgements: &Judgements = &against.judgements;
        let mut scoring = Scoring::new(&[], None, Vec::new());
        let options = scoring.options;
        let scores: Vec<_> = runs.iter().map(|r| score(r, judgements, &SHOWN_ON, &options).unwrap()).collect();
        let scores: Vec<_> = scores.iter().collect();
        let swapped = (0..4).map(|i| (format!("q{i}"), "r".to_owned())).collect();
        scoring.swapped = BTreeMap::from([("m:filing/swap".to_owned(), swapped)]);
        let found = climb(&ladder, &runs, &scores, &scoring, &against).unwrap();
        let gain = |m| found.gains.iter().find(|c| c.metric == m).map(|c| (c.a.as_str(), c.difference));
        assert_eq!(gain(Metric::ResolvedAt1), Some(("m:filing", 0.75)));
        let lost = found.controls.iter().find(|c| c.metric == Metric::ResolvedAt1).unwrap();
        assert_eq!((lost.a.as_str(), lost.b.as_str(), lost.difference), ("m:filing/swap", "m:filing", -0.75));
        let [follow] = &found.follow[..] else { panic!("one swap ran") };
        assert_eq!(
            (follow.rate.expected, follow.before.unwrap().expected, follow.stays.unwrap().expected),
            (0.75, 0.0, 0.25)
        );
        assert_eq!(follow.rate.chance, Some(1.0 / 3.0));
        // An encoder that does not look at the filing tells nothing of it.
        scoring.context_free = ["m:filing".to_owned(), "m:filing/swap".to_owned()].into();
        let blind = climb(&ladder, &runs, &scores, &scoring, &against).unwrap();
        assert!(blind.gains.is_empty() && blind.controls.is_empty() && blind.follow.is_empty());
        assert_eq!(blind.context_free, ["m:filing", "m:filing/swap"]);
    }

    #[test]
    fn queries_without_a_swap_are_not_counted() {
        let against = against(2);
        let swapped = Swapped::from([("q1".to_owned(), "x".to_owned())]);
        let judgements = exchanged(&against, &swapped);
        assert_eq!(judgements.qrels.queries.keys().collect::<Vec<_>>(), ["q1"]);
        assert_eq!(judgements.rivals.unwrap()["q1"], ["r", "g"]);
    }
}
