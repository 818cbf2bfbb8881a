//! One ranking per query, made once, from which every metric reads.
//!
//! Tools that sort once per metric end up with two orders for one run, and with figures that contradict each other. Here the
//! hits are sorted once by score descending, then id descending by bytes (`trec_eval`'s order), tie groups are cut along
//! equal scores, and documents are looked up by id in one table, which also finds repetitions.
//!
//! What is sorted is a whole number per hit that grows as the score falls; ids are compared inside ties only. Most runs
//! arrive in order, and then nothing is sorted at all.

use eightk_core::{Hit, Run};

use super::ids::IdTable;
use super::ties::Place;
use crate::MeasureError;

/// The ranking of one query. Reused from query to query so that its buffers are allocated once.
#[derive(Debug, Default)]
pub(crate) struct Ranking<'r> {
    hits: &'r [Hit],
    /// Sort key and position of each hit, in `trec_eval`'s order.
    order: Vec<(u64, u32)>,
    /// Rank of each hit.
    ranks: Vec<u32>,
    /// First rank of each tie group.
    starts: Vec<u32>,
    ids: IdTable,
}

/// A number that is the smaller the higher the score; equal scores, the two zeros among them, have one number.
fn descending(score: f64) -> u64 {
    // Zeros become one by adding one. As whole numbers, positive floats are in order and negative ones reversed.
    let bits = (score + 0.0).to_bits();
    if bits >> 63 == 0 { !(bits | 1 << 63) } else { bits }
}

impl<'r> Ranking<'r> {
    /// Sorts the hits of `query`.
    ///
    /// # Errors
    /// A score that is no number, or a document retrieved twice.
    pub(crate) fn set(&mut self, run: &Run, query: &str, hits: &'r [Hit]) -> Result<(), MeasureError> {
        self.hits = hits;
        self.order.clear();
        self.order.extend(hits.iter().enumerate().map(|(at, hit)| (descending(hit.score), at as u32)));
        let place = || format!("run `{}`", run.system);
        if let Some(hit) = hits.iter().find(|hit| hit.score.is_nan()) {
            return Err(MeasureError::Score {
                place: place(),
                query: query.to_owned(),
                document: hit.id.clone(),
                score: hit.score.to_string(),
            });
        }
        self.ids.fill(hits).map_err(|twice| MeasureError::DuplicateHit {
            place: place(),
            query: query.to_owned(),
            document: hits.get(twice).map(|hit| hit.id.clone()).unwrap_or_default(),
            also: String::new(),
        })?;
        if !self.order.is_sorted_by_key(|o| o.0) {
            self.order.sort_unstable_by_key(|o| o.0);
        }
        self.starts.clear();
        let id = |o: &(u64, u32)| hits.get(o.1 as usize).map_or("", |hit| hit.id.as_str());
        let mut start = 0;
        for group in self.order.chunk_by_mut(|a, b| a.0 == b.0) {
            self.starts.push(start);
            start += group.len() as u32;
            if group.len() > 1 {
                group.sort_unstable_by(|a, b| id(b).cmp(id(a)));
            }
        }
        self.ranks.clear();
        self.ranks.resize(hits.len(), 0);
        for (rank, (_, at)) in self.order.iter().enumerate() {
            if let Some(slot) = self.ranks.get_mut(*at as usize) {
                *slot = rank as u32;
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
        let next = self.starts.partition_point(|start| *start as usize <= rank);
        let end = self.starts.get(next).map_or(self.order.len(), |s| *s as usize);
        let start = next.checked_sub(1).and_then(|i| self.starts.get(i)).map_or(rank, |s| *s as usize);
        (start, end - start)
    }

    /// Where a document stands; `None` when it was not retrieved.
    pub(crate) fn find(&self, id: &str) -> Option<Place> {
        let rank = *self.ranks.get(self.ids.find(self.hits, id)?)? as usize;
        let (start, len) = self.group(rank);
        Some(Place { rank, start, len })
    }

    /// The places of those of the documents that were retrieved, by rank.
    pub(crate) fn places<'i>(&self, ids: impl IntoIterator<Item = &'i str>) -> Vec<Place> {
        let mut places: Vec<Place> = ids.into_iter().filter_map(|id| self.find(id)).collect();
        places.sort_unstable();
        places
    }

    /// Tie groups from the top, each as its documents in `trec_eval`'s order.
    pub(crate) fn groups(&self) -> impl Iterator<Item = impl ExactSizeIterator<Item = &'r str>> {
        let hits = self.hits;
        let id = move |o: &(u64, u32)| hits.get(o.1 as usize).map_or("", |hit| hit.id.as_str());
        self.order.chunk_by(|a, b| a.0 == b.0).map(move |group| group.iter().map(id))
    }

    fn score(&self, rank: usize) -> Option<f64> {
        self.hits.get(self.order.get(rank)?.1 as usize).map(|hit| hit.score)
    }

    /// Whether the document at a rank has a neighbour whose score differs by at most `resolution`.
    pub(crate) fn tied_within(&self, rank: usize, resolution: f64) -> bool {
        let Some(score) = self.score(rank) else { return false };
        // Equal infinities have no difference to compare.
        let near = |other: Option<f64>| other.is_some_and(|o| o == score || (o - score).abs() <= resolution);
        near(self.score(rank + 1)) || rank.checked_sub(1).is_some_and(|before| near(self.score(before)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SCORES: [f64; 9] = [f64::NEG_INFINITY, f64::MIN, -1.5, -5e-324, 0.0, 5e-324, 1.0, f64::MAX, f64::INFINITY];

    #[test]
    fn keys_are_in_the_order_of_scores() {
        for pair in SCORES.windows(2) {
            assert!(descending(pair[0]) > descending(pair[1]), "{pair:?}");
        }
        assert_eq!(descending(0.0), descending(-0.0));
    }

    proptest! {
        #[test]
        fn sorted_as_the_definition_says(list in prop::collection::btree_map("[a-cé]{1,3}", prop_oneof![prop::sample::select(&SCORES[..]), Just(-0.0), -2.0..2.0], 0..20), keys in prop::collection::vec(any::<u32>(), 20)) {
            let mut hits: Vec<Hit> = list.into_iter().map(|(id, score)| Hit { id, score }).collect();
            let mut keys = keys.into_iter();
            hits.sort_by_cached_key(|_| keys.next());
            let mut ranking = Ranking::default();
            ranking.set(&Run::default(), "q", &hits).unwrap();
            let mut sorted: Vec<&Hit> = hits.iter().collect();
            sorted.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap().then(b.id.as_bytes().cmp(a.id.as_bytes())));
            let got: Vec<&str> = ranking.groups().flatten().collect();
            prop_assert_eq!(got, sorted.iter().map(|h| h.id.as_str()).collect::<Vec<_>>());
            for (rank, hit) in sorted.iter().enumerate() {
                let level = |h: &&&Hit| h.score == hit.score;
                let start = sorted.iter().position(|h| level(&h)).unwrap();
                let len = sorted.iter().filter(level).count();
                prop_assert_eq!(ranking.find(&hit.id), Some(Place { rank, start, len }));
            }
            prop_assert_eq!(ranking.find("d"), None);
        }
    }
}
