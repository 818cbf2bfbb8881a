//! All rows against all queries, block by block, over the threads of the pool.
//!
//! A thread takes a block of rows, which then lies in its second cache, and runs all queries past it in tiles that lie in the first.
//! What it keeps is its own until all are done: candidates per query, never scores per query and row.

use std::sync::atomic::{AtomicUsize, Ordering};

use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

use super::candidates::{Candidates, Scoring};
use super::kernel::{Multiply, QUERIES, ROWS, Sums};
use super::margin;
use super::panels::Block;
use super::queries::{Query, tiles};
use crate::TopK;

/// Queries that are searched together, at most. What each thread keeps of a query is a few times k.
const MOST_QUERIES: usize = 340 * QUERIES;
/// Candidates that a thread may hold for all queries it searches together.
const MOST_CANDIDATES: usize = 1 << 20;

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
pub(super) fn search<R: Send>(queries: &[Query], scoring: &Scoring<'_>, finish: impl Fn(TopK) -> R + Sync) -> Vec<R> {
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
