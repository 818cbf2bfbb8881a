//! Graded judgements.

use std::collections::BTreeMap;

/// Grade of a chunk that answers.
pub const ANSWER_GRADE: i64 = 2;
/// Grade of a chunk that tells whose the answer is.
pub const EVIDENCE_GRADE: i64 = 1;

/// Judgements: query id → document id → grade. Ids are strings and never parsed.
///
/// Sorted maps, so that whatever walks them does so in one order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Qrels {
    /// Grades by query and document.
    pub queries: BTreeMap<String, BTreeMap<String, i64>>,
}

impl Qrels {
    /// The highest grade anywhere; 0 when nothing is judged.
    pub fn max_grade(&self) -> i64 {
        self.queries.values().flat_map(BTreeMap::values).copied().max().unwrap_or(0)
    }

    /// The lowest grade that counts as an answer: 2, or 1 in qrels whose highest grade is 1 (answer-only).
    pub fn answer_grade(&self) -> i64 {
        if self.max_grade() >= ANSWER_GRADE { ANSWER_GRADE } else { EVIDENCE_GRADE }
    }
}
