//! Places that may be Item headings, each with a score.
//!
//! Every `item` followed by a number is looked at, wherever it stands. What stands before it, what follows it and how the
//! paragraph looks add to or take from a score; a threshold decides. One strict pattern per layout is the road not taken: each
//! filer's layout needs its own, and the patterns then disagree about which text is a cross-reference.

use std::ops::Range;

use memchr::memmem;

use crate::{Cleaned, Paragraph, ParagraphKind};

use super::number::{self, Numbers};
use super::titles::{self, TitleMatch};

/// A place that is taken for a heading.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Index of its paragraph.
    pub(super) paragraph: usize,
    /// Byte of the text where `Item` stands.
    pub(super) start: usize,
    /// Byte of the text where number and title end in this paragraph.
    pub(super) end: usize,
    /// The item numbers.
    pub(super) numbers: Vec<String>,
    /// Whether the numbers are of the numbering before August 2004.
    pub(super) former: bool,
    /// The title as written; empty where there is none.
    pub(super) title: String,
    /// Paragraphs after this one that hold the title or the rest of it.
    pub(super) title_paragraphs: Range<usize>,
    /// How sure: a heading from [`THRESHOLD`] on.
    pub(super) score: i32,
}

/// The lowest score of a heading.
pub(super) const THRESHOLD: i32 = 1;

/// A paragraph up to this length may be a heading as a whole.
const HEADING_LENGTH: usize = 300;

/// Words after which an item number is a reference.
const CUES_BEFORE: &[&str] = &[
    "a",
    "an",
    "and",
    "any",
    "are",
    "as",
    "both",
    "by",
    "each",
    "following",
    "for",
    "form",
    "from",
    "in",
    "into",
    "is",
    "its",
    "of",
    "on",
    "or",
    "other",
    "our",
    "part",
    "per",
    "regarding",
    "related",
    "respective",
    "said",
    "see",
    "such",
    "that",
    "the",
    "these",
    "this",
    "those",
    "to",
    "under",
    "was",
    "which",
    "with",
];

/// Words after which, at the beginning of a line, the number before them was a reference.
const CUES_AFTER: &[&str] = &[
    "above", "and", "are", "as", "below", "by", "for", "has", "have", "hereof", "hereto", "herein", "in", "is", "it",
    "of", "on", "or", "shall", "that", "this", "to", "under", "was", "were", "which", "will", "with",
];

/// Every place whose score reaches [`THRESHOLD`], in document order.
pub(super) fn find(cleaned: &Cleaned, expected: &[String]) -> Vec<Candidate> {
    let text = cleaned.text.as_str();
    let mut places = Vec::new();
    let mut paragraph = 0;
    for hit in words(text) {
        while cleaned.paragraphs.get(paragraph).is_some_and(|p| p.span.end <= hit) {
            paragraph += 1;
        }
        let Some(p) = cleaned.paragraphs.get(paragraph) else { break };
        if p.kind == ParagraphKind::TableRow && hit > p.span.start {
            continue;
        }
        if let Some(place) = Place::at(text, paragraph, p, hit) {
            places.push(place);
        }
    }
    let scored = places.iter().enumerate().filter_map(|(i, place)| {
        let limit = places.get(i + 1).map_or(text.len(), |next| next.start);
        place.score(cleaned, limit, expected)
    });
    scored.filter(|c| c.score >= THRESHOLD).collect()
}

/// Where `item`, `Item` or `ITEM` stand, in order. Two searches for one rare ending each are several times faster than one that
/// takes any case.
fn words(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ending = |ending: &[u8]| -> Vec<usize> {
        let hits = memmem::find_iter(bytes, ending).filter_map(|at| at.checked_sub(1));
        hits.filter(|at| matches!(bytes.get(*at), Some(b'i' | b'I'))).collect()
    };
    let mut places = ending(b"tem");
    let capitals = ending(b"TEM");
    if !capitals.is_empty() {
        places.extend(capitals);
        places.sort_unstable();
    }
    places
}

