//! Sentences that a page break alone has torn in two.
//!
//! Where a page number or a link stands between the halves, the narrative mends them: only there is it known what such a line is.

use crate::clause;
use crate::document::{Paragraph, ParagraphKind};

/// Joins the halves of a sentence that a page break has parted: nothing stands between them and the first half ends inside a
/// sentence. The line break becomes a space, so no position moves.
pub(super) fn join(text: &mut String, paragraphs: &mut Vec<Paragraph>) {
    if !paragraphs.iter().any(|p| p.after_page_break) {
        return;
    }
    let mut separators = Vec::new();
    let mut joined: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    for p in paragraphs.drain(..) {
        if let Some(last) = joined.last_mut()
            && p.after_page_break
            && are_halves(text, last, &p)
        {
            separators.push(last.span.end);
            last.span.end = p.span.end;
            last.emphasis &= p.emphasis;
            continue;
        }
        joined.push(p);
    }
    *paragraphs = joined;
    if !separators.is_empty() {
        let mut bytes = std::mem::take(text).into_bytes();
        for at in separators {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = b' ';
            }
        }
        *text = String::from_utf8(bytes).unwrap_or_default();
    }
}

fn are_halves(text: &str, first: &Paragraph, second: &Paragraph) -> bool {
    let prose = first.kind == ParagraphKind::Prose && second.kind == ParagraphKind::Prose;
    let (head, tail) = (first.span.of(text), second.span.of(text));
    // Headings that end or begin a page are emphasised.
    let plain = !first.emphasis && !second.emphasis;
    prose && clause::is_torn(head, tail, plain)
}
