//! From candidates to sections: which numbering, which of two like headings, which headings share one text.

use crate::Cleaned;

use super::candidates::Candidate;
use super::lines;

/// A paragraph of this length between two headings is text that belongs to the first.
const PROSE: usize = 80;

/// Headings that share one text, in document order.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// The headings; never empty.
    pub(super) headings: Vec<Candidate>,
}

/// Drops what a table of contents, a running header or the other numbering contributed, and joins stacked headings.
pub(super) fn sections(cleaned: &Cleaned, mut found: Vec<Candidate>) -> Vec<Section> {
    if found.iter().any(|c| !c.former) {
        found.retain(|c| !c.former);
    }
    let gaps: Vec<Gap> = (0..found.len()).map(|i| gap(cleaned, &found, i)).collect();
    let contents = in_contents(&found, &gaps);
    let mut sections: Vec<Section> = Vec::new();
    // Whether nothing stands between the last heading kept and the one at hand.
    let mut stacked = false;
    for (i, candidate) in found.into_iter().enumerate() {
        let gap = gaps.get(i).copied().unwrap_or(Gap::Text);
        if contents.get(i) == Some(&true) {
            stacked = false;
            continue;
        }
        match sections.last_mut() {
            Some(last) if stacked => last.headings.push(candidate),
            // A heading that a page break repeats.
            Some(last) if repeats(cleaned, last, &candidate) => {}
            _ => sections.push(Section { headings: vec![candidate] }),
        }
        stacked = gap == Gap::Nothing;
    }
    sections
}

/// What stands between a heading and the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    Nothing,
    Short,
    Text,
}

fn gap(cleaned: &Cleaned, found: &[Candidate], i: usize) -> Gap {
    let Some(c) = found.get(i) else { return Gap::Text };
    let next = found.get(i + 1);
    let end = next.map_or(cleaned.text.len(), |n| n.start);
    let mut gap = Gap::Nothing;
    let last = next.map_or(cleaned.paragraphs.len(), |n| n.paragraph + 1);
    for (k, p) in cleaned.paragraphs.iter().enumerate().take(last).skip(c.paragraph) {
        if c.title_paragraphs.contains(&k) {
            continue;
        }
        let line = cleaned.text.get(p.span.start.max(c.end)..p.span.end.min(end)).unwrap_or_default();
        if line.trim().len() >= PROSE {
            return Gap::Text;
        }
        if !lines::is_furniture(line) {
            gap = Gap::Short;
        }
    }
    gap
}

/// For each candidate, whether it is a line of a table of contents: no text of its own, and its numbers come again.
fn in_contents(found: &[Candidate], gaps: &[Gap]) -> Vec<bool> {
    let mut last_of: Vec<(&str, usize)> = Vec::new();
    for (i, c) in found.iter().enumerate() {
        for n in &c.numbers {
            match last_of.iter_mut().find(|(known, _)| known == n) {
                Some(entry) => entry.1 = i,
                None => last_of.push((n, i)),
            }
        }
    }
    let comes_again =
        |i: usize, c: &Candidate| c.numbers.iter().all(|n| last_of.iter().any(|(known, last)| known == n && *last > i));
    let mut contents = vec![false; found.len()];
    let mut first: Option<usize> = None;
    for (i, c) in found.iter().enumerate() {
        let again = comes_again(i, c);
        // The last line of the table may be followed by whatever stands before the first heading.
        let starts_over =
            first.and_then(|f| found.get(f)).is_some_and(|f| found.get(i + 1).is_some_and(|n| n.numbers == f.numbers));
        let line = again && (gaps.get(i) != Some(&Gap::Text) || starts_over);
        if let Some(slot) = contents.get_mut(i) {
            *slot = line;
        }
        first = if line { first.or(Some(i)) } else { None };
    }
    contents
}

fn repeats(cleaned: &Cleaned, last: &Section, candidate: &Candidate) -> bool {
    let page = cleaned
        .paragraphs
        .get(candidate.paragraph)
        .is_some_and(|p| p.after_page_break && p.span.start == candidate.start);
    page && last.headings.iter().any(|h| h.numbers == candidate.numbers && h.title == candidate.title)
}
