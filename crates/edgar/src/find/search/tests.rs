//! Whole searches against an EDGAR in memory, and recorded answers.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use eightk_core::Form;
use serde_json::{Value, json};

use super::echo::Echo;
use super::reader::ASKED;
use super::*;
use crate::event::{Event, Unwatched};
use crate::find::fake::{Doc, Fake, real_filings, shared};

const TODAY: &str = "2026-11-30";

fn day(s: &str) -> FilingDate {
    s.parse().unwrap()
}

fn query() -> Query {
    Query { phrase: String::new(), forms: vec![Form::EightK], items: vec![], from: None, to: None, exhibits: false }
}

fn of(web: &Fake, query: &Query) -> Result<Searched, EdgarError> {
    search(web, query, day(TODAY), &Unwatched)
}

/// `n` filings, `per_day` a day.
fn filings(n: usize, per_day: usize) -> Vec<Doc> {
    let first: jiff::civil::Date = "2022-01-01".parse().unwrap();
    (0..n)
        .map(|i| {
            let filed = first.checked_add(jiff::Span::new().days(i64::try_from(i / per_day).unwrap())).unwrap();
            Doc::new(i, &filed.to_string(), if i % 2 == 0 { &["2.05"] } else { &["2.05", "9.01"] })
        })
        .collect()
}

#[test]
fn pages_are_read_to_the_end() {
    let web = Fake::of(filings(250, 10));
    let found = of(&web, &query()).unwrap();
    assert_eq!((found.filings.len(), found.hits, found.missing, found.notes.len()), (250, 250, 0, 0));
    assert!(found.filings.is_sorted_by(|a, b| a.accession < b.accession));
    let pages: Vec<String> = web.asked().iter().map(|u| u.rsplit('=').next().unwrap().to_owned()).collect();
    assert_eq!(pages, ["0", "100", "200"]);
}

#[test]
fn no_hit_is_a_result() {
    let found = of(&Fake::default(), &query()).unwrap();
    assert_eq!(found, Searched::default());
}

#[test]
fn a_phrase_hits_exhibits_too() {
    let mut docs = filings(3, 1);
    docs[1].text = "expects to close a hall".to_owned();
    let web = Fake::of(docs);
    let found = of(&web, &Query { phrase: "Expects to close".to_owned(), ..query() }).unwrap();
    assert_eq!((found.filings.len(), found.hits), (1, 2));
    assert_eq!(found.filings[0].document.as_deref(), Some("main.htm"));
    assert!(web.asked()[0].contains("q=%22Expects%20to%20close%22"));
}

#[test]
fn capped_ranges_are_halved_until_they_fit() {
    for dated in [false, true] {
        let web = Fake { cap: 100, ..Fake::of(filings(1000, 7)) };
        let (from, to) = if dated { (Some(day("2022-01-01")), Some(day("2022-12-31"))) } else { (None, None) };
        let found = of(&web, &Query { from, to, ..query() }).unwrap();
        assert_eq!((found.filings.len(), found.hits, found.unreachable, found.missing), (1000, 1000, 0, 0), "{dated}");
        assert!(found.notes.is_empty());
        assert!(web.asked().iter().skip(1).all(|u| u.contains("startdt=")));
    }
}

#[test]
fn a_capped_day_is_read_by_item_and_what_is_left_is_counted() {
    let mut docs = filings(150, 150);
    for (i, doc) in docs.iter_mut().enumerate() {
        doc.items = if i < 70 { vec!["2.05".into()] } else { vec!["8.01".into()] };
    }
    let web = Fake { cap: 100, ..Fake::of(docs.clone()) };
    let found = of(&web, &query()).unwrap();
    assert_eq!((found.filings.len(), found.unreachable), (150, 0));
    let both = Query { items: vec!["2.05".into(), "8.01".into()], ..query() };
    assert_eq!(of(&web, &both).unwrap().filings.len(), 150);

    for doc in &mut docs {
        doc.items = vec!["8.01".into()];
    }
    let web = Fake { cap: 100, ..Fake::of(docs) };
    for items in [vec![], vec!["8.01".to_owned()]] {
        let found = of(&web, &Query { items, ..query() }).unwrap();
        assert_eq!((found.filings.len(), found.unreachable), (100, 50));
        assert_eq!(found.notes.len(), 1);
        assert!(found.notes[0].contains("beyond the search's limit"), "{:?}", found.notes);
    }
}