/// A number behind the word `item` that no reference to it gives away.
struct Place {
    paragraph: usize,
    start: usize,
    numbers: Numbers,
    before: Before,
}

/// What stands before the word in its paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing but rules, bullets and section lines.
    Nothing,
    /// A finished sentence or another heading.
    Sentence,
    /// Words that go on.
    Words,
}

impl Place {
    fn at(text: &str, paragraph: usize, p: &Paragraph, start: usize) -> Option<Self> {
        let before = text.get(p.span.start..start)?;
        let before = what_stands_before(before)?;
        let numbers = number::parse(text.get(..p.span.end)?, start)?;
        Some(Self { paragraph, start, numbers, before })
    }

    fn score(&self, cleaned: &Cleaned, limit: usize, expected: &[String]) -> Option<Candidate> {
        let text = cleaned.text.as_str();
        let p = cleaned.paragraphs.get(self.paragraph)?;
        let line = text.get(self.numbers.end..p.span.end.min(limit.max(self.numbers.end)))?;
        let skipped = line.len() - line.trim_start_matches(is_separator).len();
        let mut skipped = skipped;
        // `Item 2.05 Item Costs`: the word once more.
        if strip_word(line.get(skipped..)?, "item ").is_some_and(|r| r.starts_with(char::is_alphabetic)) {
            skipped += 5;
        }
        let rest = line.get(skipped..)?;
        let separated = line.get(..skipped).is_some_and(|s| s.contains(['.', ':', '-', '\u{2013}', '\u{2014}', '|']));
        if rest.get(..11).is_some_and(|r| r.eq_ignore_ascii_case("(continued)")) || starts_with_word(rest, "continued")
        {
            return None;
        }
        let alone = rest.trim_end_matches(is_separator).is_empty();
        let title = if alone { TitleMatch::default() } else { self.title(rest) };
        let has_title = title.is_title() && starts_like_title(rest);
        let mut found = Candidate {
            paragraph: self.paragraph,
            start: self.start,
            end: self.numbers.end + skipped,
            numbers: self.numbers.list.clone(),
            former: self.numbers.former,
            title: String::new(),
            title_paragraphs: self.paragraph + 1..self.paragraph + 1,
            score: 0,
        };
        let mut titled = false;
        if has_title {
            let end = title_end(rest, title, p.span.len());
            found.title = rest.get(..end).unwrap_or_default().trim_matches(is_edge).to_owned();
            found.end = self.numbers.end + skipped + end;
            titled = true;
        } else if !alone && self.before == Before::Nothing && rest.len() <= HEADING_LENGTH && looks_like_title(rest) {
            // A title of the filer's own making.
            found.title = rest.trim_matches(is_edge).to_owned();
            found.end = self.numbers.end + line.trim_end().len();
        }
        let ends_paragraph = text.get(found.end..p.span.end).is_some_and(|t| t.trim().is_empty());
        if ends_paragraph && (alone || titled) {
            self.read_on(cleaned, &mut found, alone);
            titled |= !found.title.is_empty();
        }
        if self.before == Before::Words && !(titled && starts_upper(rest)) {
            return None;
        }
        if self.numbers.irregular && !titled {
            return None;
        }
        found.score += 3 * i32::from(titled);
        found.score += i32::from(p.emphasis);
        found.score += i32::from(p.span.len() <= HEADING_LENGTH);
        found.score += i32::from(separated);
        found.score += 2 * i32::from(self.numbers.list.iter().any(|n| expected.contains(n)));
        found.score -= match self.before {
            Before::Nothing => 0,
            Before::Sentence if titled => 0,
            Before::Sentence => 3,
            Before::Words => 2,
        };
        if !titled && refers_on(rest) {
            found.score -= 5;
        }
        if self.before == Before::Nothing && !alone && goes_on_from(cleaned, self.paragraph) {
            found.score -= 4;
        }
        Some(found)
    }

