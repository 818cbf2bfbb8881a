//! The shape in which scores leave the program: one JSON object for any number of systems.
//!
//! Fields may be added, never renamed: scripts read this.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    Comparison, Equivalence, FamilyScores, FirstPlace, GoldTies, Metric, SplitScores, SystemScores, Undefined, Value,
};

/// What `score` and `eval` print with `--json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreReport {
    /// What was scored against: a data set's name and fingerprint, or a qrels file.
    pub dataset: String,
    /// One entry per system, in the order given.
    pub systems: Vec<SystemReport>,
    /// Differences between systems.
    pub comparisons: Vec<Comparison>,
    /// Systems that could not be run. They have no scores: a score of 0 would make a failure a bad result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedSystem>,
}

/// A system without scores, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedSystem {
    /// The system.
    pub name: String,
    /// What happened.
    pub reason: String,
}

/// One system's means and counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SystemReport {
    /// The system.
    pub name: String,
    /// Judged queries.
    pub queries: usize,
    /// Of them, how many the run lacks. Each counts as an empty ranking.
    pub missing: usize,
    /// The run has none of them: the system did not run, and its values mean nothing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub never_ran: bool,
    /// Which those are.
    #[serde(default)]
    pub missing_queries: Vec<String>,
    /// Queries of the run that are not judged.
    pub ignored: usize,
    /// Judged queries without gold.
    pub undefined: Undefined,
    /// How many golds tie with another document.
    #[serde(default)]
    pub ties: GoldTies,
    /// The first place, factor by factor, where the chunks' filings are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_place: Option<FirstPlace>,
    /// Too few queries to conclude anything.
    #[serde(default)]
    pub smoke_test: bool,
    /// Draws behind the intervals.
    #[serde(default)]
    pub draws: usize,
    /// By metric name; null where no query has gold for it.
    pub metrics: BTreeMap<Metric, Option<Value>>,
    /// The disambiguation scores over each family of rivals that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<FamilyReport>,
    /// Metrics cut by label.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<SplitScores>,
    /// Whether it is at chance.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<Equivalence>,
}

/// One system over one family of rivals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FamilyReport {
    /// Name of the family.
    pub family: String,
    /// Queries with an answer and at least one rival.
    pub contested: usize,
    /// Mean number of rivals of those.
    pub mean_rivals: f64,
    /// Queries whose list may lack rivals.
    pub incomplete: usize,
    /// Queries whose similarities are not known.
    pub unknown: usize,
    /// By metric name; null where no query has a rival.
    pub metrics: BTreeMap<Metric, Option<Value>>,
}

impl From<&FamilyScores> for FamilyReport {
    fn from(scores: &FamilyScores) -> Self {
        Self {
            family: scores.family.clone(),
            contested: scores.contested,
            mean_rivals: scores.mean_rivals,
            incomplete: scores.incomplete,
            unknown: scores.unknown,
            metrics: scores.scores.metrics.iter().map(|m| (m.metric, m.value)).collect(),
        }
    }
}

impl From<&SystemScores> for SystemReport {
    fn from(scores: &SystemScores) -> Self {
        Self {
            name: scores.name.clone(),
            queries: scores.queries.len(),
            missing: scores.missing.len(),
            never_ran: scores.never_ran(),
            missing_queries: scores.missing.clone(),
            ignored: scores.ignored.len(),
            undefined: scores.undefined,
            ties: scores.ties,
            first_place: scores.first_place,
            smoke_test: scores.smoke_test(),
            draws: scores.draws,
            metrics: scores.metrics.iter().map(|m| (m.metric, m.value)).collect(),
            families: Vec::new(),
            splits: Vec::new(),
            chance: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use eightk_core::{Qrels, Run};

    use super::*;
    use crate::{Judgements, Options, RivalFamily, Split, at_chance, disambiguate, score, split};

    #[test]
    fn the_shape_scripts_read() {
        let grades = BTreeMap::from([("a".to_owned(), 2)]);
        let qrels = Qrels { queries: BTreeMap::from([("q1".to_owned(), grades.clone()), ("q2".to_owned(), grades)]) };
        let judgements = Judgements { qrels, ..Judgements::default() };
        let run = Run { system: "empty".into(), queries: BTreeMap::new() };
        let scores = score(&run, &judgements, &[Metric::Ndcg(10), Metric::Joint(5)], &Options::default()).unwrap();
        let report =
            ScoreReport { dataset: "d".into(), systems: vec![(&scores).into()], comparisons: vec![], failed: vec![] };
        let json = serde_json::to_value(&report).unwrap();
        let want = serde_json::json!({
            "dataset": "d",
            "systems": [{
                "name": "empty", "queries": 2, "missing": 2, "never_ran": true, "missing_queries": ["q1", "q2"], "ignored": 0,
                "undefined": {"answer": 0, "evidence": 0},
                "ties": {"retrieved": 0, "exact": 0, "1e-6": 0, "1e-4": 0},
                "smoke_test": true, "draws": 10_000,
                "metrics": {
                    "ndcg@10": {"expected": 0.0, "trec": 0.0, "best": 0.0, "worst": 0.0, "low": 0.0, "high": 0.0, "queries": 2},
                    "joint@5": null,
                },
            }],
            "comparisons": [],
        });
        assert_eq!(json, want);
        assert_eq!(serde_json::from_value::<ScoreReport>(json).unwrap(), report);
    }

    #[test]
    fn families_and_splits_go_there_and_back() {
        let qrels = Qrels { queries: BTreeMap::from([("q".to_owned(), BTreeMap::from([("a".to_owned(), 2)]))]) };
        let judgements = Judgements { qrels, ..Judgements::default() };
        let (run, options) = (Run { system: "s".into(), queries: BTreeMap::new() }, Options::default());
        let rivals = BTreeMap::from([("q".to_owned(), vec!["r".to_owned()])]);
        let families = [RivalFamily::given("mine", rivals)];
        let over = disambiguate(&run, &judgements, &families, Metric::DISAMBIGUATION, &options).unwrap().remove(0);
        let mut report = SystemReport::from(&over.scores);
        report.families = vec![(&over).into()];
        report.splits =
            vec![split(&over.scores, Metric::RivalAuc, &Split::by_size_of_d(&over.scores, &[2]), &options).unwrap()];
        report.chance = at_chance(&over.scores, Metric::RivalAuc, Equivalence::MARGIN).unwrap().into_iter().collect();
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["families"][0]["metrics"]["rival_auc"]["expected"], 0.5);
        assert_eq!(json["splits"][0]["parts"][0]["label"], "2+");
        assert_eq!(json["chance"][0]["verdict"], "undecided");
        assert_eq!(serde_json::from_value::<SystemReport>(json).unwrap(), report);
    }
}
