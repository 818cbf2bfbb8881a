//! HTML and XHTML to visible text, in one pass and without a tree.
//!
//! The state is a stack of open elements and a few counters, so depth costs memory but no recursion. Element kinds decide the
//! breaks (`tags`), styles decide what shows (`style`), white space and rows are settled where text is written (`output`).

use eightk_core::Span;
use memchr::memmem;

use super::facts::Facts;
use super::lexer::{Lexer, Token, attribute};
use super::output::{Checkpoint, Gap, Output};
use super::plain::{self, Lines};
use super::style::Style;
use super::tags::{TAG_KINDS, Tag, key};
use crate::document::InlineFact;

/// Deeper elements are followed only as far as breaks and hiding go: no page is nested like that on purpose, but its text shows.
const MAX_DEPTH: usize = 100_000;
/// How many open elements of its kind an end tag is compared with.
const MAX_LOOK_BACK: usize = 64;
/// Longest raised text that can be a footnote mark.
const MAX_MARK: usize = 8;

/// What a document shows.
pub(super) struct Rendered {
    /// The text under construction.
    pub(super) output: Output,
    /// Facts found on the way.
    pub(super) facts: Vec<InlineFact>,
    /// Whether all visible text stands in `<pre>`.
    pub(super) all_pre: bool,
}

/// An open element.
#[derive(Debug, Clone, Copy)]
struct Frame {
    tag: Tag,
    style: Style,
    /// Closed out of order; goes when it comes to the top.
    dead: bool,
    hides: bool,
    strong: bool,
    /// Length of the output at its start, to tell an empty spacer.
    out: usize,
}

struct Walker<'a> {
    source: &'a str,
    lexer: Lexer<'a>,
    output: Output,
    frames: Vec<Frame>,
    /// Indices and names of open elements by kind, so that an end tag finds its element without a walk.
    open: [Vec<(usize, u64)>; TAG_KINDS],
    /// How many open elements lie beyond [`MAX_DEPTH`].
    overflow: usize,
    /// The outermost of those that hides what is in it.
    hidden_overflow: Option<usize>,
    hidden: usize,
    strong: usize,
    pre: usize,
    lines: Lines,
    /// The raised element that may be a footnote mark, with its depth.
    mark: Option<(usize, Checkpoint, bool)>,
    facts: Facts<'a>,
    styles: StyleCache<'a>,
    raw_without_end: Vec<&'static [u8]>,
    flow_text: bool,
}

/// Renders a document.
pub(super) fn render(source: &str) -> Rendered {
    let mut walker = Walker {
        source,
        lexer: Lexer::new(source),
        output: Output::for_source(source.len()),
        frames: Vec::new(),
        open: std::array::from_fn(|_| Vec::new()),
        overflow: 0,
        hidden_overflow: None,
        hidden: 0,
        strong: 0,
        pre: 0,
        lines: Lines::default(),
        mark: None,
        facts: Facts::default(),
        styles: StyleCache::default(),
        raw_without_end: Vec::new(),
        flow_text: false,
    };
    while let Some(token) = walker.lexer.next() {
        match token {
            Token::Text { text, at } => walker.text(text, at),
            Token::Start { name, attributes, self_closing, at } => walker.start(name, attributes, self_closing, at),
            Token::End { name, at } => {
                let key = key(name);
                walker.end(Tag::of(name, key), key, at);
            }
        }
    }
    walker.flush_pre();
    Rendered { output: walker.output, facts: walker.facts.finish(), all_pre: !walker.flow_text }
}

impl<'a> Walker<'a> {
    fn shows(&self) -> bool {
        self.hidden == 0 && self.hidden_overflow.is_none()
    }

    fn text(&mut self, text: &str, at: usize) {
        if !self.shows() {
            return;
        }
        if self.pre > 0 {
            self.lines.push_markup(text, at);
            return;
        }
        let before = self.output.len();
        self.output.emphasised = self.strong > 0;
        self.output.push(text, at, true);
        self.flow_text |= self.output.len() > before;
    }

