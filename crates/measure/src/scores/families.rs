//! The same ranking against one set of rivals after another.
//!
//! How hard it is to tell a sentence from its rivals depends on who counts as one. *D_fact* takes every sentence of another
//! company that states the same fact; *D_near* at a threshold keeps those of them that read like the gold. A system that
//! drops as the threshold rises was helped by wording, not by knowing whose sentence it was. The families share one ranking
//! per query, so nothing but the rivals differs between two rows.

use std::collections::BTreeMap;

use eightk_core::{RivalSet, Run};
use serde::{Deserialize, Serialize};

use super::score::score_families;
use crate::{Judgements, MeasureError, Metric, Options, SystemScores};

/// Rivals by query, under a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RivalFamily {
    /// `fact`, `near(0.5)`, or what the maker of the lists calls it.
    pub name: String,
    /// Rivals by query. A query with an empty list has been looked at and has none.
    pub rivals: BTreeMap<String, Vec<String>>,
    /// Queries whose list may lack rivals, because it was cut when it was published.
    pub incomplete: Vec<String>,
    /// Queries for which the family cannot be told: similarities are not known.
    pub unknown: Vec<String>,
}

impl RivalFamily {
    /// The thresholds that reports sweep. 0.5 is the usual one.
    pub const THRESHOLDS: &[f64] = &[0.3, 0.5, 0.7, 0.9];

    /// Lists as they are, under a name.
    pub fn given(name: &str, rivals: BTreeMap<String, Vec<String>>) -> Self {
        Self { name: name.to_owned(), rivals, incomplete: Vec::new(), unknown: Vec::new() }
    }

    /// *D_fact*: every rival listed. A query with several sets, one per gold, has their union.
    pub fn fact(sets: &[RivalSet]) -> Self {
        let mut family = Self::given("fact", BTreeMap::new());
        for set in sets {
            family.rivals.entry(set.query.clone()).or_default().extend(set.rivals.iter().cloned());
            if set.total.is_some_and(|total| total > set.rivals.len()) {
                family.incomplete.push(set.query.clone());
            }
        }
        family.tidy()
    }

    /// *D_near*: rivals whose similarity to the gold is at least `threshold`.
    ///
    /// A cut list is complete here if it holds a rival below the threshold: it was cut from the far end.
    pub fn near(sets: &[RivalSet], threshold: f64) -> Self {
        let mut family = Self::given(&format!("near({threshold})"), BTreeMap::new());
        for set in sets {
            if set.similarity.len() != set.rivals.len() {
                family.unknown.push(set.query.clone());
                continue;
            }
            let pairs = || set.rivals.iter().zip(&set.similarity);
            let near = pairs().filter(|(_, similarity)| **similarity >= threshold).map(|(id, _)| id.clone());
            family.rivals.entry(set.query.clone()).or_default().extend(near);
            let cut = set.total.is_some_and(|total| total > set.rivals.len());
            if cut && pairs().all(|(_, similarity)| *similarity >= threshold) {
                family.incomplete.push(set.query.clone());
            }
        }
        family.tidy()
    }

    /// *D_fact*, then *D_near* at each of the thresholds.
    pub fn sweep(sets: &[RivalSet], thresholds: &[f64]) -> Vec<Self> {
        let near = thresholds.iter().map(|threshold| Self::near(sets, *threshold));
        std::iter::once(Self::fact(sets)).chain(near).collect()
    }

    fn tidy(mut self) -> Self {
        for list in self.rivals.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        for list in [&mut self.incomplete, &mut self.unknown] {
            list.sort_unstable();
            list.dedup();
        }
        // Half a union would be a smaller family than the name promises.
        self.rivals.retain(|query, _| self.unknown.binary_search(query).is_err());
        self
    }
}

