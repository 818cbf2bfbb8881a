//! A large data set opens at once, and a look at one filing does not depend on how many there are.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // Helpers of tests fail like tests, and say what they measured.

mod many;

use std::time::{Duration, Instant};

use eightk_dataset::{Shelf, Source};

const CALLS: usize = 200;

/// Times of `CALLS` calls: the middle one and the longest.
fn times(mut call: impl FnMut(usize)) -> (Duration, Duration) {
    let time = |i| {
        let begun = Instant::now();
        call(i);
        begun.elapsed()
    };
    let mut times: Vec<Duration> = (0..CALLS).map(time).collect();
    times.sort_unstable();
    (times[CALLS / 2], times[CALLS - 1])
}

/// Memory that the process held at most since it was last asked, in MB, where the system tells; asking begins anew.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: usize = line.split_whitespace().next()?.parse().ok()?;
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    Some(kilobytes / 1024)
}

/// Times of opening and of each kind of look, and what they held.
fn measure(filings: usize, queries: usize, rivals: usize, bound: Duration) {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = dir.path().join("set");
    many::write(&folder, filings, queries, rivals);
    let before = peak().and_then(|_| peak());
    let begun = Instant::now();
    let shelf = Shelf::open(&Source::Folder(folder)).unwrap();
    let opened = begun.elapsed();
    eprintln!("opened in {opened:?}; memory before {before:?} MB, at most while opening {:?} MB", peak());
    assert_eq!((shelf.filings().len(), shelf.queries().len()), (filings, queries));
    let begun = Instant::now();
    shelf.warm().unwrap();
    eprintln!("warm in {:?}; at most {:?} MB", begun.elapsed(), peak());

    // Filings near and far.
    let filing = |i: usize| many::source_url((i * 7_919) % filings);
    let chunks = times(|i| assert_eq!(shelf.chunks(&filing(i)).unwrap().len(), many::CHUNKS));
    let id = |i: usize| shelf.rivals(i % queries).unwrap()[0].gold.clone();
    let ids: Vec<String> = (0..CALLS).map(id).collect();
    let chunk = times(|i| assert_eq!(shelf.chunk(&ids[i]).unwrap().unwrap().idx, many::ANSWER));
    let row = times(|i| assert!(shelf.row(&filing(i)).unwrap().is_some()));
    let dropped = times(|i| assert_eq!(shelf.dropped(&filing(i)).unwrap().len(), many::DROPPED));
    let of_query = times(|i| assert_eq!(shelf.rivals((i * 31) % queries).unwrap().len(), 1));
    let looks = [("chunks", chunks), ("chunk", chunk), ("row", row), ("dropped", dropped), ("rivals", of_query)];
    assert!(opened < bound, "opened in {opened:?}");
    for (what, (middle, longest)) in looks {
        eprintln!("{what}: {middle:?}, at most {longest:?}");
        assert!(middle < bound / 20, "{what} took {middle:?}");
    }
    eprintln!("at most {:?} MB", peak());
}

#[test]
fn fifty_thousand_chunks() {
    // Generous: the machine may be busy, and what is guarded against is reading everything each time.
    measure(5_000, 500, 50, Duration::from_secs(5));
}

/// `cargo test --release -p eightk-dataset --test shelf_size -- --ignored --nocapture`.
#[test]
#[ignore = "writes a gigabyte"]
fn a_million_chunks() {
    measure(100_000, 10_000, 100, Duration::from_secs(1));
}
