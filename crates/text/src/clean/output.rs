//! Where visible text is written: white space, paragraphs and the map to the source are decided here.
//!
//! Separators are one byte each, whatever they turn out to be (space, tab, line break), so a table row can be written straight
//! into the text and its separators settled when the row ends. The road not taken, a buffer per cell, copies every byte of
//! every table twice.

use eightk_core::Span;

use super::SegmentMap;
use super::heading;
use super::pages;
use super::references::{self, Replacement};
use super::row;
use crate::document::{Paragraph, ParagraphKind};

/// What stands between the last visible character and the next one. Ordered: the stronger wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    /// Nothing: the next character belongs to the same word.
    None,
    /// White space.
    Space,
    /// A line break inside a paragraph.
    Line,
    /// The end of a paragraph.
    Block,
    /// The end of a table cell.
    Cell,
}

/// A separator written into the row at hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Break {
    /// Where its byte stands in the text.
    pub(super) at: usize,
    /// What it was.
    pub(super) gap: Gap,
}

/// Everything that [`Output::restore`] needs to forget what was written since.
#[derive(Debug, Clone, Copy)]
pub(super) struct Checkpoint {
    len: usize,
    gap: Gap,
    gap_source: Span,
    start: usize,
    breaks: usize,
    plain: usize,
    paragraphs: usize,
}

/// Visible text under construction.
#[derive(Debug, Default)]
pub(super) struct Output {
    text: Vec<u8>,
    map: SegmentMap,
    paragraphs: Vec<Paragraph>,
    /// Where the paragraph (or row) at hand begins.
    start: usize,
    gap: Option<Gap>,
    gap_source: Span,
    /// Separators other than spaces since `start`.
    breaks: Vec<Break>,
    in_row: bool,
    /// Ranges of text that nothing emphasises, in order.
    plain: Vec<Span>,
    page_breaks: Vec<usize>,
    /// Whether what is written now is bold or underlined.
    pub(super) emphasised: bool,
}

/// What a byte means to [`Output::push`].
const PLAIN: u8 = 0;
const SPACE: u8 = 1;
const CONTROL: u8 = 2;
const AMPERSAND: u8 = 3;
/// First byte of a character that may be a space or invisible.
const LEAD: u8 = 4;

const CLASS: [u8; 256] = {
    let mut class = [PLAIN; 256];
    let mut b = 0;
    while b < 0x20 {
        class[b] = CONTROL;
        b += 1;
    }
    class[0x7F] = CONTROL;
    class[b'\t' as usize] = SPACE;
    class[b'\n' as usize] = SPACE;
    class[b'\r' as usize] = SPACE;
    class[0x0C] = SPACE;
    class[b' ' as usize] = SPACE;
    class[b'&' as usize] = AMPERSAND;
    class[0xC2] = LEAD;
    class[0xE1] = LEAD;
    class[0xE2] = LEAD;
    class[0xE3] = LEAD;
    class[0xEF] = LEAD;
    class
};

/// What becomes of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// Written as it is.
    Keep,
    /// White space, collapsed.
    Space,
    /// Invisible: soft hyphen, zero-width, control.
    Drop,
    /// Written as another character.
    Become(char),
}

/// The fate of any character.
pub(super) fn fate(c: char) -> Fate {
    match c {
        ' '
        | '\t'
        | '\n'
        | '\r'
        | '\u{C}'
        | '\u{85}'
        | '\u{A0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200A}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202F}'
        | '\u{205F}'
        | '\u{3000}' => {
            if c == '\u{85}' {
                Fate::Become('\u{2026}')
            } else {
                Fate::Space
            }
        }
        '\u{AD}'
        | '\u{180E}'
        | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}'
        | '\u{FEFF}'
        | '\u{0}'..='\u{1F}'
        | '\u{7F}'
        | '\u{81}'
        | '\u{8D}'
        | '\u{8F}'
        | '\u{90}'
        | '\u{9D}' => Fate::Drop,
        '\u{80}'..='\u{9F}' => Fate::Become(references::from_c1(c)),
        _ => Fate::Keep,
    }
}

impl Output {
    /// With room for the text of a document of `len` bytes: a fifth of a filing shows, and growing copies.
    pub(super) fn for_source(len: usize) -> Self {
        Self { text: Vec::with_capacity(len / 4), map: SegmentMap::with_capacity(len / 64), ..Self::default() }
    }

