//! What `eval` puts down to be shown, and the page that `report` makes of it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use eightk_runs::{Account, OutcomeRow};
use support::{arg, eightk, synth};

fn evaluated(dir: &Path) -> PathBuf {
    let (data, filings, runs) = (dir.join("data"), synth(dir, 60, 5), dir.join("runs"));
    eightk(["build", arg(&filings), "--out", arg(&data)]).exits(0);
    eightk(["eval", arg(&data), "--system", "bm25:lead", "--out", arg(&runs)]).exits(0);
    runs
}

/// One over the expected rank of the best answer, from the places that were put down.
fn reciprocal_rank(row: &OutcomeRow) -> f64 {
    let [answer] = &row.answers[..] else { panic!("generated queries have one answer") };
    let Some(rank) = answer.rank else { return 0.0 };
    (rank..rank + answer.tie).map(|r| 1.0 / r as f64).sum::<f64>() / answer.tie as f64
}

#[test]
fn who_stood_where_agrees_with_the_scores() {
    let dir = tempfile::tempdir().unwrap();
    let account = Account::read(&evaluated(dir.path())).unwrap();
    let rivals: BTreeMap<&str, &Vec<String>> =
        account.rivals.iter().map(|set| (set.query.as_str(), &set.rivals)).collect();
    let (mut rows, mut tied, mut lost) = (0, 0, 0);
    for row in &account.outcomes {
        let mrr = row.metrics[&"mrr".parse().unwrap()].unwrap();
        assert!((mrr - reciprocal_rank(row)).abs() < 1e-12, "{row:?}");
        rows += 1;
        tied += usize::from(row.answers[0].tie > 1);
        // The best rival is one, and above the answer exactly where some rival is.
        let (Some(rival), Some(rank)) = (&row.best_rival, row.answers[0].rank) else { continue };
        assert!(rivals[row.query.as_str()].contains(&rival.chunk));
        assert_eq!(rival.rank.unwrap() < rank, row.rivals_above > 0, "{row:?}");
        lost += usize::from(row.rivals_above > 0);
        // What stands first is in order, and what is shown is kept with its text.
        assert!(row.first.windows(2).all(|w| w[0].score >= w[1].score));
        for shown in row.first.iter().map(|r| &r.chunk).chain([&rival.chunk, &row.answers[0].chunk]) {
            assert!(!account.text(shown).unwrap().text.is_empty());
        }
    }
    assert_eq!(rows, account.queries.len() * account.results.report.systems.len());
    assert!(tied > 0 && lost > 0, "{tied} {lost}");
    assert!(account.queries.iter().all(|q| q.answers.len() == 1 && q.filing.is_some()));
    assert!(account.filings.iter().all(|f| f.title.contains("8-K")));
    let audit = account.results.report.data.as_ref().unwrap().audit.as_ref().unwrap();
    assert!(audit.passed > 60 && audit.failed.is_empty(), "invariants and sections: {audit:?}");
    let specs: Vec<&str> = account.results.rankings.iter().map(|r| r.spec.as_str()).collect();
    assert_eq!(specs[..2], ["bm25:lead", "bm25"]);
}

#[test]
fn the_page_is_whole_and_the_same_each_time() {
    let dir = tempfile::tempdir().unwrap();
    let runs = evaluated(dir.path());
    let pages = ["a.html", "b.html"].map(|name| dir.path().join(name));
    for page in &pages {
        let said = eightk(["report", arg(&runs), "--out", arg(page)]).exits(0).stdout;
        assert!(said.contains(arg(page)), "{said}");
    }
    let [a, b] = pages.each_ref().map(|page| std::fs::read_to_string(page).unwrap());
    assert_eq!(a, b);
    assert!(a.len() < 3_000_000 && a.trim_end().ends_with("</html>"), "{} bytes", a.len());
    let account = Account::read(&runs).unwrap();
    for query in &account.queries {
        assert!(a.contains(&query.text.replace('&', "&amp;")), "{} is not there", query.text);
    }
    for system in &account.results.report.systems {
        assert!(a.contains(&system.name));
    }
    for outside in ["src=\"http", "href=\"http://", "@import", "url(", "<link"] {
        assert!(!a.contains(outside), "{outside}");
    }
    // Somebody else reads it: nothing of this machine.
    assert!(!a.contains(arg(dir.path())));
    // Smaller, and says what it left out.
    let small = dir.path().join("small.html");
    eightk(["report", arg(&runs), "--out", arg(&small), "--max-size", "0.3"]).exits(0);
    let small = std::fs::read_to_string(small).unwrap();
    assert!(small.len() < 300_000 && small.contains("--max-size"), "{} bytes", small.len());
}

#[test]
fn wrong_folders_and_taken_names_are_told_of() {
    let dir = tempfile::tempdir().unwrap();
    let page = dir.path().join("report.html");
    let none = eightk(["report", arg(dir.path()), "--out", arg(&page)]).exits(2);
    assert!(none.stderr.contains("without results.json") && none.stderr.contains("eightk eval"), "{}", none.stderr);
    let runs = evaluated(dir.path());
    std::fs::write(&page, "mine").unwrap();
    let taken = eightk(["report", arg(&runs), "--out", arg(&page)]).exits(2);
    assert!(taken.stderr.contains("--force"), "{}", taken.stderr);
    assert_eq!(std::fs::read_to_string(&page).unwrap(), "mine");
    std::fs::write(runs.join("per-query.jsonl"), "{\"system\":").unwrap();
    let bad = eightk(["report", arg(&runs), "--out", arg(&page), "--force"]).exits(1);
    assert!(bad.stderr.contains("per-query.jsonl, line 1"), "{}", bad.stderr);
    assert_eq!(std::fs::read_to_string(&page).unwrap(), "mine");
    let zero = eightk(["report", arg(&runs), "--max-size", "0"]).exits(2);
    assert!(zero.stderr.contains("megabytes"), "{}", zero.stderr);
}
