//! Lists of invented companies, and recorded ones.

use proptest::prelude::Just;

use super::*;
use crate::event::Unwatched;
use crate::find::fake::{Fake, real_filings, shared};

fn day(s: &str) -> FilingDate {
    s.parse().unwrap()
}

fn query(from: &str, to: &str) -> Query {
    let (from, to) = (Some(day(from)), Some(day(to)));
    Query { phrase: String::new(), forms: vec![Form::EightK], items: vec![], from, to, exhibits: false }
}

const HEADER: &str =
    "Description:           Master Index\nComments:   a|b\n \nCIK|Company Name|Form Type|Date Filed|Filename\n-----\n";

fn row(cik: &str, name: &str, form: &str, filed: &str, number: u32) -> String {
    format!("{cik}|{name}|{form}|{filed}|edgar/data/{cik}/0001234567-24-{number:06}.txt\n")
}

#[test]
fn one_filing_for_each_number() {
    let rows = [
        row("77", "GUARANTOR", "8-K", "2024-02-01", 1),
        row("5", "TARN", "8-K", "2024-02-01", 1),
        row("5", "TARN", "8-K", "2024-02-01", 1),
        row("5", "TARN", "8-K/A", "2024-02-02", 2),
        row("5", "TARN", "10-K", "2024-02-02", 3),
        row("5", "TARN", "8-K", "2024-01-05", 4),
        row("5", "TARN", "8-K", "2024-03-15", 5),
        "5|CUT|8-".to_owned(),
    ];
    let mut web = Fake::default();
    web.files.insert(address::quarter(2024, 1), format!("{HEADER}{}", rows.concat()).into_bytes());
    let out = list(&web, &query("2024-02-01", "2024-03-15"), day("2024-06-01"), &Unwatched).unwrap();
    let numbers: Vec<&str> = out.filings.iter().map(|f| &f.accession.as_str()[19..]).collect();
    assert_eq!(numbers, ["1", "5"]);
    let ciks: Vec<&str> = out.filings[0].filers.iter().map(|f| f.cik.as_str()).collect();
    assert_eq!(ciks, ["77", "5"]);
    assert_eq!(out.filings[0].path, "edgar/data/77/0001234567-24-000001.txt");
    let counts = (out.files, out.rows, out.other_forms, out.other_days, out.repeated, out.unreadable);
    assert_eq!(counts, (1, 7, 2, 1, 2, 1));
    assert!(out.notes.is_empty());
}

#[test]
fn the_first_day_of_a_quarter_is_read_from_daily_lists() {
    let mut web = Fake::default();
    let file = |number: u32, filed: &str| format!("{HEADER}{}", row("5", "TARN", "8-K", filed, number)).into_bytes();
    web.files.insert(address::quarter(2024, 2), file(1, "2024-06-28"));
    web.files.insert(address::day(2024, 3, "20240701"), file(2, "20240701"));
    let out = list(&web, &query("2024-06-01", "2024-12-31"), day("2024-07-02"), &Unwatched).unwrap();
    assert_eq!((out.filings.len(), out.files, out.notes.len()), (2, 2, 1));
    assert_eq!(out.filings[1].filed, day("2024-07-01"));
    assert_eq!(web.asked().len(), 4);
}

#[test]
fn a_past_quarter_that_is_missing_is_told() {
    let mut web = Fake::default();
    web.files.insert(address::quarter(2024, 1), HEADER.as_bytes().to_vec());
    let out = list(&web, &query("2023-12-01", "2024-01-31"), day("2024-07-02"), &Unwatched).unwrap();
    assert_eq!(out.notes.len(), 1);
    assert!(out.notes[0].contains("quarter 4 of 2023"));
    assert_eq!(out.filings.len(), 0);
}

