//! Dates and cross-references stand for themselves, never for an amount or a count.
//!
//! Both are taken out of the key before values are looked for, so that "by the end of 2027", "Item 2.05" and
//! "Form 8-K" cannot be read as numbers of people.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::{NoExpand, Regex, RegexBuilder};

/// What a date becomes in the key.
const DATE: &str = "datex";
/// What a cross-reference becomes in the key.
const REFERENCE: &str = "refx";

const MONTH: &str = r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan\.|feb\.|mar\.|apr\.|aug\.|sept?\.|oct\.|nov\.|dec\.)";

fn ascii(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).unicode(false).build().ok()
}

static DATES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let year = "(?:19|20)[0-9][0-9]";
    ascii(
        &[
            format!(r"\b{MONTH} ?[0-9]{{1,2}}(?:st|nd|rd|th)?\b(?:(?:,| of)? {year}\b)?"),
            format!(r"\b(?:[0-9]{{1,2}}(?:st|nd|rd|th)? (?:of )?)?{MONTH},? (?:of )?{year}\b"),
            format!(r"\b[0-9]{{1,2}} {MONTH}\b"),
            r"\b[0-9]{1,2}/[0-9]{1,2}/(?:[0-9]{4}|[0-9]{2})\b".to_owned(),
            r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b".to_owned(),
            format!(r"\b[1-4]?q[1-4]?(?: (?:fy ?)?'?(?:{year}|[0-9][0-9]))?\b"),
        ]
        .join("|"),
    )
});

/// A year after a word that makes it one; the word stays.
static YEARS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    ascii(
        r"\b((?:fiscal|calendar|fy|year|years|quarter|half|early|late|mid|in|of|by|through|during|since|until|for|before|after|and|or|into|the|our|its|this|that|under)[ -]?)'?(?:19|20)[0-9][0-9](?:[-/][0-9]{2,4})?\b",
    )
});

static REFERENCES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    ascii(
        r"\b(?:forms?|items?|sections?|sec\.|exhibits?|notes?|rules?|nos?\.|asc|fas|sfas|paragraphs?|chapter|article|schedule|regulation|topic|part) ?(?:nos?\. ?)?[0-9][a-z0-9.()/-]*[a-z0-9)]|\b(?:form|item|note|chapter|article|part|phase|no\.) ?[0-9]\b|\b(?:8-k|10-[kq])(?:/a)?\b",
    )
});

/// The key with dates and cross-references masked.
pub(crate) fn mask_dates(key: &str) -> Vec<u8> {
    let dates = replace(&DATES, key.as_bytes(), DATE);
    let with = [b"${1}", DATE.as_bytes()].concat();
    let years = YEARS.as_ref().map_or(Cow::Borrowed(&*dates), |p| p.replace_all(&dates, with.as_slice()));
    replace(&REFERENCES, &years, REFERENCE).into_owned()
}

fn replace<'k>(pattern: &Option<Regex>, key: &'k [u8], with: &str) -> Cow<'k, [u8]> {
    pattern.as_ref().map_or(Cow::Borrowed(key), |p| p.replace_all(key, NoExpand(with.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_references_go_counts_stay() {
        let masked = |s: &str| String::from_utf8(mask_dates(s)).unwrap();
        assert_eq!(masked("by may 12, 2025, 64 people"), "by datex, 64 people");
        assert_eq!(masked("by the end of fiscal 2027 and june 2026"), "by the end of fiscal datex and datex");
        assert_eq!(masked("item 2.05 of form 8-k"), "refx of refx");
        assert_eq!(masked("under sfas no. 146, 30 jobs"), "under refx, 30 jobs");
        assert_eq!(masked("the 2024 program cuts 2,000 jobs"), "the datex program cuts 2,000 jobs");
        assert_eq!(masked("in 2005, 13% of filters"), "in datex, 13% of filters");
        assert_eq!(masked("it may cut 40 jobs on 3 may"), "it may cut 40 jobs on datex");
    }

    #[test]
    fn the_patterns_compile() {
        assert!(DATES.is_some() && REFERENCES.is_some());
    }
}
