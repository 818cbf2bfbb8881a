//! `results.json`: one file that says what was scored, against what, how, and what came out.
//!
//! Everything in it but the section `run` (times, memory) is the same for the same input, whatever the machine. It is read back
//! by `score`, which makes every number again from the saved rankings: a result that cannot be made again is a claim. The road
//! not taken is a file each for settings, systems and scores, which get separated.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use eightk_core::Qrels;
use eightk_dataset::hex;
use eightk_measure::{Comparison, Equivalence, FailedSystem, Metric, Options, RivalFamily, SystemReport, formats};
use eightk_retrieve::{Description, QueryFinding};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::ablation::{Ablation, Ladder, Swapped};
use super::{Scoring, remark};

/// How ties are resolved, in words that stand in every result.
const TIES: &str =
    "expected value over a random order inside ties; `trec`: score descending, then id descending by bytes";

/// What a data set is, exactly enough to tell it from another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DataFacts {
    /// Folder or name on the Hub.
    pub(crate) name: String,
    /// Over all rows.
    pub(crate) fingerprint: String,
    /// SHA-256 of the judgements in canonical form: `{query: {document: grade}}` as JSON, sorted.
    pub(crate) qrels_sha256: String,
    /// SHA-256 of `rivals.jsonl`; none where there are no rivals.
    pub(crate) rivals_sha256: Option<String>,
    /// The recipe, where the data set says which.
    pub(crate) recipe: Option<RecipeFacts>,
    pub(crate) filings: usize,
    pub(crate) chunks: usize,
    pub(crate) queries: usize,
    /// Chunk spans that did not fit their text and were repaired before judging.
    pub(crate) repaired_spans: usize,
}

/// Which recipe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecipeFacts {
    pub(crate) name: String,
    pub(crate) sha256: String,
}

/// How it was scored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) ties: String,
    pub(crate) metrics: Vec<Metric>,
    /// On what systems are compared.
    pub(crate) compared_on: Vec<Metric>,
    /// With whom.
    pub(crate) baseline: Option<String>,
    /// Who is compared: one Holm family per metric. Floors and ceilings that nobody asked for are not among them.
    pub(crate) contestants: Vec<String>,
    /// Of the intervals, filings drawn whole.
    pub(crate) bootstrap: Options,
    pub(crate) randomization: Draws,
    /// Within so much of chance a score is called the same.
    pub(crate) equivalence_margin: f64,
    /// Similarities from which a rival is near.
    pub(crate) near_from: Vec<f64>,
    /// Models whose context gain is told, with the systems it is told from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) ladders: Vec<Ladder>,
}

/// Of the paired randomization test: counted exactly for few filings, else drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Draws {
    pub(crate) draws: usize,
    pub(crate) seed: u64,
}

impl Settings {
    pub(crate) fn new(scoring: &Scoring) -> Self {
        let options = scoring.options;
        Self {
            ties: TIES.to_owned(),
            metrics: scoring.metrics.clone(),
            compared_on: scoring.compared_on().to_vec(),
            baseline: scoring.baseline.clone(),
            contestants: scoring.contestants.clone(),
            bootstrap: options,
            randomization: Draws { draws: options.draws, seed: options.seed },
            equivalence_margin: Equivalence::MARGIN,
            near_from: RivalFamily::THRESHOLDS.to_vec(),
            ladders: scoring.ladders.clone(),
        }
    }
}

/// What `eval --json` and `score --json` print.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Report {
    /// A data set's name and fingerprint, or a qrels file.
    pub(crate) dataset: String,
    pub(crate) data: Option<DataFacts>,
    pub(crate) settings: Settings,
    pub(crate) systems: Vec<SystemReport>,
    /// Each contestant against the baseline.
    pub(crate) comparisons: Vec<Comparison>,
    /// Each contestant against the one with the best mean.
    pub(crate) against_best: Vec<Comparison>,
    /// What context brought each model whose ladder was climbed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) ablations: Vec<Ablation>,
    /// Whatever failed has no score: a 0 would be a claim about it.
    pub(crate) failed: Vec<FailedSystem>,
}

/// One saved ranking, and what made it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ranking {
    pub(crate) name: String,
    /// Below the folder of `results.json`.
    pub(crate) file: String,
    pub(crate) sha256: String,
    /// Chunks asked for per query.
    pub(crate) depth: usize,
    /// Queries that were run and found nothing, which TREC runs have no line for.
    pub(crate) found_nothing: Vec<String>,
    /// Chunks and queries that the system saw less than all of.
    pub(crate) truncated_inputs: u64,
    /// The view shows a context that the encoder does not look at.
    #[serde(default)]
    pub(crate) context_free: bool,
    /// What the system has to say of itself.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    /// What it found out query by query.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) per_query: BTreeMap<String, QueryFinding>,
    /// Scorer, view, parameters, seeds.
    pub(crate) system: Description,
}

/// What of `results.json` is needed to score again. Other keys are passed over.
#[derive(Debug, Deserialize)]
pub(crate) struct Saved {
    pub(crate) tool: String,
    pub(crate) version: String,
    pub(crate) dataset: String,
    pub(crate) data: DataFacts,
    pub(crate) settings: Settings,
    pub(crate) failed: Vec<FailedSystem>,
    pub(crate) rankings: Vec<Ranking>,
    /// The scores, to hold new ones against.
    pub(crate) systems: Value,
    pub(crate) comparisons: Value,
    pub(crate) against_best: Value,
    #[serde(default)]
    pub(crate) ablations: Value,
}

/// SHA-256, as all hashes here are written.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// The same judgements have the same hash, whatever file they come from.
pub(crate) fn qrels_sha256(qrels: &Qrels) -> String {
    sha256(formats::json::write_qrels(qrels).as_bytes())
}

impl Ranking {
    /// What it exchanged, where it did.
    pub(crate) fn swapped(&self) -> Option<Swapped> {
        swapped(&self.per_query)
    }

    /// What it has to say of itself.
    pub(crate) fn remark(&self, name: &str) -> Option<String> {
        remark(name, self.truncated_inputs, &self.notes, &self.per_query)
    }
}

/// The rivals that stood in the gold's place, where any did.
pub(crate) fn swapped(per_query: &BTreeMap<String, QueryFinding>) -> Option<Swapped> {
    let pairs = per_query.iter().filter_map(|(q, f)| Some((q.clone(), f.swapped_with.clone()?)));
    let swapped: Swapped = pairs.collect();
    (!swapped.is_empty()).then_some(swapped)
}
