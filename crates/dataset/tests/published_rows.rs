//! Rows of the published set as its page showed them.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // Helpers of tests fail like tests, and say when they skip.

use std::path::PathBuf;

use eightk_dataset::{Source, read, repair_spans};

/// The folder of shared real data, or `None` (with a notice) where it is not there and was not asked for.
#[allow(clippy::disallowed_methods)] // Where the data lie is the environment's to say.
fn shared() -> Option<PathBuf> {
    let asked = std::env::var("EIGHTK_SHARED").map(PathBuf::from);
    let path = asked.clone().unwrap_or_else(|_| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")));
    if path.is_dir() {
        return Some(path);
    }
    assert!(asked.is_err(), "EIGHTK_SHARED is set, but {} is not there", path.display());
    eprintln!("skipped: {} is not there", path.display());
    None
}

#[test]
fn two_of_four_spans_do_not_fit_and_are_repaired() {
    let Some(shared) = shared() else { return };
    let documents = vec![shared.join("data/published/documents-head.jsonl")];
    let (mut set, report) = read(&Source::Files { documents, queries: vec![] }).unwrap();
    assert_eq!(set.chunks.len(), 4);
    let unfit: Vec<(i64, i64)> = report.unfit.iter().map(|u| (u.start, u.end)).collect();
    assert_eq!(unfit, [(255, 287), (478, 192)]);
    assert_eq!(repair_spans(&mut set).chunks, 2);
    // Repaired, each chunk begins one character after its neighbour ends, as the published set promises.
    assert!(set.chunks.windows(2).all(|w| w[0].span.end + 1 == w[1].span.start), "{:?}", set.chunks);
}
