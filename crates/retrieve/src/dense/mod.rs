//! Systems of vectors: every chunk encoded under a view, every query encoded, the two compared.
//!
//! ```text
//! corpus ──▶ inputs ──▶ groups of filings ──▶ store? ──▶ encoder, for what is missing ──▶ checked ──▶ kept ──▶ index
//!            (view,     (equal texts without              (filings with their              (count, size,  (at    (in corpus
//!             control)   a context once)                   neighbours)                      NaN, zero)     once)  order)
//! ```
//!
//! **Vectors flow.** The index draws vectors in the order of the corpus, and drawing the next one is what encodes the next group. So at no
//! time are all inputs in memory beside all vectors, nor all vectors twice; what is held beside the index is one group and the vectors of
//! texts that will come again. The road not taken is to encode everything into a list and index the list: a million chunks would
//! then need room for their vectors twice.
//!
//! **Equal texts are one text.** Without a context, a sentence that stands in fifty filings is encoded once, and its fifty vectors are equal to
//! the last bit; encoded fifty times they would differ in the last bits by the batches they were in, and ties would be broken by
//! accident. With a context nothing is shared: there the difference is what is being measured.
//!
//! **A claim of context is put to the test.** See [`probe`].

mod binding;
mod described;
mod encoding;
mod feed;
mod plan;
mod probe;
mod repeats;
mod swapped;
mod system;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod toys;
mod twins;

pub use plan::{Plan, Planner};
pub use system::Dense;
