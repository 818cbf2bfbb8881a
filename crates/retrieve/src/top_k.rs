//! The best k, with ties at the border kept whole.
//!
//! Cutting a ranking at exactly k drops some members of the group tied at rank k, and which ones is an accident of
//! ids or memory order; no later tie rule can undo that. So the cut is made between scores: everything that
//! scores at least as much as the k-th best is kept. A heap of k and the overflow of the border group, never all scores, so the
//! same collector serves millions of vectors scored block by block.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// How many hits beyond k a border group may add.
///
/// A larger group is left out whole: each of its members has a chance below k / 10,000 of being in the top k, and holding such
/// groups for all queries is what turns an evaluation into queries × chunks.
pub const MAX_BOUNDARY_TIES: usize = 10_000;

/// A chunk, by its position in the corpus, and its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// Position in the corpus.
    pub position: u32,
    /// Higher is better.
    pub score: f64,
}

impl Eq for Scored {}

impl Ord for Scored {
    /// Best last: by score; equal scores by position, the first in the corpus best. Positions give the output its order and decide
    /// nothing about who is in it.
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.position.cmp(&self.position))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Collects scored chunks, in any order, and keeps those that score at least as much as the k-th best.
#[derive(Debug)]
pub struct TopK {
    k: usize,
    best: BinaryHeap<Reverse<Scored>>,
    /// Further chunks that score exactly as the worst of `best`.
    tied: Vec<Scored>,
    /// The group at the border has outgrown the limit.
    overgrown: bool,
    limit: usize,
}

impl TopK {
    /// A collector for the best `k`.
    pub fn new(k: usize) -> Self {
        Self::with_limit(k, MAX_BOUNDARY_TIES)
    }

    fn with_limit(k: usize, limit: usize) -> Self {
        Self { k, best: BinaryHeap::new(), tied: Vec::new(), overgrown: false, limit }
    }

    /// Offers a chunk. NaN is no score and is ignored; −0 counts as 0.
    pub fn push(&mut self, position: u32, score: f64) {
        if self.k == 0 || score.is_nan() {
            return;
        }
        let offered = Scored { position, score: score + 0.0 };
        if self.best.len() < self.k {
            self.best.push(Reverse(offered));
            return;
        }
        let Some(worst) = self.border() else { return };
        if offered.score == worst {
            self.tie(offered);
        } else if offered.score > worst {
            let out = self.best.pop();
            self.best.push(Reverse(offered));
            match out {
                Some(Reverse(out)) if self.border() == Some(out.score) => self.tie(out),
                _ => {
                    self.tied.clear();
                    self.overgrown = false;
                }
            }
        }
    }

    fn border(&self) -> Option<f64> {
        self.best.peek().map(|Reverse(s)| s.score)
    }

    /// The k-th best score, once k chunks were offered.
    pub(crate) fn border_of_k(&self) -> Option<f64> {
        if self.best.len() < self.k { None } else { self.border() }
    }

    /// Takes over what another collector with the same k was offered, as if it had been offered here.
    pub(crate) fn absorb(&mut self, other: Self) {
        let border = other.border();
        for Reverse(scored) in other.best {
            self.push(scored.position, scored.score);
        }
        for scored in other.tied {
            self.push(scored.position, scored.score);
        }
        // What outgrew the limit there outgrows it here, unless something better has moved the border since.
        self.overgrown |= other.overgrown && self.border_of_k() == border;
    }

    fn tie(&mut self, scored: Scored) {
        if self.tied.len() < self.limit {
            self.tied.push(scored);
        } else {
            self.overgrown = true;
        }
    }

    /// What was kept: best first, equal scores in corpus order. More than k where the border group is larger; fewer where
    /// less was offered or the border group outgrew [`MAX_BOUNDARY_TIES`].
    pub fn finish(mut self) -> Vec<Scored> {
        let border = self.border();
        let mut kept: Vec<_> = self.best.drain().map(|Reverse(s)| s).collect();
        if self.overgrown {
            kept.retain(|s| Some(s.score) != border);
        } else {
            kept.append(&mut self.tied);
        }
        kept.sort_unstable_by(|a, b| b.cmp(a));
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn top(k: usize, limit: usize, scores: impl Iterator<Item = (u32, f64)>) -> Vec<Scored> {
        let mut top = TopK::with_limit(k, limit);
        scores.for_each(|(p, s)| top.push(p, s));
        top.finish()
    }

    /// Sort everything, cut between scores.
    fn naive(k: usize, limit: usize, scores: &[f64]) -> Vec<Scored> {
        let mut all: Vec<_> =
            (0u32..).zip(scores).map(|(position, score)| Scored { position, score: *score }).collect();
        all.sort_by(|a, b| b.cmp(a));
        let Some(border) = k.checked_sub(1).and_then(|last| all.get(last)).map(|s| s.score) else {
            return if k == 0 { Vec::new() } else { all };
        };
        let kept = all.iter().filter(|s| s.score >= border).count();
        if kept - k > limit {
            all.retain(|s| s.score > border);
        } else {
            all.truncate(kept);
        }
        all
    }

    #[test]
    fn zeros_of_both_signs_tie_and_nan_is_no_score() {
        let found = top(1, 10, [(0, 0.0), (1, -0.0), (2, f64::NAN)].into_iter());
        assert_eq!(found.iter().map(|s| s.position).collect::<Vec<_>>(), [0, 1]);
    }

    proptest! {
        #[test]
        fn agrees_with_sorting_in_any_order(
            levels in prop::collection::vec(0u8..6, 0..60), k in 0usize..20, limit in 0usize..20, turn in 0usize..60,
        ) {
            let scores: Vec<f64> = levels.iter().map(|l| f64::from(*l) / 3.0).collect();
            let mut offered: Vec<_> = (0u32..).zip(scores.iter().copied()).collect();
            let expected = naive(k, limit, &scores);
            prop_assert_eq!(&top(k, limit, offered.iter().copied()), &expected);
            prop_assert!(expected.len() <= k + limit);
            let turn = turn.min(offered.len());
            offered.rotate_left(turn);
            prop_assert_eq!(&top(k, limit, offered.iter().copied()), &expected);
            prop_assert_eq!(&top(k, limit, offered.iter().rev().copied()), &expected);
        }

        #[test]
        fn parts_make_the_whole(
            levels in prop::collection::vec(0u8..4, 0..60), k in 0usize..20, limit in 0usize..20, cut in 0usize..60,
        ) {
            let scores: Vec<f64> = levels.iter().map(|l| f64::from(*l) / 3.0).collect();
            let (mut left, mut right) = (TopK::with_limit(k, limit), TopK::with_limit(k, limit));
            for (position, score) in (0u32..).zip(&scores) {
                if (position as usize) < cut { left.push(position, *score) } else { right.push(position, *score) }
            }
            left.absorb(right);
            prop_assert_eq!(left.finish(), naive(k, limit, &scores));
        }
    }
}
