//! Whole pages of accounts that never were.

mod html;

use std::collections::BTreeMap;

use eightk_core::RivalSet;
use eightk_measure::FailedSystem;
use eightk_runs::{Account, AuditFacts, DataFacts, RecipeFacts, TextRow};
use html::{checked, count};

use super::*;
use crate::figures::testing::{World, with_ladder};

/// Texts, rivals, facts and evidence for whatever the world names.
fn told(mut account: Account) -> Account {
    let sentence = |chunk: &str| {
        format!("The Company expects charges of ${} million, most of them in {}.", chunk.len() + 1, chunk)
    };
    for filing in &account.filings {
        for (idx, chunk) in filing.chunks.iter().enumerate() {
            let row = TextRow {
                chunk_id: chunk.clone(),
                text: sentence(chunk),
                source_url: filing.filing.clone(),
                title: filing.title.clone(),
                idx,
            };
            account.texts.insert(chunk.clone(), row);
        }
    }
    for (i, query) in account.queries.iter_mut().enumerate() {
        query.fact = Some(if i % 3 == 0 { "workforce" } else { "charges" }.into());
        if i % 2 == 0 {
            query.evidence = vec![format!("x{}", i % 5)];
            query.distance = Some(2);
        }
    }
    let mut sets: BTreeMap<String, RivalSet> = BTreeMap::new();
    for row in account.outcomes.iter().filter(|r| r.rivals > 0) {
        let rivals = (0..row.rivals).map(|r| format!("r{}-{r}", &row.query[1..])).collect();
        let set = RivalSet {
            query: row.query.clone(),
            fact: "charges".into(),
            gold: String::new(),
            rivals,
            similarity: Vec::new(),
            total: None,
        };
        sets.insert(row.query.clone(), set);
    }
    account.rivals = sets.into_values().collect();
    account.results.report.data = Some(DataFacts {
        name: "invented".into(),
        fingerprint: "0123".into(),
        qrels_sha256: "45".into(),
        rivals_sha256: None,
        recipe: Some(RecipeFacts { name: "restructuring".into(), sha256: "67".into() }),
        filings: 20,
        invented: 0,
        chunks: 1234,
        queries: account.queries.len(),
        repaired_spans: 1,
        audit: Some(AuditFacts { passed: 30, failed: vec!["no-leak".into()], not_applicable: 1 }),
    });
    account
}

fn usual() -> Account {
    let systems = vec![("bm25", 0.3), ("bare", 0.2), ("title", 0.9), ("title/swap", 0.1), ("random", 0.5)];
    told(with_ladder(World { systems, queries: 24, rivals: 9 }.account()))
}

fn page(account: &Account) -> String {
    report(account, &ReportOptions::default()).unwrap()
}

#[test]
fn the_page_is_whole_and_the_same_each_time() {
    let account = usual();
    let html = page(&account);
    assert_eq!(html, page(&account));
    let all = checked(&html);
    assert_eq!(count(&all, "details", "") - count(&all, "details", "fold"), 24, "every query opens");
    assert!(count(&all, "svg", "plot") > 8 && count(&all, "ins", "") > 5 && count(&all, "del", "") > 5);
    for said in ["resolved “the Company” most often", "A smoke test.", "1,234", "no-leak", "no such model", "shown to"]
    {
        assert!(html.contains(said), "{said}");
    }
    // Worst first.
    let tallies: Vec<usize> = html.split("resolved by ").skip(1).map(|t| t[..1].parse().unwrap()).collect();
    assert!(tallies.len() == 24 && tallies.windows(2).all(|w| w[0] <= w[1]), "{tallies:?}");
}

#[test]
fn what_strangers_wrote_stays_text() {
    let bad = "</bdi></li><script>alert(1)</script><img src=x onerror=alert(1)>\" onclick=\"x' javascript:alert(1) \u{202e}\u{0}";
    let mut account = usual();
    for filing in &mut account.filings {
        filing.url = Some("javascript:alert(1)".into());
    }
    for row in account.texts.values_mut() {
        row.text += bad;
        row.title += bad;
    }
    for query in &mut account.queries {
        query.text += bad;
        query.fact = Some(bad.into());
    }
    let rename = |name: &mut String| *name = format!("{name}{bad}");
    let results = &mut account.results;
    rename(&mut results.version);
    let report = &mut results.report;
    report.systems.iter_mut().for_each(|s| rename(&mut s.name));
    report.settings.contestants.iter_mut().for_each(rename);
    report.settings.baseline.iter_mut().for_each(rename);
    report.settings.ladders.iter_mut().flat_map(|l| &mut l.rungs).for_each(|r| rename(&mut r.system));
    report.comparisons.iter_mut().for_each(|c| {
        rename(&mut c.a);
        rename(&mut c.b);
    });
    for ablation in &mut report.ablations {
        rename(&mut ablation.model);
        ablation.gains.iter_mut().chain(&mut ablation.controls).for_each(|c| rename(&mut c.a));
        ablation.context_free.push(bad.into());
    }
    report.failed.iter_mut().for_each(|f| {
        rename(&mut f.name);
        rename(&mut f.reason);
    });
    if let Some(data) = &mut report.data {
        for text in [&mut data.name, &mut data.fingerprint, &mut data.qrels_sha256] {
            rename(text);
        }
        data.audit.iter_mut().flat_map(|a| &mut a.failed).for_each(rename);
    }
    account.outcomes.iter_mut().for_each(|o| rename(&mut o.system));
    let html = page(&account);
    let all = checked(&html);
    assert!(count(&all, "img", "") == 0 && count(&all, "a", "") < 20);
    assert!(!html.contains(['\u{202e}', '\u{0}']), "what would turn the text around is shown by its number");
}

