//! A data set on its way out: what every format asks of it.

use std::collections::BTreeMap;

use eightk_core::{Query, query_id};

use super::{ExportCounts, Format};
use crate::{DataSet, Judged};

/// One judgement.
#[derive(Debug, Clone, Copy)]
pub(super) struct Judgement<'d> {
    pub(super) query: &'d str,
    pub(super) chunk: &'d str,
    pub(super) grade: i64,
}

/// A data set with everything its writers ask for.
pub(super) struct Outgoing<'d> {
    pub(super) dataset: &'d DataSet,
    pub(super) judged: &'d Judged,
    pub(super) bare: bool,
    ids: Vec<String>,
}

impl<'d> Outgoing<'d> {
    pub(super) fn new(dataset: &'d DataSet, judged: &'d Judged, bare: bool) -> Self {
        Self { dataset, judged, bare, ids: (0..dataset.queries.len()).map(query_id).collect() }
    }

    /// Queries with their ids, in row order.
    pub(super) fn queries(&self) -> impl Iterator<Item = (&str, &'d Query)> {
        self.ids.iter().map(String::as_str).zip(&self.dataset.queries)
    }

    /// All judgements: queries in row order, each one's chunks by falling grade, then id.
    pub(super) fn graded(&self) -> Vec<Judgement<'_>> {
        let mut all = Vec::new();
        for id in &self.ids {
            let grades = self.judged.qrels.queries.get(id);
            let mut row: Vec<_> = grades.into_iter().flatten().collect();
            row.sort_by_key(|(_, grade)| std::cmp::Reverse(**grade));
            all.extend(row.into_iter().map(|(chunk, grade)| Judgement { query: id, chunk, grade: *grade }));
        }
        all
    }

    /// The answers alone, each with grade 1: a set with 1 everywhere is answer-only.
    pub(super) fn answers(&self) -> Vec<Judgement<'_>> {
        let least = self.judged.qrels.answer_grade();
        let answers = self.graded().into_iter().filter(|j| j.grade >= least);
        answers.map(|j| Judgement { grade: 1, ..j }).collect()
    }

    pub(super) fn counts(&self) -> ExportCounts {
        let (graded, answers) = (self.graded(), self.answers());
        let without = |judgements: &[Judgement<'_>]| {
            let mut asked: Vec<&str> = judgements.iter().map(|j| j.query).collect();
            // In row order already.
            asked.dedup();
            self.ids.len() - asked.len()
        };
        ExportCounts {
            chunks: self.dataset.chunks.len(),
            queries: self.ids.len(),
            queries_without_gold: without(&graded),
            queries_without_answer: without(&answers),
            graded_judgements: graded.len(),
            answer_judgements: answers.len(),
            golds_without_chunk: self.judged.dangling.len(),
            golds_of_several_chunks: self.judged.several.len(),
            queries_with_rivals: self.dataset.rivals.as_ref().map_or(0, Vec::len),
        }
    }

    /// What the data set has and a format has no place for.
    pub(super) fn not_carried(&self, format: Format) -> BTreeMap<&'static str, usize> {
        let set = self.dataset;
        let queries = |has: fn(&Query) -> bool| set.queries.iter().filter(|q| has(q)).count();
        let mut lost = BTreeMap::new();
        if format != Format::Jsonl {
            lost.insert("filing texts and descriptions", set.filings.as_ref().map_or(0, Vec::len));
            lost.insert("alternatives", set.queries.iter().map(|q| q.alternatives.len()).sum());
            lost.insert("spans of golds", set.queries.iter().map(|q| q.golds.len()).sum());
        }
        if format == Format::Trec {
            lost.insert("facts of queries", queries(|q| q.fact.is_some()));
            lost.insert("queries before their rewrite", queries(|q| q.original_query != q.query));
        }
        lost.retain(|_, n| *n > 0);
        lost
    }
}
