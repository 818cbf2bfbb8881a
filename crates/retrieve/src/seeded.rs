//! Chance that is the same everywhere and for ever.
//!
//! SplitMix64 (Steele, Lea and Flood), written out: a published score must not move because a dependency changed its default
//! generator. Each filing has a stream of its own, begun by the seed and the filing's id, so that the order of the corpus and the
//! number of threads change nothing.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(crate) struct Seeded(u64);

impl Seeded {
    /// The stream of one name under a seed.
    pub(crate) fn of(seed: u64, name: &str) -> Self {
        Self(mix(seed) ^ hash(name))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix(self.0)
    }

    /// A number below `n` (0 when `n` is 0). The bias of one multiplication is below n / 2^64.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from((u128::from(self.next()) * n as u128) >> 64).unwrap_or(0)
    }

    /// Puts a list into random order: Fisher and Yates, from the end.
    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// How far the state goes from one number to the next.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The first number of the stream that begins at `x`: a number at random for each `x`, without a stream.
pub(crate) fn scattered(x: u64) -> u64 {
    mix(x.wrapping_add(STEP))
}

/// FNV-1a: stable across platforms and releases, which the standard library's hasher does not promise.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The output step: every bit of the input changes about half of the output.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_published_stream() {
        // First outputs of SplitMix64 from 0.
        let mut seeded = Seeded(0);
        assert_eq!([seeded.next(), seeded.next()], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
    }

    #[test]
    fn every_order_is_as_likely() {
        let mut seen: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
        for seed in 0..12_000 {
            let mut list = vec![0, 1, 2, 3];
            Seeded::of(seed, "a").shuffle(&mut list);
            *seen.entry(list).or_default() += 1;
        }
        // Expected 500 each, standard deviation 22.
        assert!(seen.len() == 24 && seen.values().all(|n| (400..600).contains(n)), "{seen:?}");
        assert_eq!(Seeded::of(1, "a").below(0), 0);
    }

    #[test]
    fn another_name_is_another_stream() {
        let draw = |seed, name| Seeded::of(seed, name).next();
        assert_ne!(draw(0, "a"), draw(0, "b"));
        assert_ne!(draw(0, "a"), draw(1, "a"));
    }
}
