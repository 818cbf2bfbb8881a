//! Random numbers that are the same everywhere and for ever.
//!
//! xoshiro256++ seeded by splitmix64 (Blackman and Vigna), written out here: a published interval must not change because a
//! dependency changed its default generator.

/// The generator.
#[derive(Debug, Clone)]
pub(crate) struct Rng([u64; 4]);

impl Rng {
    /// A generator whose stream depends on nothing but the seed.
    pub(crate) fn new(seed: u64) -> Self {
        let mut state = seed;
        let mut split = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            z ^ (z >> 31)
        };
        Self([split(), split(), split(), split()])
    }

    /// 64 random bits.
    pub(crate) fn next(&mut self) -> u64 {
        let s = &mut self.0;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// A number below `n` (0 when `n` is 0). The bias of one multiplication is below n / 2^64, far under anything a
    /// resample could show.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_streams() {
        // First outputs of splitmix64 from 0, which seed the state, and of xoshiro256++ from the state 1, 2, 3, 4.
        assert_eq!(Rng::new(0).0[..2], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
        let mut rng = Rng([1, 2, 3, 4]);
        assert_eq!([rng.next(), rng.next(), rng.next()], [41_943_041, 58_720_359, 3_588_806_011_781_223]);
    }

    #[test]
    fn below_covers_the_range_evenly() {
        let mut rng = Rng::new(7);
        let mut seen = [0_u32; 10];
        for _ in 0..100_000 {
            seen[rng.below(10)] += 1;
        }
        assert!(seen.iter().all(|n| (9_500..10_500).contains(n)), "{seen:?}");
        assert_eq!(rng.below(0), 0);
    }
}
