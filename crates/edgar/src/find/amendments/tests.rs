//! Amendments of invented filings, and of the stand-in's list.

use super::*;
use crate::event::Unwatched;
use crate::find::fake::{Doc, Fake, real_filings};
use crate::find::search::search;
use crate::find::{Filer, PickRule};

fn day(s: &str) -> FilingDate {
    s.parse().unwrap()
}

fn filing(number: u32, cik: &str, form: Form, filed: &str, reported: Option<&str>, items: &[&str]) -> Found {
    Found {
        accession: format!("0001234567-24-{number:06}").parse().unwrap(),
        form,
        filed: day(filed),
        report_date: reported.map(day),
        items: items.iter().map(|i| (*i).to_owned()).collect(),
        filers: vec![Filer { cik: cik.to_owned(), name: "TARN".to_owned(), tickers: Vec::new() }],
        document: None,
        amends: None,
    }
}

/// The number of what filing 9 is linked to.
fn linked(mut found: Vec<Found>) -> Option<u32> {
    let counted = link(&mut found);
    assert_eq!(counted, found.iter().filter(|f| f.amends.is_some()).count());
    assert!(found.iter().all(|f| f.amends.is_none() || f.form == Form::EightKA));
    let amendment = found.iter().find(|f| f.accession.as_str().ends_with('9')).unwrap();
    amendment.amends.as_ref().map(|a| a.as_str()[14..].parse().unwrap())
}

const K: Form = Form::EightK;
const A: Form = Form::EightKA;

#[test]
fn the_same_day_of_report_goes_first() {
    let nine = filing(9, "1", A, "2024-03-20", Some("2024-03-01"), &["2.05"]);
    let same_day = filing(1, "1", K, "2024-03-04", Some("2024-03-01"), &["2.05", "2.06", "8.01"]);
    let same_items = filing(2, "1", K, "2024-03-10", Some("2024-03-09"), &["2.05"]);
    assert_eq!(linked(vec![same_items.clone(), nine.clone(), same_day.clone()]), Some(1));
    let closer = filing(3, "1", K, "2024-03-04", Some("2024-03-01"), &["2.05", "9.01"]);
    assert_eq!(linked(vec![closer, same_day.clone(), nine.clone()]), Some(3));
    let exhibits = Found { items: vec!["9.01".to_owned()], ..nine.clone() };
    assert_eq!(linked(vec![same_items.clone(), same_day, exhibits]), Some(1));
    let other_event = filing(4, "1", K, "2024-03-04", Some("2024-03-01"), &["8.01"]);
    assert_eq!(linked(vec![other_event.clone(), nine.clone()]), Some(4));
    assert_eq!(linked(vec![other_event, same_items.clone(), nine.clone()]), Some(2));
    let unknown = Found { report_date: None, ..nine };
    assert_eq!(linked(vec![same_items, unknown]), Some(2));
}

#[test]
fn then_the_same_items_then_a_shared_one() {
    let nine = filing(9, "1", A, "2024-03-20", Some("2024-03-20"), &["9.01", "2.05"]);
    let same = filing(1, "1", K, "2023-05-01", None, &["2.05", "9.01"]);
    let shared = filing(2, "1", K, "2024-03-10", None, &["2.05", "2.06"]);
    assert_eq!(linked(vec![same.clone(), shared.clone(), nine.clone()]), Some(1));
    assert_eq!(linked(vec![shared.clone(), nine.clone()]), Some(2));
    let later = filing(3, "1", K, "2024-01-01", None, &["2.05", "9.01"]);
    assert_eq!(linked(vec![later, same, shared.clone(), nine.clone()]), Some(3));
    let long_ago = Found { filed: day("2023-12-01"), ..shared };
    assert_eq!(linked(vec![long_ago, nine.clone()]), None);
    let exhibits = filing(4, "1", K, "2024-03-10", None, &["8.01", "9.01"]);
    assert_eq!(linked(vec![exhibits, nine]), None);
}

