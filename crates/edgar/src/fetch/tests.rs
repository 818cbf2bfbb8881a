//! Planning and downloading against an EDGAR in memory, and a store on disk.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

use eightk_core::{Accession, Form};

use super::*;
use crate::event::Unwatched;
use crate::find::Query;
use crate::find::fake::{Doc, Fake};
use crate::find::pick::PickRule;
use crate::store::Store;
use crate::web::{Answer, Offline, Wanted, Web, WebError};
use crate::{EdgarError, address};

/// An EDGAR that fails at stated addresses a stated number of times.
struct Moody {
    fake: Fake,
    failing: Mutex<BTreeMap<String, u32>>,
}

impl Moody {
    fn new(fake: Fake) -> Self {
        Self { fake, failing: Mutex::default() }
    }

    fn fail(&self, part: &str, times: u32) {
        self.failing.lock().unwrap().insert(part.to_owned(), times);
    }

    fn asked(&self) -> usize {
        self.fake.asked().len()
    }
}

impl Web for Moody {
    fn get(&self, url: &str, wanted: Wanted) -> Result<Answer, WebError> {
        let mut failing = self.failing.lock().unwrap();
        if let Some((_, times)) = failing.iter_mut().find(|(part, n)| url.contains(part.as_str()) && **n > 0) {
            *times -= 1;
            return Err(WebError::Unanswered { reason: "status 503".into(), tries: 6 });
        }
        drop(failing);
        self.fake.get(url, wanted)
    }
}

fn document(text: &str) -> Vec<u8> {
    format!("<html><body><p>Item 2.05 Costs Associated with Exit or Disposal Activities</p><p>{text}</p></body></html>")
        .into_bytes()
}

fn accession(doc: &Doc) -> Accession {
    doc.accession.parse().unwrap()
}

/// Three companies with a filing each, as the search and the indexes have them.
fn edgar(header_of_items: bool) -> Moody {
    let mut fake = Fake::of((1..=3).map(|n| Doc::new(n, &format!("2024-0{n}-15"), &["2.05"])).collect());
    let mut index = String::from("CIK|Company Name|Form Type|Date Filed|Filename\n-----\n");
    for doc in fake.docs.clone() {
        let number = accession(&doc);
        index += &format!("{}|{}|8-K|{}|edgar/data/{}/{number}.txt\n", doc.cik, doc.name, doc.filed, doc.cik);
        let items = if header_of_items {
            "ITEM INFORMATION:\t\tCosts Associated with Exit or Disposal Activities\n"
        } else {
            ""
        };
        let header = format!(
            "<SEC-DOCUMENT>{number}.txt : 20240115\n<SEC-HEADER>\nACCESSION NUMBER:\t\t{number}\nCONFORMED SUBMISSION TYPE:\t8-K\n{items}\
             FILED AS OF DATE:\t\t{}\nFILER:\n\tCOMPANY DATA:\n\t\tCOMPANY CONFORMED NAME:\t\t\t{}\n\t\tCENTRAL INDEX KEY:\t\t\t{:0>10}\n\
             </SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<SEQUENCE>1\n<FILENAME>main.htm\n<TEXT>\n",
            doc.filed.replace('-', ""),
            doc.name,
            doc.cik
        );
        fake.files.insert(address::archived(&format!("edgar/data/{}/{number}.txt", doc.cik)), header.into_bytes());
        let words = if doc.accession.ends_with('2') { "The mill closes." } else { "The mill expects to incur costs." };
        fake.files.insert(address::document(&doc.cik, &number, "main.htm"), document(words));
    }
    fake.files.insert(address::quarter(2024, 1), index.into_bytes());
    Moody::new(fake)
}

fn order(road: Road, phrase: &str) -> Order {
    let query = Query {
        phrase: phrase.into(),
        forms: vec![Form::EightK],
        items: vec!["2.05".into()],
        from: "2024-01-01".parse().ok(),
        to: "2024-03-31".parse().ok(),
        exhibits: false,
    };
    Order { name: "test".into(), query, road, rule: PickRule::All }
}

