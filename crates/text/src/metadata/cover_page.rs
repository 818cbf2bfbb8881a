//! The printed cover page.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use eightk_core::{FilingDate, Form, Span};

use crate::{Cleaned, Paragraph};

use super::{dates, tidy};

/// Labels of the printed form, told apart by their place in this list.
const LABELS: &[&str] = &[
    "date of report",
    "earliest event",
    "exact name of",
    "name of registrant as specified",
    "name of issuer as specified",
    "form 8-k",
    "form 8 - k",
    "form\n8-k",
    "amendment no",
];
const DATES: Range<usize> = 0..2;
const NAMES: Range<usize> = 2..5;
const FORMS: Range<usize> = 5..8;

/// A cover page is over after this many bytes; a longer one holds a dozen co-registrants.
const LONGEST: usize = 12_000;

/// A name is no longer than this.
const LONGEST_NAME: usize = 120;

static LABEL: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let kind = Some(AhoCorasickKind::DFA);
    AhoCorasick::builder().ascii_case_insensitive(true).kind(kind).build(LABELS).ok()
});

/// What the page says.
#[derive(Debug, Default)]
pub(super) struct Cover {
    pub(super) company: Option<String>,
    pub(super) form: Option<Form>,
    pub(super) reported: Option<FilingDate>,
}

/// Reads the first page.
pub(super) fn read(cleaned: &Cleaned) -> Cover {
    let mut cover = Cover::default();
    let page = head(&cleaned.text, LONGEST);
    let Some(labels) = LABEL.as_ref() else { return cover };
    let mut amendment = false;
    let mut index = 0;
    for hit in labels.find_iter(page) {
        if cover.company.is_some() && cover.form.is_some() && cover.reported.is_some() {
            break;
        }
        while cleaned.paragraphs.get(index).is_some_and(|p| p.span.end <= hit.start()) {
            index += 1;
        }
        let place = Place { cleaned, index, label: Span::new(hit.start(), hit.end()) };
        let label = hit.pattern().as_usize();
        if DATES.contains(&label) {
            cover.reported = cover.reported.or_else(|| place.day());
        } else if NAMES.contains(&label) {
            cover.company = cover.company.or_else(|| place.name());
        } else if FORMS.contains(&label) {
            cover.form = cover.form.or_else(|| place.is_title().then(|| place.form()));
        } else if cover.company.is_none() {
            // Above the name it can only be an amendment of this form.
            amendment |= place.is_heading();
        }
    }
    if amendment && cover.form.is_some() {
        cover.form = Some(Form::EightKA);
    }
    cover
}

/// A label on the page.
struct Place<'c> {
    cleaned: &'c Cleaned,
    /// Index of its paragraph.
    index: usize,
    label: Span,
}

impl<'c> Place<'c> {
    fn paragraph(&self, index: usize) -> Option<&'c Paragraph> {
        self.cleaned.paragraphs.get(index)
    }

    fn line(&self, index: usize) -> &'c str {
        self.paragraph(index).map_or("", |p| p.span.of(&self.cleaned.text))
    }

    fn after_label(&self) -> &'c str {
        let end = self.paragraph(self.index).map_or(0, |p| p.span.end);
        head(self.cleaned.text.get(self.label.end..end).unwrap_or_default(), 400)
    }

    fn before_label(&self) -> &'c str {
        let start = self.paragraph(self.index).map_or(0, |p| p.span.start);
        self.cleaned.text.get(start..self.label.start).unwrap_or_default()
    }

    /// The day behind the label, in the paragraphs below or above it.
    fn day(&self) -> Option<FilingDate> {
        if let Some(day) = day_near(self.after_label(), 100) {
            return Some(day);
        }
        for below in self.index + 1..self.index + 3 {
            let line = self.line(below);
            if let Some(day) = day_near(line, 40) {
                return Some(day);
            }
            if !line.trim_start_matches(['(', ' ']).get(..7).is_some_and(|l| l.eq_ignore_ascii_case("date of")) {
                break;
            }
        }
        let own = self.before_label();
        if !own.trim_matches(is_rule).is_empty() {
            return day_at_end(own);
        }
        day_at_end(self.line(self.index.checked_sub(1)?))
    }

    /// The name before the label on its line, above it, or after it.
    fn name(&self) -> Option<String> {
        let own = self.before_label();
        // The head of a table with one row per co-registrant.
        if own.len() < 60 && own.to_ascii_lowercase().contains("commission file") {
            return None;
        }
        let lines = std::iter::once(own).chain((self.index.saturating_sub(3)..self.index).rev().map(|i| self.line(i)));
        let nearest = lines.map(last_clause).find(|l| !l.is_empty());
        nearest.and_then(name).or_else(|| self.after_label().split_once(':').and_then(|(_, n)| name(n)))
    }

    fn form(&self) -> Form {
        let after: String = self.after_label().chars().filter(|c| !c.is_whitespace()).take(2).collect();
        let amended = ["/A", "\\A", "-A"].iter().any(|x| x.eq_ignore_ascii_case(&after));
        if amended { Form::EightKA } else { Form::EightK }
    }

    /// Whether the label is the page's title, not a mention in running text: a short line, capitals, or the words below it.
    fn is_title(&self) -> bool {
        let label = self.label.of(&self.cleaned.text);
        let below = self.after_label().trim_start().get(..14).is_some_and(|w| w.eq_ignore_ascii_case("current report"));
        self.line(self.index).len() <= 60 || label.starts_with("FORM") || below
    }

    /// Whether the label stands on a line of its own, brackets apart.
    fn is_heading(&self) -> bool {
        self.before_label().trim_matches(['(', ' ']).is_empty() && self.line(self.index).len() <= 40
    }
}