#[test]
fn an_answer_to_another_question_is_asked_for_again() {
    let spoil = |n: usize, _: &str, answer: &mut Value| {
        if n <= 2 {
            answer["query"]["query"]["bool"]["filter"][1] = json!({"terms": {"items": ["9.99"]}});
            answer["hits"]["hits"] = json!([]);
        }
    };
    let web = Fake { tamper: Box::new(spoil), ..Fake::of(filings(30, 10)) };
    let asked = Query { items: vec!["2.05".into()], ..query() };
    assert_eq!(of(&web, &asked).unwrap().filings.len(), 30);
    let urls = web.asked();
    assert_eq!(urls.len(), 3);
    assert!(urls[1].ends_with("&entityName=") && urls[2].ends_with("&locationType=located"));

    let always = |_: usize, _: &str, answer: &mut Value| {
        answer["query"]["query"]["bool"]["filter"][1] = json!({"terms": {"items": ["9.99"]}});
    };
    let web = Fake { tamper: Box::new(always), ..Fake::of(filings(30, 10)) };
    let error = of(&web, &asked).unwrap_err().to_string();
    assert!(error.contains("items 2.05") && error.contains("items 9.99"), "{error}");
    assert_eq!(web.asked().len(), ASKED);
}

#[test]
fn a_filter_that_is_never_told_is_applied_here() {
    let mut docs = filings(120, 10);
    docs[7].items = vec!["8.01".into()];
    // The search ignores the items and does not say so.
    let (again, silent) = (Fake::of(docs.clone()), |_: usize, url: &str, answer: &mut Value| {
        if url.contains("&items=") {
            answer["query"]["query"]["bool"]["filter"][1] = json!({"exists": {"field": "form"}});
        }
    });
    let wide = move |n: usize, url: &str, answer: &mut Value| {
        let asked = url.replace("&items=2.05", "");
        *answer = again.search(asked.split_once('?').unwrap().1);
        silent(n, url, answer);
    };
    let web = Fake { tamper: Box::new(wide), ..Fake::of(docs) };
    let found = of(&web, &Query { items: vec!["2.05".into()], ..query() }).unwrap();
    assert_eq!((found.filings.len(), found.beside), (119, 1));
    assert!(found.notes[0].contains("items"), "{:?}", found.notes);
    assert_eq!(web.asked().len(), ASKED + 1);
}

#[test]
fn a_search_that_heeds_no_filter_is_not_cut_for_ever() {
    for (filter, field, docs) in [(1, "&items=", filings(300, 300)), (2, "&dateRange=", filings(300, 10))] {
        let again = Fake { cap: 100, ..Fake::of(docs.clone()) };
        // Days or items are neither heeded nor told.
        let deaf = move |_: usize, url: &str, answer: &mut Value| {
            let query = url.split_once('?').unwrap().1;
            let dropped: Vec<&str> = query
                .split('&')
                .filter(|p| !(field == "&dateRange=" && p[1..].contains("dt=") || p.starts_with(&field[1..])))
                .collect();
            *answer = again.search(&dropped.join("&"));
            answer["query"]["query"]["bool"]["filter"][filter] = json!({"exists": {"field": "form"}});
        };
        let web = Fake { cap: 100, tamper: Box::new(deaf), ..Fake::of(docs) };
        let found = of(&web, &query()).unwrap();
        assert_eq!((found.filings.len(), found.unreachable), (100, 200), "{field}");
        assert_eq!(found.notes.len(), 2, "{:?}", found.notes);
        assert!(web.asked().len() < 60, "{} requests", web.asked().len());
    }
}

#[test]
fn days_that_the_search_puts_in_are_replaced_by_all() {
    let dated = |_: usize, url: &str, answer: &mut Value| {
        if !url.contains("startdt=") {
            answer["query"]["query"]["bool"]["filter"][2] =
                json!({"range": {"file_date": {"gte": "2024-01-01", "lte": "2026-01-01"}}});
            answer["hits"]["hits"] = json!([]);
        }
    };
    let web = Fake { tamper: Box::new(dated), ..Fake::of(filings(3, 1)) };
    assert_eq!(of(&web, &query()).unwrap().filings.len(), 3);
    assert!(web.asked()[1].contains("startdt=1993-01-01&enddt=2027-11-30"));
}