const HOW: fn() -> Planning =
    || Planning { today: "2026-01-05".parse().unwrap(), threads: 2, keep: true, dry_run: false, refresh: false };

fn planned(order: &Order, store: &Store, web: &dyn Web) -> (Plan, bool) {
    match plan(order, HOW(), store, web, &Unwatched).unwrap() {
        Planned::Ready { plan, reused } => (*plan, reused),
        other => panic!("{other:?}"),
    }
}

fn fetched(plan: &Plan, store: &Store, web: &dyn Web) -> Downloaded {
    download(&look(plan, store).unwrap(), store, web, 2, &Unwatched)
}

fn new_store(dir: &Path) -> Store {
    Store::open(&dir.join("store")).unwrap()
}

#[test]
fn a_second_run_asks_for_nothing_and_offline_has_it_all() {
    let dir = tempfile::tempdir().unwrap();
    let (store, web) = (new_store(dir.path()), edgar(true));
    let order = order(Road::Search, "");
    let (first, reused) = planned(&order, &store, &web);
    assert!(!reused && first.picks.len() == 3 && first.is_settled() && !first.is_open_ended());
    let done = fetched(&first, &store, &web);
    assert_eq!((done.downloaded, done.stored, done.refused.len(), done.left), (3, 0, 0, 0));
    let asked = web.asked();
    let (second, reused) = planned(&order, &store, &web);
    assert!(reused && second == first);
    assert_eq!(fetched(&second, &store, &Offline).stored, 3);
    assert_eq!(web.asked(), asked);
}

#[test]
fn what_one_document_lacks_is_fetched_by_the_next_run() {
    let dir = tempfile::tempdir().unwrap();
    let (store, web) = (new_store(dir.path()), edgar(true));
    web.fail("000123456724000002/main.htm", 1);
    let (plan, _) = planned(&order(Road::Search, ""), &store, &web);
    let done = fetched(&plan, &store, &web);
    assert_eq!((done.downloaded, done.refused.len()), (2, 1));
    assert!(done.refused[0].reason.contains("503"), "{:?}", done.refused);
    let done = fetched(&plan, &store, &web);
    assert_eq!((done.stored, done.downloaded), (2, 1));
}

#[test]
fn a_document_that_is_not_there_is_taken_from_its_submission() {
    let dir = tempfile::tempdir().unwrap();
    let (store, mut web) = (new_store(dir.path()), edgar(true));
    let docs = web.fake.docs.clone();
    let gone = |doc: &Doc| address::document(&doc.cik, &accession(doc), "main.htm");
    let whole = |doc: &Doc| address::document(&doc.cik, &accession(doc), &format!("{}.txt", doc.accession));
    web.fake.files.remove(&gone(&docs[0]));
    web.fake.files.insert(whole(&docs[0]), b"<SEC-DOCUMENT>all of it</SEC-DOCUMENT>".to_vec());
    web.fake.files.remove(&gone(&docs[1]));
    let (plan, _) = planned(&order(Road::Search, ""), &store, &web);
    let done = fetched(&plan, &store, &web);
    assert_eq!((done.downloaded, done.submissions, done.refused.len()), (2, 1, 1));
    assert!(
        done.refused[0].reason.contains("main.htm") && done.refused[0].reason.contains("404"),
        "{:?}",
        done.refused
    );
    let (record, _) = store.document(&accession(&docs[0])).unwrap().unwrap();
    assert_eq!((record.file, record.url), (format!("{}.txt", docs[0].accession), whole(&docs[0])));
}

#[test]
fn an_index_filing_is_judged_by_its_header_or_else_by_its_document() {
    for header_of_items in [true, false] {
        let dir = tempfile::tempdir().unwrap();
        let (store, web) = (new_store(dir.path()), edgar(header_of_items));
        let (plan, _) = planned(&order(Road::Index, "expects to incur"), &store, &web);
        assert_eq!(plan.counts.left_out.get("other-words"), Some(&1), "{:?}", plan.counts);
        assert_eq!(plan.picks.len(), 2);
        assert!(plan.picks.iter().all(|p| p.items == ["2.05"] && p.document.as_deref() == Some("main.htm")));
        // What was read to judge is not asked for again.
        let asked = web.asked();
        let done = fetched(&plan, &store, &web);
        assert_eq!((done.adopted, done.downloaded, web.asked()), (2, 0, asked));
        let mut other = order(Road::Index, "");
        other.query.items = vec!["5.02".into()];
        let (none, _) = planned(&other, &store, &web);
        assert_eq!((none.picks.len(), none.counts.left_out.get("other-items")), (0, Some(&3)));
        assert_eq!(web.asked(), asked, "headers and documents are known");
    }
}

