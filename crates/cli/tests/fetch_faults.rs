//! Everything that EDGAR was seen doing wrong, and kills in between: nothing is lost, nothing is half there.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::path::Path;
use std::time::Duration;

use support::standin::{EVERYTHING, Seen, StandIn, assert_holds, everything_since, served, served_since, stored};
use support::{arg, eightk, shared, synth};

/// How the stand-in fails, one way at a time. `429`, `403` begin a block of three seconds.
const FAULTS: &[&str] = &[
    "429",
    "403",
    "500",
    "503",
    "empty",
    "cut",
    "gzip-cut",
    "reset",
    "slow",
    "json-as-html",
    "html-for-json",
    "wrong-echo",
    "index-page",
];

/// Where runs over the indexes begin: each quarter is a request.
const SINCE: &str = "2016-01-01";

/// Longer than the stand-in's block.
const PAUSE: &[&str] = &["--block-pause", "4s"];

/// Faults of one kind at searches, indexes and documents. The first three documents suffer; `slow` (20 seconds) only one.
fn faults(dir: &Path, kinds: &[&str], every: bool) -> String {
    let mut list = Vec::new();
    for (i, kind) in kinds.iter().enumerate() {
        let of_search = ["json-as-html", "html-for-json", "wrong-echo"].contains(kind);
        let document = if *kind == "slow" { vec![3] } else { vec![1 + i, 5 + i] };
        let time = if every { 2 + i } else { 1 };
        let search = serde_json::json!({ "path": "search-index", "times": [time], "fault": kind });
        let index = serde_json::json!({ "path": "master.idx", "times": [time], "fault": kind });
        let documents = serde_json::json!({ "path": "/data/", "times": document, "fault": kind });
        if of_search {
            list.push(search);
        } else if *kind == "slow" {
            list.push(documents);
        } else if *kind == "index-page" {
            list.extend([index, documents]);
        } else {
            list.extend([search, index, documents]);
        }
    }
    let path = dir.join("faults.json");
    std::fs::write(&path, serde_json::to_string(&list).unwrap()).unwrap();
    arg(&path).to_owned()
}

#[test]
fn each_fault_alone() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 12, 5);
    let (since_ever, since) = (served(&filings), served_since(&filings, SINCE));
    assert!(since_ever.len() == 12 && since.len() >= 5, "{}", since.len());
    let runs = FAULTS.iter().flat_map(|f| [(*f, false), (*f, true)]).collect::<Vec<_>>();
    // A few at a time: each is mostly waiting, but starting them all at once would be load, not a test.
    for some in runs.chunks(8) {
        std::thread::scope(|scope| {
            for (kind, index) in some {
                let (filings, expected) = (&filings, if *index { &since } else { &since_ever });
                let work = dir.path().join(format!("{kind}-{index}"));
                std::fs::create_dir(&work).unwrap();
                scope.spawn(move || {
                    let faults = faults(&work, &[kind], false);
                    let standin = StandIn::start(&work, &["--filings", arg(filings), "--faults", &faults]).unwrap();
                    let store = work.join("store");
                    let args = if *index {
                        [&everything_since(SINCE), PAUSE, &["--from-index"]].concat()
                    } else {
                        [EVERYTHING, PAUSE].concat()
                    };
                    standin.fetch(&store, &args).exits(0);
                    assert_holds(&store, expected);
                    standin.assert_polite(9, 4.0);
                    let met: Vec<Seen> = standin.seen().into_iter().filter(|s| s.fault.is_some()).collect();
                    let search_only = ["json-as-html", "html-for-json", "wrong-echo"].contains(kind);
                    assert!(!met.is_empty() || (*index && search_only), "{kind} was never met");
                });
            }
        });
    }
}

#[test]
fn all_faults_mixed_with_twenty_kills() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 80, 6);
    let expected = served(&filings);
    let kinds: Vec<&str> = FAULTS.iter().copied().filter(|f| *f != "slow").collect();
    let faults = faults(dir.path(), &kinds, true);
    let standin =
        StandIn::start(dir.path(), &["--filings", arg(&filings), "--faults", &faults, "--cap", "100"]).unwrap();
    let store = dir.path().join("store");
    let args = [EVERYTHING, PAUSE].concat();
    let mut kept: Vec<(Vec<String>, usize)> = Vec::new();
    let mut unheard = Vec::new();
    // Early kills hit the search, later ones the downloads and the pauses.
    for round in 0..20_u64 {
        let mut child = standin
            .command(&store, &args)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(150 + (round * 977) % 2600));
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
        let there = stored(&store);
        for (accession, bytes) in &there {
            assert!(expected[accession] == *bytes, "{accession} is half there after kill {round}");
        }
        kept.push((there.into_keys().collect(), standin.seen().len()));
        unheard.extend(standin.unheard_refusal(&store));
    }
    standin.fetch(&store, &args).exits(0);
    assert_holds(&store, &expected);
    standin.assert_polite_but(9, 4.0, &unheard);
    // What was whole at a kill was never asked for again.
    let seen = standin.seen();
    for (there, at) in kept {
        for accession in there {
            let undashed = accession.replace('-', "");
            let again = seen[at..].iter().find(|s| s.is_document() && s.path.contains(&undashed));
            assert!(again.is_none(), "{accession} was in the store and is fetched again: {again:?}");
        }
    }
    eightk(["fetch", "--check", "--store", arg(&store)]).exits(0);
}
