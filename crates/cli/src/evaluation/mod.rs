//! What `eval`, `score` and `demo` share.
//!
//! ```text
//! data set ──▶ judged ──▶ against ──▶ scored ──▶ shown (people)   results (machines)
//!     └──────▶ systems ──▶ runs ─────────┘          └──▶ saved ──▶ runs_folder ──▶ against, runs
//! ```

mod ablation;
mod against;
mod asked;
mod ground;
mod judged;
mod measured;
mod planned;
mod results;
mod runs_folder;
mod saved;
mod scored;
mod shown;
mod standing;
mod systems;

pub(crate) use against::Against;
pub(crate) use asked::{ladder, model_of, read_file, with_swaps};
pub(crate) use ground::Ground;
pub(crate) use judged::{JudgedSet, judged_and_against, read_dataset, read_named, refuse_replacing};
pub(crate) use planned::{plan, show_plans};
pub(crate) use results::sha256;
pub(crate) use runs_folder::{RunsFolder, restore};
pub(crate) use saved::save;
pub(crate) use scored::{Scored, Scoring, is_mark, score_all};
pub(crate) use shown::{ShownArgs, print, show};
pub(crate) use systems::{Systems, run_systems, with_marks};

use eightk_measure::Metric;

/// The system that others are compared with where nobody says which.
pub(crate) const BASELINE: &str = "bm25";

/// The metrics by name, one a line: for help texts.
pub(crate) fn metrics_help() -> String {
    let lines = Metric::NAMES.iter().zip(Metric::MEANINGS).map(|(name, meaning)| format!("  {name:<23}{meaning}"));
    format!("Metrics (k is a cut-off, as in ndcg@10):\n{}", lines.collect::<Vec<_>>().join("\n"))
}
