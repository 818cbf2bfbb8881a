//! Queries: as the kernel reads them, and as scores are made of them.

use eightk_encode::{Similarity, Vector};

use super::kernel::QUERIES;
use super::row;

/// A query in f64.
#[derive(Debug)]
pub(super) struct Query {
    /// Its values, exactly.
    pub(super) values: Vec<f64>,
    /// What a row's product is multiplied by to give the score.
    pub(super) factor: f64,
    /// What the kernel's values are multiplied by to give the score, but for rounding.
    pub(super) unit: f64,
    length: f64,
}

impl Query {
    /// None for a vector without direction.
    pub(super) fn of(vector: &Vector, similarity: Similarity) -> Option<Self> {
        let values: Vec<f64> = match vector {
            Vector::F32(v) => v.iter().map(|x| f64::from(*x)).collect(),
            Vector::I8(v) => v.iter().map(|x| f64::from(*x)).collect(),
            Vector::Bits(_) => return None,
        };
        let length = row::length(&values);
        let (factor, unit) = if similarity == Similarity::Cosine { (1.0 / length, 1.0) } else { (1.0, length) };
        (length > 0.0 && length.is_finite()).then_some(Self { values, factor, unit, length })
    }
}

/// Queries at length 1 in f32, in tiles of [`QUERIES`], dimension by dimension. The last tile is filled up with zeros.
pub(super) fn tiles(queries: &[Query], dims: usize) -> Vec<f32> {
    let mut tiles = vec![0.0; queries.len().div_ceil(QUERIES) * QUERIES * dims];
    for (queries, tile) in queries.chunks(QUERIES).zip(tiles.chunks_exact_mut(QUERIES * dims)) {
        for (at, query) in queries.iter().enumerate() {
            for (values, value) in tile.chunks_exact_mut(QUERIES).zip(&query.values) {
                values[at] = (value / query.length) as f32;
            }
        }
    }
    tiles
}
