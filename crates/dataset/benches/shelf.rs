//! A set of 200,000 chunks opened and looked at. A million, with memory: the ignored test in `tests/shelf_size.rs`.
#![allow(clippy::unwrap_used)] // Helpers of tests fail like tests.

#[path = "../tests/many/mod.rs"]
mod many;

use std::path::PathBuf;
use std::sync::LazyLock;

use divan::{Bencher, black_box};
use eightk_dataset::{Shelf, Source};

const FILINGS: usize = 20_000;
const QUERIES: usize = 2_000;

/// The set; written once, and left for the next time in the build folder.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("shelf-bench");
    if !folder.exists() {
        many::write(&folder, FILINGS, QUERIES, 100);
    }
    folder
});

static SHELF: LazyLock<Shelf> = LazyLock::new(|| {
    let shelf = open();
    shelf.warm().unwrap();
    shelf
});

fn main() {
    LazyLock::force(&SHELF);
    divan::main();
}

fn open() -> Shelf {
    Shelf::open(&Source::Folder(FOLDER.clone())).unwrap()
}

/// Filing after filing, near and far.
fn each<T>(bencher: Bencher, look: impl Fn(&str) -> T + Sync) {
    let mut next = 0;
    let mut filing = || {
        next = (next + 7_919) % FILINGS;
        many::source_url(next)
    };
    bencher.with_inputs(&mut filing).bench_local_values(|source_url| look(black_box(&source_url)));
}

#[divan::bench]
fn open_set(bencher: Bencher) {
    bencher.bench(open);
}

#[divan::bench]
fn index_lines(bencher: Bencher) {
    bencher.with_inputs(open).bench_values(|shelf| shelf.warm().unwrap());
}

#[divan::bench]
fn chunks(bencher: Bencher) {
    each(bencher, |source_url| SHELF.chunks(source_url).unwrap());
}

#[divan::bench]
fn row(bencher: Bencher) {
    each(bencher, |source_url| SHELF.row(source_url).unwrap());
}

#[divan::bench]
fn dropped(bencher: Bencher) {
    each(bencher, |source_url| SHELF.dropped(source_url).unwrap());
}

#[divan::bench]
fn marks(bencher: Bencher) {
    each(bencher, |source_url| SHELF.facts_of(source_url).unwrap());
}

#[divan::bench]
fn rivals(bencher: Bencher) {
    bencher.bench(|| SHELF.rivals(black_box(QUERIES / 2)).unwrap());
}

#[divan::bench(args = ["company 19999", "y 1", "8-k"])]
fn find(bencher: Bencher, text: &str) {
    bencher.bench(|| SHELF.find_filings(black_box(text), 0, 50));
}
