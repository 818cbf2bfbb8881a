//! Whether the sentence that tells whose an answer is was in view when the answer got its vector.
//!
//! A filing longer than a model's positions is seen through windows. An answer that is not found although its binding sentence
//! was in the window says something of the model; one whose binding sentence was outside says something of the window.

use std::collections::BTreeMap;

use eightk_core::EVIDENCE_GRADE;
use eightk_encode::EncodedChunk;

use crate::{Corpus, Job, Knowledge};

/// Answers with their evidence, and what was in view.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    /// By the answer's position: query, and positions of its evidence in the answer's filing.
    wanted: BTreeMap<u32, Vec<(String, Vec<u32>)>>,
    /// By query: whether all evidence of all answers seen so far was in view.
    seen: BTreeMap<String, bool>,
}

impl Bindings {
    /// The answers that have evidence in their own filing.
    pub(super) fn of(corpus: &Corpus<'_>, knowledge: &Knowledge<'_>) -> Self {
        let answer = knowledge.qrels.answer_grade();
        let mut bindings = Self::default();
        for (query, judged) in &knowledge.qrels.queries {
            let graded = |wanted: &dyn Fn(i64) -> bool| -> Vec<u32> {
                let chosen = judged.iter().filter(|(_, grade)| wanted(**grade));
                chosen.filter_map(|(id, _)| corpus.position(id)).collect()
            };
            let evidence = graded(&|grade| grade >= EVIDENCE_GRADE && grade < answer);
            for position in graded(&|grade| grade >= answer) {
                let filing = corpus.filing_of(position);
                let here: Vec<u32> = evidence.iter().copied().filter(|e| corpus.filing_of(*e) == filing).collect();
                if !here.is_empty() {
                    bindings.wanted.entry(position).or_default().push((query.clone(), here));
                }
            }
        }
        bindings
    }

    /// Looks at the answers among a job's chunks. Evidence that the context does not hold as one of its chunks, was not in view.
    pub(super) fn look(&mut self, job: &Job<'_>, encoded: &[EncodedChunk]) {
        let Some(context) = &job.input.context else { return };
        for (position, encoded) in job.positions.iter().zip(encoded) {
            for (query, evidence) in self.wanted.get(position).into_iter().flatten() {
                let in_view = |evidence: &u32| {
                    let chunk = job.positions.iter().position(|p| p == evidence);
                    let span = chunk.and_then(|chunk| context.span_of(chunk));
                    span.is_some_and(|span| {
                        encoded.seen.is_none_or(|seen| seen.start <= span.start && span.end <= seen.end)
                    })
                };
                let all = evidence.iter().all(in_view);
                self.seen.entry(query.clone()).and_modify(|seen| *seen &= all).or_insert(all);
            }
        }
    }

    /// By query, for those that have evidence.
    pub(super) fn finish(self) -> BTreeMap<String, bool> {
        self.seen
    }
}