    fn start(&mut self, name: &[u8], attributes: &'a [u8], self_closing: bool, at: usize) {
        let key = key(name);
        let tag = Tag::of(name, key);
        let mut style = Style::default();
        if attributes.len() > 6 {
            style = self.styles.of(attributes);
        }
        match tag {
            Tag::LineBreak => return self.line_break(at),
            Tag::Rule => {
                if self.shows() && !style.has(Style::HIDDEN) {
                    self.page_break(at);
                }
                return;
            }
            Tag::Void => return,
            Tag::SgmlLine => {
                let rest = self.source.get(self.lexer.position()..).unwrap_or_default();
                let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
                return self.lexer.skip_to(self.lexer.position() + end);
            }
            Tag::Raw => {
                if !self_closing {
                    self.skip_raw(name);
                }
                return;
            }
            _ => {}
        }
        if self.overflow == 0 {
            self.close_implied(tag, at);
        }
        let block = (tag.is_block() && !style.has(Style::INLINE.or(Style::INLINE_BLOCK))) || style.has(Style::BLOCK);
        if self.shows() {
            if style.has(Style::PAGE_BEFORE) && block {
                self.page_break(at);
            }
            self.open_visible(tag, style, block, at);
        }
        if self_closing {
            // `<div/>`, `<span/>`, `<a name="x"/>`: nothing inside; what follows is outside.
            if self.shows() && !block && style.has(Style::ROOM_AFTER.or(Style::ROOM_BEFORE).or(Style::WIDE)) {
                self.gap(Gap::Space, at);
            }
            if self.shows() && block && style.has(Style::PAGE_AFTER) {
                self.page_break(at);
            }
            return;
        }
        self.push(tag, key, style, block, attributes, at);
    }

    /// The breaks that a visible element brings at its start.
    fn open_visible(&mut self, tag: Tag, style: Style, block: bool, at: usize) {
        if block {
            match tag {
                Tag::Table => {
                    self.output.flush(at);
                }
                Tag::Row => self.output.begin_row(at),
                Tag::Cell => {
                    // A cell without a row brings its own.
                    if self.find(Tag::Row, 0, &[Tag::Table]).is_none() && !self.output.in_row() {
                        self.output.begin_row(at);
                    }
                    self.gap(Gap::Cell, at);
                }
                _ => self.gap(Gap::Block, at),
            }
        } else if style.has(Style::ROOM_BEFORE) || (style.has(Style::INLINE_BLOCK) && style.has(Style::WIDE)) {
            self.gap(Gap::Space, at);
        }
    }

    fn gap(&mut self, gap: Gap, at: usize) {
        if self.pre > 0 {
            self.lines.gap(gap >= Gap::Block, at);
        } else {
            self.output.gap(gap, at);
        }
    }

    fn line_break(&mut self, at: usize) {
        if !self.shows() {
            return;
        }
        if self.pre > 0 {
            self.lines.line_break(at);
        } else {
            self.output.gap(Gap::Line, at);
        }
    }

    fn page_break(&mut self, at: usize) {
        if self.pre > 0 {
            self.lines.page_break(at);
        } else {
            self.output.page_break(at);
        }
    }

    fn push(&mut self, tag: Tag, name: u64, style: Style, block: bool, attributes: &'a [u8], at: usize) {
        let hides = style.has(Style::HIDDEN) || tag == Tag::Hidden;
        if self.frames.len() >= MAX_DEPTH {
            self.overflow += 1;
            if hides && self.hidden_overflow.is_none() {
                self.hidden_overflow = Some(self.overflow);
            }
            return;
        }
        let strong = style.has(Style::STRONG) || matches!(tag, Tag::Strong | Tag::Heading);
        self.hidden += usize::from(hides);
        self.strong += usize::from(strong);
        let index = self.frames.len();
        if let Some(open) = self.open.get_mut(tag as usize) {
            open.push((index, name));
        }
        if tag == Tag::Pre && self.pre == 0 && self.shows() {
            self.output.flush(at);
        }
        self.pre += usize::from(tag == Tag::Pre);
        let raised = tag == Tag::Sup || style.has(Style::RAISED);
        if raised && self.mark.is_none() && self.shows() && self.pre == 0 {
            self.mark = Some((self.frames.len(), self.output.checkpoint(), self.output.attached()));
        }
        if tag == Tag::Fact {
            self.facts.open(
                self.frames.len(),
                attribute(attributes, b"name").unwrap_or_default(),
                self.lexer.position(),
            );
        }
        // What an inline style makes of a block holds for its end as well.
        let tag_style = if block { style.with(Style::BLOCK) } else { style };
        self.frames.push(Frame { tag, style: tag_style, dead: false, hides, strong, out: self.output.len() });
    }

    /// Where the innermost open element of this kind stands.
    fn innermost(&self, tag: Tag) -> Option<usize> {
        self.open.get(tag as usize).and_then(|open| open.last()).map(|(index, _)| *index)
    }

    /// Ends elements that HTML lets stand open: a paragraph before the next block, a cell before the next cell.
    fn close_implied(&mut self, tag: Tag, at: usize) {
        match tag {
            Tag::Cell => self.close_down_to(Tag::Cell, 0, &[Tag::Table], at),
            Tag::Row => self.close_down_to(Tag::Row, 0, &[Tag::Table], at),
            Tag::ListItem => self.close_down_to(Tag::ListItem, 0, &[Tag::Table, Tag::Cell, Tag::Block, Tag::Div], at),
            Tag::Paragraph | Tag::Div | Tag::Block | Tag::Heading | Tag::Table | Tag::Pre
                if self.innermost(Tag::Paragraph).is_some() =>
            {
                self.end_inline(Tag::Paragraph, 0, at);
            }
            _ => {}
        }
    }

