//! Ceiling: the most a perfect system can score.
//!
//! A gold that no chunk overlaps can never be found, a query with two answers can never have both at rank 1, and a chunk that
//! two golds match counts once. So a perfect run over the chunks there are is scored against every gold there is. A second
//! run knows which *texts* are gold and nothing of whose they are: equal texts tie. Its score is the ceiling without context.

use std::collections::BTreeSet;

use eightk_core::{EVIDENCE_GRADE, Hit, Qrels, Run};
use eightk_measure::{Judgements, Metric, Options, score};

use crate::subject::{Asked, Subject};
use crate::{Finding, Limit};

/// What is looked at, and what its line is called.
const METRICS: &[(Metric, &str)] = &[
    (Metric::StandardRecall(1), "standard_recall@1-can-reach"),
    (Metric::StandardRecall(10), "standard_recall@10-can-reach"),
    (Metric::EvidenceRecall(10), "evidence_recall@10-can-reach"),
    (Metric::Ndcg(10), "ndcg@10-can-reach"),
    (Metric::NdcgAnswer(10), "ndcg_answer@10-can-reach"),
    (Metric::Joint(10), "joint@10-can-reach"),
    (Metric::Mrr, "mrr-can-reach"),
];

pub(super) fn findings(subject: &Subject<'_>) -> Vec<Finding> {
    let mut findings = vec![shared(subject)];
    findings.extend(reachable(subject));
    findings
}

/// Golds that match a chunk which another gold of their query matches too.
fn shared(subject: &Subject<'_>) -> Finding {
    const NAME: &str = "two-golds-match-one-chunk";
    let mut matched = subject.asked.iter().flat_map(|a| &a.matched);
    if matched.any(|chunks| chunks.len() > 1) && !has_sentence_ids(subject) {
        return Finding::skipped(NAME, "chunks are not sentences, so one may well hold two golds");
    }
    let cases = subject.asked.iter().flat_map(|asked| {
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        let golds = asked.matched.iter().enumerate();
        let again = golds.filter(|(_, matched)| {
            let before = seen.len();
            seen.extend(matched.iter());
            seen.len() < before + matched.len()
        });
        again.map(|(gold, matched)| (asked, gold, matched)).collect::<Vec<_>>()
    });
    let say = |(asked, gold, matched): (&Asked<'_>, usize, &Vec<usize>)| {
        let id = matched.first().map_or("", |i| subject.id(*i));
        format!("{}: gold {gold} and an earlier one both match {id}", asked.id)
    };
    let limit = Limit::most("golds_sharing_a_chunk", subject.limits.golds_sharing_a_chunk);
    let of = subject.asked.iter().map(|a| a.matched.len()).sum();
    Finding::counted(NAME, cases, of, say, limit)
        .advice("drop one of the two golds: the chunk counts once, with the higher score")
}

fn has_sentence_ids(subject: &Subject<'_>) -> bool {
    subject.dataset.chunks.iter().any(|c| c.id == eightk_core::chunk_id(&c.source_url, c.span.start))
}

