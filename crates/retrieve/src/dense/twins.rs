//! Whether vectors made elsewhere tell equal sentences of different filings apart.
//!
//! What made them cannot be asked to encode a probe. But filings share sentences, and if not one such pair has two vectors, no context
//! went into them.

use std::hash::{BuildHasher, Hasher};

use eightk_encode::{EncodedChunk, Vector};
use foldhash::fast::FixedState;
use foldhash::{HashMap, HashMapExt};

use super::probe::same;
use crate::{Corpus, FilingChunks};

/// Compares vectors of equal sentences.
#[derive(Debug)]
pub(super) struct Twins {
    /// By hash of a sentence that several filings have: the filing that had it first and, once it came by, its vector.
    first: HashMap<u64, (usize, Option<Vector>)>,
    pub(super) pairs: u64,
    pub(super) differ: u64,
}

impl Twins {
    /// Looks for sentences that more than one filing has: only their vectors are held.
    pub(super) fn of(corpus: &Corpus<'_>) -> Self {
        let mut filings: HashMap<u64, (usize, bool)> = HashMap::new();
        for (n, filing) in corpus.filings().enumerate() {
            for chunk in filing.chunks {
                let (first, several) = filings.entry(hash(&chunk.text)).or_insert((n, false));
                *several |= *first != n;
            }
        }
        filings.retain(|_, (_, several)| *several);
        let mut first = HashMap::with_capacity(filings.len());
        first.extend(filings.into_iter().map(|(text, (n, _))| (text, (n, None))));
        Self { first, pairs: 0, differ: 0 }
    }

    /// Looks at the chunks of filing number `n`.
    pub(super) fn look<'e>(
        &mut self,
        n: usize,
        filing: &FilingChunks<'_, '_>,
        encoded: impl Iterator<Item = &'e EncodedChunk>,
    ) {
        for (chunk, encoded) in filing.chunks.iter().zip(encoded) {
            let Some((filing, first)) = self.first.get_mut(&hash(&chunk.text)) else { continue };
            match first {
                None => *first = Some(encoded.vector.clone()),
                // What a batch rounds otherwise is no context.
                Some(first) if *filing != n => {
                    self.pairs += 1;
                    self.differ += u64::from(same(first, &encoded.vector).is_none());
                }
                Some(_) => {}
            }
        }
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write(text.trim().as_bytes());
    hasher.finish()
}
