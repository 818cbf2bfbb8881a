//! `eightk cache` shows what is kept and throws out what it is told to.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use eightk_encode::{EncodedChunk, Identity, Role, Similarity, Vector, VectorKey, VectorStore};
use eightk_vectors::Cache;
use support::{arg, eightk, ran};

fn who(model: &str) -> Identity {
    Identity {
        provider: "local".into(),
        model: model.into(),
        revision: "0123456789abcdef0123".into(),
        dims: Some(2),
        similarity: Similarity::Cosine,
        query_prompt: String::new(),
        passage_prompt: String::new(),
        settings: BTreeMap::new(),
    }
}

fn fill(folder: &Path, model: &str, vectors: usize) {
    let who = who(model);
    let one = |i: usize| {
        let key = VectorKey::of_text(&who, Role::Passage, &i.to_string());
        (key, EncodedChunk::whole(Vector::F32(vec![i as f32, 1.0])))
    };
    Cache::open(folder).put(&who, &(0..vectors).map(one).collect::<Vec<_>>()).unwrap();
}

/// What depends on the day and the place, replaced by words.
fn masked(text: &str, folder: &Path) -> String {
    let day = |w: &str| w.len() == 10 && w.chars().all(|c| c.is_ascii_digit() || c == '-');
    let line = |l: &str| match l.rsplit_once(' ') {
        Some((rest, last)) if day(last) => format!("{rest} YYYY-MM-DD\n"),
        _ => format!("{l}\n"),
    };
    text.lines().map(line).collect::<String>().replace(arg(folder), "FOLDER")
}

#[test]
fn what_is_there_is_shown_and_cleared() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), "tiny", 3);
    fill(dir.path(), "acme/large\u{1b}[2J", 1200);
    std::fs::write(dir.path().join("local-broken-0000000000000000.vectors1.sqlite"), "no database").unwrap();
    std::fs::write(dir.path().join("letter.txt"), "mine").unwrap();
    let cache = ["--cache", arg(dir.path())];
    let list = |more: &[&str]| eightk(["cache", "list"].iter().chain(&cache).chain(more)).exits(0);
    let clear = |more: &[&str]| eightk(["cache", "clear"].iter().chain(&cache).chain(more));

    let shown = masked(&list(&[]).stdout, dir.path());
    assert_eq!(
        shown,
        "\
encoder               revision      vectors      size     written
────────────────────  ────────────  ───────  ────────  ──────────
local acme/large\u{fffd}[2J  0123456789ab    1,200  143.4 kB  YYYY-MM-DD
local-broken-0000000000000000.vectors1.sqlite (11 B): file is not a database
local tiny            0123456789ab        3   16.4 kB  YYYY-MM-DD

1,203 vectors in 159.8 kB in FOLDER
"
    );
    let json = list(&["--json"]).json();
    assert_eq!(json["vectors"], 1203);
    assert_eq!(json["files"][0]["encoder"]["model"], "acme/large\u{1b}[2J");
    assert_eq!(json["files"][0]["encoder"]["dims"], 2);
    assert!(json["files"][1]["fault"].as_str().unwrap().contains("not a database"));
    let sizes = json["files"].as_array().unwrap().iter().map(|f| f["bytes"].as_u64().unwrap());
    assert_eq!(json["bytes"].as_u64().unwrap(), sizes.sum::<u64>());

    assert!(clear(&["--model", "nobody"]).exits(0).stdout.starts_with("nothing to clear"));
    assert!(clear(&["--model", ""]).exits(0).stdout.starts_with("nothing to clear"));
    let gone = clear(&["--model", "ACME/"]).exits(0).stdout;
    assert!(
        gone.starts_with("cleared local-acme-large-2J-") && gone.ends_with("freed: 1,200 vectors in 143.4 kB\n"),
        "{gone}"
    );
    let gone = clear(&["--all", "--json"]).exits(0).json();
    assert_eq!((gone["files"].as_array().unwrap().len(), gone["vectors"].as_u64()), (2, Some(3)));
    assert!(list(&[]).stdout.starts_with("no vectors in"));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "a file that is not ours stays");
}

#[test]
fn clearing_needs_to_be_told_what() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), "tiny", 1);
    for args in [&["cache", "clear"][..], &["cache", "clear", "--all", "--model", "tiny"]] {
        let ran = eightk(args.iter().chain(&["--cache", arg(dir.path())])).exits(2);
        assert!(ran.stderr.contains("--all"), "{}", ran.stderr);
    }
    assert_eq!(Cache::open(dir.path()).list().unwrap().len(), 1);
}

#[test]
fn the_folder_is_found_without_being_named() {
    let dir = tempfile::tempdir().unwrap();
    let [own, xdg, home] = ["own", "xdg", "home"].map(|n| dir.path().join(n));
    fill(&own, "a", 1);
    fill(&xdg.join("eightk"), "b", 2);
    fill(&home.join(".cache/eightk"), "c", 3);
    let with = |set: &[(&str, &Path)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eightk"));
        command.args(["cache", "list", "--json"]).env_clear().envs(set.iter().copied());
        ran(command.output().unwrap())
    };
    let all = [("EIGHTK_CACHE", own.as_path()), ("XDG_CACHE_HOME", &xdg), ("HOME", &home)];
    for from in 0..3 {
        assert_eq!(with(&all[from..]).exits(0).json()["vectors"], from + 1);
    }
    assert!(with(&[]).exits(2).stderr.contains("EIGHTK_CACHE"));
    // Nothing is no error, and nothing is made.
    let nowhere = dir.path().join("nowhere");
    assert_eq!(with(&[("EIGHTK_CACHE", &nowhere)]).exits(0).json()["files"], serde_json::json!([]));
    assert!(!nowhere.exists());
}
