//! One ranking per query, made once, from which every metric reads.
//!
//! Tools that sort once per metric end up with two orders for one run, and with figures that contradict each other. Here the
//! hits are sorted once by score descending, then id descending by bytes (`trec_eval`'s order), tie groups are cut along
//! equal scores, and documents are looked up by id in one table, which also finds repetitions.

use std::collections::HashMap;

use eightk_core::{Hit, Run};

use crate::MeasureError;
use crate::ties::Place;

/// The ranking of one query. Reused from query to query so that its buffers are allocated once.
#[derive(Debug, Default)]
pub(crate) struct Ranking<'r> {
    /// Hits in `trec_eval`'s order.
    order: Vec<(f64, &'r str)>,
    /// First rank of each tie group.
    starts: Vec<usize>,
    rank_of: HashMap<&'r str, usize, foldhash::fast::RandomState>,
}

impl<'r> Ranking<'r> {
    /// Sorts the hits of `query`.
    ///
    /// # Errors
    /// A score that is no number, or a document retrieved twice.
    pub(crate) fn set(&mut self, run: &Run, query: &str, hits: &'r [Hit]) -> Result<(), MeasureError> {
        self.order.clear();
        self.starts.clear();
        self.rank_of.clear();
        for hit in hits {
            if hit.score.is_nan() {
                return Err(MeasureError::Score {
                    place: format!("run `{}`", run.system),
                    query: query.to_owned(),
                    document: hit.id.clone(),
                    score: hit.score.to_string(),
                });
            }
            self.order.push((hit.score, &hit.id));
        }
        self.order
            .sort_unstable_by(|a, b| b.0.partial_cmp(&a.0).unwrap_or(std::cmp::Ordering::Equal).then(b.1.cmp(a.1)));
        self.rank_of.reserve(self.order.len());
        for (rank, (score, id)) in self.order.iter().enumerate() {
            if rank == 0 || self.order[rank - 1].0 != *score {
                self.starts.push(rank);
            }
            if self.rank_of.insert(id, rank).is_some() {
                return Err(MeasureError::DuplicateHit {
                    place: format!("run `{}`", run.system),
                    query: query.to_owned(),
                    document: (*id).to_owned(),
                    also: String::new(),
                });
            }
        }
        Ok(())
    }

    /// How many documents were retrieved.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// First rank and size of the tie group that holds `rank`.
    fn group(&self, rank: usize) -> (usize, usize) {
        let next = self.starts.partition_point(|start| *start <= rank);
        let end = self.starts.get(next).copied().unwrap_or(self.order.len());
        let start = next.checked_sub(1).and_then(|i| self.starts.get(i)).copied().unwrap_or(rank);
        (start, end - start)
    }

    /// Where a document stands; `None` when it was not retrieved.
    pub(crate) fn find(&self, id: &str) -> Option<Place> {
        let rank = *self.rank_of.get(id)?;
        let (start, len) = self.group(rank);
        Some(Place { rank, start, len })
    }

    /// The places of those of the documents that were retrieved, by rank.
    pub(crate) fn places<'i>(&self, ids: impl IntoIterator<Item = &'i str>) -> Vec<Place> {
        let mut places: Vec<Place> = ids.into_iter().filter_map(|id| self.find(id)).collect();
        places.sort_unstable();
        places
    }

    /// Tie groups from the top: first rank and the hits in them.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (usize, &[(f64, &'r str)])> {
        self.starts.iter().enumerate().map(|(i, start)| {
            let end = self.starts.get(i + 1).copied().unwrap_or(self.order.len());
            (*start, self.order.get(*start..end).unwrap_or_default())
        })
    }

    /// Whether the document at a rank has a neighbour whose score differs by at most `resolution`.
    pub(crate) fn tied_within(&self, rank: usize, resolution: f64) -> bool {
        let Some(score) = self.order.get(rank).map(|h| h.0) else { return false };
        let near = |other: Option<&(f64, &str)>| {
            // Equal infinities have no difference to compare.
            other.is_some_and(|o| o.0 == score || (o.0 - score).abs() <= resolution)
        };
        near(self.order.get(rank + 1)) || rank.checked_sub(1).is_some_and(|before| near(self.order.get(before)))
    }
}
