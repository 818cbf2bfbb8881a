//! What pages say of a sound data set.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use common::html::{Parsed, parse};
use common::live::Told;
use common::runs::{Skill, account};
use common::sets::Maker;
use common::{options, serve, serve_with};
use eightk_explore::NoSystems;

fn holds(page: &str, all: &[&str]) {
    let text = parse(page).text;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for wanted in all {
        assert!(text.contains(wanted), "{wanted:?} is not in {text}");
    }
}

#[test]
fn every_link_leads_somewhere_and_every_id_is_one() {
    let folder = Maker::sound(60).write();
    let chunks = vec!["0000051400-25-000000#s16".to_owned()];
    let account = account(folder.path(), &[("good", Skill::Gold), ("bad", Skill::Rival)]);
    let server =
        serve_with(folder.path(), options(), Arc::new(Told::new(chunks)), |explorer| explorer.account = Some(account));
    let mut ahead = VecDeque::from(["/".to_owned()]);
    let mut seen: BTreeSet<String> = ahead.iter().cloned().collect();
    let mut anchors: BTreeSet<(String, String)> = BTreeSet::new();
    let mut ids: BTreeSet<(String, String)> = BTreeSet::new();
    let mut checked = 0;
    while let Some(path) = ahead.pop_front() {
        let answer = server.get(&path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        checked += 1;
        if !answer.header("content-type").unwrap().starts_with("text/html") {
            continue;
        }
        let page = parse(&answer.body);
        one_id_each(&path, &page);
        ids.extend(page.tags.iter().filter_map(|t| Some((path.clone(), t.attributes.get("id")?.clone()))));
        for href in page.tags.iter().filter(|t| t.name == "a").filter_map(|t| t.attributes.get("href")) {
            let (to, anchor) = href.split_once('#').unwrap_or((href, ""));
            let to = if to.is_empty() { path.as_str() } else { to };
            if !anchor.is_empty() {
                anchors.insert((to.to_owned(), anchor.to_owned()));
            }
            if to.starts_with('/') && seen.insert(to.to_owned()) {
                ahead.push_back(to.to_owned());
            }
        }
    }
    assert!(checked > 200, "{checked}");
    let lost: Vec<_> = anchors.difference(&ids).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

fn one_id_each(path: &str, page: &Parsed) {
    let mut ids = BTreeSet::new();
    for id in page.tags.iter().filter_map(|t| t.attributes.get("id")) {
        assert!(ids.insert(id), "{path}: id {id} stands twice");
    }
    assert_eq!(page.tags.iter().filter(|t| t.name == "h1").count(), 1, "{path}");
    let fields = page.tags.iter().filter(|t| ["input", "select"].contains(&t.name.as_str()));
    for field in fields {
        let id = &field.attributes["id"];
        let label = page.tags.iter().any(|t| t.name == "label" && t.attributes.get("for") == Some(id));
        assert!(label, "{path}: {id} has no label");
    }
}

#[test]
fn the_overview_counts_and_says_what_is_missing() {
    let folder = Maker::sound(12).write();
    let server = serve(folder.path());
    holds(
        &server.page("/"),
        &["filings 12", "chunks (sentences) 36", "queries 12", "charges: 12 queries", "No result of an audit"],
    );
    std::fs::write(
        folder.path().join("audit/result.json"),
        r#"{"passed":false,"checks":[{"name":"spans-fit","outcome":"failed"},{"name":"facts-named","outcome":"passed"}]}"#,
    )
    .unwrap();
    std::fs::write(
        folder.path().join("manifest.json"),
        r#"{"fingerprint":"abc123","recipe":{"name":"r"},"counts":{"filings":12},"dropped":{"heading":7},"left_out":{"named":3}}"#,
    )
    .unwrap();
    let server = serve(folder.path());
    let page = server.page("/");
    holds(&page, &["failed spans-fit", "1 check passed, 1 failed", "abc123", "heading 7", "named 3", "recipe r"]);
}

#[test]
fn filings_are_found_ordered_and_paged() {
    let folder = Maker::sound(60).write();
    let server = serve(folder.path());
    let page = server.page("/filings");
    holds(&page, &["60 filings", "1 to 50 of 60", "Marlin 7 Pumps"]);
    assert!(!page.contains("Marlin 55 Pumps"));
    assert!(server.page("/filings?page=2").contains("Marlin 55 Pumps"));
    assert!(server.page("/filings?page=999").contains("Marlin 55 Pumps"));
    let found = server.page("/filings?q=marlin+55-25");
    holds(&found, &["1 filing has", "Marlin 55 Pumps"]);
    holds(&server.page("/filings?q=0000051407-25"), &["Marlin 7 Pumps"]);
    holds(&server.page("/filings?q=nobody"), &["0 filings have", "Nothing of that name"]);
    let latest = server.page("/filings?sort=latest");
    assert!(latest.find("2025-03-28").unwrap() < latest.find("2025-03-27").unwrap());
}

#[test]
fn a_filing_is_its_text_with_every_sentence_marked() {
    let folder = Maker::sound(6).write();
    let server = serve(folder.path());
    let page = server.page("/filings/1");
    holds(
        &page,
        &[
            "Marlin 1 Pumps 8-K 2025-03-02",
            "evidence (charges) q1",
            "gold (charges) q1",
            "rival (charges) q0, q2, q3 and 2 more",
            "Sentences of many queries Sentence 2 gold q1 rival q0, q2, q3, q4, q5",
            "The original on sec.gov",
            "Nothing else of note was said in year by the end of year 1.",
        ],
    );
    assert!(page.contains("<h2 class=\"item\">") && page.contains("<mark class=\"gold\""));
    let sec = "https://www.sec.gov/Archives/edgar/data/51434/000005140125000001/0000051401-25-000001-index.htm";
    assert!(page.contains(sec));
    // Another reason than a heading is said where the sentence stands.
    let mut set = Maker::sound(4);
    set.reason[1] = "boilerplate".to_owned();
    let other = serve(set.write().keep().as_path()).page("/filings/1");
    holds(&other, &["dropped: boilerplate"]);
    for missing in ["/filings/6", "/filings/x", "/filings/-1", "/filings/99999999999999999999"] {
        let answer = server.get(missing);
        assert_eq!(answer.status, 404, "{missing}");
        holds(&answer.body, &["No such filing", "Look for it"]);
    }
}

#[test]
fn a_set_without_texts_shows_its_chunks_and_says_so() {
    let folder = Maker { rows: false, ..Maker::sound(3) }.write();
    let server = serve(folder.path());
    let page = server.page("/filings/0");
    holds(&page, &["holds no text of its filings", "gold (charges) q0", "Nothing else of note was said"]);
    assert!(page.find("announced a plan").unwrap() < page.find("approximately $3 million").unwrap());
    holds(&server.page("/"), &["holds no text of its filings"]);
}

#[test]
fn what_is_too_long_for_a_page_is_cut_and_said_to_be() {
    let mut set = Maker::sound(2);
    set.tails[0] = "é and so on and on".repeat(100_000);
    let long = format!("{} end", "Marlin ".repeat(60));
    set.names[1].1.clone_from(&long);
    let folder = set.write();
    let server = serve(folder.path());
    let page = server.page("/filings/0");
    assert!(page.len() < 6_000_000, "{}", page.len());
    holds(&page, &["too long for a page", "4,194,304 bytes"]);
    let page = parse(&server.page("/queries/1")).text;
    assert!(page.contains("…") && page.contains(&format!("What charges does {long} expect?")));
}

#[test]
fn a_query_shows_gold_evidence_and_what_rivals_say_instead() {
    let folder = Maker::sound(14).write();
    let server = serve(folder.path());
    let page = server.page("/queries/2");
    holds(
        &page,
        &[
            "What charges does Marlin 2 Pumps expect?",
            "fact charges",
            "rivals 13",
            "grade 2",
            "grade 1",
            "the 10 most like the gold of 13",
        ],
    );
    assert!(page.contains("<del>$5</del> <ins>$3</ins>"), "{page}");
    let rivals = server.page("/queries/2/rivals");
    holds(&rivals, &["13 rivals", "similarity .50"]);
    assert!(rivals.contains("<del>$5</del>") && rivals.contains("<ins>$3</ins>"));
    assert_eq!(server.get("/queries/14").status, 404);
    let csv = server.get("/queries/2/rivals.csv");
    assert_eq!(csv.header("content-disposition"), Some("attachment; filename=\"q2-rivals.csv\""));
    assert_eq!(csv.body.lines().count(), 14);
    assert!(csv.body.starts_with("query,chunk_id,similarity,source_url,title,text\r\nq2,"));
}

#[test]
fn queries_are_filtered_by_fact_and_words() {
    let mut set = Maker::sound(9);
    for fact in set.fact.iter_mut().skip(6) {
        *fact = "work & force".to_owned();
    }
    let folder = set.write();
    let server = serve(folder.path());
    holds(&server.page("/queries"), &["9 queries", "work & force (3)"]);
    holds(&server.page("/queries?fact=work+%26+force"), &["3 queries"]);
    holds(&server.page("/queries?fact=charges&q=marlin+4"), &["1 query"]);
    holds(&server.page("/queries?fact=nothing"), &["0 queries", "No query is like that"]);
    assert!(server.page("/").contains("/queries?fact=work%20%26%20force"));
}

#[test]
fn a_live_search_marks_what_it_found_and_two_stand_beside_each_other() {
    let set = Maker::sound(3);
    let folder = set.write();
    let csv = serve(folder.path()).get("/download/chunks.csv").body;
    let ids: Vec<String> = csv.lines().skip(1).map(|l| l.split(',').next().unwrap().to_owned()).collect();
    assert_eq!(ids.len(), 9);
    let live = Arc::new(Told::new([&ids[4..], &ids[..4], &["elsewhere".to_owned()]].concat()));
    let server = serve_with(folder.path(), options(), live.clone(), |_| {});
    let ask = "/search?q=what+charges+DOES+marlin+0+pumps+expect%3F";
    let page = server.page(&format!("{ask}&a=quick&b=back%3Cwards%3E"));
    holds(&page, &["This is query q0", "A rival stands at 1, the gold at 7", "Not a chunk of this data set"]);
    assert!(
        page.contains("<li class=\"gold\">")
            && page.contains("<li class=\"rival\">")
            && page.contains("<li class=\"evidence\">")
    );
    assert_eq!(page.matches("<ol class=\"hits\">").count(), 2);
    let other = server.page("/search?q=anything&a=quick");
    assert!(!other.contains("<li class=\"gold\">") && !other.contains("This is query"));
    let csv = server.get(&format!("{}&a=quick&depth=2", ask.replace("/search?", "/search.csv?")));
    assert!(csv.body.starts_with("rank,chunk_id,score,source_url,title,text\r\n1,"), "{}", csv.body);
    assert_eq!(csv.body.lines().count(), 3);

    // One that is being prepared says so, asks again by itself, and is there in the end.
    let late = format!("{ask}&a=late&b=quick");
    let page = server.page(&late);
    holds(&page, &["This system is being prepared: half <done>", "A rival stands at 1"]);
    assert!(page.contains("http-equiv=\"refresh\""));
    server.page(&late);
    let page = server.page(&late);
    assert!(!page.contains("http-equiv") && live.asked.load(Ordering::SeqCst) == 3);

    holds(&server.page(&format!("{ask}&a=broken")), &["It failed: the model <b>is gone</b>"]);
    assert_eq!(server.get(&format!("{ask}&a=nobody")).status, 404);
    holds(&serve(folder.path()).page("/search"), &["No system runs here"]);
}

#[test]
fn runs_say_who_failed_what_and_what_stood_first() {
    let folder = Maker::sound(5).write();
    let systems =
        [("good", Skill::Gold), ("bad & worse", Skill::Rival), ("level", Skill::Level), ("blind", Skill::Nothing)];
    let account = account(folder.path(), &systems);
    let server = serve_with(folder.path(), options(), Arc::new(NoSystems), |explorer| explorer.account = Some(account));
    let page = server.page("/queries/3");
    holds(
        &page,
        &[
            "good gold before every rival 1 1 of 5 1.000",
            "bad & worse a rival before the gold 2 2 of 5 −1.000",
            "level level with a rival",
            "blind gold not retrieved – – –",
            "gold Marlin 3 Pumps 8-K 2025-03-04 by good, level",
            "rival Marlin 0 Pumps 8-K 2025-03-01 by bad & worse, blind",
        ],
    );
    holds(&server.page("/queries?failed=good"), &["0 queries at which good"]);
    holds(&server.page("/queries?failed=bad+%26+worse"), &["5 queries at which bad & worse", "failed byof 4"]);
    holds(&server.page("/"), &["resolved@1", "Figures, differences and warnings"]);
    let scores = server.page("/scores");
    holds(&scores, &["bad & worse: 5", "good: none", "good failed"]);
    assert!(scores.contains("<svg") && !scores.contains("<style"));
    let csv = server.get("/download/outcomes.csv").body;
    assert_eq!(csv.lines().count(), 21);
    assert!(csv.contains("good,q0,,gold before every rival,1,4,0,0,1,"), "{csv}");
    assert!(server.get("/download/scores.csv").body.contains("\r\ngood,rival_auc,1,"));
    // The scores are of another set, if the set says which it is.
    std::fs::write(folder.path().join("manifest.json"), r#"{"fingerprint":"this one"}"#).unwrap();
    let account = common::runs::account(folder.path(), &systems);
    let server = serve_with(folder.path(), options(), Arc::new(NoSystems), |explorer| explorer.account = Some(account));
    holds(&server.page("/"), &["Another data set."]);
}

#[test]
fn searches_beyond_what_is_allowed_are_told_to_come_back() {
    let folder = Maker::sound(2).write();
    let mut options = options();
    options.limits.searches = 1;
    let server = serve_with(folder.path(), options, Arc::new(Told::new(Vec::new())), |_| {});
    let statuses: Vec<(u16, bool)> = std::thread::scope(|scope| {
        let ask = || {
            let answer = server.get("/search?q=x&a=slow");
            (answer.status, answer.header("retry-after").is_some())
        };
        let asked: Vec<_> = (0..5).map(|_| scope.spawn(ask)).collect();
        // Pages are made meanwhile.
        assert_eq!(server.get("/filings").status, 200);
        asked.into_iter().map(|a| a.join().unwrap()).collect()
    });
    assert!(statuses.contains(&(200, false)) && statuses.contains(&(503, true)), "{statuses:?}");
    assert_eq!(server.get("/search?q=x&a=slow").status, 200);
}

#[test]
fn a_system_that_dies_or_never_ends_takes_nothing_with_it() {
    let folder = Maker::sound(2).write();
    let mut options = options();
    // Long enough for a panic to be written down by a busy machine, shorter than the search that does not end.
    options.limits.answer = Duration::from_secs(4);
    let server = serve_with(folder.path(), options, Arc::new(Told::new(Vec::new())), |_| {});
    for _ in 0..5 {
        let answer = server.get("/search?q=x&a=dies");
        assert_eq!(answer.status, 500);
        assert!(!answer.body.contains("panic") && !answer.body.contains("a system that dies"));
    }
    assert!(server.complaints.lock().unwrap()[0].contains("a page panicked"));
    let answer = server.get("/search?q=x&a=endless");
    assert_eq!((answer.status, answer.header("retry-after")), (503, Some("5")));
    assert_eq!(server.get("/search?q=x&a=quick").status, 200);
}

#[test]
fn what_cannot_be_read_is_told_to_the_terminal_alone() {
    let folder = Maker::sound(3).write();
    let server = serve(folder.path());
    server.page("/filings/0");
    std::fs::remove_file(folder.path().join("documents.jsonl")).unwrap();
    let answer = server.get("/filings/2");
    assert_eq!(answer.status, 500);
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    assert!(!answer.body.contains("documents") && !answer.body.contains(name), "{}", answer.body);
    assert!(server.complaints.lock().unwrap().iter().any(|c| c.contains("documents.jsonl")));
    // A table that breaks off does not look whole.
    assert!(!server.get("/download/chunks.csv").ended);
    assert!(server.get("/download/filings.csv").ended);
    assert_eq!(server.get("/filings").status, 200);
}
