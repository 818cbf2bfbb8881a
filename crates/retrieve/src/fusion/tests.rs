//! Order, ties and absence, worked out by hand.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::QueryFinding;

/// A system that returns what it was given, whatever is asked.
struct Fixed {
    description: Description,
    hits: Vec<Hit>,
    findings: Findings,
}

impl System for Fixed {
    fn description(&self) -> &Description {
        &self.description
    }

    fn search(&self, _: &QueryInput<'_>, _: usize) -> Result<Vec<Hit>, RetrieveError> {
        Ok(self.hits.clone())
    }

    fn findings(&self) -> Findings {
        self.findings.clone()
    }
}

fn hits(scored: &[(&str, f64)]) -> Vec<Hit> {
    scored.iter().map(|(id, score)| Hit { id: (*id).to_owned(), score: *score }).collect()
}

fn fixed(scored: &[(&str, f64)]) -> Box<dyn System> {
    let description = Description::new("fixed", "none", "").with("seed", "7");
    Box::new(Fixed { description, hits: hits(scored), findings: Findings::default() })
}

/// A system that ranks these from first to last.
fn ranked(ids: &[&str]) -> Box<dyn System> {
    let scored: Vec<_> = ids.iter().enumerate().map(|(i, id)| (*id, 10.0 - i as f64)).collect();
    fixed(&scored)
}

const QUERY: QueryInput<'static> = QueryInput { id: "q", text: "" };

fn rrf(parts: Vec<Box<dyn System>>, k: usize) -> Vec<Hit> {
    Fused::rrf("rrf", parts, 60).search(&QUERY, k).unwrap()
}

fn ids(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.id.as_str()).collect()
}

#[test]
fn third_in_both_beats_first_in_one() {
    let found = rrf(vec![ranked(&["X", "a", "Y"]), ranked(&["b", "c", "Y"])], 10);
    assert_eq!(ids(&found), ["Y", "X", "b", "a", "c"]);
    let score = |id: &str| found.iter().find(|hit| hit.id == id).unwrap().score;
    assert_eq!(score("Y"), 2.0 / 63.0);
    assert_eq!(score("X"), 1.0 / 61.0, "ranks count from 1, and absence adds nothing");
    assert_eq!(score("a"), 1.0 / 62.0);
}

#[test]
fn scores_rank_not_the_order_of_a_list() {
    let turned = fixed(&[("Y", 1.0), ("a", 2.0), ("X", 3.0)]);
    assert_eq!(rrf(vec![turned], 10), rrf(vec![ranked(&["X", "a", "Y"])], 10));
}

#[test]
fn higher_is_better_even_below_zero() {
    let distances = fixed(&[("near", -0.1), ("far", -9.0)]);
    assert_eq!(ids(&rrf(vec![distances], 10)), ["near", "far"]);
    let distances = fixed(&[("near", -0.1), ("far", -9.0)]);
    let found = Fused::weighted_sum("sum", vec![(1.0, distances)]).unwrap().search(&QUERY, 10).unwrap();
    assert_eq!(found, hits(&[("near", 1.0), ("far", 0.0)]));
}

#[test]
fn a_tie_shares_its_mean_rank_whatever_the_ids() {
    let found = rrf(vec![fixed(&[("a", 5.0), ("z", 3.0), ("m", 3.0), ("b", 3.0), ("c", 1.0)])], 10);
    let of = |id: &str| found.iter().find(|hit| hit.id == id).unwrap().score;
    assert_eq!((of("a"), of("c")), (1.0 / 61.0, 1.0 / 65.0));
    assert!([of("z"), of("m"), of("b")].iter().all(|score| *score == 1.0 / 63.0));
    let tie: Vec<_> = (0..1000).map(|i| (format!("t{i:03}"), 1.0)).collect();
    let tie: Vec<_> = tie.iter().map(|(id, score)| (id.as_str(), *score)).collect();
    let found = rrf(vec![fixed(&tie), ranked(&["only"])], 1);
    assert_eq!(ids(&found), ["only"], "one of a thousand alike is no winner");
}

#[test]
fn a_tie_of_the_fused_is_whole() {
    let found = rrf(vec![ranked(&["a", "b"]), ranked(&["b", "a"])], 1);
    assert_eq!(ids(&found), ["a", "b"]);
    assert_eq!(found[0].score, found[1].score);
    assert_eq!(rrf(vec![ranked(&["a", "b"])], 0), []);
    assert_eq!(rrf(vec![], 5), []);
}

