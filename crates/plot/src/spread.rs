//! Labels moved apart.
//!
//! Where labels want to stand nearer than a line's height, they share the shift: neighbours that would overlap become a block that
//! stands where it moves its members least in sum of squares (the pooling of adjacent violators), and blocks that then meet
//! are joined again. The road not taken is pushing labels down one by one, which drags the last far from its line.

/// Places for labels that want to be at `wanted`, at least `gap` apart and between `low` and `high`, in the order given.
/// Where there is no room for all, they stand `gap` apart from `low` on.
pub(crate) fn spread(wanted: &[f64], gap: f64, low: f64, high: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    let want = |i: usize| wanted.get(i).copied().unwrap_or(low);
    order.sort_by(|a, b| want(*a).total_cmp(&want(*b)).then(a.cmp(b)));
    // Members of a block and the mean of where its first would stand if each member were where it wants to be.
    let mut blocks: Vec<(usize, f64)> = Vec::new();
    let mut placed_before = 0.0;
    for i in order.iter().copied() {
        // With `gap` taken out, "at least a gap apart" is "not before".
        let mut block = (1, want(i) - gap * placed_before);
        placed_before += 1.0;
        while let Some((size, mean)) = blocks.last().copied().filter(|(_, mean)| *mean > block.1) {
            blocks.pop();
            let total = size + block.0;
            block = (total, (mean * size as f64 + block.1 * block.0 as f64) / total as f64);
        }
        blocks.push(block);
    }
    let last = high - gap * (placed_before - 1.0);
    let mut out = vec![low; wanted.len()];
    let means = blocks.iter().flat_map(|(size, mean)| std::iter::repeat_n(*mean, *size));
    for (nth, (i, mean)) in order.into_iter().zip(means).enumerate() {
        if let Some(place) = out.get_mut(i) {
            // Clamping keeps the order; `max` last, so that a label is rather below than above.
            *place = mean.min(last).max(low) + gap * nth as f64;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn neighbours_share_the_shift() {
        assert_eq!(spread(&[50.0, 50.0], 10.0, 0.0, 100.0), [45.0, 55.0]);
        assert_eq!(spread(&[80.0, 10.0], 10.0, 0.0, 100.0), [80.0, 10.0]);
        assert_eq!(spread(&[0.0, 0.0, 100.0], 10.0, 0.0, 100.0), [0.0, 10.0, 100.0]);
        assert!(spread(&[], 10.0, 0.0, 100.0).is_empty());
    }

    proptest! {
        #[test]
        fn apart_and_inside(wanted in prop::collection::vec(0.0..300.0, 0..30)) {
            let high = 16.0 * 30.0;
            let mut places = spread(&wanted, 16.0, 0.0, high);
            places.sort_by(f64::total_cmp);
            prop_assert!(places.windows(2).all(|w| w[1] - w[0] >= 16.0 - 1e-6), "{places:?}");
            prop_assert!(places.iter().all(|p| (-1e-6..=high + 1e-6).contains(p)), "{places:?}");
        }
    }
}
