//! BM25 over one view.
//!
//! ```text
//! score(q, c) = Σ over terms t of q, in the order they first occur:
//!               count(t in q) · idf(t) · tf / (tf + k1 · (1 − b + b · |c| / average |c|))
//! idf(t)      = ln(1 + (N − n + ½) / (n + ½))
//! ```
//!
//! N chunks, n of them with t; |c| counts the terms of the chunk **as the view shows it**, title and context included. That is
//! Lucene's form: the idf is positive even for words in most chunks, and the factor k1 + 1, which ranks nothing differently, is left
//! out. Unlike Lucene, lengths are exact. A chunk without a word of the query has no score and is not returned.
//!
//! The sum runs in one order and each summand depends on tf, |c| and the corpus alone, so chunks that look alike score
//! alike to the last bit, whatever their ids, positions and the number of threads. Impacts quantised to a byte, or
//! dynamic pruning (WAND), would be faster on millions of chunks and would blur or reorder exactly these ties.

mod explain;
mod index;
mod options;
mod search;

pub use explain::{Explanation, TermScore};
pub use options::Bm25Options;
pub use search::Bm25;

/// Weight of a term that `n` of `total` texts contain.
pub(crate) fn idf(total: usize, n: usize) -> f64 {
    let (total, n) = (total as f64, n as f64);
    (1.0 + (total - n + 0.5) / (n + 0.5)).ln()
}
