//! Whether vectors made elsewhere tell equal sentences of different filings apart.
//!
//! What made them cannot be asked to encode a probe. But filings share sentences, and if not one such pair has two vectors, no context
//! went into them.

use std::hash::{BuildHasher, Hasher};

use eightk_encode::EncodedChunk;
use foldhash::fast::FixedState;
use foldhash::{HashMap, HashMapExt};

use crate::FilingChunks;

/// Compares vectors of equal sentences.
#[derive(Debug)]
pub(super) struct Twins {
    /// By hash of the sentence: the filing that had it first, and the hash of its vector.
    first: HashMap<u64, (usize, u64)>,
    pub(super) pairs: u64,
    pub(super) differ: u64,
}

impl Twins {
    pub(super) fn new() -> Self {
        Self { first: HashMap::new(), pairs: 0, differ: 0 }
    }

    /// Looks at the chunks of filing number `n`.
    pub(super) fn look<'e>(
        &mut self,
        n: usize,
        filing: &FilingChunks<'_, '_>,
        encoded: impl Iterator<Item = &'e EncodedChunk>,
    ) {
        for (chunk, encoded) in filing.chunks.iter().zip(encoded) {
            let (text, vector) = (hash(chunk.text.trim().as_bytes()), hash(&encoded.to_bytes()));
            let (filing, first) = *self.first.entry(text).or_insert((n, vector));
            if filing != n {
                self.pairs += 1;
                self.differ += u64::from(first != vector);
            }
        }
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(bytes);
    hasher.finish()
}
