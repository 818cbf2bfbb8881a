//! Real filings, served by a stand-in and fetched: every one of them, byte for byte, by each road.
//!
//! Waiting is nearly all of it, so the runs of one test go side by side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use support::standin::{EVERYTHING, StandIn, assert_holds, served, stored};
use support::{arg, eightk, shared};

#[test]
fn every_road_brings_every_filing_byte_for_byte() {
    let Some(filings) = shared().map(|s| s.join("data/filings")) else { return };
    let expected = served(&filings);
    assert!(expected.len() > 600, "{}", expected.len());
    let dir = tempfile::tempdir().unwrap();
    let roads: [(&str, &[&str], &[&str]); 3] =
        [("search", &[], &[]), ("capped", &["--cap", "100"], &[]), ("index", &[], &["--from-index"])];
    std::thread::scope(|scope| {
        for (name, standin, options) in roads {
            let (store, expected) = (dir.path().join(name), &expected);
            let log = dir.path().join(format!("{name}-log"));
            std::fs::create_dir(&log).unwrap();
            let standin = StandIn::start(&log, standin).unwrap();
            scope.spawn(move || {
                let report = standin.fetch(&store, &[EVERYTHING, options, &["--json"]].concat()).exits(0).json();
                assert_eq!(report["downloaded"], expected.len(), "{name}: {report}");
                assert_eq!(report["complete"], true, "{name}: {report}");
                assert_holds(&store, expected);
                standin.assert_polite(9, 0.0);
                // Again: everything is there, nobody is asked.
                let asked = standin.seen().len();
                let again = standin.fetch(&store, &[EVERYTHING, options, &["--json"]].concat()).exits(0).json();
                assert_eq!(again["stored"], expected.len(), "{name}: {again}");
                assert_eq!(standin.seen().len(), asked, "{name}: a second run asks for nothing");
            });
        }
    });
    // All roads lead to the same bytes, metadata included.
    let trees = roads.map(|(name, ..)| support::tree(&dir.path().join(name).join("filings")));
    for (accession, document) in stored(&dir.path().join("search")) {
        assert!(!document.is_empty(), "{accession}");
    }
    assert!(trees[0] == trees[1], "a capped search brings the same store");
    let documents = |tree: &std::collections::BTreeMap<String, Vec<u8>>| {
        tree.iter()
            .filter(|(k, _)| !k.ends_with("filing.json"))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect::<Vec<_>>()
    };
    assert!(documents(&trees[0]) == documents(&trees[2]), "the index brings the same documents under the same names");
    eightk(["fetch", "--check", "--store", arg(&dir.path().join("index"))]).exits(0);
}

/// A query by words and by items brings the same by search and by index, where header and document have to tell.
#[test]
fn words_and_items_bring_the_same_by_search_and_by_index() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(dir.path(), &[]).unwrap();
    // One of its own for each road: two stores do not know of each other, so they must not share a limit here.
    let indexes = StandIn::start(dir.path(), &[]).unwrap();
    let asked: [(&str, &[&str]); 3] = [
        ("words", &["--phrase", "annual meeting of", "--items", "any"]),
        ("items", &["--phrase", "", "--items", "1.01,4.01", "--all"]),
        ("both", &["--phrase", "annual meeting of", "--items", "5.07", "--all"]),
    ];
    // Each quarter, header and document is a request.
    let days = ["--from", "2006-01-01", "--to", "2010-12-31", "--rate", "9", "--json"];
    for (name, options) in asked {
        let (search, index) = (dir.path().join(name), dir.path().join(format!("{name}-index")));
        let found = standin.fetch(&search, &[options, &days].concat()).exits(0).json();
        assert!(found["picked"].as_u64().unwrap() > 0, "{name}: {found}");
        assert_eq!(found["downloaded"], found["picked"], "{name}: {found}");
        let listed = indexes.fetch(&index, &[options, &days, &["--from-index"]].concat()).exits(0).json();
        let (a, b) = (stored(&search), stored(&index));
        assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>(), "{name}: {listed}");
        assert!(a == b, "{name}");
        let set = dir.path().join(format!("{name}-set"));
        let built = eightk(["build", arg(&search), "--out", arg(&set), "--json"]).exits(0).json();
        assert_eq!(built["filings"], found["picked"], "{name}: {built}");
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    standin.assert_polite(9, 0.0);
    indexes.assert_polite(9, 0.0);
}

/// None of these filings is what the recipe asks for: an answer, not a failure.
#[test]
fn a_recipe_without_a_hit_succeeds_and_says_so() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let standin = StandIn::start(dir.path(), &[]).unwrap();
    let (store, index) = (dir.path().join("store"), dir.path().join("index"));
    let run = standin.fetch(&store, &[]).exits(0);
    assert!(run.stdout.contains("No filing was found"), "{}", run.stdout);
    let by_index = standin.fetch(&index, &["--from-index", "--rate", "9", "--json"]).exits(0).json();
    assert_eq!((by_index["picked"].as_u64(), by_index["complete"].as_bool()), (Some(0), Some(true)), "{by_index}");
}
