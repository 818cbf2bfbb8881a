//! How far an f32 sum can be from the product it stands for.
//!
//! Let u = 2⁻²⁴, n the dimensions, x a row as stored, ŷ the query divided by its length and rounded to f32, d̂ the kernel's
//! sum of n products, w the row's weight rounded to f32, v = fl(d̂ · w). With γₙ = n u / (1 − n u):
//!
//! * the sum, fused or not, in any order: |d̂ − x·ŷ| ≤ γₙ Σ|xᵢ ŷᵢ| ≤ γₙ ‖x‖ ‖ŷ‖ (Higham 2002, §3.1; Cauchy–Schwarz), and
//!   n 2⁻¹⁴⁹ for what underflows;
//! * the rounding of ŷ: |x·ŷ − x·y/‖y‖| ≤ u ‖x‖, and √n 2⁻¹⁵⁰ ‖x‖ for components that underflow; so ‖ŷ‖ ≤ 1 + 2u;
//! * the rounding of w and of the product: 2u each of |v|, and 2u for v ± margin;
//! * the f64 score that v is compared with: at most (n + 4) 2⁻⁵³ of ‖x‖, below u for every n allowed.
//!
//! For n ≤ 65536 the factor 1/(1 − n u) is below 1.004, and rows outside [`TAME`] are not judged by f32 at all, which keeps sums
//! from overflow and makes the underflow terms less than 2⁻⁴⁸ n of the row's reach. All of it is less than
//! (1.01 n + 10) u · reach, where the *reach* of a row is w ‖x‖, the most it can score with a query of length 1.

/// Most dimensions.
pub(super) const MOST_DIMENSIONS: usize = 65_536;

/// Lengths and weights within which f32 sums neither overflow nor lose to underflow what the bound counts on.
const TAME: std::ops::Range<f64> = f64::from_bits((1023 - 100) << 52)..f64::from_bits((1023 + 100) << 52);

/// The bound as a share of a row's reach.
pub(super) fn relative(dims: usize) -> f32 {
    let unit = 1.0 / f64::from(1u32 << 24);
    // A little above the bound, for the rounding of the bound itself.
    ((1.02 * dims as f64 + 16.0) * unit) as f32
}

/// What a row of this length and weight can score with a query of length 1, rounded up; infinite where f32 cannot judge it.
pub(super) fn reach(length: f64, weight: f64) -> f32 {
    let reach = length * weight;
    if TAME.contains(&length) && TAME.contains(&weight) && TAME.contains(&reach) {
        (reach as f32).next_up()
    } else {
        f32::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_holds_what_its_proof_adds_up() {
        for dims in [1, 2, 384, 1024, 4096, MOST_DIMENSIONS] {
            let (n, u) = (dims as f64, f64::from(2f32.powi(-24)));
            let gamma = n * u / (1.0 - n * u);
            let underflow = 2f64.powi(-48) * n + n.sqrt() * 2f64.powi(-150);
            let total = gamma * (1.0 + 2.0 * u) + u + 6.0 * u * (1.0 + gamma) + u + underflow;
            assert!(total < f64::from(relative(dims)), "{dims}: {total}");
        }
    }

    #[test]
    fn rows_beyond_f32_are_not_judged_by_it() {
        assert_eq!(reach(1e31, 1.0), f32::INFINITY);
        assert_eq!(reach(1.0, 1e-31), f32::INFINITY);
        assert_eq!(reach(0.0, 1.0), f32::INFINITY);
        assert_eq!(reach(f64::NAN, 1.0), f32::INFINITY);
        assert!(f64::from(reach(0.1, 1.0)) >= 0.1 && reach(0.1, 1.0) < 0.1001);
    }
}
