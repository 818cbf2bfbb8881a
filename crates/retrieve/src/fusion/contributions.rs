//! What one part's hits for one query contribute, in the order of the hits.

use eightk_core::Hit;

/// 1 / (k + rank); hits with equal scores share the mean of the ranks they take up.
pub(super) fn reciprocal_ranks(hits: &[Hit], k: u32) -> Vec<f64> {
    let mut order: Vec<(usize, f64)> = hits.iter().map(|hit| hit.score).enumerate().collect();
    order.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut contributions = vec![0.0; hits.len()];
    let mut before = 0;
    for tied in order.chunk_by(|(_, a), (_, b)| a == b) {
        let rank = before as f64 + (tied.len() + 1) as f64 / 2.0;
        for (at, _) in tied {
            contributions[*at] = 1.0 / (f64::from(k) + rank);
        }
        before += tied.len();
    }
    contributions
}

/// Scores brought to 0 … `weight`; all at `weight` where all are alike.
pub(super) fn scaled(hits: &[Hit], weight: f64) -> Vec<f64> {
    let fold = |start, pick: fn(f64, f64) -> f64| hits.iter().map(|hit| hit.score).fold(start, pick);
    let (lowest, highest) = (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max));
    // Halved, so that a span of more than the largest number does not overflow.
    let span = highest / 2.0 - lowest / 2.0;
    let scale = |hit: &Hit| if span > 0.0 { weight * ((hit.score / 2.0 - lowest / 2.0) / span) } else { weight };
    hits.iter().map(scale).collect()
}
