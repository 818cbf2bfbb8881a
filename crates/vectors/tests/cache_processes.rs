//! The cache under a kill and under several processes: this test binary starts itself as the writer.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use eightk_encode::VectorStore;
use eightk_vectors::Cache;
use support::{Dice, keys, pair, who};

const FOLDER: &str = "EIGHTK_TEST_CACHE_FOLDER";
const FIRST: &str = "EIGHTK_TEST_CACHE_FIRST";
const BATCHES: &str = "EIGHTK_TEST_CACHE_BATCHES";
/// Vectors in one call of `put`.
const BATCH: u64 = 40;

/// Not a test of its own: the writer, when this binary is started with a folder to write to. Says each batch that is put.
#[test]
#[allow(clippy::disallowed_methods)] // it is told by the environment what to do
fn writer() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let number = |name: &str| std::env::var(name).unwrap().parse::<u64>().unwrap();
    let cache = Cache::open(folder);
    for batch in 0..number(BATCHES) {
        let from = number(FIRST) + batch * BATCH;
        let entries: Vec<_> = (from..from + BATCH).map(pair).collect();
        cache.put(&who("m"), &entries).unwrap();
        writeln!(std::io::stdout(), "put {from}").unwrap();
    }
    assert_eq!(cache.notes(), Vec::<String>::new());
}

fn start(folder: &Path, first: u64, batches: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["writer", "--exact", "--nocapture", "--test-threads=1"])
        .env(FOLDER, folder)
        .env(FIRST, first.to_string())
        .env(BATCHES, batches.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The batches that a writer said were put.
fn said(child: &mut Child) -> Vec<u64> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // The first stands behind what the test harness says.
    lines.map_while(Result::ok).filter_map(|l| l.rsplit_once("put ")?.1.parse().ok()).collect()
}

#[test]
fn what_was_put_survives_a_kill_and_the_rest_is_whole_or_absent() {
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(7);
    let (mut kept, mut killed_with_a_journal) = (0, 0);
    for round in 0..20 {
        // In one folder: each writer finds what the one before it left.
        let first = round * 1_000_000;
        let mut child = start(dir.path(), first, 20_000);
        std::thread::sleep(Duration::from_millis(30 + dice.roll(150)));
        child.kill().unwrap();
        child.wait().unwrap();
        let journal = std::fs::read_dir(dir.path()).unwrap().flatten();
        killed_with_a_journal +=
            usize::from(journal.into_iter().any(|e| e.file_name().to_string_lossy().ends_with("-journal")));
        let said = said(&mut child);
        let cache = Cache::open(dir.path());
        for batch in &said {
            let found = cache.get(&who("m"), &keys(*batch..*batch + BATCH)).unwrap();
            for (n, found) in (*batch..).zip(found) {
                assert_eq!(found, Some(pair(n).1), "round {round}");
            }
        }
        // One more may have been put without word of it: all or none.
        let next = first + said.len() as u64 * BATCH;
        let found = cache.get(&who("m"), &keys(next..next + BATCH)).unwrap();
        let there = found.iter().flatten().count() as u64;
        assert!(there == 0 || there == BATCH, "round {round}: {there} of a batch");
        assert!(cache.get(&who("m"), &keys(next + BATCH..next + 2 * BATCH)).unwrap().iter().all(Option::is_none));
        assert_eq!(cache.notes(), Vec::<String>::new(), "round {round}");
        kept += said.len() as u64 * BATCH + there;
    }
    assert!(kept > 0, "no writer was fast enough to be killed at work");
    let listed = Cache::open(dir.path()).list().unwrap();
    assert_eq!((listed.len(), listed[0].vectors), (1, kept), "{killed_with_a_journal} kills in a transaction");
}

#[test]
fn two_processes_write_the_same_and_different_vectors() {
    let dir = tempfile::tempdir().unwrap();
    // Two on the same keys, one on others, all of them making the file at once.
    let mut children = [start(dir.path(), 0, 30), start(dir.path(), 0, 30), start(dir.path(), 5_000, 30)];
    // And a reader that sees nothing but whole batches.
    let cache = Cache::open(dir.path());
    let mut dice = Dice(3);
    for _ in 0..200 {
        let batch = dice.roll(30) * BATCH;
        let found = cache.get(&who("m"), &keys(batch..batch + BATCH)).unwrap();
        assert!(found.iter().all(Option::is_none) || found.iter().all(Option::is_some));
    }
    for child in &mut children {
        assert_eq!(said(child).len(), 30);
        assert!(child.wait().unwrap().success());
    }
    for from in [0, 5_000] {
        let found = cache.get(&who("m"), &keys(from..from + 30 * BATCH)).unwrap();
        for (n, found) in (from..).zip(found) {
            assert_eq!(found, Some(pair(n).1));
        }
    }
    assert_eq!(cache.list().unwrap()[0].vectors, 2 * 30 * BATCH);
    assert_eq!(cache.notes(), Vec::<String>::new());
}
