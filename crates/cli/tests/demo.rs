//! The whole road, offline.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use support::{arg, eightk};

#[test]
fn the_demo_ends_in_a_table_and_a_sound_data_set() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("demo");
    let ran = eightk(["demo", "--filings", "60", "--out", arg(&out)]).exits(0);
    for system in ["bm25", "bm25:title", "bm25:lead", "bm25:window:2", "name-filter", "random", "oracle", "(chance)"] {
        assert!(ran.stdout.lines().any(|l| l.split_whitespace().next() == Some(system)), "{system}: {}", ran.stdout);
    }
    assert_eq!(ran.stderr, "", "a pipe gets no progress bar");
    let table = ran.stdout.split_once("4. eval").unwrap().1;
    for line in table.lines().filter(|l| !l.contains(arg(&out))) {
        assert!(line.chars().count() <= 80, "wider than a terminal: {line}");
    }
    eightk(["audit", arg(&out.join("dataset"))]).exits(0);
    // The saved runs score as they did.
    let scores: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("runs/results.json")).unwrap()).unwrap();
    let again = eightk(["score", arg(&out.join("dataset")), arg(&out.join("runs/runs/bm25-title.run")), "--json"]);
    let again = again.exits(0).json();
    let of = |report: &serde_json::Value, system: &str| {
        let systems = report["systems"].as_array().unwrap();
        let found = systems.iter().find(|s| s["name"] == system).unwrap();
        found["metrics"].clone()
    };
    assert_eq!(of(&scores, "bm25:title"), of(&again, "bm25:title"));
}

#[test]
fn what_context_brings_shows() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("demo");
    eightk(["demo", "--filings", "120", "--out", arg(&out)]).exits(0);
    let scores: serde_json::Value =
        serde_json::from_slice(&std::fs::read(out.join("runs/results.json")).unwrap()).unwrap();
    let auc = |system: &str| {
        let systems = scores["systems"].as_array().unwrap();
        let s = systems.iter().find(|s| s["name"] == system).unwrap();
        s["metrics"]["rival_auc"]["expected"].as_f64().unwrap()
    };
    assert!((auc("random") - 0.5).abs() < 1e-12);
    assert!((auc("oracle") - 1.0).abs() < 1e-12);
    assert!((auc("bm25") - 0.5).abs() < 0.15, "a bare sentence says little of whose it is: {}", auc("bm25"));
    assert!(auc("bm25:title") > 0.9, "the title names the company: {}", auc("bm25:title"));
}
