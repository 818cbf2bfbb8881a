//! Wrong options, foreign folders, and an EDGAR that answers oddly: one clear line each, and the rest goes on.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::path::Path;
use std::process::Command;

use support::scripted::{Answers, SEARCH, Scripted, hit, search};
use support::standin::{AGENT, stored};
use support::{Ran, arg, eightk, ran};

/// `eightk fetch` against a server.
fn fetch(url: &str, store: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eightk"));
    command.args(["fetch", "--store", arg(store), "--rate", "9"]).args(args);
    ran(command.env("EIGHTK_EDGAR_URL", url).env("EIGHTK_USER_AGENT", AGENT).output().unwrap())
}

/// Asserts that the run ends so, with one error that says all of these.
#[track_caller]
fn says(run: Ran, code: i32, words: &[&str]) {
    let run = run.exits(code);
    // Messages are wrapped to the terminal's width.
    let said = run.stderr.replace("\n  │", " ").split_whitespace().collect::<Vec<_>>().join(" ");
    for word in words {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
    assert_eq!(said.matches("error:").count(), 1, "{said}");
}

/// Nobody listens here.
const NOBODY: &str = "http://127.0.0.1:9";

#[test]
fn wrong_options_are_told_before_anything_is_asked_or_written() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("store");
    let wrong: [(&[&str], &str); 13] = [
        (&["--user-agent", "eightk"], "mail"),
        (&["--user-agent", "Jane\nDoe jane@acme.example"], "--user-agent"),
        (&["--from", "2024-02-01", "--to", "2024-01-01"], "wrong way round"),
        (&["--from", "01/02/2024"], "YYYY-MM-DD"),
        (&["--items", "9.99"], "9.99"),
        (&["--forms", "10-K"], "10-K"),
        (&["--rate", "20"], "at most 9"),
        (&["--rate", "0"], "--rate 0"),
        (&["--rate=nan", "--offline", "--dry-run"], "NaN"),
        (&["--block-pause", "soon"], "soon"),
        (&["--block-pause", "0"], "between"),
        (&["--phrase", "\"expects to incur"], "quotation mark"),
        (&["--recipe", "no-such"], "no recipe"),
    ];
    for (args, word) in wrong {
        // A later --rate replaces the earlier one only if the option allows it, so `fetch` above is not used here.
        let mut command = Command::new(env!("CARGO_BIN_EXE_eightk"));
        command.args(["fetch", "--store", arg(&store)]).args(args).env("EIGHTK_EDGAR_URL", NOBODY);
        if args[0] != "--user-agent" {
            command.env("EIGHTK_USER_AGENT", AGENT);
        }
        says(ran(command.output().unwrap()), 2, &[word]);
        assert!(!store.exists(), "{args:?}");
    }
    let mut nameless = Command::new(env!("CARGO_BIN_EXE_eightk"));
    nameless.args(["fetch", "--store", arg(&store)]).env_remove("EIGHTK_USER_AGENT").env("EIGHTK_EDGAR_URL", NOBODY);
    says(ran(nameless.output().unwrap()), 2, &["--user-agent"]);
    // The real EDGAR is not told a made-up name.
    let mut placeholder = Command::new(env!("CARGO_BIN_EXE_eightk"));
    placeholder.args(["fetch", "--store", arg(&store), "--user-agent", "Your Name you@your-domain.org"]);
    says(ran(placeholder.env_remove("EIGHTK_EDGAR_URL").output().unwrap()), 2, &["--user-agent"]);
    says(fetch("edgar.local", &store, &[]), 2, &["EIGHTK_EDGAR_URL"]);
}

#[test]
fn a_place_that_is_no_store_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let foreign = dir.path().join("thesis");
    std::fs::create_dir(&foreign).unwrap();
    std::fs::write(foreign.join("chapter.tex"), "x").unwrap();
    says(fetch(NOBODY, &foreign, &[]), 2, &["chapter.tex"]);
    assert_eq!(std::fs::read_dir(&foreign).unwrap().count(), 1);
    says(fetch(NOBODY, &foreign.join("chapter.tex"), &[]), 2, &["chapter.tex"]);
    let newer = dir.path().join("newer");
    std::fs::create_dir(&newer).unwrap();
    std::fs::write(newer.join("eightk-store.json"), r#"{"format": 99, "written_by": "eightk 9.0.0"}"#).unwrap();
    says(fetch(NOBODY, &newer, &[]), 2, &["9.0.0"]);
    says(eightk(["build", arg(&newer), "--out", arg(&dir.path().join("set"))]), 1, &["9.0.0"]);
    says(eightk(["fetch", "--check", "--store", arg(&dir.path().join("nowhere"))]), 2, &["nowhere"]);
}