#[test]
fn never_a_later_filing_another_company_or_an_amendment() {
    let nine = filing(9, "1", A, "2024-03-20", Some("2024-03-01"), &["2.05"]);
    let later = filing(1, "1", K, "2024-03-21", Some("2024-03-01"), &["2.05"]);
    let other = filing(2, "2", K, "2024-03-02", Some("2024-03-01"), &["2.05"]);
    let amendment = filing(3, "1", A, "2024-03-02", Some("2024-03-01"), &["2.05"]);
    assert_eq!(linked(vec![later.clone(), other.clone(), amendment.clone(), nine.clone()]), None);
    let nobody = |f: &Found| Found { filers: vec![Filer { cik: String::new(), ..f.filers[0].clone() }], ..f.clone() };
    let earlier = filing(4, "1", K, "2024-03-02", Some("2024-03-01"), &["2.05"]);
    assert_eq!(linked(vec![nobody(&earlier), nobody(&nine)]), None);
    assert_eq!(linked(vec![later, other, amendment, nine, earlier]), Some(4));
}

#[test]
fn an_original_that_was_not_found_is_looked_up() {
    let mut docs: Vec<Doc> = (1..4).map(|n| Doc::new(n, "2024-03-01", &["2.05"])).collect();
    docs[1].cik = docs[0].cik.clone();
    docs[1].filed = "2024-02-01".to_owned();
    docs[2].filed = "2024-03-10".to_owned();
    let web = Fake::of(docs);
    let nine = filing(9, "1001", A, "2024-03-20", None, &["2.05"]);
    let found = lookup(&web, &nine, day("2024-12-01"), &Unwatched).unwrap().unwrap();
    assert_eq!(found.accession.as_str(), "0001234567-24-000001");
    let asked = web.asked();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].contains("q=&forms=8-K%2C-8-K%2FA&ciks=0000001001&"), "{asked:?}");
    assert!(asked[0].contains("startdt=2023-03-20&enddt=2024-03-20"));
    let stranger = filing(9, "555", A, "2024-03-20", None, &["2.05"]);
    assert_eq!(lookup(&web, &stranger, day("2024-12-01"), &Unwatched).unwrap(), None);
}

#[test]
fn amendments_of_the_real_list_find_their_originals() {
    let Some(real) = real_filings(true) else { return };
    let truth: BTreeMap<String, String> =
        real.iter().filter_map(|(d, of)| of.clone().map(|of| (d.accession.clone(), of))).collect();
    let web = Fake::of(real.into_iter().map(|(d, _)| d).collect());
    let both = Query { phrase: String::new(), forms: vec![K, A], items: vec![], from: None, to: None, exhibits: false };
    let mut found = search(&web, &both, day("2026-11-30"), &Unwatched).unwrap().filings;
    let amendments = truth.len();
    assert!(amendments > 50);
    assert_eq!(link(&mut found), amendments);
    let mut others = 0;
    for filing in found.iter().filter(|f| f.form == A) {
        let original = filing.amends.as_ref().unwrap();
        if original.as_str() != truth[filing.accession.as_str()] {
            // The made-up amendments report their own day. Another 8-K of that week, about an item they name, fits as well.
            let other = found.iter().find(|f| f.accession == *original).unwrap();
            let shares = other.items.iter().any(|i| !EXHIBITS.contains(&i.as_str()) && filing.items.contains(i));
            assert!(shares && other.filed >= before(filing.filed, 7.days()), "{filing:?} amends {other:?}");
            others += 1;
        }
        let looked_up = lookup(&web, filing, day("2026-11-30"), &Unwatched).unwrap().unwrap();
        assert_eq!(looked_up.accession, *original);
    }
    assert!(others * 20 < amendments, "{others} of {amendments}");
    // No amendment is picked where the company's 8-K is there.
    let picked = crate::find::pick::pick(&found, PickRule::EarliestPerCompany);
    assert!(picked.picks.iter().all(|f| f.form == K));
}