#[test]
fn an_index_that_moves_is_read_again() {
    // The second page once begins with the end of the first, as when a filing was added in front.
    let docs = filings(150, 10);
    let other = Fake::of(docs);
    let spoil = move |n: usize, url: &str, answer: &mut Value| {
        if n == 2 {
            let shifted = other.search(url.replace("from=100", "from=99").split_once('?').unwrap().1);
            answer["hits"] = shifted["hits"].clone();
            answer["hits"]["hits"].as_array_mut().unwrap().pop();
        }
    };
    let web = Fake { tamper: Box::new(spoil), ..Fake::of(filings(150, 10)) };
    let found = of(&web, &query()).unwrap();
    assert_eq!((found.filings.len(), found.missing), (150, 0));
    assert!(web.asked().iter().skip(3).any(|u| u.contains("entityName=")));

    let short = |_: usize, _: &str, answer: &mut Value| {
        answer["hits"]["hits"].as_array_mut().unwrap().retain(|h| h["_id"] != "0001234567-24-000003:main.htm");
    };
    let web = Fake { tamper: Box::new(short), ..Fake::of(filings(20, 10)) };
    let found = of(&web, &query()).unwrap();
    assert_eq!((found.filings.len(), found.missing), (19, 1));
    assert!(found.notes[0].contains("counts 20 documents and shows 19"), "{:?}", found.notes);
}

#[test]
fn a_document_twice_in_the_index_is_no_reason_to_read_again() {
    let Some(folder) = shared("data/edgar-api") else { return };
    let recorded: Value =
        serde_json::from_slice(&std::fs::read(folder.join("efts_bellingcat_100_hits.json")).unwrap()).unwrap();
    let web = Fake { tamper: Box::new(move |_, _, answer| *answer = recorded.clone()), ..Fake::default() };
    let (from, to) = (Some(day("2025-04-18")), Some(day("2025-04-18")));
    let found = of(&web, &Query { phrase: "apple".into(), from, to, ..query() }).unwrap();
    // Its forms were not filtered: that is told, asked for again, and made good.
    assert_eq!((found.hits, found.missing, web.asked().len()), (99, 0, ASKED));
    assert_eq!((found.filings.len(), found.notes.len()), (0, 1));
}

#[test]
fn a_part_of_the_index_that_is_silent_is_told() {
    let partial = |n: usize, _: &str, answer: &mut Value| {
        if n == 1 {
            answer["timed_out"] = json!(true);
        }
    };
    let web = Fake { tamper: Box::new(partial), ..Fake::of(filings(3, 1)) };
    let found = of(&web, &query()).unwrap();
    assert_eq!((found.filings.len(), found.notes.len(), web.asked().len()), (3, 0, 2));
    let always = |_: usize, _: &str, answer: &mut Value| answer["_shards"] = json!({"failed": 2});
    let web = Fake { tamper: Box::new(always), ..Fake::of(filings(3, 1)) };
    let found = of(&web, &query()).unwrap();
    assert_eq!((found.filings.len(), found.notes.len()), (3, 1));
}

#[test]
fn what_is_no_page_is_an_error_that_says_why() {
    for (answer, why) in [
        (json!("<html>Please try again</html>"), "no JSON"),
        (json!({"message": "Internal server error"}), "Internal server error"),
        (json!({"error": "Blank search not valid", "hits": {"hits": []}}), "Blank search"),
    ] {
        let tamper = move |_: usize, _: &str, a: &mut Value| *a = answer.clone();
        let web = Fake { tamper: Box::new(tamper), ..Fake::default() };
        let error = of(&web, &query()).unwrap_err();
        assert!(matches!(error, EdgarError::Answer { .. }) && error.to_string().contains(why), "{error}");
    }
}

#[test]
fn mistakes_of_the_user_ask_nothing() {
    let web = Fake::default();
    for (bad, why) in [
        (Query { forms: vec![], ..query() }, "needs words or a form"),
        (Query { from: Some(day("2024-01-02")), to: Some(day("2024-01-01")), ..query() }, "is after the last"),
        (Query { items: vec!["2.99".into()], ..query() }, "no item `2.99`"),
        (Query { from: Some(day("2050-01-01")), ..query() }, "no filing between"),
    ] {
        let error = of(&web, &bad).unwrap_err();
        assert!(error.is_user_mistake() && error.to_string().contains(why), "{error}");
    }
    assert_eq!(web.asked().len(), 0);
}

