//! A filing's text cut into parts that can be taken out, replaced and moved, and put together again with every chunk's place.
//!
//! The road not taken is to edit the text and move spans along: each control would then have an arithmetic of its own to get wrong.

use std::borrow::Cow;

use eightk_core::{CharIndex, Chunk, Span};
use eightk_encode::{Context, Passage};
use eightk_text::split::{Splitter, split};

use super::filter::Filter;
use crate::FilingChunks;

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The filing's title.
    Title,
    /// A context made elsewhere, for the chunk that follows.
    Prefix,
    /// Chunk number i of the filing.
    Chunk(usize),
    /// What the narrative has between chunks: headings, dropped sentences.
    Between,
    /// A chunk of another filing.
    Guest,
}

/// A stretch of text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part<'t> {
    kind: Kind,
    /// White space before it.
    gap: &'t str,
    text: Cow<'t, str>,
}

impl<'t> Part<'t> {
    fn new(kind: Kind, text: &'t str) -> Self {
        Self { kind, gap: " ", text: Cow::Borrowed(text) }
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
        let part = |(i, c): (usize, &&'t Chunk)| Part::new(Kind::Chunk(i), &c.text);
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

    /// Adds what stands between two chunks, sentence by sentence, so that one can be taken out without the others; returns the white
    /// space after it.
    fn between(&mut self, stretch: &'t str) -> &'t str {
        let mut at = 0;
        let mut add_up_to = |end: usize| {
            let piece = stretch.get(at..end).unwrap_or_default();
            let text = piece.trim();
            if !text.is_empty() {
                let start = at + (piece.len() - piece.trim_start().len());
                let gap = stretch.get(at..start).unwrap_or_default();
                self.parts.push(Part { kind: Kind::Between, gap, text: text.into() });
                at = start + text.len();
            }
        };
        let mut line_start = 0;
        for line in stretch.split_inclusive('\n') {
            for sentence in split(line, Splitter::Legal) {
                add_up_to(line_start + sentence.end);
            }
            line_start += line.len();
            add_up_to(line_start);
        }
        stretch.get(at..).unwrap_or_default()
    }

    /// Puts the title before all else.
    pub(super) fn with_title(mut self, title: &'t str) -> Self {
        if !title.is_empty() {
            self.parts.insert(0, Part::new(Kind::Title, title));
            self.unglue(1);
        }
        self
    }

    /// Puts before each chunk the context that was made for it.
    pub(super) fn with_prefixes(self, prefix: impl Fn(usize) -> &'t str) -> Self {
        let mut parts = Vec::with_capacity(2 * self.parts.len());
        for mut part in self.parts {
            let prefix = if let Kind::Chunk(i) = part.kind { prefix(i) } else { "" };
            if !prefix.is_empty() {
                parts.push(Part { kind: Kind::Prefix, gap: some_gap(part.gap), text: prefix.into() });
                part.gap = " ";
            }
            parts.push(part);
        }
        Self { parts }
    }

    /// What follows something that it did not follow before does not stick to it.
    fn unglue(&mut self, at: usize) {
        if let Some(part) = self.parts.get_mut(at) {
            part.gap = some_gap(part.gap);
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

    /// Puts a chunk of another filing, after the context given for it, before chunk `i`, or at the end where there is no such chunk.
    pub(super) fn insert(&mut self, i: usize, prefix: &'t str, guest: &'t str) {
        let mut at = self.place(i).unwrap_or(self.parts.len());
        if at.checked_sub(1).and_then(|before| self.parts.get(before)).is_some_and(|p| p.kind == Kind::Prefix) {
            at -= 1;
        }
        self.parts.insert(at, Part::new(Kind::Guest, guest));
        self.unglue(at + 1);
        if !prefix.is_empty() {
            self.parts.insert(at, Part::new(Kind::Prefix, prefix));
        }
    }

    /// The same parts in the order that `shuffle` brings them into; the title stays first, a prefix before its chunk. One space between all.
    pub(super) fn reorder(&mut self, shuffle: impl FnOnce(&mut [usize])) {
        let (mut titles, mut units, mut open) = (Vec::new(), Vec::<Vec<Part<'t>>>::new(), false);
        for mut part in std::mem::take(&mut self.parts) {
            part.gap = " ";
            let prefix = part.kind == Kind::Prefix;
            match units.last_mut().filter(|_| open) {
                _ if part.kind == Kind::Title => titles.push(part),
                Some(unit) => unit.push(part),
                None => units.push(vec![part]),
            }
            open = prefix;
        }
        let mut order: Vec<usize> = (0..units.len()).collect();
        shuffle(&mut order);
        self.parts = titles;
        for unit in order {
            self.parts.extend(units.get_mut(unit).map(std::mem::take).unwrap_or_default());
        }
    }

    /// What a filter lets through of it; the chunks that it changes are only seen from now on.
    pub(super) fn filtered(&self, filter: Filter<'_>) -> Self {
        let see = |part: &Part<'t>| {
            let text = match (&part.text, part.kind) {
                (Cow::Borrowed(text), Kind::Title) => filter.title(text),
                (Cow::Borrowed(text), _) => filter.sentence(text),
                (Cow::Owned(text), _) => Cow::Owned(filter.sentence(text).into_owned()),
            };
            let kind = if matches!(part.kind, Kind::Chunk(_)) && text != part.text { Kind::Between } else { part.kind };
            Part { kind, gap: part.gap, text }
        };
        Self { parts: self.parts.iter().map(see).collect() }
    }

    /// This sheet with chunk `i` as it is in `whole`, of which this is what a filter let through.
    pub(super) fn with_chunk_of(&self, whole: &Self, i: usize) -> Self {
        let mut sheet = self.clone();
        if let Some(at) = whole.place(i)
            && let (Some(part), Some(own)) = (sheet.parts.get_mut(at), whole.parts.get(at))
        {
            part.clone_from(own);
        }
        sheet
    }

    /// The whole as a context, in which the chunks that are numbered here are the input's, in this order.
    pub(super) fn context_of(&self, chunks: &[usize]) -> Option<Context> {
        self.context(|kind| if let Kind::Chunk(i) = kind { chunks.binary_search(&i).ok() } else { None })
    }

    /// The whole as a context, in which the chunk of another filing is the input's only one.
    pub(super) fn context_of_guest(&self) -> Option<Context> {
        self.context(|kind| (kind == Kind::Guest).then_some(0))
    }

    fn context(&self, wanted: impl Fn(Kind) -> Option<usize>) -> Option<Context> {
        let (mut text, mut passages) = (String::new(), Vec::with_capacity(self.parts.len()));
        let mut left_out = false;
        for part in &self.parts {
            let chunk = wanted(part.kind);
            if part.text.is_empty() && chunk.is_none() {
                left_out = true;
                continue;
            }
            if !text.is_empty() {
                text.push_str(if left_out { some_gap(part.gap) } else { part.gap });
            }
            left_out = false;
            let start = text.len();
            text.push_str(&part.text);
            passages.push(Passage { span: Span::new(start, text.len()), chunk });
        }
        Context::of_passages(text, passages)
    }
}

const fn some_gap(gap: &str) -> &str {
    if gap.is_empty() { " " } else { gap }
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
