//! Rows of `queries` into queries and their golds.

use eightk_core::{ANSWER_GRADE, Alternative, CharSpan, EVIDENCE_GRADE, Gold, Query, Role, query_id};

use super::cells::{bad, lenient, need_list, need_position, need_text};
use super::report::{MissingColumn, ReadReport};
use super::rows::{List, RawQuery, RawSpan, Text};
use crate::DatasetError;
use crate::error::Place;

/// Collects queries, and what is odd about them.
#[derive(Default)]
pub(crate) struct Queries {
    queries: Vec<Query>,
    /// Role names as stored, per query; empty where there were none.
    roles: Vec<Vec<Option<String>>>,
    has: Has,
    wrong_counts: Vec<(String, i64, usize)>,
}

/// Which of the columns that may be missing had a value somewhere.
#[derive(Default)]
struct Has {
    original_query: bool,
    score: bool,
    n_gold: bool,
    roles: bool,
    fact: bool,
    alternatives: bool,
}

impl Queries {
    pub(crate) fn push(&mut self, place: &Place, raw: RawQuery) -> Result<(), DatasetError> {
        let id = query_id(self.queries.len());
        let query = need_text(place, "query", raw.query)?;
        let filings = raw.source_url.0.as_ref().map_or(0, Vec::len);
        let filings = need_list(place, "source_url", raw.source_url, filings, |t| t.0)?;
        let length = filings.len();
        let texts = need_list(place, "answer", raw.answer, length, |t| t.0)?;
        let starts = need_list(place, "frag_start_char", raw.frag_start_char, length, |n| n.0)?;
        let ends = need_list(place, "frag_end_char", raw.frag_end_char, length, |n| n.0)?;
        self.has.score |= raw.score.0.is_some();
        let roles = match raw.roles.0 {
            None => Vec::new(),
            roles => need_list(place, "roles", List(roles), length, |t: Text| Some(t.0))?,
        };
        let scores = match raw.score.0 {
            // Without scores the roles say which gold is which; without either there is one tier.
            None => (0..length)
                .map(|i| match roles.get(i).and_then(Option::as_deref) {
                    Some("answer") => ANSWER_GRADE,
                    _ => EVIDENCE_GRADE,
                })
                .collect(),
            score => need_list(place, "score", List(score), length, |n| n.0)?,
        };
        self.has.roles |= roles.iter().any(Option::is_some);
        if let Some(n) = raw.n_gold.0 {
            self.has.n_gold = true;
            if usize::try_from(n) != Ok(length) {
                self.wrong_counts.push((id, n, length));
            }
        }
        let mut golds = Vec::with_capacity(length);
        for ((((text, source_url), score), start), end) in
            texts.into_iter().zip(filings).zip(scores).zip(starts).zip(ends)
        {
            let start = usize::try_from(start)
                .map_err(|_| bad(place, "frag_start_char", format!("{start} is no position; it must be 0 or more")))?;
            let role = if score >= ANSWER_GRADE { Role::Answer } else { Role::Evidence };
            golds.push(Gold { text, score, role, source_url, span: CharSpan::new(start, lenient(end)) });
        }
        self.has.original_query |= raw.original_query.0.is_some();
        self.has.fact |= raw.fact.0.is_some();
        self.has.alternatives |= raw.alternatives.0.is_some();
        let spans = raw.alternatives.0.unwrap_or_default();
        self.queries.push(Query {
            original_query: raw.original_query.0.unwrap_or_else(|| query.clone()),
            query,
            golds,
            fact: raw.fact.0,
            alternatives: spans.into_iter().map(|s| alternative(place, s)).collect::<Result<_, _>>()?,
        });
        self.roles.push(roles);
        Ok(())
    }

    pub(crate) fn finish(mut self, report: &mut ReadReport) -> Vec<Query> {
        let mut scores = self.queries.iter().flat_map(|q| &q.golds).map(|g| g.score).peekable();
        report.answer_only = scores.peek().is_some() && scores.all(|s| s == EVIDENCE_GRADE);
        for (row, (query, roles)) in self.queries.iter_mut().zip(&self.roles).enumerate() {
            for (i, gold) in query.golds.iter_mut().enumerate() {
                let name = roles.get(i).and_then(Option::as_deref);
                match name {
                    Some("answer") => gold.role = Role::Answer,
                    Some("evidence") => gold.role = Role::Evidence,
                    Some(other) => report.unknown_roles.push((query_id(row), other.to_owned())),
                    None => {}
                }
                if report.answer_only {
                    gold.role = Role::Answer;
                }
            }
        }
        report.wrong_counts = self.wrong_counts;
        let has = self.has;
        for (there, column, instead) in [
            (has.original_query, "original_query", "the query"),
            (has.score, "score", "what the roles say, else 1 everywhere"),
            (has.n_gold, "n_gold", "the length of the lists"),
            (has.roles, "roles", "the role each score stands for"),
            (has.fact, "fact", "no fact"),
            (has.alternatives, "alternatives", "no alternatives"),
        ] {
            if !there && !self.queries.is_empty() {
                report.missing.push(MissingColumn { config: "queries", column, instead });
            }
        }
        self.queries
    }
}

fn alternative(place: &Place, span: RawSpan) -> Result<Alternative, DatasetError> {
    let source_url = need_text(place, "alternatives.source_url", span.source_url)?;
    let start = need_position(place, "alternatives.frag_start_char", span.frag_start_char)?;
    let end = need_position(place, "alternatives.frag_end_char", span.frag_end_char)?;
    Ok(Alternative { source_url, span: CharSpan::new(start, end) })
}
