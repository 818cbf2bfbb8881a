//! What a table row is: a row of data, or prose laid out in cells.

use eightk_core::Span;

use super::output::{Break, Gap};
use crate::document::ParagraphKind;

/// A cell longer than this is a passage, not a datum: no figure, name or exhibit description runs that long.
const LONG_CELL: usize = 300;
/// Two long paragraphs in one cell make it a passage too.
const LONG_PARAGRAPH: usize = 120;
/// A bullet, a label, an Item number: joined by a space to the passage in the next cell.
const LABEL: usize = 40;

/// How a row is to be read.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) kind: ParagraphKind,
    /// For each break, the byte to stand there: `\n` ends a paragraph.
    pub(super) separators: Vec<u8>,
}

/// Whether a cell that begins with `next` belongs to the datum in `cell`: `$|5.2`, `(4.1|)`, `12|%`.
pub(super) fn glued(cell: &[u8], next: &[u8]) -> bool {
    let opens = matches!(cell, b"$" | b"(" | b"$(" | b"($" | b"\xC2\xA3" | b"\xE2\x82\xAC" | b"US$" | b"C$");
    let closes = matches!(next.first(), Some(b')' | b'%'));
    let numeric = cell.last().is_some_and(|b| b.is_ascii_digit() || matches!(b, b'%' | b')'));
    (opens && next.first().is_some_and(|b| b.is_ascii_digit() || matches!(b, b'(' | b'.' | b'-' | 0xE2)))
        || (closes && numeric)
}

#[derive(Debug, Default, Clone, Copy)]
struct Cell {
    len: usize,
    longest: usize,
    paragraphs: usize,
}

impl Cell {
    const fn is_long(&self) -> bool {
        self.len > LONG_CELL || (self.paragraphs > 1 && self.longest > LONG_PARAGRAPH)
    }
}

/// Decides a row from its cells. `breaks` are those written inside `row`, in order.
pub(super) fn layout(text: &[u8], row: Span, breaks: &[Break]) -> Layout {
    let cells = cells(row, breaks);
    let long = cells.iter().any(Cell::is_long);
    if cells.len() >= 3 && !long && !is_label_only(text, row, breaks) {
        let separators = breaks.iter().map(|b| if b.gap == Gap::Cell { b'\t' } else { b' ' }).collect();
        return Layout { kind: ParagraphKind::TableRow, separators };
    }
    let mut at = 0;
    let separators = breaks.iter().map(|b| match b.gap {
        Gap::Cell => {
            let (before, after) =
                (cells.get(at).copied().unwrap_or_default(), cells.get(at + 1).copied().unwrap_or_default());
            at += 1;
            let apart = before.is_long() || (after.is_long() && before.len > LABEL) || before.paragraphs > 1;
            if apart { b'\n' } else { b' ' }
        }
        Gap::Block => b'\n',
        _ => b' ',
    });
    Layout { kind: ParagraphKind::Prose, separators: separators.collect() }
}

fn cells(row: Span, breaks: &[Break]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut cell = Cell::default();
    let (mut cell_start, mut paragraph_start) = (row.start, row.start);
    let end = Break { at: row.end, gap: Gap::Cell };
    for b in breaks.iter().chain(std::iter::once(&end)) {
        if b.gap < Gap::Block {
            continue;
        }
        cell.longest = cell.longest.max(b.at.saturating_sub(paragraph_start));
        cell.paragraphs += 1;
        paragraph_start = b.at + 1;
        if b.gap == Gap::Cell {
            cell.len = b.at.saturating_sub(cell_start);
            cell_start = b.at + 1;
            cells.push(std::mem::take(&mut cell));
        }
    }
    cells
}

/// Whether all cells but the last are mere labels: an Item number split over cells, a bullet and a letter before a passage.
fn is_label_only(text: &[u8], row: Span, breaks: &[Break]) -> bool {
    let mut start = row.start;
    let mut last = Span::new(row.start, row.end);
    for b in breaks.iter().filter(|b| b.gap == Gap::Cell) {
        let cell = text.get(start..b.at).unwrap_or_default();
        let label = cell.len() <= 6
            && !cell.iter().any(|c| matches!(c, b'$' | b'%'))
            && (!cell.iter().any(u8::is_ascii_digit) || cell.first() == Some(&b'('));
        let item = cell.len() <= 12 && cell.get(..4).is_some_and(|c| c.eq_ignore_ascii_case(b"item"));
        if !label && !item {
            return false;
        }
        start = b.at + 1;
        last = Span::new(start, row.end);
    }
    last.len() > LABEL && text.get(last.start..last.end).is_some_and(|t| t.iter().any(u8::is_ascii_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_stick_to_their_numbers() {
        assert!(glued(b"$", b"5.2"));
        assert!(glued(b"$", b"(5.2"));
        assert!(glued(b"(4.1", b")"));
        assert!(glued(b"12", b"%"));
        assert!(!glued(b"Total", b")"));
        assert!(!glued(b"5", b"6"));
        assert!(!glued(b"$", b"Total"));
    }
}