#[test]
fn a_weighted_sum_by_hand() {
    let parts = || {
        vec![
            (0.25, fixed(&[("a", 12.0), ("b", 8.0), ("c", 4.0)])),
            (0.75, fixed(&[("b", 0.9), ("d", 0.8), ("c", 0.5)])),
        ]
    };
    let found = Fused::weighted_sum("sum", parts()).unwrap().search(&QUERY, 10).unwrap();
    let expected = [("b", 0.75 + 0.125), ("d", 0.75 * 0.75), ("a", 0.25), ("c", 0.0)];
    assert_eq!(ids(&found), expected.map(|(id, _)| id));
    for (hit, (_, score)) in found.iter().zip(expected) {
        assert!((hit.score - score).abs() < 1e-12, "{hit:?} {score}");
    }
    let fused = Fused::weighted_sum("sum", parts()).unwrap();
    let settings = &fused.description().settings;
    assert_eq!((settings["part 2 weight"].as_str(), settings["part 2 seed"].as_str()), ("0.75", "7"));
}

#[test]
fn all_alike_is_found_all_the_same() {
    let parts = vec![(1.0, fixed(&[("a", 7.0), ("b", 7.0)])), (1.0, fixed(&[("c", 1.0), ("d", 0.5)]))];
    let found = Fused::weighted_sum("sum", parts).unwrap().search(&QUERY, 10).unwrap();
    assert_eq!(found, hits(&[("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 0.0)]));
    let wide = vec![(1.0, fixed(&[("a", f64::MAX), ("b", 0.0), ("c", f64::MIN)]))];
    let found = Fused::weighted_sum("sum", wide).unwrap().search(&QUERY, 10).unwrap();
    assert_eq!(found, hits(&[("a", 1.0), ("b", 0.5), ("c", 0.0)]));
}

#[test]
fn a_weight_is_a_positive_number() {
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = Fused::weighted_sum("sum", vec![(weight, ranked(&["a"]))]).unwrap_err();
        assert!(error.to_string().contains("above 0"), "{error}");
    }
}

#[test]
fn findings_of_parts_are_told() {
    let part = |name: &str, findings| -> Box<dyn System> {
        Box::new(Fixed { description: Description::new(name, "", ""), hits: Vec::new(), findings })
    };
    let swapped = QueryFinding { swapped_with: Some("c1".into()), binding_in_window: None };
    let seen = QueryFinding { swapped_with: Some("c2".into()), binding_in_window: Some(true) };
    let one = Findings {
        encoded: 2,
        notes: vec!["x".into()],
        per_query: BTreeMap::from([("q".into(), swapped)]),
        ..Findings::default()
    };
    let two = Findings {
        encoded: 3,
        requests: 4,
        context_free: true,
        per_query: BTreeMap::from([("q".into(), seen)]),
        ..Findings::default()
    };
    let all = Fused::rrf("rrf", vec![part("one", one), part("two", two)], 60).findings();
    assert_eq!((all.encoded, all.requests, all.context_free), (5, 4, true));
    assert_eq!(all.notes, ["one: x"]);
    assert_eq!(all.per_query["q"], QueryFinding { swapped_with: Some("c1".into()), binding_in_window: Some(true) });
}

proptest! {
    #[test]
    fn many_queries_are_as_each_alone_and_the_order_of_parts_is_no_matter(
        lists in prop::collection::vec(prop::collection::btree_map("[a-f]", 0u8..4, 0..6), 1..4), k in 0usize..8,
    ) {
        let part = |list: &BTreeMap<String, u8>| {
            let scored: Vec<_> = list.iter().map(|(id, score)| (id.as_str(), f64::from(*score))).collect();
            fixed(&scored)
        };
        let fused = Fused::rrf("rrf", lists.iter().map(part).collect(), 60);
        let alone = fused.search(&QUERY, k).unwrap();
        prop_assert_eq!(fused.search_all(&[QUERY; 3], k).unwrap(), vec![alone.clone(); 3]);
        let turned = Fused::rrf("rrf", lists.iter().rev().map(part).collect(), 60);
        prop_assert_eq!(&turned.search(&QUERY, k).unwrap(), &alone);
        // A plain loop: every chunk, every list, the ranks before and those alike counted.
        for hit in &alone {
            let expected: f64 = lists.iter().filter_map(|list| {
                let own = list.get(&hit.id)?;
                let before = list.values().filter(|other| *other > own).count() as f64;
                let alike = list.values().filter(|other| *other == own).count() as f64;
                Some(1.0 / (60.0 + before + (alike + 1.0) / 2.0))
            }).sum();
            prop_assert!((hit.score - expected).abs() < 1e-12);
        }
    }
}
