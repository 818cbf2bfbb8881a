//! Exhibit lists.

use eightk_core::{DropReason, ItemSection};

use super::cues::{Cues, starts_ignore_case};
use super::paragraph::Role;
use super::{lists_exhibits, shape};

/// Where a walk through the paragraphs stands with regard to a list of exhibits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Exhibits {
    /// In the Item that lists exhibits.
    item: bool,
    /// A row of the list, or its heading, was seen.
    list: bool,
    /// A sentence of this paragraph was one.
    running: bool,
}

impl Exhibits {
    /// Enters an Item.
    pub(super) fn enter(item: &ItemSection) -> Self {
        Self { item: lists_exhibits(item), ..Self::default() }
    }

    /// Judges a paragraph: a row of the list, or `None`.
    pub(super) fn paragraph(&mut self, text: &str, role: Role, item_heading: bool) -> Option<DropReason> {
        self.running = false;
        if item_heading || role == Role::PageNumber {
            // `99` and `104` are exhibits; filings do not have that many pages.
            let exhibit = self.list && text.parse::<u16>().is_ok_and(|n| (99..200).contains(&n));
            return exhibit.then_some(DropReason::Exhibit);
        }
        if is_list_heading(text) {
            self.list = true;
            return Some(DropReason::Heading);
        }
        let outright = ["EX-", "Ex-", "EXHIBIT ", "Exhibit "].iter().any(|p| text.starts_with(p));
        let outright = outright || (role == Role::Prose && has_point(text));
        if outright && text.len() < 300 && begins_with_number(text) && !shape::has_auxiliary_outside_brackets(text) {
            return Some(DropReason::Exhibit);
        }
        if !self.item && !self.list {
            return None;
        }
        if role == Role::Heading && !self.item {
            self.list = false;
            return None;
        }
        let row = role == Role::Table
            || begins_with_number(text)
            || is_column_heading(text)
            || (self.list
                && matches!(role, Role::Prose | Role::Fragment)
                && !shape::has_auxiliary_outside_brackets(text))
            || is_note(text);
        if row {
            self.list = true;
        }
        row.then_some(DropReason::Exhibit)
    }

    /// Judges a sentence of a paragraph that holds the whole list: text that has lost its line breaks.
    pub(super) fn sentence(&mut self, sentence: &str) -> Option<DropReason> {
        if !self.item {
            return None;
        }
        if is_list_heading(sentence) {
            self.list = true;
            self.running = true;
            return Some(DropReason::Heading);
        }
        let bare = shape::without_label(sentence);
        let opens = begins_with_number(bare) || is_column_heading(bare) || opens_list(bare);
        let row = opens || (self.running && !shape::has_auxiliary_outside_brackets(bare));
        self.list |= row;
        self.running |= row;
        row.then_some(DropReason::Exhibit)
    }

    /// Whether a sentence is a note on the list, such as what was left out of an exhibit.
    pub(super) fn is_footnote(&self, _sentence: &str, cues: Cues) -> bool {
        self.item && self.list && cues.has(Cues::OMITTED)
    }
}

/// `(d) Exhibits.`, `Exhibits:`, `EXHIBIT INDEX`.
fn is_list_heading(text: &str) -> bool {
    let bare = shape::without_label(text).trim_end_matches(|c: char| !c.is_alphanumeric());
    [
        "exhibits",
        "exhibit",
        "exhibit index",
        "index to exhibits",
        "exhibits index",
        "list of exhibits",
        "exhibits furnished",
        "exhibits filed",
    ]
    .iter()
    .any(|h| bare.eq_ignore_ascii_case(h))
}

/// Words over the columns of a list.
const COLUMN_HEADINGS: &[&str] = &[
    "exhibit no",
    "exhibit number",
    "exhibit description",
    "exhibit title",
    "exhibit document",
    "number description",
    "no. description",
];

/// `Exhibit No. Description`, `Number Document`.
fn is_column_heading(text: &str) -> bool {
    let short = text.len() < 90;
    short && COLUMN_HEADINGS.iter().any(|h| starts_ignore_case(text, h)) && !text.trim_end().ends_with('.')
}

/// The beginning of a list whose lines have run together: `Exhibits Exhibit No. Description 99.1 …`, `Description 99.1 …`.
fn opens_list(text: &str) -> bool {
    let bare = ["Exhibits", "EXHIBITS", "EXHIBIT INDEX", "Exhibit Index"].iter().find_map(|p| text.strip_prefix(p));
    let bare = bare.unwrap_or(text).trim_start_matches([' ', '.', ':']);
    let columns =
        ["Exhibit", "EXHIBIT", "No.", "No", "Number", "Description", "DESCRIPTION", "of", "Document", "Title"];
    let numbered =
        bare.split_whitespace().take(8).find(|w| !columns.iter().any(|c| w.trim_end_matches('.') == *c || w == c));
    let head = bare.split_whitespace().next().is_some_and(|w| columns.contains(&w));
    head && numbered.is_some_and(|w| has_point(w) || (w.len() < 4 && w.bytes().all(|b| b.is_ascii_digit())))
}

/// A row of the list: `99.1 Press release`, `Exhibit 10.1(a): Form of deed`, `104 Cover page`.
fn begins_with_number(text: &str) -> bool {
    // `(1) The statements …` is prose, `(99.1) Press release` a row.
    let bracketed = text.starts_with('(');
    let text =
        text.trim_start_matches(|c: char| matches!(c, '*' | '+' | '†' | '‡' | '#' | '^' | '(') || c.is_whitespace());
    let text = ["Exhibit ", "EXHIBIT ", "Exhibit No. ", "Ex. ", "EX-", "Ex-", "No. "]
        .iter()
        .find_map(|p| text.strip_prefix(p))
        .unwrap_or(text);
    let text = text.strip_prefix("No. ").unwrap_or(text);
    let whole = text.bytes().take_while(u8::is_ascii_digit).count();
    if whole == 0 || whole > 3 {
        return false;
    }
    let word = text.split_whitespace().next().unwrap_or_default();
    let tail = word.get(whole..).unwrap_or_default();
    let code = tail.len() < 12
        && tail.chars().all(|c| {
            c.is_ascii_digit()
                || matches!(c, '.' | '(' | ')' | '*' | '+' | '†' | '‡' | '#' | '^' | ':' | '-' | '–' | '—')
                || c.is_ascii_alphabetic()
        });
    let letters = tail.chars().filter(char::is_ascii_alphabetic).count();
    let next = text.get(word.len()..).unwrap_or_default().trim_start();
    // `99 Exhibits are …` is rare; `30 days after …` and `16, the letter …` are prose.
    let capital = next.chars().find(|c| c.is_alphabetic()).is_none_or(char::is_uppercase);
    code && letters < 3 && capital && !word.ends_with(',') && (!bracketed || tail.starts_with('.'))
}

/// A note below the list: a mark, then text.
fn is_note(text: &str) -> bool {
    text.starts_with(['*', '†', '‡', '+', '#', '^', '§'])
}

/// Whether the first word is a number with a point, as only exhibits have it: `10.1`, `99.2(a)`.
fn has_point(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.as_bytes().get(digits..).unwrap_or_default();
    (1..4).contains(&digits) && rest.first() == Some(&b'.') && rest.get(1).is_some_and(u8::is_ascii_digit)
}