    /// How many bytes are written.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Asks for a separator before the next visible character.
    pub(super) fn gap(&mut self, gap: Gap, source: usize) {
        let held = self.gap.unwrap_or(Gap::None);
        if held == Gap::None {
            self.gap_source = Span::new(source, source);
        }
        // Two line breaks in a row end the paragraph.
        let gap = if gap == Gap::Line && held == Gap::Line { Gap::Block } else { gap };
        self.gap = Some(held.max(gap));
    }

    /// White space that has source bytes.
    fn space(&mut self, source: Span) {
        match self.gap.unwrap_or(Gap::None) {
            Gap::None => {
                self.gap = Some(Gap::Space);
                self.gap_source = source;
            }
            Gap::Space => self.gap_source.end = self.gap_source.end.max(source.end),
            _ => {}
        }
    }

    /// A page break stands here.
    pub(super) fn page_break(&mut self, source: usize) {
        self.gap(Gap::Block, source);
        self.page_breaks.push(self.text.len());
    }

    /// Writes text that stands at `source` in the source; with `references`, `&…;` in it are decoded.
    pub(super) fn push(&mut self, text: &str, source: usize, references: bool) {
        let bytes = text.as_bytes();
        let mut at = 0;
        let mut run = 0;
        while let Some(&b) = bytes.get(at) {
            let class = CLASS[b as usize];
            if class == PLAIN {
                at += 1;
                continue;
            }
            // A single space between two words needs no decision.
            if b == b' ' && at > run && bytes.get(at + 1).is_some_and(|n| CLASS[*n as usize] == PLAIN) {
                at += 2;
                continue;
            }
            match class {
                SPACE => {
                    self.run(bytes, run, at, source);
                    self.space(Span::new(source + at, source + at + 1));
                    at += 1;
                    run = at;
                }
                CONTROL => {
                    self.run(bytes, run, at, source);
                    at += 1;
                    run = at;
                }
                AMPERSAND => {
                    let found = if references { references::decode(bytes.get(at..).unwrap_or_default()) } else { None };
                    if let Some((replacement, len)) = found {
                        self.run(bytes, run, at, source);
                        self.replacement(replacement, Span::new(source + at, source + at + len));
                        at += len;
                        run = at;
                    } else {
                        at += 1;
                    }
                }
                _ => {
                    let Some(c) = text.get(at..).and_then(|t| t.chars().next()) else { break };
                    let len = c.len_utf8();
                    if fate(c) != Fate::Keep {
                        self.run(bytes, run, at, source);
                        self.char(c, Span::new(source + at, source + at + len));
                        run = at + len;
                    }
                    at += len;
                }
            }
        }
        self.run(bytes, run, bytes.len(), source);
    }

    fn replacement(&mut self, replacement: Replacement, source: Span) {
        match replacement {
            Replacement::Char(c) => self.char(c, source),
            Replacement::Text(t) => {
                // The first character stands for the source, the others for nothing more.
                let mut source = source;
                for c in t.chars() {
                    self.char(c, source);
                    source.start = source.end;
                }
            }
        }
    }

    /// Writes one character made of the bytes at `source`.
    pub(super) fn char(&mut self, c: char, source: Span) {
        let c = match fate(c) {
            Fate::Keep => c,
            Fate::Become(c) => c,
            Fate::Drop => return,
            Fate::Space => return self.space(source),
        };
        let mut buffer = [0; 4];
        let encoded = c.encode_utf8(&mut buffer).as_bytes();
        self.before(encoded);
        self.write(encoded, source);
    }

    /// Copies `bytes[from..to]`.
    fn run(&mut self, bytes: &[u8], from: usize, to: usize, source: usize) {
        if from < to
            && let Some(run) = bytes.get(from..to)
        {
            self.before(run);
            self.write(run, Span::new(source + from, source + to));
        }
    }

    fn write(&mut self, bytes: &[u8], source: Span) {
        let at = self.text.len();
        self.text.extend_from_slice(bytes);
        self.map.append(bytes.len(), source.start, source.len());
        if !self.emphasised {
            match self.plain.last_mut() {
                // Grown over the separator too: it is no letter.
                Some(last) if last.end + 1 >= at => last.end = self.text.len(),
                _ => self.plain.push(Span::new(at, self.text.len())),
            }
        }
    }

