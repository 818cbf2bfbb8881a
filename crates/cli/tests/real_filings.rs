//! The road on real filings: how much comes out, and that it is sound.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use support::{arg, eightk, shared};

#[test]
fn real_filings_become_a_sound_data_set() {
    let Some(shared) = shared() else { return };
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("real");
    let (filings, excerpts) = (shared.join("data/filings"), shared.join("data/excerpts"));
    let summary = eightk(["build", arg(&filings), arg(&excerpts), "--out", arg(&out), "--json"]).exits(0).json();
    let count = |key: &str| summary[key].as_u64().unwrap();
    let refused = summary["refused"].as_array().unwrap();
    assert!(count("filings") >= 690, "{} filings", count("filings"));
    assert!(refused.len() <= 3, "{refused:?}");
    assert!(count("chunks") >= 5_500, "{} chunks", count("chunks"));
    assert!(count("queries") >= 18, "{} queries", count("queries"));
    assert!(count("with_evidence") >= 12, "{} with evidence", count("with_evidence"));
    let dropped: u64 = summary["dropped"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(count("sentences"), count("chunks") + dropped, "a sentence is neither kept nor dropped");
    eightk(["audit", arg(&out)]).exits(0);
    let args = ["eval", arg(&out), "--system", "bm25", "--system", "bm25:title", "--system", "random", "--json"];
    let report = eightk(args).exits(0).json();
    let auc = |i: usize| report["systems"][i]["metrics"]["rival_auc"]["expected"].as_f64().unwrap();
    assert!(auc(1) > auc(0) + 0.2, "the title brings {} over {}", auc(1), auc(0));
    assert!((auc(2) - 0.5).abs() < 1e-12);
}

#[test]
fn spans_of_split_are_nltks() {
    let Some(shared) = shared() else { return };
    let text = std::fs::read_to_string(shared.join("data/punkt/boundaries.jsonl")).unwrap();
    let rows: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(rows.len() >= 4_000);
    let input: String = rows.iter().map(|r| format!("{}\n", serde_json::json!({"text": r["text"]}))).collect();
    for (splitter, key) in [("punkt", "nltk_3.9"), ("punkt-3.10", "nltk_3.10")] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("in.jsonl");
        std::fs::write(&file, &input).unwrap();
        let ran = eightk(["split", arg(&file), "--splitter", splitter]).exits(0);
        let mut wrong = 0;
        for (row, line) in rows.iter().zip(ran.stdout.lines()) {
            let got: serde_json::Value = serde_json::from_str(line).unwrap();
            wrong += usize::from(got["spans"] != row[key]);
        }
        assert_eq!(ran.stdout.lines().count(), rows.len());
        assert_eq!(wrong, 0, "{wrong} paragraphs differ with {splitter}");
    }
}
