//! The shape in which scores leave the program: one JSON object for any number of systems.
//!
//! Fields may be added, never renamed: scripts read this.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::score::{GoldTies, Undefined, Value};
use crate::{Comparison, Metric, SystemScores};

/// What `score` and `eval` print with `--json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoreReport {
    /// What was scored against: a data set's name and fingerprint, or a qrels file.
    pub dataset: String,
    /// One entry per system, in the order given.
    pub systems: Vec<SystemReport>,
    /// Differences between systems.
    pub comparisons: Vec<Comparison>,
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
    /// Too few queries to conclude anything.
    #[serde(default)]
    pub smoke_test: bool,
    /// Draws behind the intervals.
    #[serde(default)]
    pub draws: usize,
    /// By metric name; null where no query has gold for it.
    pub metrics: BTreeMap<Metric, Option<Value>>,
}

impl From<&SystemScores> for SystemReport {
    fn from(scores: &SystemScores) -> Self {
        Self {
            name: scores.name.clone(),
            queries: scores.queries.len(),
            missing: scores.missing.len(),
            missing_queries: scores.missing.clone(),
            ignored: scores.ignored.len(),
            undefined: scores.undefined,
            ties: scores.ties,
            smoke_test: scores.smoke_test(),
            draws: scores.draws,
            metrics: scores.metrics.iter().map(|m| (m.metric, m.value)).collect(),
        }
    }
}