    /// Writes the separator that is due before `next`.
    fn before(&mut self, next: &[u8]) {
        let Some(gap) = self.gap.take() else { return };
        if self.text.is_empty() || self.text.len() == self.start {
            return;
        }
        let at = self.text.len();
        let (byte, source) = match gap {
            Gap::None => return,
            Gap::Space => (b' ', self.gap_source),
            Gap::Line => (b' ', self.gap_source),
            Gap::Cell if self.in_row && row::glued(self.cell(), next) => return,
            Gap::Cell | Gap::Block if !self.in_row => {
                self.close();
                (b'\n', Span::new(self.gap_source.start, self.gap_source.start))
            }
            Gap::Cell | Gap::Block => (b'\n', Span::new(self.gap_source.start, self.gap_source.start)),
        };
        self.text.push(byte);
        self.map.append(1, source.start, source.len());
        if self.start > at {
            // `close` has moved the start behind the separator.
        } else if gap >= Gap::Line {
            self.breaks.push(Break { at, gap });
        }
    }

    /// The text of the cell at hand.
    fn cell(&self) -> &[u8] {
        let from = self.breaks.iter().rev().find(|b| b.gap == Gap::Cell).map_or(self.start, |b| b.at + 1);
        self.text.get(from..).unwrap_or_default()
    }

    /// Ends the paragraph at hand; the next one begins one byte on, behind its separator.
    fn close(&mut self) {
        let end = self.text.len();
        if end > self.start {
            let breaks = std::mem::take(&mut self.breaks);
            self.prose(Span::new(self.start, end), &breaks);
            self.breaks = breaks;
            self.breaks.clear();
        }
        self.start = end + 1;
    }

    /// Adds a paragraph of prose, cut at those of its inner line breaks where an Item heading begins or ends.
    fn prose(&mut self, span: Span, breaks: &[Break]) {
        let mut from = span.start;
        let mut line_start = span.start;
        let mut in_heading = !breaks.is_empty() && heading::opens_with_number(self.slice(span.start, span.end));
        for (i, b) in breaks.iter().enumerate() {
            let next_end = breaks.get(i + 1).map_or(span.end, |n| n.at);
            let next = self.slice(b.at + 1, next_end);
            let begins = heading::begins_item(next, self.slice(line_start, b.at));
            let ends = in_heading && !heading::heading_goes_on(self.slice(from, b.at), next);
            if begins || ends {
                self.patch(b.at, b'\n');
                self.paragraph(from, b.at, ParagraphKind::Prose);
                from = b.at + 1;
                in_heading = begins;
            }
            line_start = b.at + 1;
        }
        self.paragraph(from, span.end, ParagraphKind::Prose);
    }

    fn slice(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default()
    }

    fn paragraph(&mut self, start: usize, end: usize, kind: ParagraphKind) {
        if start < end {
            let span = Span::new(start, end);
            self.paragraphs.push(Paragraph { span, kind, emphasis: false, after_page_break: false });
        }
    }

    fn patch(&mut self, at: usize, byte: u8) {
        if let Some(b) = self.text.get_mut(at) {
            *b = byte;
        }
    }

    /// Whether a table row is being written.
    pub(super) const fn in_row(&self) -> bool {
        self.in_row
    }

    /// A table row begins.
    pub(super) fn begin_row(&mut self, source: usize) {
        self.flush(source);
        self.in_row = true;
    }

    /// The table row ends: its separators are settled.
    pub(super) fn end_row(&mut self, source: usize) {
        if !self.in_row {
            return;
        }
        self.in_row = false;
        let end = self.text.len();
        if end > self.start {
            let breaks = std::mem::take(&mut self.breaks);
            let layout = row::layout(&self.text, Span::new(self.start, end), &breaks);
            let mut from = self.start;
            let mut first_break = 0;
            for (i, (b, separator)) in breaks.iter().zip(&layout.separators).enumerate() {
                self.patch(b.at, *separator);
                if *separator == b'\n' {
                    let inner: Vec<Break> = breaks
                        .get(first_break..i)
                        .unwrap_or_default()
                        .iter()
                        .filter(|b| b.gap == Gap::Line)
                        .copied()
                        .collect();
                    self.prose(Span::new(from, b.at), &inner);
                    from = b.at + 1;
                    first_break = i + 1;
                }
            }
            if layout.kind == ParagraphKind::TableRow {
                self.paragraph(from, end, ParagraphKind::TableRow);
            } else {
                let rest = breaks.get(first_break..).unwrap_or_default();
                let inner: Vec<Break> = rest.iter().filter(|b| b.gap == Gap::Line).copied().collect();
                self.prose(Span::new(from, end), &inner);
            }
            self.start = end + 1;
            self.separate(source);
        }
        self.gap(Gap::Block, source);
    }