/// The day that the text ends in, if it does; the one in brackets of two.
fn day_at_end(line: &str) -> Option<FilingDate> {
    let mut start = line.len().saturating_sub(60);
    while !line.is_char_boundary(start) {
        start += 1;
    }
    let mut rest = line.get(start..).unwrap_or_default();
    let mut last = None;
    while let Some((day, end)) = dates::first(rest) {
        last = Some(day);
        rest = rest.get(end..).unwrap_or_default();
    }
    last.filter(|_| rest.trim_matches(is_rule).trim_matches([')', '.', ',']).is_empty())
}

/// The day in the first `within` bytes. Of `March 8, 2024 (March 1, 2024)` the second is that of the event.
fn day_near(line: &str, within: usize) -> Option<FilingDate> {
    let (day, end) = dates::first(head(line, within))?;
    let rest = line.get(end..).unwrap_or_default().trim_start();
    let second = rest.strip_prefix('(').and_then(|inner| dates::first(head(inner, 24)));
    Some(second.map_or(day, |(event, _)| event))
}

fn head(line: &str, len: usize) -> &str {
    let mut end = line.len().min(len);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    line.get(..end).unwrap_or_default()
}

fn is_rule(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '_' | '=' | '*' | '(' | '|' | ':' | '\u{2013}' | '\u{2014}')
}

/// What stands last on a line that several cover lines were joined to: behind the last rule, colon, day or label.
fn last_clause(line: &str) -> &str {
    let clause = line.trim_matches(is_rule);
    let cut = clause.rfind([':', '_']).max(clause.rfind("--").map(|i| i + 1));
    let mut rest = cut.map_or(clause, |i| clause.get(i + 1..).unwrap_or_default());
    while let Some((_, end)) = dates::first(rest) {
        rest = rest.get(end..).unwrap_or_default();
    }
    const LABEL_END: &str = "reported)";
    let rest = match rest.to_ascii_lowercase().rfind(LABEL_END) {
        Some(i) => rest.get(i + LABEL_END.len()..).unwrap_or_default(),
        None => rest,
    };
    rest.trim_start_matches(is_rule).trim_start_matches([')', ',', '.', ' ']).trim_end_matches(is_rule)
}

/// The text as a name, unless it is another line of the form.
fn name(s: &str) -> Option<String> {
    const OTHERS: &[&str] = &[
        "commission",
        "form 8-k",
        "date of",
        "pursuant to",
        "charter",
        "securities exchange act",
        "current report",
        "washington, d",
        "registrant",
        "file number",
        "of 1934",
    ];
    let name = tidy(s.trim_matches(is_rule))?;
    let lower = name.to_ascii_lowercase();
    let fits = name.len() <= LONGEST_NAME
        && name.chars().any(char::is_alphabetic)
        && !OTHERS.iter().any(|o| lower.contains(o));
    fits.then_some(name)
}
