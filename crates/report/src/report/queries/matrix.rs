//! Queries × systems: who resolved what.

use std::collections::{BTreeMap, BTreeSet};

use eightk_core::RivalSet;
use eightk_runs::{Account, OutcomeRow, QueryFacts};

use crate::report::cast::Cast;

/// What became of a query with a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) enum Outcome {
    /// The answer is above every rival; without rivals, first of all.
    Resolved,
    /// Something is level with it and nothing above.
    Tied,
    /// Something is above it.
    Failed,
    /// The query has no answer, or the system no row for it.
    Unknown,
}

/// One query.
#[derive(Debug)]
pub(in crate::report) struct Query<'a> {
    pub(in crate::report) id: &'a str,
    pub(in crate::report) text: &'a str,
    pub(in crate::report) facts: Option<&'a QueryFacts>,
    pub(in crate::report) set: Option<&'a RivalSet>,
    /// How many rivals it has.
    pub(in crate::report) rivals: usize,
    /// By member of the cast.
    pub(in crate::report) rows: Vec<Option<&'a OutcomeRow>>,
}

impl Query<'_> {
    /// With the member at `index`.
    pub(in crate::report) fn outcome(&self, index: usize) -> Outcome {
        self.rows.get(index).copied().flatten().map_or(Outcome::Unknown, outcome)
    }
}

fn outcome(row: &OutcomeRow) -> Outcome {
    let has_answer = row.answer_rank.is_some() || !row.answers.is_empty() || row.metrics.values().any(Option::is_some);
    if !has_answer {
        return Outcome::Unknown;
    }
    if row.rivals > 0 {
        return match (row.rivals_above, row.rivals_level) {
            (0, 0) => Outcome::Resolved,
            (0, _) => Outcome::Tied,
            _ => Outcome::Failed,
        };
    }
    match row.answer_tie {
        Some((1, size)) if size <= row.answers.len().max(1) => Outcome::Resolved,
        Some((1, _)) => Outcome::Tied,
        _ => Outcome::Failed,
    }
}

/// All queries, and the orders they are shown in.
#[derive(Debug)]
pub(in crate::report) struct Matrix<'a> {
    /// As in the data set.
    pub(in crate::report) queries: Vec<Query<'a>>,
    /// Indices of `queries`: those that most contestants failed first; of these, those with the most different sentences in
    /// the first place; then as in the data set.
    pub(in crate::report) worst_first: Vec<usize>,
    /// How many of the cast's members, from the first, are contestants.
    pub(in crate::report) contestants: usize,
}

/// How the contestants fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) struct Tally {
    pub(in crate::report) resolved: usize,
    pub(in crate::report) tied: usize,
    pub(in crate::report) failed: usize,
}

impl<'a> Matrix<'a> {
    pub(in crate::report) fn new(account: &'a Account, cast: &Cast<'_>) -> Self {
        let mut queries: Vec<Query<'a>> = Vec::with_capacity(account.queries.len());
        let mut at: BTreeMap<&str, usize> = BTreeMap::new();
        let width = cast.members.len();
        let blank = |id: &'a str, text: &'a str, facts| Query {
            id,
            text,
            facts,
            set: None,
            rivals: 0,
            rows: vec![None; width],
        };
        for facts in &account.queries {
            at.entry(&facts.query).or_insert_with(|| {
                queries.push(blank(&facts.query, &facts.text, Some(facts)));
                queries.len() - 1
            });
        }
        let column: BTreeMap<&str, usize> = cast.members.iter().enumerate().map(|(i, m)| (m.name, i)).collect();
        for row in &account.outcomes {
            // Judgements without a data set: the runs alone say what was asked.
            let index = *at.entry(&row.query).or_insert_with(|| {
                queries.push(blank(&row.query, row.text.as_deref().unwrap_or(&row.query), None));
                queries.len() - 1
            });
            let (Some(query), Some(column)) = (queries.get_mut(index), column.get(row.system.as_str())) else {
                continue;
            };
            query.rivals = query.rivals.max(row.rivals);
            if let Some(cell) = query.rows.get_mut(*column) {
                *cell = Some(row);
            }
        }
        for set in &account.rivals {
            if let Some(query) = at.get(set.query.as_str()).and_then(|i| queries.get_mut(*i)) {
                query.rivals = query.rivals.max(set.total.unwrap_or(set.rivals.len()));
                query.set = Some(set);
            }
        }
        let contestants = cast.contestants().len();
        let mut matrix = Self { queries, worst_first: Vec::new(), contestants };
        let key = |query: &Query<'_>| {
            let tally = matrix.tally(query);
            let first: BTreeSet<&str> = query
                .rows
                .iter()
                .take(contestants)
                .flatten()
                .filter_map(|r| Some(r.first.first()?.chunk.as_str()))
                .collect();
            (std::cmp::Reverse((tally.failed, tally.tied, first.len())), ())
        };
        let mut order: Vec<usize> = (0..matrix.queries.len()).collect();
        order.sort_by_cached_key(|i| (matrix.queries.get(*i).map(key), *i));
        matrix.worst_first = order;
        matrix
    }

    pub(in crate::report) fn tally(&self, query: &Query<'_>) -> Tally {
        let mut tally = Tally { resolved: 0, tied: 0, failed: 0 };
        for i in 0..self.contestants {
            match query.outcome(i) {
                Outcome::Resolved => tally.resolved += 1,
                Outcome::Tied => tally.tied += 1,
                Outcome::Failed => tally.failed += 1,
                Outcome::Unknown => {}
            }
        }
        tally
    }

    /// Facts asked for, sorted; an item's `data-fact` is an index into these.
    pub(in crate::report) fn facts(&self) -> Vec<&'a str> {
        let all: BTreeSet<&str> = self.queries.iter().filter_map(|q| q.facts?.fact.as_deref()).collect();
        all.into_iter().collect()
    }
}
