//! What `eval`, `score` and `demo` share: a data set made ready to be scored against, systems run, results shown and kept.

mod judged;
mod saved;
mod shown;
mod systems;

pub(crate) use judged::{JudgedSet, read_dataset};
pub(crate) use saved::save;
pub(crate) use shown::{show, show_metrics};
pub(crate) use systems::{Systems, run_systems};

use eightk_measure::{
    Comparison, FailedSystem, Judgements, Metric, Options, ScoreReport, SystemReport, SystemScores, compare_all, score,
};

use eightk_core::Run;

use crate::failure::{Failure, Outcome};

/// What is scored when nothing else is asked for.
pub(crate) const DEFAULT_METRICS: &[Metric] = &[
    Metric::StandardRecall(1),
    Metric::StandardRecall(5),
    Metric::StandardRecall(10),
    Metric::StandardRecall(20),
    Metric::EvidenceRecall(10),
    Metric::EvidenceOnlyRecall(10),
    Metric::AnswerAny(10),
    Metric::Ndcg(10),
    Metric::NdcgExp(10),
    Metric::NdcgAnswer(10),
    Metric::Joint(10),
    Metric::Mrr,
    Metric::RivalAuc,
    Metric::ResolvedAt1,
    Metric::FilingResolvedAt1,
    Metric::TemplateHit(10),
    Metric::Impostor(10),
];

/// What systems are compared on: the headline of the scores.
pub(crate) const HEADLINE: &[Metric] = &[Metric::StandardRecall(1), Metric::NdcgAnswer(10), Metric::RivalAuc];

/// Scores of several systems, and their differences to the baseline.
pub(crate) struct Scored {
    /// In the order the systems were given.
    pub(crate) systems: Vec<SystemScores>,
    /// Each system against the baseline on the headline metrics that were scored.
    pub(crate) comparisons: Vec<Comparison>,
}

/// Scores runs and compares them with the baseline, by default the first.
pub(crate) fn score_all(
    runs: &[Run],
    judgements: &Judgements,
    metrics: &[Metric],
    baseline: Option<&str>,
    options: &Options,
) -> Outcome<Scored> {
    let systems: Vec<SystemScores> =
        runs.iter().map(|run| score(run, judgements, metrics, options)).collect::<Result<_, _>>()?;
    let base = match baseline {
        None => systems.first(),
        Some(name) => Some(systems.iter().find(|s| s.name == name).ok_or_else(|| {
            let known: Vec<&str> = systems.iter().map(|s| s.name.as_str()).collect();
            Failure::usage(format!("no system `{name}` to compare with; scored are: {}", known.join(", ")))
        })?),
    };
    // Floors and ceilings are no contestants: in a family with them every difference would pay for theirs.
    let contestants: Vec<SystemScores> = systems.iter().filter(|s| !is_reference(&s.name)).cloned().collect();
    let headline: Vec<Metric> = HEADLINE.iter().copied().filter(|m| metrics.contains(m)).collect();
    let comparisons = match base {
        Some(base) => compare_all(&contestants, base, &headline, options)?,
        _ => Vec::new(),
    };
    Ok(Scored { systems, comparisons })
}

/// Whether a system is a floor or a ceiling, made from the judgements.
fn is_reference(name: &str) -> bool {
    name == "oracle" || name == "random" || name.starts_with("random:")
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
