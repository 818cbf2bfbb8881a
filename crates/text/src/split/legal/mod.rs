//! Punkt repaired for filings.
//!
//! Punkt learned its abbreviations from newspapers; filings are full of others (`No.`, `Sec.`, `S.à r.l.`), of company names that
//! end in a period and go on, and of defined terms in brackets. This mode takes Punkt's boundaries and does three things: it
//! *joins* where a boundary cannot be one (`joins`), *moves* a boundary past a footnote mark, and *breaks* where a sentence clearly
//! begins after a word that Punkt holds for an abbreviation (`breaks`). Each rule looks at the word before and the words after
//! only. Where the rules have nothing to say Punkt's word stands, so that the two modes differ where there is a reason.

mod breaks;
mod context;
mod joins;
mod words;

use eightk_core::Span;

use super::punkt;
use context::Boundary;

/// The sentences of a paragraph, trimmed.
pub(super) fn spans(text: &str) -> Vec<Span> {
    let punkt = punkt::spans(text, punkt::Version::Nltk310);
    let mut ends = Vec::with_capacity(punkt.len());
    let mut added = breaks::breaks(text).peekable();
    for pair in punkt.windows(2) {
        let [left, right] = pair else { continue };
        let boundary = past_marks(text, Boundary { end: left.end, next: right.start });
        while let Some(early) = added.next_if(|b| b.end < boundary.end) {
            ends.push(early);
        }
        added.next_if(|b| b.end == boundary.end);
        ends.push(boundary);
    }
    ends.extend(added);

    let mut out = Vec::with_capacity(ends.len() + 1);
    let mut begin = 0;
    for boundary in ends {
        if boundary.next <= begin || joins::joins(text, begin, boundary) {
            continue;
        }
        push(&mut out, text, Span::new(begin, boundary.end));
        begin = boundary.next;
    }
    push(&mut out, text, Span::new(begin, text.len()));
    out
}

/// Adds a span, trimmed, unless nothing is left of it.
fn push(out: &mut Vec<Span>, text: &str, span: Span) {
    let piece = span.of(text);
    let start = span.start + (piece.len() - piece.trim_start().len());
    let trimmed = piece.trim();
    if !trimmed.is_empty() {
        out.push(Span::new(start, start + trimmed.len()));
    }
}

/// Moves a boundary behind footnote marks that stand directly at the period: `jobs.(1) The` ends after the bracket.
fn past_marks(text: &str, boundary: Boundary) -> Boundary {
    let rest = text.get(boundary.end..).unwrap_or_default();
    let mut len = 0;
    while let Some(mark) = rest.get(len..).and_then(footnote_mark) {
        len += mark;
    }
    let tail = rest.get(len..).unwrap_or_default();
    let gap = tail.len() - tail.trim_start().len();
    if len == 0 || (gap == 0 && !tail.is_empty()) {
        return boundary;
    }
    let end = boundary.end + len;
    Boundary { end, next: end + gap }
}

/// The length of the footnote mark at the beginning of `rest`: `(1)`, `[12]`, `*`, `†`, `‡`.
fn footnote_mark(rest: &str) -> Option<usize> {
    let first = rest.chars().next()?;
    match first {
        '*' | '†' | '‡' => Some(first.len_utf8()),
        '(' | '[' => {
            let digits = rest.bytes().skip(1).take(3).take_while(u8::is_ascii_digit).count();
            let close = rest.as_bytes().get(1 + digits)?;
            ((1..3).contains(&digits) && matches!(close, b')' | b']')).then_some(digits + 2)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
