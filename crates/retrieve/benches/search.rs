//! Exact search over random vectors: `cargo bench -p eightk-retrieve --bench search`. For a million vectors, and beside other libraries,
//! see `benches/peers/search.py`.

#![allow(clippy::expect_used, reason = "a bench that cannot be set up has nothing to measure")]

use divan::Bencher;
use divan::counter::ItemsCount;
use eightk_encode::{Similarity, Vector};
use eightk_retrieve::{Storage, VectorIndex};

fn main() {
    divan::main();
}

const DIMS: usize = 384;
const QUERIES: usize = 40;
const K: usize = 100;

/// Bytes that look random.
fn random(seed: u64) -> impl FnMut() -> u8 {
    let mut state = seed | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 56) as u8
    }
}

fn floats(n: usize, seed: u64) -> Vec<Vector> {
    let mut next = random(seed);
    (0..n).map(|_| Vector::F32((0..DIMS).map(|_| f32::from(next()) - 127.5).collect())).collect()
}

fn bits(n: usize, seed: u64) -> Vec<Vector> {
    let mut next = random(seed);
    (0..n).map(|_| Vector::Bits((0..DIMS / 8).map(|_| next()).collect())).collect()
}

fn numbers(vectors: usize, queries: usize) -> ItemsCount {
    ItemsCount::new(vectors * queries)
}

#[divan::bench(args = [Storage::F32, Storage::F16, Storage::Int8], consts = [5_000, 50_000], sample_count = 10)]
fn build<const CHUNKS: usize>(bencher: Bencher<'_, '_>, storage: Storage) {
    let vectors = floats(CHUNKS, 1);
    bencher
        .counter(numbers(CHUNKS, 1))
        .with_inputs(|| vectors.clone())
        .bench_values(|vectors| VectorIndex::new(storage, Similarity::Cosine, vectors));
}

#[divan::bench(args = [Storage::F32, Storage::F16, Storage::Int8], consts = [5_000, 50_000], sample_count = 10)]
fn search_40_queries<const CHUNKS: usize>(bencher: Bencher<'_, '_>, storage: Storage) {
    let index = VectorIndex::new(storage, Similarity::Cosine, floats(CHUNKS, 1)).expect("vectors are alike");
    let queries = floats(QUERIES, 2);
    bencher.counter(numbers(CHUNKS, QUERIES)).bench(|| index.search(&queries, K));
}

#[divan::bench(args = [5_000, 50_000], sample_count = 10)]
fn search_one_query(bencher: Bencher<'_, '_>, chunks: usize) {
    let index = VectorIndex::new(Storage::F32, Similarity::Cosine, floats(chunks, 1)).expect("vectors are alike");
    let queries = floats(1, 2);
    bencher.counter(numbers(chunks, 1)).bench(|| index.search(&queries, K));
}

#[divan::bench(args = [5_000, 50_000], sample_count = 10)]
fn search_40_queries_of_bits(bencher: Bencher<'_, '_>, chunks: usize) {
    let index = VectorIndex::new(Storage::F32, Similarity::Hamming, bits(chunks, 1)).expect("vectors are alike");
    let queries = bits(QUERIES, 2);
    bencher.counter(numbers(chunks, QUERIES)).bench(|| index.search(&queries, K));
}

/// Thousands within the margin of each other: all are scored in f64.
#[divan::bench(sample_count = 10)]
fn search_40_queries_of_near_ties(bencher: Bencher<'_, '_>) {
    let Some(Vector::F32(base)) = floats(1, 1).pop() else { return };
    let near = |i: usize| {
        let mut vector = base.clone();
        for (at, value) in vector.iter_mut().enumerate().take(16) {
            *value = if i >> at & 1 == 1 { value.next_up() } else { *value };
        }
        Vector::F32(vector)
    };
    let index = VectorIndex::new(Storage::F32, Similarity::Cosine, (0..5_000).map(near)).expect("vectors are alike");
    let queries = floats(QUERIES, 2);
    bencher.counter(numbers(5_000, QUERIES)).bench(|| index.search(&queries, K));
}