    /// The open element that an end tag means, not looking past `stops`.
    fn find(&self, tag: Tag, name: u64, stops: &[Tag]) -> Option<usize> {
        // Elements that are ended by whatever of their kind comes.
        let any = !matches!(tag, Tag::Block | Tag::Inline | Tag::Strong | Tag::Hidden);
        let open = self.open.get(tag as usize)?;
        let (index, _) = open.iter().rev().take(MAX_LOOK_BACK).find(|(_, n)| any || *n == name)?;
        let stop = stops.iter().filter_map(|s| self.innermost(*s)).max();
        stop.is_none_or(|stop| stop < *index).then_some(*index)
    }

    fn close_down_to(&mut self, tag: Tag, name: u64, stops: &[Tag], at: usize) {
        if let Some(index) = self.find(tag, name, stops) {
            while self.frames.len() > index {
                self.pop(at);
            }
        }
    }

    /// Closes the element where it stands and leaves what was opened inside it open.
    fn end_inline(&mut self, tag: Tag, name: u64, at: usize) {
        let Some(index) = self.find(tag, name, &[Tag::Table, Tag::Cell]) else { return };
        self.leave(index, at);
        while self.frames.last().is_some_and(|f| f.dead) {
            self.frames.pop();
        }
    }

    fn end(&mut self, tag: Tag, name: u64, at: usize) {
        match tag {
            // `</br>` is a break, as in browsers.
            Tag::LineBreak => self.line_break(at),
            Tag::Rule | Tag::Void | Tag::Raw | Tag::SgmlLine => {}
            // Elements out there are told apart by their number alone.
            _ if self.overflow > 0 => {
                if self.shows() && tag.is_block() {
                    self.close_block(tag, at);
                }
                if self.hidden_overflow == Some(self.overflow) {
                    self.hidden_overflow = None;
                }
                self.overflow -= 1;
            }
            Tag::Paragraph => self.end_inline(tag, name, at),
            Tag::Table => self.close_down_to(tag, name, &[], at),
            Tag::Row | Tag::Cell => self.close_down_to(tag, name, &[Tag::Table], at),
            _ if tag.closes_through() => self.close_down_to(tag, name, &[Tag::Table, Tag::Cell], at),
            _ => self.end_inline(tag, name, at),
        }
    }

    fn pop(&mut self, at: usize) {
        let Some(index) = self.frames.len().checked_sub(1) else { return };
        self.leave(index, at);
        self.frames.pop();
    }

    /// Undoes what the element at `index` did to the state and marks it dead.
    fn leave(&mut self, index: usize, at: usize) {
        let Some(frame) = self.frames.get_mut(index).filter(|f| !f.dead) else { return };
        frame.dead = true;
        let frame = *frame;
        if let Some(open) = self.open.get_mut(frame.tag as usize)
            && let Some(at) = open.iter().rposition(|(i, _)| *i == index)
        {
            open.remove(at);
        }
        if frame.tag == Tag::Fact {
            self.facts.close(index, self.source, at);
        }
        let shown = self.shows();
        self.hidden -= usize::from(frame.hides);
        self.strong -= usize::from(frame.strong);
        if frame.tag == Tag::Pre {
            self.pre -= 1;
            if self.pre == 0 {
                self.flush_pre();
            }
        }
        if let Some((depth, checkpoint, attached)) = self.mark
            && depth == index
        {
            self.mark = None;
            self.footnote_mark(&checkpoint, attached, at);
        }
        if shown {
            self.close_visible(&frame, at);
        }
    }

    /// The breaks that a visible element brings at its end.
    fn close_visible(&mut self, frame: &Frame, at: usize) {
        let style = frame.style;
        if style.has(Style::BLOCK) {
            self.close_block(frame.tag, at);
            if style.has(Style::PAGE_AFTER) {
                self.page_break(at);
            }
        } else {
            let empty = self.output.len() == frame.out;
            let spacer = empty && style.has(Style::WIDE.or(Style::ROOM_BEFORE));
            let boxed = style.has(Style::INLINE_BLOCK) && style.has(Style::WIDE);
            if spacer || boxed || style.has(Style::ROOM_AFTER) {
                self.gap(Gap::Space, at);
            }
        }
    }

    /// The break at the end of an element that breaks lines.
    fn close_block(&mut self, tag: Tag, at: usize) {
        match tag {
            Tag::Row | Tag::Table => self.output.flush(at),
            Tag::Cell => self.gap(Gap::Cell, at),
            _ => self.gap(Gap::Block, at),
        }
    }

