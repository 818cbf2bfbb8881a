//! The index and its search.

use std::collections::BTreeMap;

use eightk_encode::{Similarity, Vector};

use super::bits::BitRows;
use super::candidates::Scoring;
use super::distinct::{Distinct, Members};
use super::panels::Panels;
use super::queries::Query;
use super::row::Row;
use super::sweep::search;
use super::{SearchError, Storage, margin};
use crate::{Scored, TopK};

/// Vectors by position, searched exactly.
///
/// A score is, in f64: the cosine; or the inner product; or for bits how many agree less how many differ, as a share of all
/// (for [`Similarity::Dot`] not as a share). Vectors stored as f16 or int8 are what their storage made of them, and their scores
/// are exact for that. Queries are never rounded.
///
/// ```
/// use eightk_encode::{Similarity, Vector};
/// use eightk_retrieve::{Storage, VectorIndex};
///
/// let chunks = [[1.0, 0.0], [0.6, 0.8], [3.0, 1.0]].map(|v| Vector::F32(v.to_vec()));
/// let index = VectorIndex::new(Storage::F32, Similarity::Cosine, chunks)?;
/// let found = index.search(&[Vector::F32(vec![1.0, 0.1])], 2)?;
/// assert_eq!(found[0].iter().map(|s| s.position).collect::<Vec<_>>(), [0, 2]);
/// # Ok::<(), eightk_retrieve::SearchError>(())
/// ```
#[derive(Debug)]
pub struct VectorIndex {
    storage: Storage,
    similarity: Similarity,
    len: usize,
    /// Of the first vector.
    shape: Option<(usize, &'static str)>,
    rows: Rows,
}

#[derive(Debug)]
enum Rows {
    Numbers(Panels, Members),
    Bits(BitRows),
}

impl VectorIndex {
    /// Takes vectors in, in the order of their positions. All must be of one kind and length.
    ///
    /// # Errors
    ///
    /// [`SearchError::Unlike`], [`SearchError::NoDirection`], [`SearchError::Similarity`], [`SearchError::Dimensions`],
    /// [`SearchError::TooMany`].
    pub fn new(
        storage: Storage,
        similarity: Similarity,
        vectors: impl IntoIterator<Item = Vector>,
    ) -> Result<Self, SearchError> {
        let mut vectors = vectors.into_iter().peekable();
        let first = vectors.peek().map_or((1, "f32"), |v| (v.dims(), v.kind()));
        let mut index = Self { storage, similarity, len: 0, shape: None, rows: Rows::Bits(BitRows::new(0)) };
        if vectors.peek().is_none() {
            return Ok(index);
        }
        if !(1..=margin::MOST_DIMENSIONS).contains(&first.0) {
            return Err(SearchError::Dimensions(first.0));
        }
        if first.1 != "binary" && similarity == Similarity::Hamming {
            return Err(SearchError::Similarity { kind: first.1, similarity });
        }
        index.shape = Some(first);
        if first.1 == "binary" {
            let mut rows = BitRows::new(first.0);
            for vector in vectors {
                index.admit(&vector)?;
                if let Vector::Bits(bits) = &vector {
                    rows.push(bits);
                }
            }
            index.rows = Rows::Bits(rows);
        } else {
            let (mut panels, mut distinct) = (Panels::new(first.0), Distinct::new());
            for vector in vectors {
                index.admit(&vector)?;
                let row = Row::of(&vector, storage, similarity)
                    .ok_or_else(|| no_direction(format!("the vector at position {}", index.len - 1), &vector))?;
                if distinct.add(&row, |known| panels.same(known, &row)) {
                    panels.push(&row);
                }
            }
            panels.finish();
            index.rows = Rows::Numbers(panels, distinct.finish());
        }
        Ok(index)
    }

    /// Counts one more vector, if it is like the others.
    fn admit(&mut self, vector: &Vector) -> Result<(), SearchError> {
        self.check(vector, || format!("the vector at position {}", self.len))?;
        self.len += 1;
        if u32::try_from(self.len).is_ok_and(|n| n < u32::MAX) { Ok(()) } else { Err(SearchError::TooMany) }
    }

