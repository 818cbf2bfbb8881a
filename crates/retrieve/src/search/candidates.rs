//! Who can still be among the best k of one query, as one thread knows it.
//!
//! Every candidate has bounds of its score. The k-th largest lower bound is a floor: who cannot reach it is out, and most rows
//! never get in, because the kernel's scan compares with it. Where many scores lie within the margin of each other the bounds do
//! not thin candidates out; then they are scored in f64, which costs what a plain loop costs and never more memory than a few
//! times k.

use super::distinct::Members;
use super::panels::Panels;
use super::queries::Query;
use crate::{MAX_BOUNDARY_TIES, TopK};

/// Candidates beyond twice k that are held before they are thinned out.
const ROOM: usize = 256;

/// A row and the bounds of its score, in the kernel's unit.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    row: u32,
    lower: f32,
    upper: f32,
}

/// What turns rows into scored positions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scoring<'i> {
    pub(super) panels: &'i Panels,
    pub(super) members: &'i Members,
    pub(super) k: usize,
    /// Positions that are not in the search, ascending.
    pub(super) without: &'i [u32],
}

impl Scoring<'_> {
    /// Offers a row's positions with their f64 score. Of more equal positions than can be kept, as many as show that they cannot.
    fn offer(&self, row: u32, query: &Query, top: &mut TopK) {
        let score = self.panels.product(row, &query.values) * query.factor;
        let most = self.k.saturating_add(MAX_BOUNDARY_TIES).saturating_add(1);
        let positions = self.members.of(row).filter(|p| self.without.binary_search(p).is_err());
        positions.take(most).for_each(|position| top.push(position, score));
    }
}

/// Candidates of one query.
#[derive(Debug)]
pub(super) struct Candidates {
    /// So many rows are enough for k positions.
    enough: usize,
    pending: Vec<Candidate>,
    /// Those that are scored.
    top: TopK,
    floor: f32,
}

impl Candidates {
    pub(super) fn new(scoring: &Scoring<'_>) -> Self {
        // Each position left out may be the only one of its row.
        let enough = scoring.k.saturating_add(scoring.without.len()).min(scoring.panels.rows()).max(1);
        Self { enough, pending: Vec::new(), top: TopK::new(scoring.k), floor: f32::NEG_INFINITY }
    }

    /// What a row's upper bound has to reach.
    pub(super) const fn floor(&self) -> f32 {
        self.floor
    }

    /// Takes a row whose score is within `margin` of `value`; both may be infinite or NaN, which says nothing.
    #[inline(never)]
    pub(super) fn take(&mut self, row: u32, value: f32, margin: f32, query: &Query, scoring: &Scoring<'_>) {
        let (lower, upper) = (value - margin, value + margin);
        let bound = |x: f32, none| if x.is_nan() || margin.is_infinite() { none } else { x };
        let (lower, upper) = (bound(lower, f32::NEG_INFINITY), bound(upper, f32::INFINITY));
        self.pending.push(Candidate { row, lower, upper });
        if self.pending.len() >= self.enough.saturating_mul(2).saturating_add(ROOM) {
            self.thin_out();
            if self.pending.len() > self.enough.saturating_add(ROOM / 2) {
                self.score(query, scoring);
            }
        }
    }

    /// Raises the floor to the k-th lower bound and lets go of whoever cannot reach it.
    fn thin_out(&mut self) {
        let kth = self.enough - 1;
        if kth < self.pending.len() {
            let (_, kth, _) = self.pending.select_nth_unstable_by(kth, |a, b| b.lower.total_cmp(&a.lower));
            self.floor = self.floor.max(kth.lower);
        }
        self.pending.retain(|c| c.upper >= self.floor);
    }

    /// Scores all that are pending.
    fn score(&mut self, query: &Query, scoring: &Scoring<'_>) {
        for candidate in self.pending.drain(..) {
            scoring.offer(candidate.row, query, &mut self.top);
        }
        if let Some(border) = self.top.border_of_k() {
            self.floor = self.floor.max(((border / query.unit) as f32).next_down());
        }
    }

    /// Joins what several threads know of one query and scores what is left.
    pub(super) fn join(parts: impl IntoIterator<Item = Self>, query: &Query, scoring: &Scoring<'_>) -> TopK {
        let mut all = Self::new(scoring);
        for part in parts {
            all.floor = all.floor.max(part.floor);
            all.pending.extend(part.pending);
            all.top.absorb(part.top);
        }
        all.thin_out();
        all.score(query, scoring);
        all.top
    }
}
