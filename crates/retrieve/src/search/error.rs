//! Why vectors cannot be indexed or searched.

use eightk_encode::Similarity;

/// What is wrong with vectors, storage or similarity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// Used wrong: no storage has this name.
    #[error("`{0}` is no storage; possible are f32, f16 and int8")]
    UnknownStorage(String),
    /// A vector of another length or kind than those before it.
    #[error("{what} has {given}, the index has {expected}")]
    Unlike {
        /// Which vector.
        what: String,
        /// Length and kind of the index.
        expected: String,
        /// Length and kind of this one.
        given: String,
    },
    /// A vector that has no similarity to anything: of zeros, or with NaN or infinity in it.
    #[error("{what} {why}; it has no similarity to anything")]
    NoDirection {
        /// Which vector.
        what: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A way of comparing that vectors of this kind do not have.
    #[error("{kind} vectors have no {similarity:?} similarity, only bits have; cosine and dot are what others have")]
    Similarity {
        /// `f32`, `int8` or `binary`.
        kind: &'static str,
        /// What was asked for.
        similarity: Similarity,
    },
    /// More dimensions than the error bound is proven for, or none.
    #[error("vectors of {0} dimensions cannot be searched; 1 to 65536 can")]
    Dimensions(usize),
    /// More vectors than a position can number.
    #[error("more vectors than an index can number (2^32 - 2)")]
    TooMany,
    /// There is no vector at a position that is to be replaced.
    #[error("no vector stands at position {position} of {len}")]
    NoPosition {
        /// The position.
        position: u32,
        /// How many there are.
        len: usize,
    },
}
