//! `results.json`: one file that says what was scored, against what, how, and what came out.
//!
//! Everything in it but the section `run` (times, memory) is the same for the same input, whatever the machine. It is read back
//! by `score`, which makes every number again from the saved rankings: a result that cannot be made again is a claim. The road
//! not taken is a file each for settings, systems and scores, which get separated.

use std::collections::BTreeMap;

use eightk_measure::{Comparison, FailedSystem, Metric, Options, SystemReport};
use eightk_retrieve::{Description, QueryFinding};
use serde::{Deserialize, Serialize};

use crate::ladder::{Ablation, Ladder, Swapped};
use crate::phases::RunFacts;
use crate::words::remark;

/// How ties are resolved, in words that stand in every result.
pub const TIES: &str =
    "expected value over a random order inside ties; `trec`: score descending, then id descending by bytes";

/// What a data set is, exactly enough to tell it from another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFacts {
    /// Folder or name on the Hub.
    pub name: String,
    /// Over all rows.
    pub fingerprint: String,
    /// SHA-256 of the judgements in canonical form: `{query: {document: grade}}` as JSON, sorted.
    pub qrels_sha256: String,
    /// SHA-256 of `rivals.jsonl`; none where there are no rivals.
    pub rivals_sha256: Option<String>,
    /// The recipe, where the data set says which.
    pub recipe: Option<RecipeFacts>,
    /// Filings with chunks.
    pub filings: usize,
    /// Those among them that nobody filed; see [`eightk_core::is_invented`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub invented: usize,
    /// Sentences to retrieve.
    pub chunks: usize,
    /// Rows of `queries`.
    pub queries: usize,
    /// Chunk spans that did not fit their text and were repaired before judging.
    pub repaired_spans: usize,
    /// What the audit kept with the data set found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditFacts>,
}

/// What is the rule goes without saying.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// An audit, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditFacts {
    /// Checks that passed.
    pub passed: usize,
    /// Names of those that failed.
    pub failed: Vec<String>,
    /// Checks that this data set gives nothing to.
    pub not_applicable: usize,
}

/// Which recipe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipeFacts {
    /// Its name.
    pub name: String,
    /// SHA-256 of its text.
    pub sha256: String,
}

/// How it was scored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The tie rule, in words.
    pub ties: String,
    /// What was computed.
    pub metrics: Vec<Metric>,
    /// On what systems are compared.
    pub compared_on: Vec<Metric>,
    /// With whom.
    pub baseline: Option<String>,
    /// Who is compared: one Holm family per metric. Floors and ceilings that nobody asked for are not among them.
    pub contestants: Vec<String>,
    /// Of the intervals, filings drawn whole.
    pub bootstrap: Options,
    /// Of the tests of differences.
    pub randomization: Draws,
    /// Within so much of chance a score is called the same.
    pub equivalence_margin: f64,
    /// Similarities from which a rival is near.
    pub near_from: Vec<f64>,
    /// Models whose context gain is told, with the systems it is told from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ladders: Vec<Ladder>,
}

/// Of the paired randomization test: counted exactly for few filings, else drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draws {
    /// How many.
    pub draws: usize,
    /// Where the random numbers begin.
    pub seed: u64,
}

/// What `eval --json` and `score --json` print.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// A data set's name and fingerprint, or a qrels file.
    pub dataset: String,
    /// The data set, where it is one.
    pub data: Option<DataFacts>,
    /// How it was scored.
    pub settings: Settings,
    /// One entry per system, in the order they ran.
    pub systems: Vec<SystemReport>,
    /// Each contestant against the baseline.
    pub comparisons: Vec<Comparison>,
    /// Each contestant against the one with the best mean.
    pub against_best: Vec<Comparison>,
    /// What context brought each model whose ladder was climbed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ablations: Vec<Ablation>,
    /// Whatever failed has no score: a 0 would be a claim about it.
    pub failed: Vec<FailedSystem>,
}

/// One saved ranking, and what made it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// The system.
    pub name: String,
    /// What makes it again, as the command line takes it; empty where a version did not put it down.
    #[serde(default)]
    pub spec: String,
    /// Below the folder of `results.json`.
    pub file: String,
    /// Of that file.
    pub sha256: String,
    /// Chunks asked for per query.
    pub depth: usize,
    /// Queries that were run and found nothing, which TREC runs have no line for.
    pub found_nothing: Vec<String>,
    /// Chunks and queries that the system saw less than all of.
    pub truncated_inputs: u64,
    /// The view shows a context that the encoder does not look at.
    #[serde(default)]
    pub context_free: bool,
    /// What the system has to say of itself.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What it found out query by query.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub per_query: BTreeMap<String, QueryFinding>,
    /// Scorer, view, parameters, seeds.
    pub system: Description,
}

/// `results.json` as it stands in the folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// `eightk`.
    pub tool: String,
    /// Of the tool.
    pub version: String,
    /// What was scored, how, and what came out.
    #[serde(flatten)]
    pub report: Report,
    /// The rankings behind it.
    pub rankings: Vec<Ranking>,
    /// Of this run and this machine.
    pub run: RunFacts,
}

impl Ranking {
    /// What it exchanged, where it did.
    pub fn swapped(&self) -> Option<Swapped> {
        swapped(&self.per_query)
    }

    /// What it has to say of itself.
    pub fn remark(&self, name: &str) -> Option<String> {
        remark(name, self.truncated_inputs, &self.notes, &self.per_query)
    }
}

/// The rivals that stood in the gold's place, where any did.
pub fn swapped(per_query: &BTreeMap<String, QueryFinding>) -> Option<Swapped> {
    let pairs = per_query.iter().filter_map(|(q, f)| Some((q.clone(), f.swapped_with.clone()?)));
    let swapped: Swapped = pairs.collect();
    (!swapped.is_empty()).then_some(swapped)
}
