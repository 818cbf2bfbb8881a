//! Generated corpora, complete and sparse.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::path::Path;

use serde_json::Value;

use support::{arg, eightk};

fn rows(folder: &Path) -> Vec<Value> {
    let manifest = std::fs::read_to_string(folder.join("manifest.jsonl")).unwrap();
    manifest.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_sparse_corpus_has_gaps_and_is_built_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    for (name, sparse) in [("complete", None), ("sparse", Some("--sparse"))] {
        let folder = dir.path().join(name);
        let args = ["synth", "--filings", "80", "--seed", "4", "--out", arg(&folder)];
        eightk(args.into_iter().chain(sparse)).exits(0);
        let rows = rows(&folder);
        let gaps = rows.iter().filter(|row| row["company"].is_null() && row["filed"].is_null()).count();
        let packed = rows.iter().filter(|row| row["file"].as_str().unwrap().ends_with(".gz")).count();
        assert_eq!((gaps > 0, packed > 0), (sparse.is_some(), sparse.is_some()), "{name}: {gaps}, {packed}");
        assert_eq!(rows.iter().all(|row| row["url"].is_string()), sparse.is_none());
        let out = dir.path().join(format!("{name}-set"));
        let summary = eightk(["build", arg(&folder), "--out", arg(&out), "--json"]).exits(0).json();
        assert_eq!((&summary["filings"], summary["refused"].as_array().unwrap().len()), (&Value::from(80), 0));
        assert!(summary["queries"].as_u64().unwrap() > 40, "{summary}");
    }
}
