//! How sure a share is.
//!
//! Wilson's score interval: it keeps its width where a share is 0 or 1, which is where most of these shares are, and where a
//! bootstrap sees no spread at all. The exact interval of Clopper and Pearson needs an inverse beta function and is wider than its
//! level; nothing here turns on the third digit.

/// The 95 % interval of a share of `count` in `of`. `count` may be fractional: ties count by their parts. The whole of
/// `0..=1` where `of` is 0.
pub(crate) fn wilson(count: f64, of: usize) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = of as f64;
    let share = (count / n).clamp(0.0, 1.0);
    let scale = 1.0 / (1.0 + Z * Z / n);
    let middle = share + Z * Z / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    (((middle - spread) * scale).max(0.0), ((middle + spread) * scale).min(1.0))
}

/// Minimum, median (the mean of the middle two where there are two) and maximum; `None` of nothing.
pub(crate) fn spread(values: &[f64]) -> Option<(f64, f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = |i: usize| sorted.get(i).copied();
    Some((at(0)?, (at(last / 2)? + at(last.div_ceil(2))?) / 2.0, at(last)?))
}

/// The mean; `None` of nothing.
pub(crate) fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut n) = (0.0, 0_usize);
    for value in values {
        (sum, n) = (sum + value, n + 1);
    }
    (n > 0).then(|| sum / n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn wilson_agrees_with_published_values() {
        // Agresti & Coull 1998: 0 of 10 is 0 to .278; 81 of 263 is .255 to .366 (Newcombe 1998).
        let (low, high) = wilson(0.0, 10);
        assert!(low == 0.0 && (high - 0.2775).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson(81.0, 263.0 as usize);
        assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4, "{low} {high}");
        assert_eq!(wilson(0.0, 0), (0.0, 1.0));
    }

    proptest! {
        /// The ends are where the share lies just 1.96 standard errors from its expectation.
        #[test]
        fn the_ends_solve_the_equation_of_the_score_test(of in 1usize..400, part in 0.0f64..=1.0) {
            let count = part * of as f64;
            let (low, high) = wilson(count, of);
            prop_assert!((0.0..=1.0).contains(&low) && low <= part && part <= high && high <= 1.0);
            for end in [low, high] {
                if end > 1e-9 && end < 1.0 - 1e-9 {
                    let z = (part - end).abs() / (end * (1.0 - end) / of as f64).sqrt();
                    prop_assert!((z - 1.96).abs() < 1e-3, "{}", z);
                }
            }
        }

        #[test]
        fn the_median_has_half_on_either_side(values in prop::collection::vec(0.0f64..9.0, 1..30)) {
            let (least, median, most) = spread(&values).unwrap();
            let below = values.iter().filter(|v| **v < median).count();
            let above = values.iter().filter(|v| **v > median).count();
            prop_assert!(below <= values.len() / 2 && above <= values.len() / 2 && least <= median && median <= most);
        }
    }
}
