//! From visible text to the narrative and its Items.
//!
//! ```text
//! every `item N` ──▶ scored candidates ──▶ sections ──▶ less cover and signatures ──▶ narrative
//!                    (before, after, title,  (contents, stacked,
//!                     looks, expected)        repeated)
//! ```
//!
//! Order of numbers is never assumed: filings put Item 7.01 before 2.05 and repeat a number. What a header or a search hit
//! promises makes a candidate likelier, but cannot forbid one: those lists are wrong often enough.

mod assemble;
mod candidates;
mod closing;
mod cover;
mod lines;
mod number;
mod pages;
mod redirect;
mod select;
#[cfg(test)]
mod tests;
mod titles;

pub use titles::{is_known, number_of_title, numbers_on};

use eightk_core::Span;

use crate::{Cleaned, Narrative, TextError};

use candidates::Candidate;
use select::Section;

/// The part of a document that tells the news, with its Items.
///
/// `expected` are Item numbers that a header or manifest promises (`2.05`, or `5` in the numbering before August 2004). They
/// weigh in where a heading is doubtful and filter nothing. Where no heading is found the narrative is the visible text less
/// cover page and signatures, and it has no Items.
///
/// # Errors
///
/// [`TextError::NoText`] where nothing is left but a cover page and signatures.
pub fn narrative(cleaned: &Cleaned, expected: &[String]) -> Result<Narrative, TextError> {
    let found = candidates::find(cleaned, expected);
    let (ranges, sections) =
        if found.is_empty() { (without_items(cleaned), Vec::new()) } else { with_items(cleaned, found) };
    let narrative = assemble::narrative(cleaned, &ranges, &sections);
    if narrative.text.is_empty() { Err(TextError::NoText) } else { Ok(narrative) }
}

fn without_items(cleaned: &Cleaned) -> Vec<Span> {
    let first = cover::end_without_headings(cleaned);
    let start = cleaned.paragraphs.get(first).map_or(cleaned.text.len(), |p| p.span.start);
    let end = closing::find(cleaned, start, start);
    vec![Span::new(start, end)]
}

fn with_items(cleaned: &Cleaned, found: Vec<Candidate>) -> (Vec<Span>, Vec<Section>) {
    let from = found.first().map_or(0, |c| c.start);
    let last_heading = found.last().map_or(0, |c| c.end);
    let end = closing::find(cleaned, from, last_heading);
    let (inside, after): (Vec<_>, Vec<_>) = found.into_iter().partition(|c| c.start < end);
    let resumed = resume(cleaned, end, &inside, after);
    let mut ranges = Vec::new();
    // Candidates before the first section can only be lines of a table of contents.
    let contents = inside.clone();
    let sections = select::sections(cleaned, inside.into_iter().chain(resumed.iter().cloned()).collect());
    if let Some(first) = sections.first().and_then(|s| s.headings.first()) {
        let contents: Vec<&Candidate> = contents.iter().take_while(|c| c.start < first.start).collect();
        ranges.extend(cover::introduction(cleaned, first, &contents));
        ranges.push(Span::new(first.start, end));
    }
    if let Some(first) = resumed.first() {
        let last = resumed.last().map_or(first.end, |c| c.end);
        ranges.push(Span::new(first.start, closing::find(cleaned, first.end, last)));
    }
    (ranges, sections)
}

/// Items that go on after the signatures, as some old filings have it. An attached document may hold headings, too: whatever
/// follows a label of an exhibit, a second cover page or a number that the report has already is not the report.
fn resume(cleaned: &Cleaned, end: usize, inside: &[Candidate], after: Vec<Candidate>) -> Vec<Candidate> {
    let mut resumed: Vec<Candidate> = Vec::new();
    let mut from = end;
    for candidate in after {
        let repeated = |c: &Candidate| c.numbers.iter().any(|n| candidate.numbers.contains(n));
        let other = inside.iter().any(|c| c.former != candidate.former);
        let attached = attachment_between(cleaned, from, candidate.start);
        if attached || other || candidate.title.is_empty() || inside.iter().chain(&resumed).any(repeated) {
            break;
        }
        from = candidate.end;
        resumed.push(candidate);
    }
    resumed
}

fn attachment_between(cleaned: &Cleaned, from: usize, to: usize) -> bool {
    let first = cleaned.paragraphs.partition_point(|p| p.span.end <= from);
    let between = cleaned.paragraphs.iter().skip(first).take_while(|p| p.span.start < to);
    between.map(|p| p.span.of(&cleaned.text)).any(|line| {
        lines::is_exhibit_index(line)
            || lines::is_exhibit_label(line)
            || line.to_ascii_uppercase().contains("SECURITIES AND EXCHANGE COMMISSION")
    })
}