    /// How the rest of the line agrees with the title of one of the numbers, or with any other.
    fn title(&self, rest: &str) -> TitleMatch {
        let own = self.numbers.list.iter().map(|n| titles::match_title(rest, n)).max_by_key(|m| m.words);
        own.filter(TitleMatch::is_title).unwrap_or_else(|| titles::match_any_title(rest, self.numbers.former))
    }

    /// Takes the title, or the rest of it, from the paragraphs that follow.
    fn read_on(&self, cleaned: &Cleaned, found: &mut Candidate, alone: bool) {
        let number = self.numbers.list.first().map_or("", String::as_str);
        for next in self.paragraph + 1..(self.paragraph + 4).min(cleaned.paragraphs.len()) {
            let Some(p) = cleaned.paragraphs.get(next) else { return };
            let line = p.span.of(&cleaned.text);
            if p.kind != ParagraphKind::Prose || p.span.len() > HEADING_LENGTH || starts_with_word(line, "item") {
                return;
            }
            if alone && found.title.is_empty() && line.trim_matches(is_separator).is_empty() {
                continue;
            }
            // Words that the title already has are not asked for again.
            let joined = format!("{} {line}", found.title);
            let before = if found.title.is_empty() { 0 } else { titles::match_title(&found.title, number).words };
            let mut m = titles::match_title(&joined, number);
            if found.title.is_empty() && !m.is_title() {
                m = titles::match_any_title(&joined, self.numbers.former);
            }
            let whole = m.end >= joined.trim_end().len();
            // A line that holds nothing but `of`.
            if !found.title.is_empty() && !found.title.ends_with('.') && titles::is_link(line.trim()) {
                found.title = joined;
                continue;
            }
            let more = m.words > before && whole && (m.is_title() || before > 0) && starts_like_title(line);
            if !more || (!found.title.is_empty() && found.title.ends_with('.') && m.words < before + 2) {
                return;
            }
            found.title = joined.trim_matches(is_edge).to_owned();
            found.title_paragraphs.end = next + 1;
        }
    }
}

/// What stands before `item` in its paragraph; `None` where that makes it a reference.
fn what_stands_before(before: &str) -> Option<Before> {
    let trimmed = before.trim_end();
    if trimmed.chars().all(is_decoration) || is_section_line(trimmed) {
        return Some(Before::Nothing);
    }
    let last = trimmed.chars().next_back()?;
    let touching = trimmed.len() == before.len();
    match last {
        // A rule, or the debris of a table cell.
        '-' | '_' | '=' | '*' | '|' => Some(Before::Sentence),
        '"' | '\u{201c}' | '\'' | '\u{2018}' | '(' | '[' | ',' | '&' | '/' if touching || last != '"' => None,
        '.' | '!' | '?' | ';' | ':' if !touching => Some(Before::Sentence),
        ')' | '"' | '\u{201d}' | '\u{2019}' if !touching => {
            let inner = trimmed.trim_end_matches([')', '"', '\u{201d}', '\u{2019}']);
            let done = inner.ends_with(['.', '!', '?']);
            Some(if done { Before::Sentence } else { Before::Words })
        }
        _ if touching => None,
        // A tick box, a bullet.
        _ if !last.is_alphanumeric() => Some(Before::Sentence),
        _ => {
            let start = trimmed.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |i| i + 1);
            let word = trimmed.get(start..).unwrap_or_default();
            let cue = CUES_BEFORE.iter().any(|c| c.eq_ignore_ascii_case(word));
            (!cue).then_some(Before::Words)
        }
    }
}

fn is_decoration(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '"' | '\u{201c}' | '(' | '\u{2018}' | '\'')
}

/// `Section 5 - Corporate Governance and Management`, the line that the form prints above its items.
pub(super) fn is_section_line(line: &str) -> bool {
    let Some(rest) = line.trim_start_matches(is_decoration).get(..).and_then(|l| strip_word(l, "section")) else {
        return false;
    };
    let rest = rest.trim_start();
    let bytes = rest.as_bytes();
    let one_digit = bytes.first().is_some_and(|b| (b'1'..=b'9').contains(b))
        && !bytes.get(1).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'(');
    one_digit
        && line.len() <= 120
        && looks_like_title(rest.get(1..).unwrap_or_default().trim_start_matches(is_separator))
}

