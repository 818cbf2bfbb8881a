//! Runs scored, cut, tested and compared.

use std::collections::{BTreeMap, BTreeSet};

use eightk_core::Run;
use eightk_measure::{
    Comparison, Equivalence, FailedSystem, FamilyScores, Metric, Options, SplitScores, SystemReport, SystemScores,
    at_chance, compare_all, disambiguate, score, split,
};
use eightk_retrieve::SystemSpec;
use eightk_runs::{Ablation, Ladder, Phase, Report, Settings, Swapped};

use super::Against;
use super::ablation::climb;
use super::measured::measured;
use super::results::settings_of;
use crate::failure::{Failure, Outcome};

/// What systems are compared on: the headline of the scores.
pub(crate) const HEADLINE: &[Metric] = &[Metric::StandardRecall(1), Metric::NdcgAnswer(10), Metric::RivalAuc];
/// What is cut by fact, number of rivals, evidence.
pub(crate) const CUT: &[Metric] =
    &[Metric::StandardRecall(1), Metric::NdcgAnswer(10), Metric::RivalAuc, Metric::ResolvedAt1];

/// What to score, and how.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Scoring {
    pub(crate) metrics: Vec<Metric>,
    /// The system that contestants are compared with; none: no such comparison.
    pub(crate) baseline: Option<String>,
    /// Who is compared, by name.
    pub(crate) contestants: Vec<String>,
    pub(crate) options: Options,
    /// Models whose context gain is told.
    pub(crate) ladders: Vec<Ladder>,
    /// What systems with control `swap` exchanged, by system.
    pub(crate) swapped: BTreeMap<String, Swapped>,
    /// Systems whose encoder was handed a context and did not look at it.
    pub(crate) context_free: BTreeSet<String>,
}

impl Scoring {
    /// Metrics as asked for, else the default ones.
    pub(crate) fn new(asked: &[Metric], baseline: Option<String>, contestants: Vec<String>) -> Self {
        let metrics = if asked.is_empty() { Metric::DEFAULT } else { asked };
        Self {
            metrics: metrics.to_vec(),
            baseline,
            contestants,
            options: Options::default(),
            ladders: Vec::new(),
            swapped: BTreeMap::new(),
            context_free: BTreeSet::new(),
        }
    }

    /// As a saved result was scored.
    pub(crate) fn saved(settings: &Settings) -> Self {
        Self {
            metrics: settings.metrics.clone(),
            baseline: settings.baseline.clone(),
            contestants: settings.contestants.clone(),
            options: settings.bootstrap,
            ladders: settings.ladders.clone(),
            swapped: BTreeMap::new(),
            context_free: BTreeSet::new(),
        }
    }

    /// Whether metrics were named.
    pub(crate) fn is_default(&self) -> bool {
        self.metrics == Metric::DEFAULT
    }

    /// What systems are compared on.
    pub(crate) fn compared_on(&self) -> &[Metric] {
        if self.is_default() { HEADLINE } else { &self.metrics }
    }

    fn cut(&self) -> Vec<Metric> {
        let of = if self.is_default() { CUT } else { &self.metrics };
        of.to_vec()
    }

    fn disambiguation(&self) -> Vec<Metric> {
        if self.is_default() {
            return Metric::DISAMBIGUATION.to_vec();
        }
        self.metrics.iter().copied().filter(|m| m.needs_rivals()).collect()
    }
}

/// Whether a name is that of a floor or ceiling made from the judgements. Such a row is a mark on the scale, no contestant.
pub(crate) fn is_mark(name: &str) -> bool {
    matches!(name.parse(), Ok(SystemSpec::Random { .. } | SystemSpec::Oracle))
}

/// One system.
pub(crate) struct ScoredSystem {
    pub(crate) scores: SystemScores,
    pub(crate) families: Vec<FamilyScores>,
    pub(crate) splits: Vec<SplitScores>,
    pub(crate) chance: Vec<Equivalence>,
}

/// Several systems, and their differences.
pub(crate) struct Scored {
    /// In the order the runs were given.
    pub(crate) systems: Vec<ScoredSystem>,
    /// Each contestant against the baseline, metric by metric.
    pub(crate) comparisons: Vec<Comparison>,
    /// Each contestant against the best of them, where that is not the baseline.
    pub(crate) against_best: Vec<Comparison>,
    /// Of each ladder, what context brought.
    pub(crate) ablations: Vec<Ablation>,
    pub(crate) settings: Settings,
    /// Whether it is known which queries share a filing: not so with bare judgements.
    pub(crate) filings_known: bool,
    /// What systems have to say of themselves, a paragraph each.
    pub(crate) remarks: Vec<String>,
    /// What scoring took, system by system.
    pub(crate) phases: Vec<Phase>,
}

