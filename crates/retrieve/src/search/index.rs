//! The index and its search.

use std::sync::atomic::{AtomicUsize, Ordering};

use eightk_encode::{Similarity, Vector};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::bits::BitRows;
use super::candidates::{Candidates, Scoring};
use super::distinct::{Distinct, Members};
use super::kernel::{Multiply, QUERIES, ROWS, Sums};
use super::panels::{Block, Panels, Row};
use super::queries::{Query, tiles};
use super::{SearchError, Storage, margin};
use crate::{Scored, TopK};

/// Queries that are searched together, at most. What each thread keeps of a query is a few times k.
const MOST_QUERIES: usize = 340 * QUERIES;
/// Candidates that a thread may hold for all queries it searches together.
const MOST_CANDIDATES: usize = 1 << 20;

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
        let mut by_position = std::collections::BTreeMap::new();
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
                let read =
                    Query::of(query, self.similarity).ok_or_else(|| no_direction("the query".to_owned(), query))?;
                let read = [read];
                let scoring = Scoring { panels, members, k, without: &without };
                let mut top = search(&read, &scoring, |top| top).pop().unwrap_or_else(|| TopK::new(k));
                for (position, vector) in by_position {
                    let row = Row::of(vector, self.storage, self.similarity)
                        .ok_or_else(|| no_direction(format!("the vector for position {position}"), vector))?;
                    for query in &read {
                        top.push(position, row.product(&query.values) * query.factor);
                    }
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

/// Lets the threads of the pool take blocks as they get to them; returns what each of them made of its blocks.
pub(super) fn by_blocks<S: Send>(
    blocks: usize,
    start: impl Fn() -> S + Sync,
    visit: impl Fn(&mut S, usize) + Sync,
) -> Vec<S> {
    let next = AtomicUsize::new(0);
    let work = |_| {
        let mut state = start();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks {
                return state;
            }
            visit(&mut state, block);
        }
    };
    let workers = rayon::current_num_threads().min(blocks);
    (0..workers).into_par_iter().with_max_len(1).map(work).collect()
}

/// The best k for each query, made into what is wanted of them as soon as they are known.
fn search<R: Send>(queries: &[Query], scoring: &Scoring<'_>, finish: impl Fn(TopK) -> R + Sync) -> Vec<R> {
    if scoring.k == 0 {
        return queries.iter().map(|_| finish(TopK::new(0))).collect();
    }
    let enough = scoring.k.saturating_add(scoring.without.len());
    let together = (MOST_CANDIDATES / enough).clamp(QUERIES, MOST_QUERIES).next_multiple_of(QUERIES);
    queries.chunks(together).flat_map(|queries| search_together(queries, scoring, &finish)).collect()
}

/// What one thread holds while it searches.
struct Worker {
    candidates: Vec<Candidates>,
    scratch: Vec<f32>,
}

fn search_together<R: Send>(queries: &[Query], scoring: &Scoring<'_>, finish: &(impl Fn(TopK) -> R + Sync)) -> Vec<R> {
    let (panels, arch) = (scoring.panels, Arch::new());
    let tiles = tiles(queries, panels.dims);
    let start =
        || Worker { candidates: queries.iter().map(|_| Candidates::new(scoring)).collect(), scratch: Vec::new() };
    let workers = by_blocks(panels.blocks.len(), start, |worker, at| {
        let Some(block) = panels.blocks.get(at) else { return };
        let floats = block.floats(arch, &mut worker.scratch);
        let of_tile = tiles.chunks_exact(QUERIES * panels.dims).zip(queries.chunks(QUERIES));
        for ((tile, queries), candidates) in of_tile.zip(worker.candidates.chunks_mut(QUERIES)) {
            let first = at * panels.block_rows;
            arch.dispatch(Sweep { block, floats, first, tile, queries, candidates, scoring });
        }
    });
    let mut of_query: Vec<Vec<Candidates>> = queries.iter().map(|_| Vec::new()).collect();
    for worker in workers {
        of_query.iter_mut().zip(worker.candidates).for_each(|(all, one)| all.push(one));
    }
    let join = |(parts, query)| finish(Candidates::join(parts, query, scoring));
    of_query.into_par_iter().zip(queries).map(join).collect()
}

/// One block against one tile of queries.
struct Sweep<'s, 'i> {
    block: &'s Block,
    floats: &'s [f32],
    /// The block's first row.
    first: usize,
    tile: &'s [f32],
    queries: &'s [Query],
    candidates: &'s mut [Candidates],
    scoring: &'s Scoring<'i>,
}

impl WithSimd for Sweep<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let dims = self.scoring.panels.dims;
        let relative = margin::relative(dims);
        let mut sums: Sums = [[0.0; ROWS]; QUERIES];
        let panels = self.floats.chunks_exact(ROWS * dims).zip(&self.block.reaches);
        for (at, ((panel, reach), weights)) in panels.zip(self.block.weights.chunks_exact(ROWS)).enumerate() {
            Multiply { panel, tile: self.tile, sums: &mut sums }.with_simd(simd);
            let margin = relative * reach;
            for ((sums, query), candidates) in sums.iter_mut().zip(self.queries).zip(self.candidates.iter_mut()) {
                let least = candidates.floor() - margin;
                let mut below = true;
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum *= weight;
                    // NaN is not below anything.
                    below &= *sum < least;
                }
                if below {
                    continue;
                }
                for (row, value) in (at * ROWS..self.block.rows).zip(sums.iter()) {
                    if *value >= least || value.is_nan() {
                        let row = u32::try_from(self.first + row).unwrap_or(u32::MAX);
                        candidates.take(row, *value, margin, query, self.scoring);
                    }
                }
            }
        }
    }
}
