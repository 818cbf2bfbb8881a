//! `results.json` on its way out, and what of it scoring again needs.
//!
//! Everything in it but the section `run` (times, memory) is the same for the same input, whatever the machine. It is read back
//! by `score`, which makes every number again from the saved rankings: a result that cannot be made again is a claim. The road
//! not taken is a file each for settings, systems and scores, which get separated.

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use eightk_core::Qrels;
use eightk_dataset::hex;
use eightk_measure::{Equivalence, FailedSystem, RivalFamily, formats};
use eightk_runs::{DataFacts, Draws, Ranking, Settings, TIES};

use super::Scoring;

/// How something was scored, as results state it.
pub(crate) fn settings_of(scoring: &Scoring) -> Settings {
    let options = scoring.options;
    Settings {
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
