//! What `eval`, `score` and `demo` share: a data set made ready to be scored against, systems run, results shown and kept.

mod judged;
mod saved;
mod shown;
mod systems;

pub(crate) use judged::{JudgedSet, read_dataset, read_named, refuse_replacing};
pub(crate) use saved::save;
pub(crate) use shown::{show, show_metrics};
pub(crate) use systems::{Systems, run_systems};

use eightk_measure::{
    Comparison, FailedSystem, Judgements, Metric, Options, ScoreReport, SystemReport, SystemScores, compare_all, score,
};

use eightk_core::Run;

use crate::failure::{Failure, Outcome};

/// What systems are compared on: the headline of the scores.
const HEADLINE: &[Metric] = &[Metric::StandardRecall(1), Metric::NdcgAnswer(10), Metric::RivalAuc];

/// What to score, and how.
pub(crate) struct Scoring<'a> {
    /// Metrics that were asked for; empty: the default ones, compared on the headline.
    pub(crate) asked: &'a [Metric],
    /// The system that others are compared with; the first where none is named.
    pub(crate) baseline: Option<&'a str>,
    /// Systems made from the judgements, floors and ceilings: not compared.
    pub(crate) references: &'a [String],
    /// Draws and seed.
    pub(crate) options: Options,
}

impl Scoring<'_> {
    /// The default metrics, the first system as baseline.
    pub(crate) fn new() -> Self {
        Self { asked: &[], baseline: None, references: &[], options: Options::default() }
    }
}

/// The metrics by name, one a line: for help texts.
pub(crate) fn metrics_help() -> String {
    let lines = Metric::NAMES.iter().zip(Metric::MEANINGS).map(|(name, meaning)| format!("  {name:<23}{meaning}"));
    format!("Metrics (k is a cut-off, as in ndcg@10):\n{}", lines.collect::<Vec<_>>().join("\n"))
}

/// Scores of several systems, and their differences to the baseline.
pub(crate) struct Scored {
    /// In the order the systems were given.
    pub(crate) systems: Vec<SystemScores>,
    /// Each system against the baseline on the headline metrics that were scored.
    pub(crate) comparisons: Vec<Comparison>,
}

/// Scores runs and compares them with the baseline.
pub(crate) fn score_all(runs: &[Run], judgements: &Judgements, scoring: &Scoring<'_>) -> Outcome<Scored> {
    let metrics = if scoring.asked.is_empty() { Metric::DEFAULT } else { scoring.asked };
    let options = &scoring.options;
    let systems: Vec<SystemScores> =
        runs.iter().map(|run| score(run, judgements, metrics, options)).collect::<Result<_, _>>()?;
    let base = match scoring.baseline {
        None => systems.first(),
        Some(name) => Some(systems.iter().find(|s| s.name == name).ok_or_else(|| {
            let known: Vec<&str> = systems.iter().map(|s| s.name.as_str()).collect();
            Failure::usage(format!("no system `{name}` to compare with; scored are: {}", known.join(", ")))
        })?),
    };
    // Floors and ceilings are no contestants: in a family with them every difference would pay for theirs.
    let contestants: Vec<SystemScores> =
        systems.iter().filter(|s| !scoring.references.contains(&s.name)).cloned().collect();
    let defined = |m: &Metric| base.and_then(|b| b.metric(*m)).is_some_and(|m| m.value.is_some());
    let compared = if scoring.asked.is_empty() { HEADLINE } else { scoring.asked };
    let compared: Vec<Metric> = compared.iter().copied().filter(defined).collect();
    let comparisons = match base {
        Some(base) => compare_all(&contestants, base, &compared, options)?,
        _ => Vec::new(),
    };
    Ok(Scored { systems, comparisons })
}

impl Scored {
    /// The shape for machines.
    pub(crate) fn report(&self, dataset: &str, failed: &[FailedSystem]) -> ScoreReport {
        ScoreReport {
            dataset: dataset.to_owned(),
            systems: self.systems.iter().map(SystemReport::from).collect(),
            comparisons: self.comparisons.clone(),
            failed: failed.to_vec(),
        }
    }
}

/// What results call a data set: its folder's name and its fingerprint, no path of this machine.
pub(crate) fn dataset_name(given: &str, fingerprint: &str) -> String {
    let name = given.trim_end_matches('/').rsplit('/').next().unwrap_or(given);
    format!("{name} {fingerprint}")
}