#[test]
fn a_plan_that_misses_a_header_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let (store, web) = (new_store(dir.path()), edgar(true));
    web.fail("0001234567-24-000003.txt", 1);
    let order = order(Road::Index, "");
    let (first, _) = planned(&order, &store, &web);
    assert!(!first.is_settled() && first.picks.len() == 2, "{:?}", first.counts);
    // Offline, what is known is all there is.
    let how = Planning { keep: false, ..HOW() };
    assert!(matches!(plan(&order, how, &store, &Offline, &Unwatched).unwrap(), Planned::Ready { reused: true, .. }));
    let (second, reused) = planned(&order, &store, &web);
    assert!(second.is_settled() && !reused && second.picks.len() == 3);
}

#[test]
fn a_dry_run_over_an_index_reads_no_header() {
    let dir = tempfile::tempdir().unwrap();
    let (store, web) = (new_store(dir.path()), edgar(true));
    let how = Planning { dry_run: true, ..HOW() };
    let planned = plan(&order(Road::Index, ""), how, &store, &web, &Unwatched).unwrap();
    assert_eq!(planned, Planned::NeedsHeaders { listed: 3, unread: 3 });
    assert!(web.fake.asked().iter().all(|url| url.ends_with("master.idx")));
}

#[test]
fn a_search_that_ends_the_run_leaves_no_plan() {
    struct Undeclared;
    impl Web for Undeclared {
        fn get(&self, _: &str, _: Wanted) -> Result<Answer, WebError> {
            Err(WebError::Undeclared)
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let store = new_store(dir.path());
    let error = plan(&order(Road::Search, ""), HOW(), &store, &Undeclared, &Unwatched).unwrap_err();
    assert!(matches!(error, EdgarError::Web { source: WebError::Undeclared, .. }), "{error}");
    assert!(store.plans().unwrap().is_empty());
    let (plan, _) = planned(&order(Road::Search, ""), &store, &edgar(true));
    let done = fetched(&plan, &store, &Undeclared);
    assert!(done.ended_by.is_some() && done.left == 3 && done.downloaded == 0);
}

#[test]
fn an_amendment_is_linked_to_an_original_that_the_words_miss() {
    let dir = tempfile::tempdir().unwrap();
    let store = new_store(dir.path());
    let mut original = Doc::new(1, "2024-01-10", &["2.05"]);
    original.text = "cannot estimate yet".into();
    let mut amendment = Doc { accession: "0001234567-24-000077".into(), form: "8-K/A".into(), ..original.clone() };
    (amendment.filed, amendment.text) = ("2024-02-20".into(), "expects to incur costs".into());
    let web = Moody::new(Fake::of(vec![original.clone(), amendment]));
    let mut order = order(Road::Search, "expects to incur");
    order.query.forms = vec![Form::EightK, Form::EightKA];
    let (plan, _) = planned(&order, &store, &web);
    assert_eq!(plan.picks.len(), 1);
    assert_eq!(plan.picks[0].amends, Some(accession(&original)));
}

/// An answer that is whole and wrong must not be what every later run gets.
#[test]
fn a_rejected_search_is_not_remembered() {
    let dir = tempfile::tempdir().unwrap();
    let store = new_store(dir.path());
    for spoil in ["echo", "error", "partial"] {
        let mut web = edgar(true);
        web.fake.tamper = Box::new(move |n, _, answer| {
            if n > 5 {
                return;
            }
            match spoil {
                "echo" => answer["query"]["from"] = 700.into(),
                "error" => *answer = serde_json::json!({ "error": "Blank search not valid", "hits": { "hits": [] } }),
                _ => answer["timed_out"] = true.into(),
            }
        });
        let mut order = order(Road::Search, "");
        order.name = spoil.into();
        // A question of its own each time, so that no answer of the last helps.
        order.query.to = format!("2024-04-{:02}", 1 + spoil.len()).parse().ok();
        match plan(&order, HOW(), &store, &web, &Unwatched) {
            Err(EdgarError::Answer { .. }) => assert_ne!(spoil, "partial"),
            Ok(Planned::Ready { plan, .. }) => {
                assert!(spoil == "partial" && !plan.is_settled(), "{spoil}: {:?}", plan.counts);
                assert_eq!(plan.counts.incomplete.get("pages-answered-in-part"), Some(&1));
            }
            other => panic!("{spoil}: {other:?}"),
        }
        let (healed, reused) = planned(&order, &store, &web);
        assert!(!reused && healed.is_settled() && healed.picks.len() == 3, "{spoil}: {:?}", healed.counts);
    }
}

#[test]
fn a_quarter_without_a_list_is_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    let (store, mut web) = (new_store(dir.path()), edgar(true));
    let order = order(Road::Index, "");
    let list = web.fake.files.remove(&address::quarter(2024, 1)).unwrap();
    let (first, _) = planned(&order, &store, &web);
    assert!(!first.is_settled() && first.picks.is_empty());
    assert_eq!(first.counts.incomplete.get("quarters-without-list"), Some(&1));
    web.fake.files.insert(address::quarter(2024, 1), list);
    let (second, _) = planned(&order, &store, &web);
    assert!(second.is_settled() && second.picks.len() == 3);
}

/// A header that is another filing's must not stay for good.
#[test]
fn a_wrong_header_is_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    let (store, mut web) = (new_store(dir.path()), edgar(true));
    let docs = web.fake.docs.clone();
    let at = |doc: &Doc| address::archived(&format!("edgar/data/{}/{}.txt", doc.cik, doc.accession));
    let (right, other) = (web.fake.files[&at(&docs[0])].clone(), web.fake.files[&at(&docs[1])].clone());
    web.fake.files.insert(at(&docs[0]), other);
    let order = order(Road::Index, "");
    let (first, _) = planned(&order, &store, &web);
    assert!(!first.is_settled() && first.picks.len() == 2, "{:?}", first.counts);
    web.fake.files.insert(at(&docs[0]), right);
    let (second, _) = planned(&order, &store, &web);
    assert!(second.is_settled() && second.picks.len() == 3, "{:?}", second.counts);
}

