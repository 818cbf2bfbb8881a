//! Dates and cross-references stand for themselves, never for an amount or a count.
//!
//! Both are taken out of the key before values are looked for, so that "by the end of 2027", "Item 2.05" and
//! "Form 8-K" cannot be read as numbers of people.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::pattern::Pattern;

/// What a date becomes in the key.
const DATE: &[u8] = b"datex";
/// What a cross-reference becomes in the key.
const REFERENCE: &[u8] = b"refx";

const MONTH: &str = r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan\.|feb\.|mar\.|apr\.|aug\.|sept?\.|oct\.|nov\.|dec\.)";

static DATES: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    let year = "(?:19|20)[0-9][0-9]";
    Pattern::own(
        &[
            format!(r"\b{MONTH} ?(?:[0-9][0-9]?(?:st|nd|rd|th)?\b(?:(?:,| of)? {year}\b)?|,? ?(?:of )?{year}\b)"),
            format!(r"\b[0-9][0-9]?(?:st|nd|rd|th)? (?:of )?{MONTH}(?:,? {year}\b)?"),
            r"\b[0-9][0-9]?/[0-9][0-9]?/(?:[0-9][0-9])?[0-9][0-9]\b".to_owned(),
            // The year in a plan's name.
            format!(r"\b{year} (?:employee|equity|stock|incentive|omnibus|long-term|director|performance) (?:stock|equity|incentive|purchase|bonus|compensation|option|share|award|plan)\b"),
            format!(r"\b{year}-[0-9][0-9]-[0-9][0-9]\b"),
            format!(r"\b[1-4]?q[1-4]?(?: (?:fy ?)?'?(?:{year}|[0-9][0-9]))?\b"),
        ]
        .join("|"),
    )
});

/// A year after a word that makes it one; the word stays.
static YEARS: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    Pattern::own(
        r"\b(?:fiscal|calendar|fy|years?|quarter|half|early|late|mid|in|of|by|through|during|since|until|for|before|after|and|or|into|the|our|its|this|that|under)[ -]?'?(?:19|20)[0-9][0-9](?:[-/][0-9][0-9]+)?\b",
    )
});

static REFERENCES: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    Pattern::own(
        r"\b(?:forms?|items?|sections?|sec\.|exhibits?|notes?|rules?|nos?\.|asc|fas|sfas|paragraphs?|chapter|article|schedule|regulation|topic|part|phase) ?(?:nos?\. ?)?[0-9](?:[a-z0-9.()/-]*[a-z0-9)])?|\b(?:8-k|10-[kq])(?:/a)?\b|\([0-9][0-9]?[0-9]?\)",
    )
});

/// The key with dates and cross-references masked.
pub(crate) fn mask_dates(key: &str) -> Vec<u8> {
    let key = key.as_bytes();
    if !key.iter().any(u8::is_ascii_digit) {
        return key.to_vec();
    }
    let dates = DATES.as_ref().map_or(Cow::Borrowed(key), |p| p.replace(key, |_| DATE));
    let years = YEARS.as_ref().map_or(Cow::Borrowed(&*dates), |p| with_prefix(p, &dates));
    REFERENCES.as_ref().map_or(Cow::Borrowed(&*years), |p| p.replace(&years, |_| REFERENCE)).into_owned()
}

/// Replaces each match from its first digit (or the apostrophe of a short year) on.
fn with_prefix<'t>(pattern: &Pattern, text: &'t [u8]) -> Cow<'t, [u8]> {
    let (mut out, mut from) = (Vec::new(), 0);
    for found in pattern.find_iter(text) {
        let word = text.get(found.clone()).unwrap_or_default();
        let year = word.iter().position(|b| b.is_ascii_digit() || *b == b'\'').unwrap_or_default();
        out.extend_from_slice(text.get(from..found.start + year).unwrap_or_default());
        out.extend_from_slice(DATE);
        from = found.end;
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    out.extend_from_slice(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_references_go_counts_stay() {
        let masked = |s: &str| String::from_utf8(mask_dates(s)).unwrap();
        assert_eq!(masked("by may 12, 2025, 64 people"), "by datex, 64 people");
        assert_eq!(masked("by the end of fiscal 2027 and june 2026"), "by the end of fiscal datex and datex");
        assert_eq!(masked("item 2.05 of form 8-k, note 1: on"), "refx of refx, refx: on");
        assert_eq!(masked("under sfas no. 146, 30 jobs"), "under refx, 30 jobs");
        assert_eq!(masked("the 2024 program cuts 2,000 jobs"), "the datex program cuts 2,000 jobs");
        assert_eq!(masked("in 2005, 13% of filters"), "in datex, 13% of filters");
        assert_eq!(masked("it may cut 40 jobs on 3 may"), "it may cut 40 jobs on datex");
        assert_eq!(
            masked("twelve (12) months under the 2014 employee stock plan"),
            "twelve refx months under the datex plan"
        );
        assert_eq!(masked("no digit in june"), "no digit in june");
    }

    #[test]
    fn the_patterns_compile() {
        assert!(DATES.is_some() && YEARS.is_some() && REFERENCES.is_some());
    }
}