#[test]
fn odd_hits_are_refused_one_by_one() {
    let document =
        b"<html><body><p>Brackwater Mills Inc. (the \"Company\") expects to incur charges.</p></body></html>";
    let hits = [
        hit("0001111111-24-000001:good.htm", "BRACKWATER MILLS INC", "0000000011", "2024-03-01"),
        hit("0001111111-24-000002", "NO FILE CORP", "0000000012", "2024-03-01"),
        hit("0001111111-24-000003:../../etc/passwd", "CLIMBER INC", "0000000013", "2024-03-01"),
        hit("0001111111-24-000004:gone.htm", "GONE CORP", "0000000014", "2024-03-01"),
        hit(
            "0001111111-24-000005:/ix?doc=/Archives/edgar/data/15/000111111124000005/inline.htm",
            "INLINE\nLLC",
            "0000000015",
            "2024-03-01",
        ),
        hit("0001111111-24-000006:late.htm", "NO DAY LTD", "0000000016", "yesterday"),
    ];
    let mut answers = Answers::new();
    answers.insert(SEARCH.into(), (200, "text/html", search(&hits)));
    answers.insert("/Archives/edgar/data/11/000111111124000001/good.htm".into(), (200, "text/html", document.to_vec()));
    answers
        .insert("/Archives/edgar/data/15/000111111124000005/inline.htm".into(), (200, "text/html", document.to_vec()));
    let server = Scripted::start(answers);
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("store");
    let run = fetch(&server.url, &store, &["--json"]).exits(1);
    let report = run.json();
    assert_eq!(report["found"]["refused"].as_array().unwrap().len(), 3, "{report}");
    assert_eq!(report["downloaded"], 2, "{report}");
    assert_eq!(report["refused"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["refused"][0]["accession"], "0001111111-24-000004");
    let there = stored(&store);
    assert_eq!(there.keys().collect::<Vec<_>>(), ["0001111111-24-000001", "0001111111-24-000005"]);
    let inline = std::fs::read_to_string(store.join("filings/0001111111-24-000005/filing.json")).unwrap();
    assert!(inline.contains("\"INLINE LLC\"") && inline.contains("\"inline.htm\""), "{inline}");
    // A later run asks for the missing one again, and for nothing else.
    let before = server.asked().len();
    fetch(&server.url, &store, &["--json"]).exits(1);
    assert!(server.asked()[before..].iter().all(|p| p.contains("000111111124000004")), "{:?}", server.asked());
}

#[test]
fn no_hit_is_an_answer() {
    let mut answers = Answers::new();
    answers.insert(SEARCH.into(), (200, "application/json", search(&[])));
    let server = Scripted::start(answers);
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("store");
    let run = fetch(&server.url, &store, &[]).exits(0);
    assert!(run.stdout.contains("No filing was found"), "{}", run.stdout);
    says(eightk(["build", arg(&store), "--out", arg(&dir.path().join("set"))]), 2, &["fetch"]);
}

#[test]
fn an_edgar_that_answers_nonsense_ends_the_run_with_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    let cases: [(u16, &[u8], &[&str], i32); 5] = [
        (200, b"<!DOCTYPE html><html><head><title>SEC.gov</title></head><body>Please try again</body></html>", &["a page that says"], 1),
        (200, b"{\"error\": \"Blank search not valid\", \"hits\": {\"hits\": []}}", &["Blank search"], 1),
        (200, b"[1, 2]", &["search-index"], 1),
        (
            403,
            b"<html><head><title>SEC.gov | Your Request Originates from an Undeclared Automated Tool</title></head></html>",
            &["--user-agent"],
            2,
        ),
        (404, b"<html>Not Found</html>", &["404"], 1),
    ];
    for (i, (status, body, words, code)) in cases.into_iter().enumerate() {
        let mut answers = Answers::new();
        answers.insert(SEARCH.into(), (status, "text/html", body.to_vec()));
        let server = Scripted::start(answers);
        let store = dir.path().join(i.to_string());
        says(fetch(&server.url, &store, &["--tries", "2"]), code, words);
        assert!(stored(&store).is_empty());
        let told = fetch(&server.url, &store, &["--tries", "1", "--json"]).exits(code).json();
        assert_eq!(told["complete"], false, "{told}");
    }
}
