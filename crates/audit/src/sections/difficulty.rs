//! Difficulty: whether there is anything to tell apart, and whether only context tells.
//!
//! A query without rivals measures retrieval, not disambiguation. Where there are rivals, the answer's rank among them should be
//! random to a system that sees bare sentences. Whether that is *shown*, and not only not refuted, is for an equivalence test to
//! say.

use eightk_core::Query;
use eightk_measure::Verdict;

use super::shortcuts::Bm25Scores;
use super::{NO_RIVALS, auc};
use crate::interval::{spread, wilson};
use crate::subject::{Asked, Subject};
use crate::{Finding, Limit};

/// Similarity from which a rival is near: what reports sweep around.
const NEAR: f64 = 0.5;

pub(super) fn findings(subject: &Subject<'_>, bm25: &Bm25Scores) -> Vec<Finding> {
    vec![contested(subject), rivals(subject), near(subject), random_rank(subject, bm25), evidence(subject)]
}

fn no_lists(subject: &Subject<'_>) -> bool {
    subject.asked.iter().all(|a| a.listed.is_none())
}

/// Queries with an answer that have at least one rival.
fn contested(subject: &Subject<'_>) -> Finding {
    const NAME: &str = "query-has-rivals";
    if no_lists(subject) {
        return Finding::skipped(NAME, NO_RIVALS);
    }
    let of = subject.asked.len();
    let without = subject.asked.iter().filter(|a| a.rivals.is_empty());
    let count = of - without.clone().count();
    Finding::number(NAME, count as f64 / of.max(1) as f64, Limit::least("contested", subject.limits.contested))
        .out_of(of)
        .examples(without.map(|a| format!("{}: no rival is listed: {}", a.id, a.query.query)))
        .advice("take in more filings, or check that audit/rivals.jsonl belongs to these queries")
}

/// How many rivals a query has, those beyond the recipe's limit included.
fn rivals(subject: &Subject<'_>) -> Finding {
    const NAME: &str = "rivals-of-the-median-query";
    let count = |a: &Asked<'_>| Some(a.listed?.total.unwrap_or(a.rivals.len()).max(a.rivals.len()) as f64);
    let counts: Vec<f64> = subject.asked.iter().filter_map(count).collect();
    let Some((least, median, most)) = spread(&counts) else { return Finding::skipped(NAME, NO_RIVALS) };
    Finding::number(NAME, median, Limit::least("rivals", subject.limits.rivals))
        .out_of(counts.len())
        .detail(format!("{least} to {most} rivals; by chance an answer is first of {}", median + 1.0))
        .advice("take in more filings that state the fact")
}

/// Queries whose nearest rival is near, and how near nearest rivals are.
fn near(subject: &Subject<'_>) -> Finding {
    const NAME: &str = "query-has-a-near-rival";
    let nearest = |a: &Asked<'_>| a.listed?.similarity.iter().copied().filter(|s| s.is_finite()).reduce(f64::max);
    let nearest: Vec<f64> = subject.asked.iter().filter_map(nearest).collect();
    let Some((least, median, most)) = spread(&nearest) else {
        return Finding::skipped(NAME, "rivals come without their similarity");
    };
    let count = nearest.iter().filter(|s| **s >= NEAR).count();
    let share = count as f64 / nearest.len() as f64;
    Finding::number(NAME, share, Limit::least("near_rivals", subject.limits.near_rivals))
        .out_of(nearest.len())
        .detail(format!("near: similarity {NEAR} or more; the nearest has {least:.2} to {most:.2}, median {median:.2}"))
        .advice("take in more filings: the more there are, the nearer the nearest")
}

/// Where the answer stands among its rivals for BM25 on bare sentences. The note says whether chance is shown.
fn random_rank(subject: &Subject<'_>, bm25: &Bm25Scores) -> Finding {
    let margin = subject.limits.bm25_auc;
    let contest = bm25.contest.as_ref();
    let finding = auc("rank-is-random-without-context", contest.map(|c| c.auc), "bm25_auc", margin)
        .advice("bare sentences tell the answer from its rivals; look at the shortcuts above");
    let Some(test) = contest.and_then(|c| c.at_chance(margin)).filter(|_| finding.value.is_some()) else {
        return finding;
    };
    let verdict = match test.verdict {
        Verdict::Equivalent => "shown to be at chance",
        Verdict::Different => "differs from chance",
        Verdict::Undecided => "neither shown to be at chance nor to differ: more queries would tell",
    };
    let interval =
        test.low.zip(test.high).map_or_else(String::new, |(l, h)| format!("90 % interval {l:.3} to {h:.3}; "));
    finding.detail(format!("{interval}{verdict} (two one-sided tests, margin {margin})"))
}

/// How far evidence stands from the answer, in chunks; the share that stands next to it, where a window of one finds it.
fn evidence(subject: &Subject<'_>) -> Finding {
    const NAME: &str = "evidence-stands-beside-the-answer";
    let distance = |a: &Asked<'_>| {
        let answer = subject.idx(*a.answers.first()?);
        let all = a.evidence.iter().map(|e| subject.idx(*e).abs_diff(answer) as f64);
        all.reduce(f64::min)
    };
    let distances: Vec<f64> = subject.asked.iter().filter_map(distance).collect();
    let Some((least, median, most)) = spread(&distances) else {
        let graded = |q: &Query| q.golds.iter().any(|g| g.score < subject.answer_grade);
        let reason =
            if subject.dataset.queries.iter().any(graded) { "no evidence is a chunk" } else { "there is no evidence" };
        return Finding::skipped(NAME, reason);
    };
    let count = distances.iter().filter(|d| **d <= 1.0).count();
    let share = count as f64 / distances.len() as f64;
    Finding::number(NAME, share, Limit::most("evidence_beside", subject.limits.evidence_beside))
        .within(wilson(count as f64, distances.len()))
        .out_of(distances.len())
        .detail(format!(
            "{} of {} queries have evidence, {least} to {most} chunks from the answer, median {median}",
            distances.len(),
            subject.asked.len()
        ))
        .advice("a window of one sentence is all the context that is needed; take in longer filings")
}
