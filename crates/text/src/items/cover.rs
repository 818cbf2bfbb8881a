//! Where the cover page ends.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use eightk_core::Span;

use crate::{Cleaned, ParagraphKind};

use super::candidates::Candidate;
use super::lines;

/// Words of the printed form. The first [`STRONG`] show a cover line however long it is, the others a short line only: prose of
/// an explanatory note speaks of current reports, too.
const MARKS: &[&str] = &[
    "written communications pursuant to rule 425",
    "soliciting material pursuant to rule",
    "pre-commencement communications pursuant",
    "not publicly listed",
    "not publicly traded",
    "check the appropriate box",
    "emerging growth company",
    "exact name of",
    "former name or former",
    "former name, former",
    "former address, if changed",
    "securities registered pursuant to section 12",
    "telephone number, including",
    "address of principal",
    "date of earliest event",
    "state or other jurisdiction",
    "current report",
    "form 8-k",
    "date of report",
    "commission file",
    "title of each class",
    "trading symbol",
    "name of each exchange",
    "identification n",
    "securities and exchange commission",
    "area code",
    "of incorporation",
    "information to be included in the report",
    "employer",
    "file number",
    "zip code",
    "pursuant to section 13 or 15(d)",
    "not applicable",
];

const STRONG: usize = 16;

/// A line longer than this is prose unless a strong mark stands in it.
const SHORT: usize = 200;

/// Prose has at least this many bytes.
const PROSE: usize = 100;

/// How far down a cover page can reach where no heading ends it.
const COVER_PARAGRAPHS: usize = 150;

static COVER: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::builder().ascii_case_insensitive(true).build(MARKS).ok());

/// The passage before the first heading that is neither cover page nor furniture, where there is one: up to the heading, or up to
/// the table of contents, whose lines are given.
pub(super) fn introduction(cleaned: &Cleaned, heading: &Candidate, contents: &[&Candidate]) -> Option<Span> {
    let cover = cover_end(cleaned, heading.paragraph);
    let below_contents = contents.last().map_or(cover, |c| c.title_paragraphs.end.max(cover));
    if let Some(start) = prose_between(cleaned, below_contents, heading.paragraph) {
        return Some(Span::new(start, heading.start));
    }
    let first = contents.first()?;
    prose_between(cleaned, cover, first.paragraph).map(|start| Span::new(start, first.start))
}

/// The first byte of the first prose in a range of paragraphs, its heading included.
fn prose_between(cleaned: &Cleaned, from: usize, to: usize) -> Option<usize> {
    for (i, p) in cleaned.paragraphs.iter().enumerate().take(to).skip(from) {
        let line = p.span.of(&cleaned.text);
        if is_note_heading(line) {
            return Some(p.span.start);
        }
        if p.kind == ParagraphKind::Prose && is_prose(line) {
            let above = i.checked_sub(1).filter(|a| *a >= from).and_then(|a| cleaned.paragraphs.get(a));
            let title = above.filter(|p| is_title(p.span.of(&cleaned.text), p.emphasis));
            return Some(title.map_or(p.span.start, |t| t.span.start));
        }
    }
    None
}

/// The first paragraph after the cover page of a document without headings.
pub(super) fn end_without_headings(cleaned: &Cleaned) -> usize {
    let end = cover_end(cleaned, cleaned.paragraphs.len().min(COVER_PARAGRAPHS));
    // Lines of furniture, tick boxes and the like directly below.
    let skipped =
        cleaned.paragraphs.iter().skip(end).take_while(|p| end > 0 && lines::is_furniture(p.span.of(&cleaned.text)));
    end + skipped.count()
}

/// The first paragraph after the last cover line before paragraph `limit`.
fn cover_end(cleaned: &Cleaned, limit: usize) -> usize {
    let Some(marks) = COVER.as_ref() else { return 0 };
    // From below: the last line of the cover mostly stands right above the first heading.
    let last = cleaned.paragraphs.iter().take(limit).rposition(|p| {
        let line = p.span.of(&cleaned.text);
        let strong = |m: aho_corasick::Match| m.pattern().as_usize() < STRONG;
        marks.find_iter(line).any(|m| line.len() <= SHORT || strong(m))
    });
    last.map_or(0, |i| i + 1)
}

fn is_prose(line: &str) -> bool {
    let done = line.trim_end_matches([')', '"', '\u{201d}', ' ']).ends_with(['.', ':', ';']);
    let exhibit = lines::is_exhibit_row(line);
    line.len() >= PROSE && done && !exhibit && line.bytes().filter(u8::is_ascii_lowercase).count() * 2 > line.len()
}

fn is_note_heading(line: &str) -> bool {
    let line = line.trim_matches(|c: char| !c.is_alphanumeric());
    ["explanatory note", "introductory note", "explanatory statement", "introduction", "amendment no"]
        .iter()
        .any(|n| line.get(..n.len()).is_some_and(|l| l.eq_ignore_ascii_case(n)) && line.len() <= n.len() + 6)
}

fn is_title(line: &str, emphasis: bool) -> bool {
    emphasis && line.len() <= 100 && !lines::is_furniture(line) && !lines::is_exhibit_index(line)
}
