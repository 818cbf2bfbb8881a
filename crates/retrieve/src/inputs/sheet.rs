//! A filing's text cut into parts that can be taken out, replaced and moved, and put together again with every chunk's place.
//!
//! The road not taken is to edit the text and move spans along: each control would then have an arithmetic of its own to get wrong.

use std::borrow::Cow;

use eightk_core::{CharIndex, Chunk, Span};
use eightk_encode::{Context, Passage};

use crate::FilingChunks;

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The filing's title.
    Title,
    /// Chunk number i of the filing.
    Chunk(usize),
    /// What the narrative has between chunks: headings, dropped sentences.
    Between,
    /// A chunk of another filing.
    Guest,
}

/// A stretch of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part<'t> {
    pub(super) kind: Kind,
    /// White space before it.
    gap: &'t str,
    pub(super) text: Cow<'t, str>,
}

impl<'t> Part<'t> {
    fn new(kind: Kind, text: impl Into<Cow<'t, str>>) -> Self {
        Self { kind, gap: " ", text: text.into() }
    }
}

/// The parts of a filing in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sheet<'t> {
    parts: Vec<Part<'t>>,
}

impl<'t> Sheet<'t> {
    /// The chunks in order, one space between them.
    pub(super) fn of_chunks(chunks: &[&'t Chunk]) -> Self {
        let part = |(i, c): (usize, &&'t Chunk)| Part::new(Kind::Chunk(i), c.text.as_str());
        Self { parts: chunks.iter().enumerate().map(part).collect() }
    }

    /// The narrative with the chunks where they stand in it. None where it is not known, or where a chunk's span does not hold the chunk's
    /// text.
    pub(super) fn of_narrative(filing: &FilingChunks<'_, 't>) -> Option<Self> {
        let text = filing.text?;
        let mut sheet = Self { parts: Vec::new() };
        let mut at = 0;
        for (i, span) in chunk_spans(filing.chunks, text)?.into_iter().enumerate() {
            let gap = sheet.between(text.get(at..span.start)?);
            sheet.parts.push(Part { kind: Kind::Chunk(i), gap, text: span.of(text).into() });
            at = span.end;
        }
        sheet.between(text.get(at..)?);
        Some(sheet)
    }

    /// Adds what stands between two chunks, if it is more than white space; returns the white space after it.
    fn between(&mut self, stretch: &'t str) -> &'t str {
        let inner = stretch.trim();
        if inner.is_empty() {
            return stretch;
        }
        let (start, end) = (stretch.len() - stretch.trim_start().len(), stretch.trim_end().len());
        let gap = stretch.get(..start).unwrap_or_default();
        self.parts.push(Part { kind: Kind::Between, gap, text: inner.into() });
        stretch.get(end..).unwrap_or_default()
    }

    /// Puts the title before all else.
    pub(super) fn with_title(mut self, title: &'t str) -> Self {
        if !title.is_empty() {
            self.parts.insert(0, Part::new(Kind::Title, title));
            self.unglue(1);
        }
        self
    }

    /// What follows something that it did not follow before does not stick to it.
    fn unglue(&mut self, at: usize) {
        if let Some(part) = self.parts.get_mut(at).filter(|p| p.gap.is_empty()) {
            part.gap = " ";
        }
    }

    /// Where chunk `i` is among the parts.
    fn place(&self, i: usize) -> Option<usize> {
        self.parts.iter().position(|p| p.kind == Kind::Chunk(i))
    }

    /// Puts a chunk of another filing in the place of chunk `i`.
    pub(super) fn replace(&mut self, i: usize, guest: &'t str) {
        if let Some(part) = self.place(i).and_then(|at| self.parts.get_mut(at)) {
            (part.kind, part.text) = (Kind::Guest, guest.into());
        }
    }

    /// Puts a chunk of another filing before chunk `i`, or at the end where there is no such chunk.
    pub(super) fn insert(&mut self, i: usize, guest: &'t str) {
        let at = self.place(i).unwrap_or(self.parts.len());
        self.parts.insert(at, Part::new(Kind::Guest, guest));
        self.unglue(at + 1);
    }

    /// The same parts in another order, given by `shuffle`; the title stays first. One space between all.
    pub(super) fn reorder(&mut self, shuffle: impl FnOnce(&mut [Part<'t>])) {
        let titles = self.parts.iter().take_while(|p| p.kind == Kind::Title).count();
        if let Some(rest) = self.parts.get_mut(titles..) {
            shuffle(rest);
            rest.iter_mut().for_each(|p| p.gap = " ");
        }
    }

    /// The whole as a context, in which the parts that `wanted` numbers are the input's chunks.
    pub(super) fn context(&self, wanted: impl Fn(Kind) -> Option<usize>) -> Option<Context> {
        let (mut text, mut passages) = (String::new(), Vec::with_capacity(self.parts.len()));
        for part in &self.parts {
            let chunk = wanted(part.kind);
            if part.text.is_empty() && chunk.is_none() {
                continue;
            }
            if !text.is_empty() {
                text.push_str(part.gap);
            }
            let start = text.len();
            text.push_str(&part.text);
            passages.push(Passage { span: Span::new(start, text.len()), chunk });
        }
        Context::of_passages(text, passages)
    }
}

/// The chunks' spans in bytes; none where they are out of order or hold another text than the chunk's.
fn chunk_spans(chunks: &[&Chunk], text: &str) -> Option<Vec<Span>> {
    let index = CharIndex::new(text);
    let mut at = 0;
    let span = |chunk: &&Chunk| {
        let start = index.to_byte(chunk.span.start);
        let span = Span::new(start, start.checked_add(chunk.text.len())?);
        let fits = span.start >= at && !chunk.text.is_empty() && span.of(text) == chunk.text;
        at = span.end;
        fits.then_some(span)
    };
    chunks.iter().map(span).collect()
}