/// What was read to be judged, and not yet taken over when the run was killed, is there for an offline run.
#[test]
fn offline_finds_what_was_read_to_be_judged() {
    let dir = tempfile::tempdir().unwrap();
    let order = order(Road::Index, "expects to incur");
    {
        let store = new_store(dir.path());
        let (plan, _) = planned(&order, &store, &edgar(true));
        assert_eq!(look(&plan, &store).unwrap().at_hand, 2);
    }
    let store = Store::look(&dir.path().join("store")).unwrap();
    let how = Planning { keep: false, ..HOW() };
    let Planned::Ready { plan, .. } = plan(&order, how, &store, &Offline, &Unwatched).unwrap() else { panic!() };
    let done = fetched(&plan, &store, &Offline);
    assert_eq!((done.adopted, done.refused.len(), done.ended_by.is_none()), (2, 0, true));
}

/// The company that is named first has no number; the document is there under the second's.
#[test]
fn a_filer_without_number_is_not_asked_under() {
    let dir = tempfile::tempdir().unwrap();
    let (store, web) = (new_store(dir.path()), edgar(true));
    let (mut plan, _) = planned(&order(Road::Search, ""), &store, &web);
    for pick in &mut plan.picks {
        pick.filers
            .insert(0, crate::find::Filer { cik: String::new(), name: "TARN UNNUMBERED".into(), tickers: vec![] });
    }
    assert_eq!(fetched(&plan, &store, &web).downloaded, 3);
}
