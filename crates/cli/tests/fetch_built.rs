//! What is fetched builds like what lay in a folder, and the README's lines work as they stand.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use support::standin::{EVERYTHING, StandIn, assert_holds, served};
use support::{arg, eightk, shared, synth, tree};

#[test]
fn a_fetched_folder_builds_to_the_same_bytes() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 300, 11);
    let standin = StandIn::start(dir.path(), &["--filings", arg(&filings)]).unwrap();
    let store = dir.path().join("store");
    standin.fetch(&store, EVERYTHING).exits(0);
    assert_holds(&store, &served(&filings));
    standin.assert_polite(9, 0.0);
    let (from_folder, from_store) = (dir.path().join("a"), dir.path().join("b"));
    let built = eightk(["build", arg(&filings), "--out", arg(&from_folder), "--json"]).exits(0).json();
    assert!(built["queries"].as_u64().unwrap() >= 50, "{built}");
    eightk(["build", arg(&store), "--out", arg(&from_store)]).exits(0);
    let (a, b) = (tree(&from_folder), tree(&from_store));
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (name, bytes) in &a {
        assert!(b[name] == *bytes, "{name} differs");
    }
}

/// The lines of README.md's tour, as they stand, run by a shell with generated filings behind the stand-in.
#[test]
fn the_tour_of_the_readme_works_as_it_stands() {
    if shared().is_none() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 200, 12);
    let standin = StandIn::start(dir.path(), &["--filings", arg(&filings)]).unwrap();
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let block = readme.split("```sh\n").find(|b| b.contains("eightk fetch ")).expect("the tour shows fetch");
    // The last line serves until it is stopped: it has a test of its own, and here only has to be the last.
    let (lines, last) = block.split("```").next().unwrap().trim_end().rsplit_once('\n').unwrap();
    assert!(last.starts_with("eightk serve set --runs runs "), "{last}");
    let binary = Path::new(env!("CARGO_BIN_EXE_eightk"));
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", binary.parent().unwrap().display());
    let ran = Command::new("sh")
        .args(["-e", "-c", lines])
        .current_dir(dir.path())
        .env("PATH", path)
        .env("EIGHTK_EDGAR_URL", &standin.url)
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{lines}\n--- stdout\n{out}\n--- stderr\n{err}");
    assert!(dir.path().join("edgar/filings").is_dir(), "{out}");
    assert!(out.contains("rival AUC") && dir.path().join("report.html").is_file(), "the tour ends in a report: {out}");
    let mut serving = Command::new("/bin/sh")
        .args(["-c", &format!("exec {} --port 0 --json", last.split('#').next().unwrap())])
        .current_dir(dir.path())
        .env("PATH", Path::new(env!("CARGO_BIN_EXE_eightk")).parent().unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(serving.stdout.take().unwrap()).read_line(&mut line).unwrap();
    serving.kill().unwrap();
    serving.wait().unwrap();
    assert!(line.contains("http://127.0.0.1:"), "and in the explorer: {line}");
    standin.assert_polite(4, 0.0);
}
