//! Any number of a sentence as a system: how often it tells an answer from its rivals.
//!
//! What `eightk-measure` computes for runs is what is asked of shortcuts too: rival AUC, `resolved@1`, their chance and a
//! bootstrap over filings. So a score per sentence becomes a run over each query's answers and rivals, and everything is
//! measured in one way. Only the hits' scores change from contest to contest.

use std::collections::BTreeMap;

use eightk_core::{ANSWER_GRADE, Hit, Qrels, Run};
use eightk_measure::{Equivalence, Judgements, Metric, Options, SystemScores, Value, at_chance, score};

use crate::subject::Subject;

/// Draws of an interval: an audit asks whether a limit is passed, not for the third digit.
pub(crate) const DRAWS: usize = 1_000;

/// Most queries that are looked at: of more, every second, third, … is taken. A thousand place an area under a curve within .02.
pub(crate) const SAMPLE: usize = 1_000;

/// Every n-th of `all`, so that at most [`SAMPLE`] remain, evenly spread.
pub(crate) fn sample<T>(all: Vec<T>) -> Vec<T> {
    let step = all.len().div_ceil(SAMPLE).max(1);
    all.into_iter().step_by(step).collect()
}

/// What came out of one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contest {
    /// Rival AUC, its chance .5.
    pub(crate) auc: Value,
    /// `resolved@1`, its chance the mean of 1/|D|.
    pub(crate) resolved: Value,
    scores: SystemScores,
}

impl Contest {
    /// Whether its rival AUC is shown to be at chance, by two one-sided tests; `None` where nothing can be said.
    pub(crate) fn at_chance(&self, margin: f64) -> Option<Equivalence> {
        at_chance(&self.scores, Metric::RivalAuc, margin).ok().flatten()
    }
}

/// The queries that have an answer and a rival, or a sample of them.
pub(crate) struct Contests {
    /// Numbers of the queries, and the chunks of each: answers, then rivals.
    members: Vec<(usize, Vec<usize>)>,
    run: Run,
    judgements: Judgements,
}

impl Contests {
    /// `None` where no query has rivals.
    pub(crate) fn new(subject: &Subject<'_>) -> Option<Self> {
        let mut members = Vec::new();
        let (mut run, mut qrels) = (Run::default(), Qrels::default());
        let (mut rivals, mut clusters) = (BTreeMap::new(), BTreeMap::new());
        let contested = subject.asked.iter().enumerate().filter(|(_, a)| !a.answers.is_empty() && !a.rivals.is_empty());
        for (number, asked) in sample(contested.collect()) {
            let id = |chunk: &usize| subject.id(*chunk).to_owned();
            let chunks: Vec<usize> = asked.answers.iter().chain(&asked.rivals).copied().collect();
            run.queries.insert(asked.id.clone(), chunks.iter().map(|c| Hit { id: id(c), score: 0.0 }).collect());
            let grades = asked.answers.iter().map(|c| (id(c), ANSWER_GRADE)).collect();
            qrels.queries.insert(asked.id.clone(), grades);
            rivals.insert(asked.id.clone(), asked.rivals.iter().map(id).collect());
            clusters.insert(asked.id.clone(), asked.filing.to_owned());
            members.push((number, chunks));
        }
        let judgements = Judgements { qrels, rivals: Some(rivals), clusters, ..Judgements::default() };
        (!members.is_empty()).then_some(Self { members, run, judgements })
    }

    /// Every query with its answers and rivals.
    pub(crate) fn members(&self) -> impl Iterator<Item = (usize, &[usize])> {
        self.members.iter().map(|(query, chunks)| (*query, chunks.as_slice()))
    }

    /// Holds a contest: `score_of` gives query number and chunks their scores, in the chunks' order. `None` where nothing can be
    /// measured: a chunk that stands twice, a score that is no number.
    pub(crate) fn hold(
        &mut self,
        subject: &Subject<'_>,
        mut score_of: impl FnMut(usize, &[usize]) -> Vec<f64>,
    ) -> Option<Contest> {
        for (query, chunks) in &self.members {
            let asked = subject.asked.get(*query)?;
            let hits = self.run.queries.get_mut(&asked.id)?;
            for (hit, score) in hits.iter_mut().zip(score_of(*query, chunks)) {
                hit.score = score;
            }
        }
        let options = Options { draws: DRAWS, ..Options::default() };
        let scores = score(&self.run, &self.judgements, &[Metric::RivalAuc, Metric::ResolvedAt1], &options).ok()?;
        let value = |metric| scores.metric(metric).and_then(|m| m.value);
        Some(Contest { auc: value(Metric::RivalAuc)?, resolved: value(Metric::ResolvedAt1)?, scores })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use eightk_mine::AuditLimits;
    use proptest::prelude::*;

    #[test]
    fn a_sample_is_even_and_small() {
        for (n, kept) in [(0, 0), (1, 1), (1_000, 1_000), (1_001, 501), (5_066, 845)] {
            let got = sample((0..n).collect());
            assert_eq!((got.len(), got.first().copied()), (kept, (n > 0).then_some(0)), "{n}");
        }
    }

    proptest! {
        #[test]
        fn agrees_with_counting_pairs(levels in prop::collection::vec(0u8..4, 24)) {
            let set = testing::dataset(6);
            let limits = AuditLimits::default();
            let subject = Subject::new(&set, &limits);
            let mut contests = Contests::new(&subject).unwrap();
            let level = |chunk: usize| f64::from(levels[chunk]);
            let got = contests.hold(&subject, |_, chunks| chunks.iter().map(|c| level(*c)).collect()).unwrap();
            let (mut auc, mut resolved) = (0.0, 0.0);
            for (_, members) in contests.members() {
                let (gold, rivals) = (level(members[0]), &members[1..]);
                let beaten = |r: &usize| if gold > level(*r) { 1.0 } else if gold == level(*r) { 0.5 } else { 0.0 };
                auc += rivals.iter().map(beaten).sum::<f64>() / rivals.len() as f64;
                let above = rivals.iter().filter(|r| level(**r) > gold).count();
                let ties = members.iter().filter(|r| level(**r) == gold).count();
                resolved += if above == 0 { 1.0 / ties as f64 } else { 0.0 };
            }
            prop_assert!((got.auc.expected - auc / 6.0).abs() < 1e-12);
            prop_assert!((got.resolved.expected - resolved / 6.0).abs() < 1e-12);
            prop_assert_eq!(got.resolved.chance, Some(1.0 / 6.0));
        }
    }
}
