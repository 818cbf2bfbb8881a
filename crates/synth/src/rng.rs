//! Random choices that are the same on every machine and in every release.
//!
//! SplitMix64 (Steele, Lea and Flood 2014), ten lines: generated corpora are pinned by their seed, so the generator must never
//! change under them, as that of a dependency may.

/// A stream of choices.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// The stream number `stream` of a seed. Streams are independent of each other.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut rng = Self(seed ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03));
        rng.next();
        rng
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 for `n` = 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let wide = u128::from(self.next()) * n as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `percent` of 100 cases.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`, which outlive the generator.
    pub(crate) fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items.get(self.below(items.len())).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_pinned() {
        let mut rng = Rng::new(1, 0);
        let first: Vec<usize> = (0..8).map(|_| rng.below(1000)).collect();
        let mut again = Rng::new(1, 0);
        assert_eq!(first, (0..8).map(|_| again.below(1000)).collect::<Vec<_>>());
        let mut other = Rng::new(1, 1);
        assert_ne!(first, (0..8).map(|_| other.below(1000)).collect::<Vec<_>>());
        assert!((0..1000).all(|_| (3..=5).contains(&rng.between(3, 5))));
    }
}
