//! The whole road: files on disk to a data set on disk, on one thread and on all.
//!
//! Real filings where `EIGHTK_SHARED` names them, generated ones elsewhere. Filings per second is the figure to compare: a
//! Python pipeline of BeautifulSoup and NLTK that only cleans and splits is the named peer.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::print_stderr)]

use std::path::PathBuf;

use divan::Bencher;
use divan::counter::ItemsCount;
use eightk_build::{BuildOptions, build, discover};
use eightk_mine::Recipe;

fn main() {
    divan::main();
}

/// A folder of filings, and what keeps it alive.
fn filings() -> (PathBuf, Option<tempfile::TempDir>) {
    if let Ok(shared) = std::env::var("EIGHTK_SHARED") {
        return (PathBuf::from(shared).join("data/filings"), None);
    }
    eprintln!("EIGHTK_SHARED is not set: generated filings");
    let dir = tempfile::tempdir().unwrap();
    let mut manifest = String::new();
    let options = eightk_synth::Options { filings: 600, ..eightk_synth::Options::default() };
    for file in eightk_synth::generate(&options).files {
        std::fs::write(dir.path().join(&file.name), &file.bytes).unwrap();
        manifest += &(serde_json::to_string(&file.row).unwrap() + "\n");
    }
    std::fs::write(dir.path().join("manifest.jsonl"), manifest).unwrap();
    (dir.path().to_owned(), Some(dir))
}

#[divan::bench(args = [1, 2], sample_count = 10, sample_size = 1)]
fn whole_build(bencher: Bencher<'_, '_>, threads: usize) {
    let (folder, _keep) = filings();
    let recipe = Recipe::builtin("restructuring").unwrap().unwrap();
    let out = tempfile::tempdir().unwrap();
    let options = BuildOptions { out: out.path().join("set"), force: true, ..BuildOptions::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let count = discover(std::slice::from_ref(&folder)).unwrap().files.len();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let inputs = discover(std::slice::from_ref(&folder)).unwrap();
        pool.install(|| build(inputs, &recipe, &options, || {})).unwrap()
    });
}
