//! What a paragraph is, before any of it is split.

use std::collections::{HashMap, HashSet};

use eightk_core::DropReason;

use super::cues::{contains_ignore_case, starts_ignore_case};
use super::shape;
use crate::{Narrative, Paragraph, ParagraphKind};

/// The role of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// To be split.
    Prose,
    /// A heading or sub-heading.
    Heading,
    /// A row of a table.
    Table,
    /// A page number or running line.
    PageNumber,
    /// A list label alone.
    Label,
    /// Words without a sentence.
    Fragment,
}

impl Role {
    /// Why the whole paragraph is dropped, if it is.
    pub(super) fn reason(self) -> Option<DropReason> {
        match self {
            Self::Prose => None,
            Self::Heading => Some(DropReason::Heading),
            Self::Table => Some(DropReason::Table),
            Self::PageNumber => Some(DropReason::PageNumber),
            Self::Label => Some(DropReason::Label),
            Self::Fragment => Some(DropReason::Fragment),
        }
    }
}

/// Tells the role. `heading`: the paragraph is an Item's heading.
pub(super) fn role(text: &str, paragraph: Paragraph, heading: bool) -> Role {
    if heading || is_section_line(text) {
        return Role::Heading;
    }
    if is_page_number(text, paragraph.after_page_break) {
        return Role::PageNumber;
    }
    if paragraph.kind == ParagraphKind::TableRow {
        return Role::Table;
    }
    if shape::is_label(text) {
        return Role::Label;
    }
    if shape::is_rule(text) {
        return Role::Fragment;
    }
    let open = !shape::ends_sentence(text) && !text.ends_with([';', ',', ':']);
    if paragraph.emphasis && text.len() <= 300 && (open || shape::is_short_title(text)) && !shape::runs_on(text) {
        return Role::Heading;
    }
    if shape::is_title(text) {
        return Role::Heading;
    }
    if text.len() <= 200 && !text.contains(". ") && !shape::is_sentence(text) {
        return Role::Fragment;
    }
    Role::Prose
}

/// `SECTION 5 - CORPORATE GOVERNANCE AND MANAGEMENT`.
fn is_section_line(text: &str) -> bool {
    text.len() < 160
        && starts_ignore_case(text, "section ")
        && text.as_bytes().get(8).is_some_and(u8::is_ascii_digit)
        && text.as_bytes().get(9).is_none_or(|b| {
            !b.is_ascii_alphanumeric()
                && *b != b'('
                && !(*b == b'.' && text.as_bytes().get(10).is_some_and(u8::is_ascii_digit))
        })
        && !shape::has_auxiliary(text)
}

/// A number alone, `Page 3 of 5`, `- 2 -`, `iv` at a page break, a link back to the contents.
fn is_page_number(text: &str, after_page_break: bool) -> bool {
    if text.len() > 40 {
        return false;
    }
    let bare = text.trim_matches(|c: char| matches!(c, '-' | '–' | '—' | '_' | '[' | ']' | '|') || c.is_whitespace());
    if contains_ignore_case(bare, "table of contents") || bare.eq_ignore_ascii_case("(continued)") {
        return true;
    }
    let digits = |s: &str| !s.is_empty() && s.len() < 4 && s.bytes().all(|b| b.is_ascii_digit());
    let page = if starts_ignore_case(bare, "page") {
        bare.get(4..).unwrap_or_default().trim_start_matches(['-', ' ', ':'])
    } else {
        bare
    };
    let (number, of) = page.split_once(" of ").unwrap_or((page, ""));
    if digits(number.trim()) && (of.is_empty() || digits(of.trim())) {
        return true;
    }
    after_page_break && !bare.is_empty() && bare.len() < 6 && bare.bytes().all(|b| matches!(b, b'i' | b'v' | b'x'))
}

/// Short lines that stand at page breaks again and again: running headers.
pub(super) fn running_lines(narrative: &Narrative) -> HashSet<&str> {
    let mut seen: HashMap<&str, (usize, usize)> = HashMap::new();
    if !narrative.paragraphs.iter().any(|p| p.after_page_break) {
        return HashSet::new();
    }
    for (i, p) in narrative.paragraphs.iter().enumerate() {
        let text = p.span.of(&narrative.text);
        if text.len() > 100 || narrative.headings.get(i).copied().unwrap_or(false) || shape::is_label(text) {
            continue;
        }
        let breaks = |j: usize| narrative.paragraphs.get(j).is_some_and(|p| p.after_page_break);
        let near = breaks(i) || breaks(i + 1) || (i > 0 && breaks(i - 1)) || breaks(i + 2);
        let entry = seen.entry(text).or_default();
        *entry = (entry.0 + 1, entry.1 + usize::from(near));
    }
    let mut lines = HashSet::new();
    // Order does not matter: the result is a set that is only asked for members.
    #[allow(clippy::iter_over_hash_type)]
    for (text, (times, near)) in seen {
        if times > 1 && near == times && !shape::ends_sentence(text) && !starts_ignore_case(text, "not applicable") {
            lines.insert(text);
        }
    }
    lines
}
