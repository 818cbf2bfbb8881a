//! How fast vectors go into the cache and come out: by the filing, as a run does it, and in bulk.

#![allow(clippy::unwrap_used)]

use divan::Bencher;
use divan::counter::ItemsCount;
use eightk_encode::{Identity, Similarity, Stored, Vector, VectorKey, VectorStore};
use eightk_vectors::Cache;
use sha2::{Digest, Sha256};

const DIMS: usize = 384;

fn main() {
    divan::main();
}

fn who() -> Identity {
    Identity {
        provider: "bench".into(),
        model: "m".into(),
        revision: "r".into(),
        dims: Some(DIMS),
        similarity: Similarity::Cosine,
        query_prompt: String::new(),
        passage_prompt: String::new(),
        settings: std::collections::BTreeMap::new(),
    }
}

fn entries(from: usize, n: usize) -> Vec<(VectorKey, Stored)> {
    let one = |i: usize| {
        let vector = (0..DIMS).map(|d| (i * 31 + d) as f32).collect();
        (VectorKey(Sha256::digest(i.to_le_bytes()).into()), Stored::whole(Vector::F32(vector)))
    };
    (from..from + n).map(one).collect()
}

/// Put in transactions of `batch`.
#[divan::bench(args = [20, 1_000, 10_000], sample_count = 5)]
fn put(bencher: Bencher, batch: usize) {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(dir.path());
    let mut from = 0;
    bencher
        .counter(ItemsCount::new(batch))
        .with_inputs(|| {
            from += batch;
            entries(from, batch)
        })
        .bench_local_refs(|entries| cache.put(&who(), entries).unwrap());
}

/// Get in batches of 1,000 out of 50,000.
#[divan::bench(sample_count = 20)]
fn get(bencher: Bencher) {
    let dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(dir.path());
    cache.put(&who(), &entries(0, 50_000)).unwrap();
    let keys: Vec<VectorKey> = entries(0, 50_000).into_iter().map(|(k, _)| k).collect();
    let mut batches = keys.chunks(1_000).cycle();
    bencher.counter(ItemsCount::new(1_000usize)).bench_local(|| {
        let found = cache.get(&who(), batches.next().unwrap()).unwrap();
        assert!(found.iter().all(Option::is_some));
    });
}