#[test]
fn the_watcher_sees_the_pages() {
    struct Count(AtomicUsize);
    impl Watcher for Count {
        fn see(&self, event: Event) {
            if let Event::Searched { total, .. } = event {
                assert_eq!(total, 250);
                self.0.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
    let seen = Count(AtomicUsize::new(0));
    search(&Fake::of(filings(250, 10)), &query(), day(TODAY), &seen).unwrap();
    assert_eq!(seen.0.into_inner(), 3);
}

#[test]
fn every_filing_of_the_real_list_is_found_capped_or_not() {
    let Some(real) = real_filings(true) else { return };
    let docs: Vec<Doc> = real.into_iter().map(|(doc, _)| doc).collect();
    for (cap, forms) in
        [(10_000, vec![Form::EightK]), (100, vec![Form::EightK]), (100, vec![Form::EightK, Form::EightKA])]
    {
        let mut expected: Vec<&str> =
            docs.iter().filter(|d| forms.iter().any(|f| f.as_str() == d.form)).map(|d| d.accession.as_str()).collect();
        expected.sort_unstable();
        let web = Fake { cap, ..Fake::of(docs.clone()) };
        let found = of(&web, &Query { forms, ..query() }).unwrap();
        let numbers: Vec<&str> = found.filings.iter().map(|f| f.accession.as_str()).collect();
        assert_eq!(numbers, expected);
        assert!(found.notes.is_empty() && found.refused.is_empty(), "{found:?}");
    }
}

#[test]
fn recorded_answers_are_read() {
    let Some(folder) = shared("data/edgar-api") else { return };
    // File, total, capped, hits, 8-K and 8-K/A filings with a primary document among them.
    let all = Request::new(&Query { forms: vec![], ..query() }, day("1993-01-01"), day(TODAY));
    for (file, total, capped, hits) in [
        ("efts_bellingcat_0_hits.json", 0, false, 0),
        ("efts_bellingcat_1_hit.json", 1, false, 1),
        ("efts_bellingcat_100_hits.json", 100, false, 100),
        ("efts_bellingcat_101_hits.json", 101, false, 100),
        ("efts_bellingcat_9999_hits.json", 9999, true, 100),
        ("efts_bellingcat_10000_hits.json", 10_000, true, 100),
        ("edgarkit_search_search-index.json", 146, false, 100),
        ("edgarkit_search_search-s-1.json", 10_000, true, 100),
        ("edgarWebR_search-index-1c3188-POST.json", 10_000, true, 100),
        ("edgarWebR_search-index-37d955-POST.json", 6, false, 6),
        ("edgarWebR_search-index-797cb5-POST.json", 21, false, 21),
    ] {
        let body = std::fs::read(folder.join(file)).unwrap();
        let page = answer::read(&body).unwrap();
        assert_eq!((page.total, page.capped, page.hits.len()), (total, capped, hits), "{file}");
        assert!(page.counted >= page.total && !page.partial);
        for hit in &page.hits {
            assert!(hit.sequence.is_some(), "{file}: {hit:?}");
            assert_eq!(names::filers(&hit.ciks, &hit.display_names).len(), {
                let distinct: BTreeSet<_> = hit.ciks.iter().collect();
                distinct.len()
            });
        }
        let forms = |wanted: bool| {
            let of = page.hits.iter().filter(|h| Form::parse(&h.form).is_some() == wanted);
            of.map(|h| h.accession.clone()).collect::<BTreeSet<_>>().len()
        };
        let (eight_k, others) = (forms(true), forms(false));
        let grouped = group::group(page.hits.into_iter().map(|h| (h.id.clone(), h)), &all, true, false);
        let refused = usize::from(file.contains("1c3188"));
        assert_eq!((grouped.filings.len(), grouped.other_forms + refused), (eight_k, others), "{file}");
        // One of EDGAR's own hits has neither number nor form nor filer.
        assert_eq!(grouped.refused.len(), refused, "{file}: {:?}", grouped.refused);
        assert!(grouped.refused.iter().all(|(name, reason)| name.starts_with("undefined:") && reason.contains("form")));
    }
}

#[test]
fn recorded_queries_are_compared() {
    let Some(folder) = shared("data/edgar-api") else { return };
    let echo = |file: &str, phrase: &str, dates: Option<(&str, &str)>| {
        let body = std::fs::read(folder.join(file)).unwrap();
        let page = answer::read(&body).unwrap();
        let (from, to) = dates.map_or((None, None), |(a, b)| (Some(day(a)), Some(day(b))));
        let asked = Query { phrase: phrase.to_owned(), from, to, ..query() };
        echo::compare(&page.query.unwrap(), &Request::new(&asked, day("1993-01-01"), day(TODAY)), 0)
    };
    let one = ("2025-04-18", "2025-04-18");
    // None of these searches had forms.
    assert_eq!(echo("efts_bellingcat_100_hits.json", "Apple", Some(one)), Echo::Wider("forms"));
    assert_eq!(echo("efts_bellingcat_1_hit.json", "\"technology\" phase jon", Some(one)), Echo::Wider("forms"));
    assert!(matches!(echo("efts_bellingcat_100_hits.json", "pear", Some(one)), Echo::Other(_)));
    assert!(matches!(
        echo("efts_bellingcat_100_hits.json", "apple", Some(("2025-04-17", "2025-04-18"))),
        Echo::Other(_)
    ));
    assert_eq!(echo("efts_bellingcat_100_hits.json", "apple", None), Echo::Dated);
    assert!(matches!(echo("edgarkit_search_search-s-1.json", "", None), Echo::Other(_)));
}

/// Totals that shrink while a search is read do not hide what they no longer count.
#[test]
fn a_total_that_shrinks_is_noticed() {
    let shrink = |_: usize, url: &str, answer: &mut Value| {
        if url.contains("from=100") {
            answer["hits"] = json!({"total": {"value": 0, "relation": "eq"}, "hits": []});
        }
    };
    let web = Fake { tamper: Box::new(shrink), ..Fake::of(filings(150, 10)) };
    let found = of(&web, &query()).unwrap();
    assert_eq!((found.filings.len(), found.missing), (100, 50));
    assert!(found.notes.iter().any(|n| n.contains("150")), "{:?}", found.notes);
}

/// A part that answers nothing is missed by the count of the whole.
#[test]
fn parts_are_held_against_the_whole() {
    let docs: Vec<Doc> = (1..=40).map(|n| Doc::new(n, &format!("2024-01-{:02}", 1 + n % 28), &["2.05"])).collect();
    let half = |n: usize, url: &str, answer: &mut Value| {
        if n > 1 && url.contains("startdt=2024-01-01") {
            answer["hits"] = json!({"total": {"value": 0, "relation": "eq"}, "hits": []});
            answer["aggregations"] = json!({});
        }
    };
    let mut asked = query();
    (asked.from, asked.to) = ("2024-01-01".parse().ok(), "2024-01-31".parse().ok());
    asked.items = vec!["2.05".into()];
    let web = Fake { tamper: Box::new(half), cap: 30, ..Fake::of(docs.clone()) };
    let found = of(&web, &asked).unwrap();
    assert!(
        found.missing > 0 && found.filings.len() as u64 + found.missing == 40,
        "{} {}",
        found.filings.len(),
        found.missing
    );
    let whole = of(&Fake { cap: 30, ..Fake::of(docs) }, &asked).unwrap();
    assert_eq!((whole.missing, whole.filings.len()), (0, 40));
}

/// A search that shows the same page for ever, or counts more and more, comes to an end.
#[test]
fn an_endless_search_ends() {
    for total in [json!(1_000_000_000_u64), Value::Null] {
        let endless = move |n: usize, _: &str, answer: &mut Value| {
            let count = if total.is_null() { json!(200 * (n as u64 + 1)) } else { total.clone() };
            answer["hits"]["total"] = json!({"value": count, "relation": "eq"});
            let hits: Vec<Value> = answer["hits"]["hits"].as_array().cloned().unwrap_or_default();
            if hits.is_empty() {
                answer["hits"]["hits"] =
                    json!([{"_id": "0001234567-24-000001:main.htm", "_source": {"adsh": "0001234567-24-000001"}}]);
            }
        };
        let web = Fake { tamper: Box::new(endless), ..Fake::of(filings(5, 5)) };
        let _ = of(&web, &query());
        assert!(web.asked().len() < 3000, "{}", web.asked().len());
    }
}
