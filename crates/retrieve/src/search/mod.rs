//! Exact search over vectors: the best k of all, whatever their number.
//!
//! ```text
//! Vector ──▶ rows of panels ──▶ products of a block, f32 ──▶ candidates ──▶ f64 ──▶ TopK
//!            (f32, f16, int8)   (queries × 32 at a time)     (within a       (fixed    (ties
//!                                                             proven margin)  order)    whole)
//! ```
//!
//! **Fast and exact at once.** Products are summed in f32 by a blocked kernel, which is what the machine does fastest, but no
//! score comes from them. They say who can be among the best k: the distance between such a sum and the true product has
//! a bound (see `margin`), and whoever could reach the k-th best within it is a candidate. Candidates are scored again in
//! f64, dimension by dimension in a fixed order. So equal vectors have equal scores to the last bit, and neither blocks
//! nor threads nor the CPU's instructions change a score. The roads not taken: f32 scores as libraries for search return
//! them, where the same vector scores differently at the edge of a block and ties are lost; and approximate indexes,
//! which answer a question nobody asked about corpora that fit into memory.
//!
//! **Laid out once.** Rows are stored as the kernel reads them, 32 vectors side by side, so that a search copies nothing.
//! A general matrix product would pack them anew for each call and write a block of scores to memory and read it again;
//! here a block of 32 × 12 scores is looked at while it is in the nearest cache.
//!
//! **Stored once.** Vectors that are stored alike are one row: a thousand copies of a sentence cost no more than one.

mod bits;
mod candidates;
mod distinct;
mod error;
mod index;
mod kernel;
mod margin;
mod panels;
mod queries;
mod row;
mod storage;
mod sweep;
#[cfg(test)]
mod tests;

pub use error::SearchError;
pub use index::VectorIndex;
pub use storage::Storage;
