//! The documents that matter to one query, before any system runs.

use std::collections::BTreeMap;

use crate::Judgements;
use crate::judgements::Rivals;

/// The documents that matter to one query, sorted by id and without repetition.
#[derive(Debug)]
pub(crate) struct Wanted<'j> {
    /// Those that answer.
    pub(crate) answers: Vec<&'j str>,
    /// Those with a grade above 0 that do not answer.
    pub(crate) evidence: Vec<&'j str>,
    /// Answers and what says the same.
    pub(crate) acceptable: Vec<&'j str>,
    /// Rivals, the answers not among them. Empty where none are known, or nothing answers.
    pub(crate) rivals: Vec<&'j str>,
    /// Every document with a grade above 0. Grades of 0 and below gain nothing and are not kept.
    pub(crate) grades: Vec<(&'j str, i64)>,
    /// The lowest grade that answers.
    pub(crate) answer_grade: i64,
}

impl<'j> Wanted<'j> {
    /// Collects them for one query and its grades.
    pub(crate) fn new(
        judgements: &'j Judgements,
        rivals: Option<&'j Rivals>,
        query: &str,
        grades: &'j BTreeMap<String, i64>,
        answer_grade: i64,
    ) -> Self {
        let grades: Vec<(&str, i64)> = grades.iter().filter(|g| *g.1 > 0).map(|(id, g)| (id.as_str(), *g)).collect();
        let (answers, evidence): (Vec<_>, Vec<_>) = grades.iter().partition(|g| g.1 >= answer_grade);
        let ids = |list: Vec<(&'j str, i64)>| list.into_iter().map(|g| g.0).collect::<Vec<_>>();
        let (answers, evidence) = (ids(answers), ids(evidence));
        let listed =
            |lists: &'j Rivals| lists.get(query).into_iter().flatten().map(String::as_str).collect::<Vec<&str>>();
        let mut acceptable = if answers.is_empty() { Vec::new() } else { listed(&judgements.alternatives) };
        acceptable.extend(&answers);
        acceptable.sort_unstable();
        acceptable.dedup();
        let mut rivals = if answers.is_empty() { Vec::new() } else { rivals.map_or(Vec::new(), listed) };
        rivals.retain(|id| answers.binary_search(id).is_err());
        rivals.sort_unstable();
        rivals.dedup();
        Self { answers, evidence, acceptable, rivals, grades, answer_grade }
    }

    /// Whether anything has to be told apart: an answer and at least one rival.
    pub(crate) fn contested(&self) -> bool {
        !self.answers.is_empty() && !self.rivals.is_empty()
    }
}
