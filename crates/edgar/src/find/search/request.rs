//! One question to the full-text search.
//!
//! Parameters always come in one order — `q forms items ciks dateRange startdt enddt from` — so that the same question has the
//! same address in every run, and what was answered before need not be asked again. `page` and `size` are not used: the endpoint
//! ignores them, and a client that relies on them reads the first page for ever.

use eightk_core::{FilingDate, Form};

use super::answer::item;
use super::window::Window;
use crate::address::percent_encoded;
use crate::find::words::search_text;
use crate::find::{Query, Words};

/// Parameters that change the address and not the meaning: EDGAR's own cache, or one on the way, then answers afresh.
const HARMLESS: &[&str] = &[
    "",
    "&entityName=",
    "&locationType=located",
    "&entityName=&locationType=located",
    "&locationType=incorporated",
    "&entityName=&locationType=incorporated",
];

/// What is asked, less the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    /// The query's phrase as it was given.
    phrase: String,
    /// `q`.
    text: String,
    /// Forms that are wanted, exactly.
    pub(super) forms: Vec<Form>,
    /// Items, any of which is enough; empty: any filing.
    pub(super) items: Vec<String>,
    /// CIKs in ten digits; empty: any company.
    ciks: Vec<String>,
    /// First and last day of filing.
    pub(super) dates: Option<(FilingDate, FilingDate)>,
}

impl Request {
    /// The question of a query. `last`: the day that stands in for an open end.
    pub(super) fn new(query: &Query, first: FilingDate, last: FilingDate) -> Self {
        let dates = match (query.from, query.to) {
            (None, None) => None,
            (from, to) => Some((from.unwrap_or(first), to.unwrap_or(last))),
        };
        let mut forms = query.forms.clone();
        if forms.is_empty() {
            forms = vec![Form::EightK, Form::EightKA];
        }
        let items = query.items.iter().map(|i| item(i)).collect();
        Self { phrase: query.phrase.clone(), text: search_text(&query.phrase), forms, items, ciks: Vec::new(), dates }
    }

    /// The same question about one company alone.
    pub(super) fn of_company(mut self, cik: &str) -> Self {
        self.ciks = vec![format!("{cik:0>10}")];
        self
    }

    /// The same question about a part of its days and items.
    pub(super) fn of_window(&self, window: &Window) -> Self {
        Self { dates: window.dates, items: window.items.clone(), ..self.clone() }
    }

    /// The words asked for.
    pub(super) fn words(&self) -> Words {
        Words::of(&self.phrase)
    }

    /// The query string of the page that begins with hit number `from`.
    pub(super) fn query_string(&self, from: u64, variation: usize) -> String {
        let mut out = format!("q={}&forms={}", percent_encoded(&self.text), percent_encoded(self.form_filter()));
        let lists = [("items", &self.items), ("ciks", &self.ciks)];
        for (name, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
            out.push_str(&format!("&{name}={}", percent_encoded(&list.join(","))));
        }
        if let Some((first, last)) = self.dates {
            out.push_str(&format!("&dateRange=custom&startdt={first}&enddt={last}"));
        }
        out.push_str(&format!("&from={from}"));
        out.push_str(HARMLESS.get(variation % HARMLESS.len()).copied().unwrap_or_default());
        out
    }

    /// The filter works on root forms, where 8-K includes 8-K/A, so 8-K/A alone cannot be asked for; a form with a minus is left
    /// out. Whether it was is seen from each hit's own form.
    fn form_filter(&self) -> &'static str {
        if self.forms.contains(&Form::EightKA) { "8-K" } else { "8-K,-8-K/A" }
    }

    /// What is asked, in words.
    pub(super) fn described(&self) -> String {
        let dates = self.dates.map_or_else(|| "any day".to_owned(), |(a, b)| format!("{a} to {b}"));
        let items =
            if self.items.is_empty() { "any item".to_owned() } else { format!("items {}", self.items.join(",")) };
        format!(
            "words {}, forms {}, {items}, {dates}",
            if self.text.is_empty() { "none" } else { &self.text },
            self.form_filter()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(s: &str) -> FilingDate {
        s.parse().unwrap()
    }

    fn query() -> Query {
        Query {
            phrase: "expects to close mills".to_owned(),
            forms: vec![Form::EightK],
            items: vec!["2.05".to_owned(), "old:5".to_owned()],
            from: Some(day("2022-01-01")),
            to: Some(day("2022-03-31")),
            exhibits: false,
        }
    }

    #[test]
    fn parameters_in_one_order() {
        let r = Request::new(&query(), day("1993-01-01"), day("2024-05-01"));
        assert_eq!(
            r.query_string(100, 0),
            "q=%22expects%20to%20close%20mills%22&forms=8-K%2C-8-K%2FA&items=2.05%2C5&dateRange=custom&startdt=2022-01-01\
             &enddt=2022-03-31&from=100"
        );
        assert!(r.query_string(0, 1).ends_with("&from=0&entityName="));
        let mut seen: Vec<String> = (0..6).map(|v| r.query_string(0, v)).collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 6);
        assert_eq!(r.query_string(0, 6), r.query_string(0, 0));
    }

    #[test]
    fn an_open_end_is_filled_and_two_are_left_open() {
        let filled = |from: Option<&str>, to: Option<&str>| {
            let q = Query { from: from.map(day), to: to.map(day), phrase: String::new(), ..query() };
            Request::new(&q, day("1993-01-01"), day("2024-05-01")).query_string(0, 0)
        };
        assert!(filled(Some("2020-01-01"), None).contains("startdt=2020-01-01&enddt=2024-05-01"));
        assert!(filled(None, Some("2020-01-01")).contains("startdt=1993-01-01&enddt=2020-01-01"));
        assert!(!filled(None, None).contains("dt="));
        assert!(filled(None, None).starts_with("q=&forms="));
    }

    #[test]
    fn amendments_come_with_their_root_form() {
        for forms in [vec![Form::EightKA], vec![Form::EightK, Form::EightKA], vec![]] {
            let r = Request::new(&Query { forms, ..query() }, day("1993-01-01"), day("2024-05-01"));
            assert!(r.query_string(0, 0).contains("&forms=8-K&"));
        }
        let r = Request::new(&query(), day("1993-01-01"), day("2024-05-01")).of_company("12345");
        assert!(r.query_string(0, 0).contains("&ciks=0000012345&"));
    }
}