fn strip_word<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let head = line.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| line.get(word.len()..)).flatten()
}

fn starts_with_word(line: &str, word: &str) -> bool {
    strip_word(line, word).is_some_and(|r| !r.starts_with(char::is_alphanumeric))
}

/// Characters between a number and its title.
fn is_separator(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '.' | ':' | ';' | ',' | '-' | '\u{2010}'..='\u{2015}' | '|' | '*' | '_' | '\u{2022}' | ')' | '\u{b7}'
        )
}

/// Characters that are no part of a title at its edges; its own full stop is.
fn is_edge(c: char) -> bool {
    c.is_whitespace() || matches!(c, '|' | '-' | '\u{2010}'..='\u{2015}' | '*' | '_' | ':' | ';' | ',')
}

fn starts_upper(line: &str) -> bool {
    line.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| !c.is_lowercase())
}

/// A title begins with a capital, or is written small throughout.
fn starts_like_title(line: &str) -> bool {
    starts_upper(line) || !line.chars().take(60).any(char::is_uppercase)
}

/// Whether the line reads like a reference that begins after a line break: `Item 2.06 below is …`.
fn refers_on(rest: &str) -> bool {
    let Some(first) = rest.split(|c: char| !c.is_alphanumeric()).find(|w| !w.is_empty()) else { return false };
    first.chars().next().is_some_and(char::is_lowercase)
        || CUES_AFTER.contains(&first)
        || rest.starts_with(['"', '\u{201d}'])
}

/// Whether the paragraph before this one breaks off in the middle of a clause that ends in a word like `under`.
fn goes_on_from(cleaned: &Cleaned, paragraph: usize) -> bool {
    let Some(p) = paragraph.checked_sub(1).and_then(|i| cleaned.paragraphs.get(i)) else { return false };
    let line = p.span.of(&cleaned.text);
    let start = line
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(0, |i| i + line.get(i..).and_then(|l| l.chars().next()).map_or(1, char::len_utf8));
    let word = line.get(start..).unwrap_or_default();
    line.len() > 40 && word.chars().next().is_some_and(char::is_lowercase) && CUES_BEFORE.contains(&word)
}

/// Where a title that agrees up to `m.end` really ends: a short line is title to its end unless a sentence follows.
fn title_end(rest: &str, m: TitleMatch, paragraph_len: usize) -> usize {
    let tail = rest.get(m.end..).unwrap_or_default();
    let whole = rest.trim_end().len();
    if tail.trim_matches(is_separator).is_empty() {
        return whole;
    }
    let done = rest.get(..m.end).is_some_and(|t| t.ends_with(['.', ':']));
    if !done && paragraph_len <= HEADING_LENGTH && looks_like_title(tail) { whole } else { m.end }
}

/// Whether words are written as in a title: no sentence inside, hardly a small word that carries meaning.
fn looks_like_title(line: &str) -> bool {
    let trimmed = line.trim();
    if trimmed.is_empty() || trimmed.trim_end_matches(['.', ')', ' ']).contains(". ") {
        return false;
    }
    let mut small = 0;
    let mut large = 0;
    for word in trimmed.split(|c: char| !c.is_alphabetic()).filter(|w| w.len() >= 4) {
        match word.chars().next() {
            Some(c) if c.is_lowercase() => {
                small += usize::from(!matches!(word, "with" | "from" | "into" | "under" | "that"));
            }
            _ => large += 1,
        }
    }
    let digit_start = trimmed.starts_with(|c: char| c.is_ascii_digit());
    large > 0 && small == 0 && !digit_start && !starts_with_word(trimmed, "on") && !trimmed.starts_with('(')
}