/// A perfect run, scored.
fn reachable(subject: &Subject<'_>) -> Vec<Finding> {
    let qrels = every_gold(subject);
    let golds = subject.asked.iter().flat_map(|a| a.answers.iter().chain(&a.evidence)).copied();
    let places = subject.places(golds);
    let (mut perfect, mut without) = (Run::default(), Run::default());
    for asked in &subject.asked {
        let (mut best, mut blind) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        let tiers = asked.answers.iter().chain(&asked.evidence);
        for (rank, chunk) in tiers.enumerate() {
            // The first ranks of all: higher than any of the golds after them.
            let score = -(rank as f64);
            best.push(Hit { id: subject.id(*chunk).to_owned(), score });
            let copies = places.get(subject.text(*chunk)).map(Vec::as_slice).unwrap_or_default();
            let fresh = copies.iter().filter(|c| seen.insert(**c));
            blind.extend(fresh.map(|c| Hit { id: subject.id(*c).to_owned(), score }));
        }
        perfect.queries.insert(asked.id.clone(), best);
        without.queries.insert(asked.id.clone(), blind);
    }
    let judgements = Judgements { qrels, ..Judgements::default() };
    let metrics: Vec<Metric> = METRICS.iter().map(|(m, _)| *m).collect();
    let options = Options { draws: 0, ..Options::default() };
    let scored = |run: &Run| score(run, &judgements, &metrics, &options).ok();
    let (Some(perfect), Some(without)) = (scored(&perfect), scored(&without)) else {
        return METRICS.iter().map(|(_, name)| Finding::skipped(name, "there is no query")).collect();
    };
    let finding = |(metric, name): &(Metric, &'static str)| {
        let value = |scores: &eightk_measure::SystemScores| scores.metric(*metric).and_then(|m| m.value);
        let (Some(best), Some(blind)) = (value(&perfect), value(&without)) else {
            return Finding::skipped(name, "no query has gold for it");
        };
        let finding = Finding::number(name, best.expected, Limit::least("ceiling", subject.limits.ceiling));
        let copied = blind.expected < best.expected;
        let finding = if copied {
            finding.detail(format!("{:.3} without context: copies of a gold tie with it", blind.expected))
        } else {
            finding
        };
        finding
            .out_of(best.queries)
            .advice("golds match no chunk, or a query has more golds than fit the cut-off; see the invariants golds-found and golds-are-one-chunk")
    };
    METRICS.iter().map(finding).collect()
}

/// Judgements with an entry for every gold, even one that no chunk overlaps.
fn every_gold(subject: &Subject<'_>) -> Qrels {
    let mut qrels = Qrels::default();
    for asked in &subject.asked {
        let grades = qrels.queries.entry(asked.id.clone()).or_default();
        for (number, (gold, matched)) in asked.query.golds.iter().zip(&asked.matched).enumerate() {
            for chunk in matched {
                let grade = grades.entry(subject.id(*chunk).to_owned()).or_insert(gold.score);
                *grade = gold.score.max(*grade);
            }
            if matched.is_empty() && gold.score >= EVIDENCE_GRADE {
                // A name that no chunk has: ids hold no line breaks.
                grades.insert(format!("\n{number}"), gold.score);
            }
        }
    }
    qrels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use eightk_core::CharSpan;
    use eightk_mine::AuditLimits;

    fn value(set: &eightk_dataset::DataSet, name: &str) -> (f64, String) {
        let limits = AuditLimits::default();
        let found = findings(&Subject::new(set, &limits)).into_iter().find(|f| f.name == name).unwrap();
        (found.value.unwrap(), found.detail.unwrap_or_default())
    }

    #[test]
    fn a_lost_gold_and_a_second_answer_lower_what_can_be_reached() {
        let mut set = testing::dataset(4);
        assert_eq!(value(&set, "standard_recall@1-can-reach").0, 1.0);
        set.queries[0].golds[0].span = CharSpan::new(9000, 9050);
        assert_eq!(value(&set, "standard_recall@1-can-reach").0, 0.75);
        assert_eq!(value(&set, "mrr-can-reach").0, 0.75);
        assert_eq!(value(&set, "evidence_recall@10-can-reach").0, 0.875);
        let mut second = set.queries[1].golds[0].clone();
        second.span = set.chunks[6].span;
        set.queries[1].golds.push(second);
        assert_eq!(value(&set, "standard_recall@1-can-reach").0, 0.625);
        assert_eq!(value(&set, "standard_recall@10-can-reach").0, 0.75);
    }

    #[test]
    fn a_copy_lowers_what_can_be_reached_without_context() {
        let mut set = testing::dataset(4);
        set.chunks[5].text = set.chunks[1].text.clone();
        set.queries[1].golds[0].text = set.chunks[5].text.clone();
        let (best, detail) = value(&set, "standard_recall@1-can-reach");
        assert_eq!(best, 1.0);
        assert!(detail.starts_with("0.750 without"), "{detail}");
    }
}
