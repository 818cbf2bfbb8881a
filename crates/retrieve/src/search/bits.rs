//! Bits, compared by how many differ.
//!
//! Counts are whole numbers, so scores need no margin: what is counted is the score. Rows are as they come, 64 bits to a word.

use eightk_encode::{Similarity, Vector};
use pulp::Arch;

use super::sweep::by_blocks;
use crate::TopK;

/// Words that one thread looks at for one query after another: they stay in the first cache.
const BLOCK: usize = 3 * 1024;

/// Rows of bits.
#[derive(Debug)]
pub(super) struct BitRows {
    dims: usize,
    /// Words of a row.
    width: usize,
    words: Vec<u64>,
}

impl BitRows {
    pub(super) const fn new(dims: usize) -> Self {
        Self { dims, width: dims.div_ceil(64), words: Vec::new() }
    }

    pub(super) fn push(&mut self, bits: &[u8]) {
        self.words.extend(words(bits));
    }

    pub(super) fn len(&self) -> usize {
        self.words.len().checked_div(self.width).unwrap_or(0)
    }

    /// How alike two vectors are of which so many bits differ.
    fn score_of(&self, differ: u32, similarity: Similarity) -> f64 {
        let balance = self.dims as f64 - 2.0 * f64::from(differ);
        if similarity == Similarity::Dot { balance } else { balance / self.dims as f64 }
    }

    /// How many bits differ at a score: the inverse of `score_of`.
    fn differ(&self, score: f64, similarity: Similarity) -> u32 {
        let balance = if similarity == Similarity::Dot { score } else { score * self.dims as f64 };
        ((self.dims as f64 - balance) / 2.0).round() as u32
    }

    /// How alike two vectors are.
    pub(super) fn score(&self, a: &Vector, b: &Vector, similarity: Similarity) -> f64 {
        let (Vector::Bits(a), Vector::Bits(b)) = (a, b) else { return f64::NAN };
        self.score_of(a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum(), similarity)
    }

    /// The best k for each query, without some positions (ascending).
    pub(super) fn search(&self, queries: &[Vector], similarity: Similarity, k: usize, without: &[u32]) -> Vec<TopK> {
        let queries: Vec<Vec<u64>> = queries
            .iter()
            .map(|query| if let Vector::Bits(bits) = query { words(bits).collect() } else { Vec::new() })
            .collect();
        let (arch, k) = (Arch::new(), k.min(self.len()));
        let rows = (BLOCK / self.width.max(1)).max(1);
        let start = || (queries.iter().map(|_| (TopK::new(k), u32::MAX)).collect::<Vec<_>>(), Vec::new());
        let visit = |(tops, counts): &mut (Vec<(TopK, u32)>, Vec<u32>), block: usize| {
            let first = block * rows;
            let block = self.words.chunks(rows * self.width).nth(block).unwrap_or_default();
            for (query, (top, most)) in queries.iter().zip(tops) {
                arch.dispatch(|| count(block, query, self.width, counts));
                for (position, differ) in (first..).zip(counts.iter()) {
                    let position = u32::try_from(position).unwrap_or(u32::MAX);
                    if differ > most || without.binary_search(&position).is_ok() {
                        continue;
                    }
                    top.push(position, self.score_of(*differ, similarity));
                    if let Some(border) = top.border_of_k() {
                        *most = self.differ(border, similarity);
                    }
                }
            }
        };
        if self.width == 0 || k == 0 {
            return queries.iter().map(|_| TopK::new(k)).collect();
        }
        let mut tops: Vec<_> = queries.iter().map(|_| TopK::new(k)).collect();
        for (worker, _) in by_blocks(self.len().div_ceil(rows), start, visit) {
            tops.iter_mut().zip(worker).for_each(|(all, (one, _))| all.absorb(one));
        }
        tops
    }
}

/// Bytes as words, the first byte lowest; the last word is filled up with zeros on both sides of any comparison.
fn words(bits: &[u8]) -> impl Iterator<Item = u64> {
    bits.chunks(8).map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
}

/// How many bits of each row differ from the query's.
#[inline(always)]
fn count(rows: &[u64], query: &[u64], width: usize, counts: &mut Vec<u32>) {
    counts.clear();
    counts.extend(
        rows.chunks_exact(width).map(|row| row.iter().zip(query).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>()),
    );
}
