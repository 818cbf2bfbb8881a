//! The same input gives the same bytes, whatever the number of threads.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use support::{arg, eightk, synth, tree};

#[test]
fn a_data_set_does_not_depend_on_threads() {
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 60, 5);
    let build = |threads: &str, name: &str| {
        let out = dir.path().join(name);
        eightk(["build", arg(&filings), "--out", arg(&out), "--threads", threads]).exits(0);
        tree(&out)
    };
    let one = build("1", "one");
    assert!(one.len() >= 8, "{:?}", one.keys());
    let four = build("4", "four");
    assert_eq!(one.keys().collect::<Vec<_>>(), four.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(bytes == &four[name], "{name} differs between 1 and 4 threads");
    }
}

#[test]
fn scores_do_not_depend_on_threads() {
    let dir = tempfile::tempdir().unwrap();
    let filings = synth(dir.path(), 60, 6);
    let data = dir.path().join("data");
    eightk(["build", arg(&filings), "--out", arg(&data)]).exits(0);
    let eval = |threads: &str, name: &str| {
        let out = dir.path().join(name);
        let args = ["eval", arg(&data), "--system", "bm25", "--system", "bm25:title", "--system", "random", "--json"];
        eightk(args.into_iter().chain(["--threads", threads, "--out", arg(&out)])).exits(0).stdout
    };
    assert_eq!(eval("1", "one"), eval("4", "four"));
    let saved = |name: &str| {
        let mut files = tree(&dir.path().join(name));
        let text = String::from_utf8(files.remove("results.json").unwrap()).unwrap();
        // Times, memory and the number of threads stand in the last section, and nowhere else.
        let (results, run) = text.rsplit_once("  \"run\": {\n").unwrap();
        assert!(run.contains("\"seconds\"") && run.contains("\"threads\""), "{run}");
        (files, results.to_owned())
    };
    assert_eq!(saved("one"), saved("four"));
}
