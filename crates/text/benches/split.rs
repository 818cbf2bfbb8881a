//! Splitting and filtering the narratives of the real filings, all of them in one iteration, on one thread; nothing is measured
//! where they are absent.
#![allow(missing_docs, clippy::print_stderr, clippy::disallowed_methods)]

use std::path::PathBuf;

use divan::{Bencher, black_box};
use eightk_text::split::{Splitter, sentences, split};
use eightk_text::{Narrative, clean, items};

fn main() {
    divan::main();
}

fn narratives() -> Vec<Narrative> {
    let root = std::env::var_os("EIGHTK_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    let Ok(folder) = std::fs::read_dir(root.join("data/filings")) else {
        eprintln!("no filings to measure on: set EIGHTK_SHARED");
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = folder.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    let bytes = paths.iter().filter_map(|p| std::fs::read(p).ok());
    bytes.filter_map(|b| items::narrative(&clean::clean(&b).ok()?, &[]).ok()).collect()
}

/// Boundaries only.
#[divan::bench(args = ["legal", "punkt", "punkt-3.10"])]
fn boundaries(bencher: Bencher<'_, '_>, name: &str) {
    let (narratives, splitter) = (narratives(), name.parse::<Splitter>().unwrap_or_default());
    bencher.bench_local(|| {
        let paragraphs = narratives.iter().flat_map(|n| n.paragraphs.iter().map(|p| p.span.of(&n.text)));
        paragraphs.map(|p| split(black_box(p), splitter).len()).sum::<usize>()
    });
}

/// Boundaries and reasons.
#[divan::bench(args = ["legal", "punkt"])]
fn boundaries_and_filter(bencher: Bencher<'_, '_>, name: &str) {
    let (narratives, splitter) = (narratives(), name.parse::<Splitter>().unwrap_or_default());
    bencher.bench_local(|| narratives.iter().map(|n| sentences(black_box(n), splitter).len()).sum::<usize>());
}