#[test]
fn links_lead_to_sec_gov_alone() {
    let mut account = usual();
    for (i, filing) in account.filings.iter_mut().enumerate() {
        let host = if i % 2 == 0 { "www.sec.gov" } else { "example.com" };
        filing.url = Some(format!("https://{host}/Archives/edgar/data/1/{i}.htm"));
    }
    let html = page(&account);
    assert!(
        checked(&html).iter().any(|e| e.attributes.get("href").is_some_and(|h| h.starts_with("https://www.sec.gov/")))
    );
    assert!(!html.contains("example.com"));
}

#[test]
fn whatever_is_missing_there_is_a_page() {
    let mut bare = usual();
    bare.texts.clear();
    bare.rivals.clear();
    bare.filings.clear();
    bare.results.report.data = None;
    assert!(page(&bare).contains("its text was not kept"));
    let mut unknown = usual();
    unknown.queries.clear();
    let none = told(World { systems: vec![("a", 0.5)], queries: 4, rivals: 0 }.account());
    assert!(page(&none).contains("No query has rivals"));
    let one = told(World { systems: vec![("a", 0.5), ("b", 0.5)], queries: 1, rivals: 3 }.account());
    let crowd = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q"];
    let crowd: Vec<(&str, f64)> = crowd.iter().map(|n| (*n, 0.1 * n.len() as f64)).collect();
    let crowd = told(World { systems: crowd, queries: 30, rivals: 30 }.account());
    let mut failed = usual();
    failed.results.report.systems.clear();
    failed.outcomes.clear();
    failed.results.report.comparisons.clear();
    failed.results.report.failed.push(FailedSystem { name: "x".into(), reason: "y".into() });
    assert!(page(&failed).contains("Every system failed"));
    let mut nothing = failed.clone();
    nothing.queries.clear();
    nothing.results.report.failed.clear();
    let mut silent = usual();
    silent.results.report.systems.iter_mut().for_each(|s| s.never_ran = true);
    let mut two = usual();
    let mut second = two.results.report.ablations.clone();
    second.iter_mut().for_each(|a| a.model = "n".into());
    two.results.report.ablations.extend(second);
    let mut answerless = usual();
    answerless.queries.iter_mut().for_each(|q| q.answers.clear());
    for row in &mut answerless.outcomes {
        (row.answers, row.answer_rank, row.answer_tie) = (Vec::new(), None, None);
    }
    for account in [bare, unknown, none, one, crowd, failed, nothing, silent, two, answerless] {
        checked(&page(&account));
    }
}

#[test]
fn the_size_asked_for_is_kept() {
    let account = usual();
    let whole = page(&account).len();
    let small = |max_bytes| report(&account, &ReportOptions { max_bytes, title: None });
    let needed = match small(10) {
        Err(ReportError::TooSmall { needed, limit: 10 }) => needed,
        other => panic!("{:?}", other.map(|h| h.len())),
    };
    let mut last = 0;
    for limit in [needed + 1_300, needed + 6_000, needed + 30_000, needed + 60_000, whole + 2_000] {
        let html = small(limit).unwrap();
        assert!(html.len() <= limit, "{} > {limit}", html.len());
        let all = checked(&html);
        let open = count(&all, "details", "") - count(&all, "details", "fold");
        assert!(open >= last && (open == 24 || html.contains("--max-size")), "{open} of {limit}");
        // Those in full are the first of the list.
        let list = html.split("id=\"query-list\"").nth(1).unwrap();
        let kinds: Vec<bool> =
            list.split("<li id=\"query-").skip(1).map(|li| li.contains("<details><summary>")).collect();
        assert!(kinds.windows(2).all(|w| w[0] || !w[1]) || limit < whole, "{kinds:?}");
        last = open;
    }
    assert_eq!(last, 24);
}
