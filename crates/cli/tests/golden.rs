//! What the binary prints, word for word. Rewrite with EIGHTK_GOLDEN=overwrite, and read the difference.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::path::Path;

use support::{arg, eightk, synth};

#[track_caller]
#[allow(clippy::disallowed_methods)] // a person asks for new goldens by a variable
fn golden(name: &str, got: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var("EIGHTK_GOLDEN").as_deref() == Ok("overwrite") {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, got).unwrap();
    }
    let want = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(want == got, "{name} differs\n--- want\n{want}\n--- got\n{got}");
}

#[test]
fn a_small_corpus_from_filings_to_scores() {
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 24, 11);
    let data = dir.path().join("data");
    let summary = eightk(["build", arg(&filings), "--out", arg(&data), "--json"]).exits(0).json();
    golden("build.json", &(serde_json::to_string_pretty(&summary).unwrap() + "\n"));
    let rivals = std::fs::read_to_string(data.join("audit/rivals.jsonl")).unwrap();
    golden("rivals.jsonl", &rivals);
    let card = std::fs::read_to_string(data.join("README.md")).unwrap();
    // The recipe's hash changes with every comment in it.
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(data.join("manifest.json")).unwrap()).unwrap();
    let hash = manifest["recipe"]["sha256"].as_str().unwrap();
    assert!(card.contains(hash));
    golden("card.md", &card.replace(hash, "(hash of the recipe)"));
    let systems = ["--system", "bm25", "--system", "bm25:title", "--system", "name-filter", "--system", "random"];
    let ran = eightk(["eval", arg(&data)].into_iter().chain(systems)).exits(0);
    golden("eval.txt", &ran.stdout);
    let ran = eightk(["eval", arg(&data), "--details"]).exits(0);
    golden("eval-details.txt", &ran.stdout);
    for line in ran.stdout.lines() {
        assert!(line.chars().count() <= 80, "wider than a terminal: {line}");
    }
    let first = std::fs::read_to_string(filings.join("manifest.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    let ran = eightk(["inspect", arg(&filings.join(first["file"].as_str().unwrap()))]).exits(0);
    golden("inspect.txt", &ran.stdout);
}

#[test]
fn help_of_every_command() {
    let mut all = eightk(["--help"]).exits(0).stdout;
    for command in [
        "demo",
        "build",
        "inspect",
        "split",
        "audit",
        "eval",
        "score",
        "embed",
        "export",
        "synth",
        "recipe",
        "cache",
        "completions",
    ] {
        all += &format!("\n$ eightk {command} --help\n{}", eightk([command, "--help"]).exits(0).stdout);
    }
    golden("help.txt", &all);
}

#[test]
fn completions_name_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = eightk(["completions", shell]).exits(0).stdout;
        assert!(["inspect", "recipe", "embed"].iter().all(|c| script.contains(c)), "{shell}");
    }
}
