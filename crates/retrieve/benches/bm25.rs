//! Index and search on generated sentences: `cargo bench -p eightk-retrieve`.

#![allow(clippy::expect_used, reason = "a bench that cannot be set up has nothing to measure")]

use std::sync::OnceLock;

use divan::Bencher;
use eightk_core::{CharSpan, Chunk};
use eightk_retrieve::{Bm25, Bm25Options, Corpus, QueryInput, View, run_system};

fn main() {
    divan::main();
}

const QUERIES: usize = 40;

/// Sentences of 10 to 40 words over a vocabulary with a long tail, 20 to a filing.
fn corpus(chunks: usize) -> Vec<Chunk> {
    let mut state = 1u64;
    let mut next = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut word = move || {
        // The reciprocal of a uniform draw: rank 1 often, rank 20,000 seldom.
        let rank = 20_000 / (1 + next(20_000));
        format!("word{rank}")
    };
    let mut sentence = move |words: usize| (0..words).map(|_| word()).collect::<Vec<_>>().join(" ");
    let of = |n: usize| {
        let (filing, idx) = (n / 20, n % 20);
        let text = format!("The Company, {}.", sentence(10 + (n * 7) % 31));
        Chunk {
            id: format!("{filing:010}-25-000001#s{idx}"),
            span: CharSpan::new(idx, idx + text.len()),
            text,
            source_url: format!("{filing:010}-25-000001"),
            title: format!("Name{filing} Works 8-K 2025-01-01"),
            idx,
        }
    };
    (0..chunks).map(of).collect()
}

fn small() -> &'static Corpus<'static> {
    static ROWS: OnceLock<Vec<Chunk>> = OnceLock::new();
    static CORPUS: OnceLock<Corpus<'static>> = OnceLock::new();
    CORPUS.get_or_init(|| Corpus::new(ROWS.get_or_init(|| corpus(5_000))).expect("ids are unique"))
}

fn large() -> &'static Corpus<'static> {
    static ROWS: OnceLock<Vec<Chunk>> = OnceLock::new();
    static CORPUS: OnceLock<Corpus<'static>> = OnceLock::new();
    CORPUS.get_or_init(|| Corpus::new(ROWS.get_or_init(|| corpus(100_000))).expect("ids are unique"))
}

const SIZES: [usize; 2] = [5_000, 100_000];

fn of_size(chunks: usize) -> &'static Corpus<'static> {
    if chunks == 5_000 { small() } else { large() }
}

fn run(system: &Bm25<'_, '_>) -> usize {
    let texts: Vec<_> = (0..QUERIES)
        .map(|n| {
            (
                format!("q{n}"),
                format!("What word{} and word{} does Name{n} Works, the Company, expect?", n + 1, n * 3 + 5),
            )
        })
        .collect();
    let queries: Vec<_> = texts.iter().map(|(id, text)| QueryInput { id, text }).collect();
    run_system(system, &queries, 100).expect("BM25 always ranks").queries.len()
}

#[divan::bench(args = ["bare", "title", "title+lead", "window:2"], consts = SIZES, sample_count = 10)]
fn index<const CHUNKS: usize>(bencher: Bencher<'_, '_>, view: &str) {
    let view: View = view.parse().expect("a view");
    let corpus = of_size(CHUNKS);
    bencher.bench(|| Bm25::new("bm25", corpus, &view, Bm25Options::default()));
}

#[divan::bench(args = ["bare", "title"], consts = SIZES, sample_count = 10)]
fn search_40_queries<const CHUNKS: usize>(bencher: Bencher<'_, '_>, view: &str) {
    let view: View = view.parse().expect("a view");
    let system = Bm25::new("bm25", of_size(CHUNKS), &view, Bm25Options::default()).expect("titles are there");
    bencher.bench(|| run(&system));
}