    /// Vectors of different kinds or lengths are not compared.
    fn check(&self, vector: &Vector, what: impl Fn() -> String) -> Result<(), SearchError> {
        let (is, shape) = ((vector.dims(), vector.kind()), self.shape.unwrap_or((vector.dims(), vector.kind())));
        if is == shape {
            return Ok(());
        }
        let size = |(dims, kind): (usize, &str)| format!("{dims} dimensions ({kind})");
        Err(SearchError::Unlike { what: what(), expected: size(shape), given: size(is) })
    }

    /// How many vectors.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is nothing to find.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many vectors are stored: those that are stored alike are one.
    pub fn distinct(&self) -> usize {
        match &self.rows {
            Rows::Numbers(panels, _) => panels.rows(),
            Rows::Bits(rows) => rows.len(),
        }
    }

    /// The best `k` positions for each query, best first, ties at the border whole (see [`TopK`]). Over the current rayon pool;
    /// the result is the same whatever its size.
    ///
    /// # Errors
    ///
    /// [`SearchError::Unlike`], [`SearchError::NoDirection`].
    pub fn search(&self, queries: &[Vector], k: usize) -> Result<Vec<Vec<Scored>>, SearchError> {
        let named = |at: usize| format!("query {at}");
        for (at, query) in queries.iter().enumerate() {
            self.check(query, || named(at))?;
        }
        Ok(match &self.rows {
            Rows::Bits(rows) => rows.search(queries, self.similarity, k, &[]).into_iter().map(TopK::finish).collect(),
            Rows::Numbers(panels, members) => {
                let read =
                    |(at, query)| Query::of(query, self.similarity).ok_or_else(|| no_direction(named(at), query));
                let queries = queries.iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
                search(&queries, &Scoring { panels, members, k: k.min(self.len), without: &[] }, TopK::finish)
            }
        })
    }

    /// The best `k` positions for a query when other vectors stand at some positions. Of several for one position the last counts.
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search), also for the vectors put in; [`SearchError::NoPosition`].
    pub fn search_replaced(
        &self,
        query: &Vector,
        replaced: &[(u32, Vector)],
        k: usize,
    ) -> Result<Vec<Scored>, SearchError> {
        self.check(query, || "the query".to_owned())?;
        let mut by_position = BTreeMap::new();
        for (position, vector) in replaced {
            self.check(vector, || format!("the vector for position {position}"))?;
            if *position as usize >= self.len {
                return Err(SearchError::NoPosition { position: *position, len: self.len });
            }
            by_position.insert(*position, vector);
        }
        let without: Vec<u32> = by_position.keys().copied().collect();
        let k = k.min(self.len);
        let top = match &self.rows {
            Rows::Bits(rows) => {
                let mut tops = rows.search(std::slice::from_ref(query), self.similarity, k, &without);
                let mut top = tops.pop().unwrap_or_else(|| TopK::new(k));
                for (position, vector) in by_position {
                    top.push(position, rows.score(query, vector, self.similarity));
                }
                top
            }
            Rows::Numbers(panels, members) => {
                let query =
                    Query::of(query, self.similarity).ok_or_else(|| no_direction("the query".to_owned(), query))?;
                let scoring = Scoring { panels, members, k, without: &without };
                let mut tops = search(std::slice::from_ref(&query), &scoring, |top| top);
                let mut top = tops.pop().unwrap_or_else(|| TopK::new(k));
                for (position, vector) in by_position {
                    let row = Row::of(vector, self.storage, self.similarity)
                        .ok_or_else(|| no_direction(format!("the vector for position {position}"), vector))?;
                    top.push(position, row.product(&query.values) * query.factor);
                }
                top
            }
        };
        Ok(top.finish())
    }
}

fn no_direction(what: String, vector: &Vector) -> SearchError {
    let finite = |v: &Vector| match v {
        Vector::F32(v) => v.iter().all(|x| x.is_finite()),
        Vector::I8(_) | Vector::Bits(_) => true,
    };
    SearchError::NoDirection { what, why: if finite(vector) { "is all zeros" } else { "holds NaN or infinity" } }
}
