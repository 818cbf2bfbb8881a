//! Who is handed over, and one scale for two stages.

use eightk_core::Hit;

/// How many of these, best first, are the best n: without a tie at rank n that would make more than 2n.
pub(super) fn handed_over(hits: &[Hit], n: usize) -> usize {
    let Some(border) = n.checked_sub(1).and_then(|last| hits.get(last)).map(|hit| hit.score) else {
        return n.min(hits.len());
    };
    let with = hits.partition_point(|hit| hit.score >= border);
    if with <= n.saturating_mul(2) { with } else { hits.partition_point(|hit| hit.score > border) }
}

/// Gives hits, best first, their final scores. `reranked` belongs to the first of them.
pub(super) fn compose(hits: &mut [Hit], mut reranked: Vec<Option<f64>>) {
    let Some(lowest) = reranked.iter().flatten().copied().reduce(f64::min) else { return };
    reranked.resize(hits.len(), None);
    let (mut score, mut first_stage) = (lowest, None);
    for (hit, reranked) in hits.iter_mut().zip(reranked) {
        if let Some(reranked) = reranked {
            hit.score = reranked;
            continue;
        }
        if first_stage != Some(hit.score) {
            first_stage = Some(hit.score);
            // Where numbers are so large that 1 less is the same, the next smaller one.
            score = (score - 1.0).min(score.next_down());
        }
        hit.score = score;
    }
}