/// One system over one family of rivals.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyScores {
    /// Name of the family.
    pub family: String,
    /// Queries with an answer and at least one rival: those the scores are about.
    pub contested: usize,
    /// Mean number of rivals of those; 0 when there are none.
    pub mean_rivals: f64,
    /// Judged queries whose list may lack rivals.
    pub incomplete: usize,
    /// Judged queries whose similarities are not known.
    pub unknown: usize,
    /// The scores: to be split, compared and tested like any others.
    pub scores: SystemScores,
}

/// Scores a run over each family of rivals; [`Judgements::rivals`] is not looked at.
///
/// A family without any query of the judgements is fine: its metrics have no value. [`Metric::DISAMBIGUATION`] is what is
/// usually asked.
///
/// # Errors
/// As [`score`](crate::score()), but for rivals that share no query with the judgements.
pub fn disambiguate(
    run: &Run,
    judgements: &Judgements,
    families: &[RivalFamily],
    metrics: &[Metric],
    options: &Options,
) -> Result<Vec<FamilyScores>, MeasureError> {
    let judged = |query: &&String| judgements.qrels.queries.contains_key(*query);
    let lists: Vec<_> = families.iter().map(|f| Some(&f.rivals).filter(|r| r.keys().any(|q| judged(&q)))).collect();
    let scored = score_families(run, judgements, &lists, metrics, options)?;
    let row = |(family, scores): (&RivalFamily, SystemScores)| {
        let sizes = || scores.queries.iter().filter(|q| q.answers > 0 && q.rivals > 0).map(|q| q.rivals);
        let contested = sizes().count();
        FamilyScores {
            family: family.name.clone(),
            contested,
            mean_rivals: sizes().sum::<usize>() as f64 / contested.max(1) as f64,
            incomplete: family.incomplete.iter().filter(judged).count(),
            unknown: family.unknown.iter().filter(judged).count(),
            scores,
        }
    };
    Ok(families.iter().zip(scored).map(row).collect())
}

#[cfg(test)]
mod tests {
    use eightk_core::{Hit, Qrels};
    use proptest::prelude::*;

    use super::*;
    use crate::score;

    fn set(query: &str, rivals: &[(&str, f64)], total: Option<usize>) -> RivalSet {
        RivalSet {
            query: query.into(),
            fact: String::new(),
            gold: String::new(),
            rivals: rivals.iter().map(|r| r.0.into()).collect(),
            similarity: rivals.iter().map(|r| r.1).collect(),
            total,
        }
    }

    #[test]
    fn near_keeps_what_is_like_enough() {
        let sets = [set("q", &[("r", 0.2), ("s", 0.5), ("t", 0.9)], None)];
        let listed = |f: &RivalFamily| f.rivals["q"].join(" ");
        let all: Vec<_> = RivalFamily::sweep(&sets, &[0.5, 0.95]).iter().map(|f| (f.name.clone(), listed(f))).collect();
        let want = [("fact", "r s t"), ("near(0.5)", "s t"), ("near(0.95)", "")];
        assert_eq!(all, want.map(|(name, list)| (name.to_owned(), list.to_owned())));
    }

    #[test]
    fn a_cut_list_is_incomplete_only_above_what_it_holds() {
        let sets = [set("q", &[("r", 0.6), ("s", 0.4)], Some(5)), set("p", &[("r", 0.6)], Some(1))];
        assert_eq!(RivalFamily::fact(&sets).incomplete, ["q"]);
        assert_eq!(RivalFamily::near(&sets, 0.4).incomplete, ["q"]);
        assert_eq!(RivalFamily::near(&sets, 0.5).incomplete, [""; 0], "the cut ones are less like than .4");
    }

    #[test]
    fn without_similarities_nothing_is_near() {
        let unknown = RivalSet { similarity: vec![], ..set("q", &[("r", 0.0)], None) };
        let sets = [unknown, set("p", &[("r", 0.6)], None), set("q", &[("z", 0.9)], None), set("none", &[], None)];
        let near = RivalFamily::near(&sets, 0.5);
        assert_eq!(
            (near.unknown, near.rivals.keys().map(String::as_str).collect::<Vec<_>>()),
            (vec!["q".into()], vec!["none", "p"])
        );
        assert_eq!(RivalFamily::fact(&sets).rivals["q"], ["r", "z"], "several sets of one query are one");
    }

