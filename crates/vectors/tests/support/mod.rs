//! Vectors whose every number follows from a counter, so that any of them can be checked without being kept.

#![allow(dead_code, unreachable_pub)] // each test binary uses its own part

use eightk_encode::{EncodedChunk, Identity, Similarity, Stored, Vector, VectorKey};
use sha2::{Digest, Sha256};

/// A toy encoder.
pub fn who(model: &str) -> Identity {
    Identity {
        provider: "toy".into(),
        model: model.into(),
        revision: "r1".into(),
        dims: None,
        similarity: Similarity::Cosine,
        query_prompt: String::new(),
        passage_prompt: String::new(),
        settings: std::collections::BTreeMap::new(),
    }
}

/// The `n`th key and what belongs under it.
pub fn pair(n: u64) -> (VectorKey, Stored) {
    let vector = match n % 3 {
        0 => Vector::F32((1..=300).map(|i| (n * i) as f32 + 0.5).collect()),
        1 => Vector::I8((1..=1500).map(|i| (n * i % 251) as i8).collect()),
        _ => Vector::Bits((1..=40).map(|i| (n * i % 253) as u8).collect()),
    };
    (key(n), EncodedChunk { vector, truncated: n.is_multiple_of(5), seen: None })
}

/// The `n`th key.
pub fn key(n: u64) -> VectorKey {
    VectorKey(Sha256::digest(n.to_le_bytes()).into())
}

/// The keys of a range.
pub fn keys(range: std::ops::Range<u64>) -> Vec<VectorKey> {
    range.map(key).collect()
}

/// Small numbers that look random and are the same each time.
pub struct Dice(pub u64);

impl Dice {
    /// 0 to `n` − 1.
    pub fn roll(&mut self, n: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}
