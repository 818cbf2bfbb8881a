//! Items and metadata of the real filings, all of them in one iteration, on one thread; nothing is measured where they are
//! absent.
#![allow(missing_docs, clippy::print_stderr, clippy::disallowed_methods)]

use std::path::PathBuf;

use eightk_text::{Cleaned, clean, items, metadata};

fn main() {
    divan::main();
}

fn filings() -> Vec<Cleaned> {
    let root = std::env::var_os("EIGHTK_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    let Ok(folder) = std::fs::read_dir(root.join("data/filings")) else {
        eprintln!("no filings to measure on: set EIGHTK_SHARED");
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = folder.flatten().map(|f| f.path()).collect();
    paths.sort();
    paths.iter().filter_map(|p| clean::clean(&std::fs::read(p).ok()?).ok()).collect()
}

#[divan::bench(sample_count = 30)]
fn narratives(bencher: divan::Bencher<'_, '_>) {
    let filings = filings();
    bencher.bench(|| filings.iter().filter_map(|c| items::narrative(c, &[]).ok()).count());
}

#[divan::bench(sample_count = 30)]
fn declarations(bencher: divan::Bencher<'_, '_>) {
    let filings = filings();
    bencher.bench(|| filings.iter().map(metadata::declared).filter(|d| d.form.is_some()).count());
}