    #[test]
    fn each_family_has_its_own_scores() {
        let judgements = Judgements {
            qrels: Qrels { queries: BTreeMap::from([("q".into(), BTreeMap::from([("g".into(), 2)]))]) },
            ..Judgements::default()
        };
        let hits = [("r", 4.0), ("g", 3.0), ("s", 3.0), ("t", 1.0)].map(|(id, score)| Hit { id: id.into(), score });
        let run = Run { system: "s".into(), queries: BTreeMap::from([("q".into(), hits.to_vec())]) };
        let sets = [set("q", &[("r", 0.2), ("s", 0.5), ("t", 0.9)], None), set("unjudged", &[("r", 0.1)], Some(9))];
        let families = RivalFamily::sweep(&sets, &[0.5, 0.95]);
        let got = disambiguate(&run, &judgements, &families, Metric::DISAMBIGUATION, &Options::default()).unwrap();
        let value = |i: usize, m| got[i].scores.metric(m).unwrap().value.map(|v| (v.expected, v.trec, v.chance));
        // Above g: r; level: s (first in trec_eval's order).
        assert_eq!(value(0, Metric::RivalRank), Some((2.5, 3.0, Some(2.5))));
        assert_eq!(value(0, Metric::RivalAuc), Some((0.5, 0.5, Some(0.5))));
        assert_eq!(value(1, Metric::RivalRank), Some((1.5, 2.0, Some(2.0))));
        assert_eq!(value(1, Metric::RivalAuc), Some((0.75, 0.75, Some(0.5))));
        assert_eq!(value(1, Metric::ResolvedAt1), Some((0.5, 0.0, Some(1.0 / 3.0))));
        assert_eq!(value(2, Metric::RivalAuc), None, "no rival that near");
        let sizes: Vec<_> = got.iter().map(|f| (f.contested, f.mean_rivals, f.incomplete)).collect();
        assert_eq!(sizes, [(1, 3.0, 0), (1, 2.0, 0), (0, 0.0, 0)]);
        let elsewhere = [RivalFamily::given("mine", BTreeMap::from([("unjudged".into(), vec!["r".into()])]))];
        let none = disambiguate(&run, &judgements, &elsewhere, &[Metric::RivalAuc], &Options::default()).unwrap();
        assert_eq!(none[0].scores.metrics[0].value, None);
    }

    proptest! {
        /// Families together are what each is alone.
        #[test]
        fn together_as_alone(
            scores in prop::collection::vec(prop::option::weighted(0.8, 0_u8..3), 8),
            similarity in prop::collection::vec(0.0..1.0, 7),
            thresholds in prop::collection::vec(0.0..1.0, 0..4),
        ) {
            let ids = ["g", "a", "b", "c", "d", "e", "f", "h"];
            let hits = ids.iter().zip(&scores).filter_map(|(id, s)| s.map(|s| Hit { id: (*id).into(), score: f64::from(s) }));
            let run = Run { system: "s".into(), queries: BTreeMap::from([("q".into(), hits.collect())]) };
            let qrels = Qrels { queries: BTreeMap::from([("q".into(), BTreeMap::from([("g".into(), 2)]))]) };
            let rivals: Vec<(&str, f64)> = ids[1..].iter().copied().zip(similarity).collect();
            let families = RivalFamily::sweep(&[set("q", &rivals, None)], &thresholds);
            let judgements = Judgements { qrels, ..Judgements::default() };
            let options = Options { draws: 0, ..Options::default() };
            let together = disambiguate(&run, &judgements, &families, Metric::DISAMBIGUATION, &options).unwrap();
            for (family, got) in families.iter().zip(together) {
                let alone = Judgements { rivals: Some(family.rivals.clone()), ..judgements.clone() };
                prop_assert_eq!(score(&run, &alone, Metric::DISAMBIGUATION, &options).unwrap(), got.scores);
            }
        }
    }
}
