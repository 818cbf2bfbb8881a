//! Sentences of real filings against labels made by hand; skipped where neither is at hand.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stderr, clippy::disallowed_methods)]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use eightk_text::split::{Splitter, sentences};
use eightk_text::{clean, items};
use serde_json::Value;

fn shared() -> Option<PathBuf> {
    let given = std::env::var_os("EIGHTK_SHARED");
    let fallback = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let path = given.as_ref().map_or_else(fallback, PathBuf::from);
    assert!(given.is_none() || path.is_dir(), "EIGHTK_SHARED names a folder that is not there: {}", path.display());
    if !path.is_dir() {
        eprintln!("skipped: no shared data in {}", path.display());
    }
    path.is_dir().then_some(path)
}

fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().map(|a| a.iter().map(|s| normal(s.as_str().unwrap())).collect()).unwrap_or_default()
}

/// The labelled filings, each with its labels.
fn labelled() -> Vec<(Value, Vec<u8>)> {
    let Some(shared) = shared() else { return Vec::new() };
    let lines = std::fs::read_to_string(shared.join("data/gold/sentences.jsonl")).unwrap();
    let rows = lines.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
    rows.map(|g| {
        let bytes = std::fs::read(shared.join("data/filings").join(g["file"].as_str().unwrap())).unwrap();
        (g, bytes)
    })
    .collect()
}

/// The sentences of a file and whether each is kept.
fn split(bytes: &[u8], splitter: Splitter) -> Vec<(String, bool)> {
    let narrative = items::narrative(&clean::clean(bytes).unwrap(), &[]).unwrap();
    sentences(&narrative, splitter).iter().map(|s| (normal(s.span.of(&narrative.text)), s.kept())).collect()
}

#[test]
fn prose_is_found_and_the_rest_left_out() {
    let (mut right, mut extra, mut missed) = (0, 0, 0);
    for (gold, bytes) in labelled() {
        let mut want: BTreeMap<String, i64> = BTreeMap::new();
        for s in strings(&gold["sentences"]) {
            *want.entry(s).or_default() += 1;
        }
        let free: HashSet<String> =
            ["forward_looking_sentences", "optional"].iter().flat_map(|k| strings(&gold[*k])).collect();
        let mut same = HashMap::new();
        for a in gold["alternatives"].as_array().unwrap_or(&Vec::new()) {
            for also in strings(&a["also"]) {
                same.insert(also, normal(a["gold"].as_str().unwrap()));
            }
        }
        for (text, kept) in split(&bytes, Splitter::Legal) {
            let text = same.get(&text).cloned().unwrap_or(text);
            match want.get_mut(&text) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    right += 1;
                }
                Some(_) => extra += 1,
                None => extra += i64::from(kept && !free.contains(&text)),
            }
        }
        missed += want.values().sum::<i64>();
    }
    if right + missed > 0 {
        let f1 = 2.0 * right as f64 / (2 * right + extra + missed) as f64;
        assert!(f1 >= 0.98, "F1 {f1:.3}: {right} right, {extra} extra, {missed} missed");
    }
}

#[test]
fn the_legal_splitter_halves_the_errors_of_punkt_and_adds_none() {
    let mut wrong = [HashSet::new(), HashSet::new()];
    let labelled = labelled();
    for (gold, bytes) in &labelled {
        for (mode, wrong) in [Splitter::Punkt, Splitter::Legal].into_iter().zip(&mut wrong) {
            let have: HashSet<String> = split(bytes, mode).into_iter().map(|s| s.0).collect();
            for s in strings(&gold["sentences"]).into_iter().filter(|s| !have.contains(s)) {
                if have.iter().any(|p| (p.len() > 2 && s.starts_with(p.as_str())) || p.starts_with(s.as_str())) {
                    wrong.insert(s);
                }
            }
        }
    }
    let [punkt, legal] = wrong;
    assert!(labelled.is_empty() || !punkt.is_empty());
    assert!(legal.len() * 2 <= punkt.len(), "punkt {} wrong, legal {}", punkt.len(), legal.len());
    assert!(legal.is_subset(&punkt), "{} errors are new", legal.difference(&punkt).count());
}
