//! A process that is killed while it stores filings, and one that finds another at work.
//!
//! The test binary runs itself: the tests whose names begin with `child` do nothing unless a store is named to them.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods, clippy::print_stdout)]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use eightk_core::{Accession, Form};
use eightk_edgar::EdgarError;
use eightk_edgar::find::{Filer, Found};
use eightk_edgar::store::{Record, State, Store, check};

const STORE: &str = "EIGHTK_TEST_CHILD_STORE";

fn accession(number: usize) -> Accession {
    format!("9000000000-24-{number:06}").parse().unwrap()
}

/// A document of some size: what is killed should be killed while writing.
fn document(number: usize) -> Vec<u8> {
    format!("<p>{number} </p>\n").repeat(20_000 + number % 7 * 5_000).into_bytes()
}

fn record(number: usize, bytes: &[u8]) -> Record {
    let filer = Filer { cik: "9000000001".into(), name: "BREMBY PAPER CO".into(), tickers: vec![] };
    let found = Found {
        accession: accession(number),
        form: Form::EightK,
        filed: "2024-05-06".parse().unwrap(),
        report_date: None,
        items: vec![],
        filers: vec![filer],
        document: None,
        amends: None,
    };
    Record::new(&found, "d8k.htm", "https://www.sec.gov/Archives/d8k.htm", bytes).unwrap()
}

fn named_store() -> Option<PathBuf> {
    std::env::var_os(STORE).map(PathBuf::from)
}

/// Stores filings for ever, and says of each when it is stored. Every third goes through `candidates/`; answers are kept between.
#[test]
fn child_stores_filings() {
    let Some(root) = named_store() else { return };
    let store = Store::open(&root).unwrap();
    for number in 0.. {
        if matches!(store.filing(&accession(number)).unwrap(), State::Whole(_)) {
            continue;
        }
        let bytes = document(number);
        let record = record(number, &bytes);
        if number % 3 == 0 {
            store.put_candidate(&record, &bytes).unwrap();
            assert!(store.adopt(&accession(number)).unwrap());
        } else {
            store.put_filing(&record, &bytes).unwrap();
        }
        store.put_answer(&format!("https://h/{}", number % 5), &bytes[..1000 + number]).unwrap();
        store.put_plan("all", &vec![number; 1000]).unwrap();
        println!("stored {number}");
        std::io::stdout().flush().unwrap();
    }
}

/// Opens the store and waits to be killed.
#[test]
fn child_holds_the_lock() {
    let Some(root) = named_store() else { return };
    let _store = Store::open(&root).unwrap();
    println!("stored 0");
    std::io::stdout().flush().unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

fn child(test: &str, root: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(STORE, root)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The numbers a child said it stored.
fn said(line: &str) -> Option<usize> {
    line.rsplit_once("stored ")?.1.trim().parse().ok()
}

#[test]
fn killed_at_any_moment_nothing_is_half_there_and_nothing_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("store");
    let mut promised = BTreeSet::new();
    let mut killed_at_work = 0;
    // A fixed walk over the moments of the first filings' writing: SplitMix64.
    let mut state = 11_u64;
    for round in 0..40 {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mut running = child("child_stores_filings", &root);
        let mut lines = BufReader::new(running.stdout.take().unwrap()).lines().map_while(Result::ok);
        // Every fourth is killed while it opens the store; the others somewhere within the filings that follow the first.
        if round % 4 != 0 {
            promised.extend(lines.by_ref().find_map(|l| said(&l)));
        }
        std::thread::sleep(Duration::from_micros(mixed % if round % 4 == 0 { 6_000 } else { 12_000 }));
        running.kill().unwrap();
        running.wait().unwrap();
        promised.extend(lines.filter_map(|l| said(&l)));

        let store = Store::open(&root).unwrap();
        killed_at_work += usize::from(store.left_running());
        let report = check(&store, promised.iter().map(|n| accession(*n)).collect::<Vec<_>>().iter()).unwrap();
        assert!(report.is_sound(), "round {round}: {report:?}");
        assert!(report.unexpected.is_empty() && report.notes.is_empty(), "round {round}: {report:?}");
        assert_eq!(report.filings, report.whole);
        for accession in store.accessions().unwrap() {
            let number: usize = accession.as_str()[14..].parse().unwrap();
            let bytes = document(number);
            assert_eq!(store.document(&accession).unwrap(), Some((record(number, &bytes), bytes)));
        }
        if store.plans().unwrap() == ["all"] {
            assert_eq!(store.plan::<Vec<usize>>("all").unwrap().unwrap().len(), 1000);
        }
    }
    assert!(promised.len() >= 30, "only {} filings in 40 runs", promised.len());
    assert!(killed_at_work >= 30, "only {killed_at_work} of 40 runs were killed with the lock held");
}

#[test]
fn a_second_process_is_refused_and_told_which_is_the_first() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = child("child_holds_the_lock", dir.path());
    let mut lines = BufReader::new(first.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|l| said(&l).is_some()));
    match Store::open(dir.path()) {
        Err(EdgarError::Busy { pid, .. }) => assert_eq!(pid, Some(first.id())),
        other => panic!("{other:?}"),
    }
    assert!(Store::look(dir.path()).is_ok());
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(Store::open(dir.path()).unwrap().left_running());
    assert!(!Store::open(dir.path()).unwrap().left_running());
}