/// Scores runs and compares the contestants.
pub(crate) fn score_all(runs: &[Run], against: &Against, scoring: &Scoring) -> Outcome<Scored> {
    if let Some(name) = scoring.baseline.as_ref().filter(|name| !runs.iter().any(|r| r.system == **name)) {
        let known: Vec<&str> = runs.iter().map(|r| r.system.as_str()).collect();
        return Err(Failure::usage(format!("no system `{name}` to compare with; scored are: {}", known.join(", "))));
    }
    let (mut systems, mut phases) = (Vec::new(), Vec::new());
    for run in runs {
        let (scored, phase) = measured(|| score_one(run, against, scoring));
        systems.push(scored?);
        phases.push(phase);
    }
    let find = |name: &String| systems.iter().map(|s| &s.scores).find(|s| s.name == *name);
    let contestants: Vec<SystemScores> = scoring.contestants.iter().filter_map(find).cloned().collect();
    let baseline = scoring.baseline.as_ref().and_then(find);
    let (mut comparisons, mut against_best) = (Vec::new(), Vec::new());
    for metric in scoring.compared_on() {
        let has_value = |s: &&SystemScores| s.metric(*metric).is_some_and(|m| m.value.is_some()) && !s.never_ran();
        if let Some(base) = baseline.filter(has_value) {
            comparisons.extend(compare_all(&contestants, base, &[*metric], &scoring.options)?);
        }
        let all = contestants.iter().chain(baseline).filter(has_value);
        if let Some(best) = best(all, *metric).filter(|b| Some(&b.name) != scoring.baseline.as_ref()) {
            against_best.extend(compare_all(&contestants, best, &[*metric], &scoring.options)?);
        }
    }
    let scores: Vec<&SystemScores> = systems.iter().map(|s| &s.scores).collect();
    let climbed = |ladder: &Ladder| climb(ladder, runs, &scores, scoring, against);
    let ablations = scoring.ladders.iter().map(climbed).collect::<Outcome<Vec<_>>>()?;
    let judgements = &against.judgements;
    let filings_known = !judgements.clusters.is_empty() || judgements.filing_of.is_some();
    let settings = settings_of(scoring);
    Ok(Scored { systems, comparisons, against_best, ablations, settings, filings_known, remarks: Vec::new(), phases })
}

/// The best mean; of equal ones the first.
fn best<'s>(systems: impl Iterator<Item = &'s SystemScores>, metric: Metric) -> Option<&'s SystemScores> {
    let value = |s: &SystemScores| s.metric(metric).and_then(|m| m.value).map(|v| v.expected);
    systems.reduce(|best, s| match (value(best), value(s)) {
        (Some(b), Some(v)) if (metric.higher_is_better() && v > b) || (!metric.higher_is_better() && v < b) => s,
        _ => best,
    })
}

fn score_one(run: &Run, against: &Against, scoring: &Scoring) -> Outcome<ScoredSystem> {
    let (judgements, options) = (&against.judgements, &scoring.options);
    let scores = score(run, judgements, &scoring.metrics, options)?;
    let disambiguation = scoring.disambiguation();
    let families = match against.families() {
        families if families.is_empty() || disambiguation.is_empty() => Vec::new(),
        families => disambiguate(run, judgements, &families, &disambiguation, options)?,
    };
    let defined = |m: &Metric| scores.metric(*m).is_some_and(|m| m.value.is_some());
    let cut: Vec<Metric> = scoring.cut().into_iter().filter(defined).collect();
    let mut splits = Vec::new();
    for by in against.splits(&scores) {
        for metric in &cut {
            splits.push(split(&scores, *metric, &by, options)?);
        }
    }
    let mut chance = Vec::new();
    for metric in [Metric::RivalAuc, Metric::ResolvedAt1] {
        if scores.metric(metric).is_some() && !scores.never_ran() {
            chance.extend(at_chance(&scores, metric, Equivalence::MARGIN)?);
        }
    }
    Ok(ScoredSystem { scores, families, splits, chance })
}

impl Scored {
    /// The shape for machines.
    pub(crate) fn report(&self, against: &Against, failed: &[FailedSystem]) -> Report {
        let system = |s: &ScoredSystem| SystemReport {
            families: s.families.iter().map(Into::into).collect(),
            splits: s.splits.clone(),
            chance: s.chance.clone(),
            ..SystemReport::from(&s.scores)
        };
        Report {
            dataset: against.name.clone(),
            data: against.data.clone(),
            settings: self.settings.clone(),
            systems: self.systems.iter().map(system).collect(),
            comparisons: self.comparisons.clone(),
            against_best: self.against_best.clone(),
            ablations: self.ablations.clone(),
            failed: failed.to_vec(),
        }
    }
}
