//! Sentences that the foot and the head of a page have torn in two.
//!
//! Page numbers and links to the contents inside the news stay in the text and are dropped as sentences later. Only where they
//! stand in the middle of a sentence do they leave it, because no span could hold the sentence and leave them out.

use crate::{Cleaned, ParagraphKind, clause};

use super::assemble::Piece;
use super::lines;

/// A page number, a link to the contents, a rule or two.
const MOST_LINES: usize = 4;

/// Takes out what stands between the halves of a torn sentence and marks the second half as the first one's continuation.
pub(super) fn mend(cleaned: &Cleaned, pieces: &mut Vec<Piece>) {
    let text = |p: &Piece| p.paragraph.span.of(&cleaned.text);
    let prose = |p: &Piece| p.paragraph.kind == ParagraphKind::Prose && !p.heading && p.opens.is_none();
    let mut furniture = vec![false; pieces.len()];
    let mut mended = false;
    for first in 0..pieces.len() {
        let Some(head) = pieces.get(first).filter(|p| prose(p) && clause::breaks_off(text(p))) else { continue };
        let after = pieces.iter().skip(first + 1);
        let between = after.take(MOST_LINES).take_while(|p| prose(p) && lines::is_furniture(text(p))).count();
        if between == 0 {
            continue;
        }
        let second = first + 1 + between;
        let goes_on = pieces.get(second).is_some_and(|p| {
            let plain = !head.paragraph.emphasis && !p.paragraph.emphasis;
            prose(p) && clause::is_torn(text(head), text(p), plain)
        });
        if goes_on && let Some(p) = pieces.get_mut(second) {
            p.continues = true;
            furniture.iter_mut().take(second).skip(first + 1).for_each(|f| *f = true);
            mended = true;
        }
    }
    if mended {
        let mut goes = furniture.into_iter();
        pieces.retain(|_| !goes.next().unwrap_or(false));
    }
}
