//! Could the difference be luck? The paired randomization test.
//!
//! If two systems are equally good, it is chance which of the two got which result: exchanging them on any filing is as
//! likely as not. The p-value is the share of exchanges with a mean difference at least as large as the one seen. Filings
//! are exchanged, not queries, because queries of one filing are not independent. Student's t is the road not taken: recall
//! at 1 on three dozen queries is nowhere near normal.

use super::rng::Rng;
use crate::Options;

/// Up to so many filings with a difference, every exchange is counted (2^20, about a million).
const EXACT_UP_TO: usize = 20;

/// Two-sided p-value for sums of differences by cluster: exact for few, else drawn, and then never 0.
pub(crate) fn p_value(sums: &[f64], options: &Options) -> f64 {
    let sums: Vec<f64> = sums.iter().copied().filter(|s| *s != 0.0).collect();
    let seen = sums.iter().sum::<f64>().abs();
    // Sums of the same numbers in another order differ in the last bits; equal is what is equal up to those.
    let bar = seen - 1e-12 * sums.iter().map(|s| s.abs()).sum::<f64>();
    if sums.len() <= EXACT_UP_TO {
        return exact(&sums, bar);
    }
    let draws = options.draws_for(sums.len());
    let mut rng = Rng::new(options.seed);
    let mut extreme = 0_usize;
    for _ in 0..draws {
        let mut total = 0.0;
        for block in sums.chunks(64) {
            let mut bits = rng.next();
            for s in block {
                total += f64::from_bits(s.to_bits() ^ (bits << 63));
                bits >>= 1;
            }
        }
        extreme += usize::from(total.abs() >= bar);
    }
    (extreme + 1) as f64 / (draws + 1) as f64
}

/// Counts every exchange: all signs of the first half against all signs of the second.
fn exact(sums: &[f64], bar: f64) -> f64 {
    let (left, right) = sums.split_at(sums.len() / 2);
    let (left, right) = (signed_sums(left), signed_sums(right));
    let extreme: usize = left.iter().map(|l| right.iter().filter(|r| (l + *r).abs() >= bar).count()).sum();
    extreme as f64 / (left.len() * right.len()) as f64
}

/// The sum under every choice of signs.
fn signed_sums(values: &[f64]) -> Vec<f64> {
    values.iter().fold(vec![0.0], |sums, v| sums.iter().flat_map(|s| [s + v, s - v]).collect())
}

/// Holm's correction: what each p-value becomes when a whole family is looked at and the chance of a single false finding
/// among them is to stay at the level asked for.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut corrected = vec![0.0; p.len()];
    let mut floor = 0.0_f64;
    for (i, at) in order.into_iter().enumerate() {
        floor = floor.max((p[at] * (p.len() - i) as f64).min(1.0));
        corrected[at] = floor;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_is_the_sign_test_on_equal_differences() {
        // Six differences of one sign: 2 / 2^6.
        assert_eq!(p_value(&[1.0; 6], &Options::default()), 0.03125);
        assert_eq!(p_value(&[0.1, 0.0, 0.1, 0.1, -0.1], &Options::default()), 10.0 / 16.0);
        assert_eq!(p_value(&[], &Options::default()), 1.0);
        assert_eq!(p_value(&[0.0, 0.0], &Options::default()), 1.0);
    }

    #[test]
    fn drawn_agrees_with_exact() {
        // 15 for, 8 against: the two-sided binomial probability.
        let sums: Vec<f64> = (0..23).map(|i| if i < 15 { 0.5 } else { -0.5 }).collect();
        let choose = |n: u32, k: u32| (0..k).fold(1.0, |c, i| c * f64::from(n - i) / f64::from(i + 1));
        let tail: f64 = (15..=23).map(|k| choose(23, k)).sum::<f64>() * 2.0 / 2_f64.powi(23);
        let drawn = p_value(&sums, &Options::default());
        assert!((drawn - tail).abs() < 0.015, "{drawn} against {tail}");
        assert_eq!(drawn, p_value(&sums, &Options::default()), "same seed, same number");
        assert!(p_value(&[1.0; 80], &Options::default()) > 0.0, "a drawn p is never 0");
    }

    #[test]
    fn holm_by_hand() {
        let got = holm(&[0.01, 0.04, 0.03, 0.005]);
        let want = [0.03, 0.06, 0.06, 0.02];
        assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() < 1e-12), "{got:?}");
        assert_eq!(holm(&[0.9, 0.8]), vec![1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
