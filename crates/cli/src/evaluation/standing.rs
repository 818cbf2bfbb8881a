//! Who stands where in one ranking, for whoever shows it.
//!
//! Scores say the order (`trec_eval`'s: score descending, then id descending by bytes), never the order in which hits were given.

use std::cmp::Ordering;
use std::collections::HashMap;

use eightk_core::Hit;
use eightk_runs::{Place, Ranked};

/// One query's ranking, in order.
pub(crate) struct Standing<'h> {
    hits: Vec<&'h Hit>,
    /// By chunk: where it stands in `hits`.
    at: HashMap<&'h str, usize>,
}

impl<'h> Standing<'h> {
    /// Puts hits in order.
    pub(crate) fn new(hits: &'h [Hit]) -> Self {
        let mut hits: Vec<&Hit> = hits.iter().collect();
        hits.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal).then_with(|| b.id.cmp(&a.id)));
        let at = hits.iter().enumerate().map(|(i, hit)| (hit.id.as_str(), i)).collect();
        Self { hits, at }
    }

    /// The first `n`.
    pub(crate) fn first(&self, n: usize) -> Vec<Ranked> {
        self.hits.iter().take(n).map(|hit| Ranked { chunk: hit.id.clone(), score: hit.score }).collect()
    }

    /// Where a chunk stands.
    pub(crate) fn place(&self, chunk: &str) -> Place {
        let score = self.at.get(chunk).and_then(|i| self.hits.get(*i)).map(|hit| hit.score);
        let tie = score.map(|score| {
            // Sorted: the tie is one stretch. `==`, as in scoring: 0 and -0 are level.
            let start = self.hits.partition_point(|hit| hit.score > score);
            (start + 1, self.hits.partition_point(|hit| hit.score >= score) - start)
        });
        Place { chunk: chunk.to_owned(), rank: tie.map(|t| t.0), tie: tie.map_or(0, |t| t.1), score }
    }

    /// The one of these that stands first, where any was retrieved.
    pub(crate) fn best(&self, chunks: &[String]) -> Option<Place> {
        let first = chunks.iter().filter_map(|c| self.at.get(c.as_str())).min()?;
        self.hits.get(*first).map(|hit| self.place(&hit.id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_begin_at_one_and_ties_share_theirs() {
        let hits = [("a", 1.0), ("c", 2.0), ("b", 2.0), ("d", 0.0), ("e", -0.0)];
        let hits = hits.map(|(id, score)| Hit { id: id.to_owned(), score });
        let standing = Standing::new(&hits);
        let place = |c: &str| (standing.place(c).rank, standing.place(c).tie);
        assert_eq!(
            ["a", "b", "c", "d", "x"].map(place),
            [(Some(3), 1), (Some(1), 2), (Some(1), 2), (Some(4), 2), (None, 0)]
        );
        let first: Vec<_> = standing.first(2).into_iter().map(|r| r.chunk).collect();
        assert_eq!(first, ["c", "b"]);
        let best =
            |of: &[&str]| standing.best(&of.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()).map(|p| p.chunk);
        assert_eq!(best(&["a", "b", "x"]).as_deref(), Some("b"));
        assert_eq!(best(&["x"]), None);
    }
}