    /// Ends the paragraph at hand at once, so that what follows is settled apart from it.
    pub(super) fn flush(&mut self, source: usize) {
        self.end_row(source);
        if self.text.len() > self.start {
            self.close();
            self.separate(source);
        }
        self.gap(Gap::Block, source);
    }

    /// Writes the `\n` after a paragraph that was closed ahead of the next one. A trailing one is cut off at the end.
    fn separate(&mut self, source: usize) {
        let source = source.max(self.map.segments().last().map_or(0, |s| s.source + s.source_len));
        self.text.push(b'\n');
        self.map.append(1, source, 0);
    }

    /// Adds a finished table row whose cells were written with [`Gap::Cell`] between them. Used by plain text, where rows are
    /// known beforehand.
    pub(super) fn mark_row(&mut self, source: usize) {
        self.in_row = false;
        let end = self.text.len();
        if end > self.start {
            let breaks = std::mem::take(&mut self.breaks);
            for b in &breaks {
                self.patch(b.at, if b.gap == Gap::Cell { b'\t' } else { b' ' });
            }
            self.paragraph(self.start, end, ParagraphKind::TableRow);
            self.start = end + 1;
            self.separate(source);
        }
        self.gap(Gap::Block, source);
    }

    /// Whether a visible character stands directly before, in the same paragraph and without white space between.
    pub(super) fn attached(&self) -> bool {
        self.gap.unwrap_or(Gap::None) == Gap::None && self.text.len() > self.start
    }

    /// A point to come back to.
    pub(super) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            len: self.text.len(),
            gap: self.gap.unwrap_or(Gap::None),
            gap_source: self.gap_source,
            start: self.start,
            breaks: self.breaks.len(),
            plain: self.plain.len(),
            paragraphs: self.paragraphs.len(),
        }
    }

    /// What was written since, without its separator; `None` where a paragraph has ended meanwhile.
    pub(super) fn since(&self, mark: &Checkpoint) -> Option<&str> {
        if self.paragraphs.len() != mark.paragraphs || self.start != mark.start {
            return None;
        }
        std::str::from_utf8(self.text.get(mark.len..)?).ok()
    }

    /// Forgets what was written since. Only where [`Output::since`] gave something.
    pub(super) fn restore(&mut self, mark: &Checkpoint) {
        if self.since(mark).is_none() {
            return;
        }
        self.text.truncate(mark.len);
        self.map.truncate(mark.len);
        self.breaks.truncate(mark.breaks);
        self.plain.truncate(mark.plain);
        if let Some(last) = self.plain.last_mut() {
            last.end = last.end.min(mark.len);
        }
        let after = self.gap.unwrap_or(Gap::None);
        if mark.gap >= after {
            self.gap_source = mark.gap_source;
        }
        self.gap = Some(mark.gap.max(after));
    }

    /// The finished text, its paragraphs and its map.
    pub(super) fn finish(mut self) -> (String, Vec<Paragraph>, SegmentMap) {
        self.flush(0);
        while self.text.last() == Some(&b'\n') {
            self.text.pop();
        }
        self.map.truncate(self.text.len());
        let mut paragraphs = self.paragraphs;
        let mut page = self.page_breaks.iter().peekable();
        for p in &mut paragraphs {
            while page.next_if(|at| **at <= p.span.start).is_some() {
                p.after_page_break = true;
            }
        }
        let mut text = String::from_utf8(self.text).unwrap_or_default();
        let mut plain = self.plain.iter().peekable();
        for p in &mut paragraphs {
            while plain.next_if(|s| s.end <= p.span.start).is_some() {}
            p.emphasis = is_emphasised(&text, p.span, plain.clone());
        }
        pages::join(&mut text, &mut paragraphs);
        (text, paragraphs, self.map)
    }
}

/// Whether the paragraph has letters and none of its lower-case letters is plain.
fn is_emphasised<'a>(text: &str, span: Span, plain: impl Iterator<Item = &'a Span>) -> bool {
    for p in plain.take_while(|p| p.start < span.end) {
        let part = Span::new(p.start.max(span.start), p.end.min(span.end)).of(text);
        if part.chars().any(char::is_lowercase) {
            return false;
        }
    }
    span.of(text).chars().any(char::is_alphabetic)
}