    /// Drops raised text that is a footnote mark on the word before it.
    fn footnote_mark(&mut self, checkpoint: &Checkpoint, attached: bool, at: usize) {
        let Some(text) = self.output.since(checkpoint) else { return };
        let inner = text.trim();
        if inner.is_empty() || inner.len() > MAX_MARK || !is_mark(inner) {
            return;
        }
        if attached {
            self.output.restore(checkpoint);
        } else {
            // The label of a footnote: kept, but no part of the word that follows.
            self.output.gap(Gap::Space, at);
        }
    }

    fn flush_pre(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        if !lines.is_empty() {
            plain::render(&lines, &mut self.output);
        }
    }

    /// Passes over the body of an element whose content is no markup.
    fn skip_raw(&mut self, name: &[u8]) {
        let from = self.lexer.position();
        let rest = self.source.as_bytes().get(from..).unwrap_or_default();
        if self.raw_without_end.iter().any(|n| n.eq_ignore_ascii_case(name)) {
            return;
        }
        for i in memmem::find_iter(rest, b"</") {
            let candidate = rest.get(i + 2..i + 2 + name.len()).unwrap_or_default();
            if candidate.eq_ignore_ascii_case(name) {
                return self.lexer.skip_to(from + i);
            }
        }
        for known in [&b"title"[..], b"script", b"style", b"textarea", b"xmp", b"noembed", b"iframe"] {
            if known.eq_ignore_ascii_case(name) {
                self.raw_without_end.push(known);
            }
        }
        // A title without an end is a slip and ends with its line; code without an end is code to the end.
        if name.eq_ignore_ascii_case(b"title") {
            let line = memchr::memchr2(b'\n', b'<', rest).unwrap_or(rest.len());
            self.lexer.skip_to(from + line);
        } else {
            self.lexer.skip_to(self.source.len());
        }
    }
}

/// Digits, asterisks, daggers and section signs, in parentheses or not.
fn is_mark(s: &str) -> bool {
    let inner = s.strip_prefix(['(', '[']).unwrap_or(s);
    let inner = inner.strip_suffix([')', ']']).unwrap_or(inner);
    let letter = s.len() == 3 && s.starts_with('(') && inner.chars().all(|c| c.is_ascii_lowercase());
    letter
        || (!inner.is_empty()
            && inner
                .chars()
                .all(|c| c.is_ascii_digit() || matches!(c, '*' | '†' | '‡' | '§' | ',' | ' ' | '¹' | '²' | '³')))
}

/// Styles seen lately: filings repeat a few dozen of them thousands of times.
struct StyleCache<'a> {
    entries: Vec<(&'a [u8], Style)>,
}

/// A power of two, so that a slot is a mask away.
const STYLE_SLOTS: usize = 256;

impl Default for StyleCache<'_> {
    fn default() -> Self {
        Self { entries: vec![(&[], Style::default()); STYLE_SLOTS] }
    }
}

impl<'a> StyleCache<'a> {
    /// The style of a start tag, from all its attributes: comparing the whole slice is cheaper than finding the one.
    fn of(&mut self, attributes: &'a [u8]) -> Style {
        let slot = slot(attributes);
        if let Some((known, style)) = self.entries.get(slot)
            && *known == attributes
        {
            return *style;
        }
        let mut style = attribute(attributes, b"style").map_or(Style::default(), Style::parse);
        // A style that names no hiding does not spare the attribute `hidden`.
        if attribute(attributes, b"hidden").is_some() {
            style = style.with(Style::HIDDEN);
        }
        if let Some(entry) = self.entries.get_mut(slot) {
            *entry = (attributes, style);
        }
        style
    }
}

fn slot(bytes: &[u8]) -> usize {
    let word =
        |at: usize| bytes.get(at..at + 8).and_then(|b| <[u8; 8]>::try_from(b).ok()).map_or(0, u64::from_le_bytes);
    let mixed = word(bytes.len().saturating_sub(8))
        ^ word(bytes.len() / 2).rotate_left(21)
        ^ (bytes.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize & (STYLE_SLOTS - 1)
}

/// The text inside a stretch of markup, for facts: tags gone, references decoded, white space collapsed.
pub(super) fn inner_text(source: &str, span: Span) -> String {
    let mut output = Output::default();
    let mut lexer = Lexer::new(span.of(source));
    while let Some(token) = lexer.next() {
        match token {
            Token::Text { text, at } => output.push(text, at, true),
            Token::Start { name, at, .. } | Token::End { name, at } => {
                let tag = Tag::of(name, key(name));
                if tag.is_block() || tag == Tag::LineBreak {
                    output.gap(Gap::Space, at);
                }
            }
        }
    }
    output.finish().0
}