#[test]
fn nothing_is_asked_outside_the_days_of_edgar() {
    let web = Fake::default();
    let out = list(&web, &query("1980-01-01", "1992-12-31"), day("2024-07-02"), &Unwatched).unwrap();
    assert_eq!((out.filings.len(), web.asked().len()), (0, 0));
    let error = list(&web, &query("2024-01-02", "2024-01-01"), day("2024-07-02"), &Unwatched).unwrap_err();
    assert!(error.is_user_mistake());
}

#[test]
fn what_is_no_list_is_an_error() {
    for body in ["<!DOCTYPE html><html>", "", "Please try again"] {
        let mut web = Fake::default();
        web.files.insert(address::quarter(2024, 1), body.as_bytes().to_vec());
        let error = list(&web, &query("2024-01-01", "2024-01-31"), day("2024-07-02"), &Unwatched).unwrap_err();
        assert!(matches!(error, EdgarError::Answer { .. }), "{body}");
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_are_a_list_or_an_error(lines in proptest::collection::vec(proptest::collection::vec(
        proptest::prop_oneof![Just(b'|'), Just(b'\n'), Just(b'1'), proptest::prelude::any::<u8>()], 0..40), 0..9)) {
        let mut web = Fake::default();
        web.files.insert(address::quarter(2024, 1), [HEADER.as_bytes(), &lines.concat()].concat());
        let out = list(&web, &query("2024-01-01", "2024-01-31"), day("2024-07-02"), &Unwatched).unwrap();
        proptest::prop_assert!(out.rows >= out.other_forms + out.other_days + out.repeated + out.filings.len());
    }
}

#[test]
fn every_filing_of_the_real_list_is_listed() {
    let Some(real) = real_filings(true) else { return };
    let mut web = Fake::default();
    for quarter in quarters(day("1993-01-01"), day("2026-11-30")) {
        web.files.insert(address::quarter(quarter.year, quarter.number), HEADER.as_bytes().to_vec());
    }
    for (doc, _) in &real {
        let quarter = Quarter::of(day(&doc.filed));
        let row =
            format!("{0}|{1}|{2}|{3}|edgar/data/{0}/{4}.txt\n", doc.cik, doc.name, doc.form, doc.filed, doc.accession);
        web.files.get_mut(&address::quarter(quarter.year, quarter.number)).unwrap().extend(row.bytes());
    }
    let mut asked = query("1993-01-01", "2026-11-30");
    asked.forms = vec![Form::EightK, Form::EightKA];
    let out = list(&web, &asked, day("2026-11-30"), &Unwatched).unwrap();
    let mut expected: Vec<&str> = real.iter().map(|(d, _)| d.accession.as_str()).collect();
    expected.sort_unstable();
    let numbers: Vec<&str> = out.filings.iter().map(|f| f.accession.as_str()).collect();
    assert_eq!(numbers, expected);
    assert_eq!((out.unreadable, out.repeated, out.files), (0, 0, 136));
    for listed in &out.filings {
        let doc = real.iter().find(|(d, _)| d.accession == listed.accession.as_str()).unwrap();
        assert_eq!(listed.filers[0].name, doc.0.name.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}

#[test]
fn recorded_lists_are_read() {
    let Some(folder) = shared("data/edgar-api") else { return };
    let body = std::fs::read(folder.join("secedgar_master.20181231.idx")).unwrap();
    let mut web = Fake::default();
    web.files.insert(address::day(2018, 4, "20181231"), body);
    let out = list(&web, &query("2018-12-31", "2018-12-31"), day("2018-12-31"), &Unwatched).unwrap();
    assert_eq!((out.filings.len(), out.rows, out.unreadable), (1, 10, 0));
    assert_eq!(out.filings[0].filed, day("2018-12-31"));
    let page = std::fs::read(folder.join("secedgar_master_index_1993_QTR4.html")).unwrap();
    web.files.insert(address::quarter(1993, 4), page);
    assert!(list(&web, &query("1993-10-01", "1993-12-31"), day("2018-12-31"), &Unwatched).is_err());
}
