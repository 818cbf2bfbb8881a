//! What a document says of itself: who files, which form, when.
//!
//! Three sources, each with its own reader: the SGML header of a submission, the inline XBRL facts of the cover page, and the
//! printed cover page. Nothing is guessed: where all three are silent the field stays empty. A file's name is the road not
//! taken, though many folders put company and date there; some name the wrong company.

mod cover_page;
mod dates;
mod inline;
mod sgml;
mod submission_head;

pub use sgml::HeaderFiler;
pub use submission_head::{SubmissionHead, submission_head};

use eightk_core::{FilingDate, Form};

use crate::items::number_of_title;
use crate::{Cleaned, Declared};

/// The day on which the items of the form got their present numbers.
const RENUMBERED: &str = "2004-08-23";

/// Whether items had their former numbers on that day. A day that is not known is taken for a later one.
pub(crate) fn former_numbers(day: Option<FilingDate>) -> bool {
    let renumbered: Option<FilingDate> = RENUMBERED.parse().ok();
    matches!((day, renumbered), (Some(day), Some(limit)) if day < limit)
}

/// Reads everything that the document declares. Names are given as they stand; trimming EDGAR's decorations is up to whoever
/// makes short names of them.
pub fn declared(cleaned: &Cleaned) -> Declared {
    let header = sgml::read(&cleaned.header_text);
    let facts = inline::read(&cleaned.inline_facts);
    let cover = cover_page::read(cleaned);
    let mut companies = Vec::new();
    for name in [facts.company, header.company, cover.company].into_iter().flatten() {
        if !companies.contains(&name) {
            companies.push(name);
        }
    }
    let mut former_names = header.former_names;
    former_names.extend(facts.former_name.filter(|n| !companies.contains(n) && !former_names.contains(n)));
    let reported = header.reported.or(facts.reported).or(cover.reported);
    let day = header.filed.or(reported);
    let items = header.items.iter().filter_map(|item| item_number(item, day)).collect();
    Declared {
        accession: header.accession,
        cik: header.cik.or(facts.cik),
        companies,
        former_names,
        tickers: facts.tickers,
        form: header.form.or(facts.form).or(cover.form),
        filed: header.filed,
        reported,
        items,
    }
}

/// The number behind an `ITEM INFORMATION` line: it holds a title, rarely a number. Two numberings share titles, so the day
/// decides.
fn item_number(item: &str, day: Option<FilingDate>) -> Option<String> {
    if item.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return Some(item.to_owned());
    }
    number_of_title(item, former_numbers(day)).map(str::to_owned)
}

/// White space collapsed; `None` where nothing is left.
fn tidy(s: &str) -> Option<String> {
    let mut out = String::with_capacity(s.len());
    for word in s.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    (!out.is_empty()).then_some(out)
}

/// A CIK without leading zeros; `None` where it is no number of at most ten digits.
fn cik(s: &str) -> Option<String> {
    let digits = s.trim();
    let number = digits.trim_start_matches('0');
    let fits = (1..=10).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty();
    fits.then(|| number.to_owned())
}

/// EDGAR's name of the form, followed by anything.
fn form(s: &str) -> Option<Form> {
    Form::parse(s.split_whitespace().next()?)
}

#[cfg(test)]
mod tests;
