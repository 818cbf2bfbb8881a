//! Plain text and `<pre>`: lines put back together into paragraphs.
//!
//! A line break in such text is only where the typewriter ran out of paper. What ends a paragraph: a blank line, a rule, a page
//! break, an Item heading, an indented first line, a list label, a table row. Everything else is a space; so is a blank line
//! that stands in the middle of a clause. A `|` that stands alone is the debris of a table and goes.

use eightk_core::Span;

use super::SegmentMap;
use super::heading;
use super::output::{Fate, Gap, Output, fate};
use super::references::{self, Replacement};
use super::sgml_tags::{self, Effect};
use crate::clause;

/// Stands for a page break among the lines.
const PAGE: char = '\u{C}';
/// Opens and closes a `<TABLE>` region.
const TABLE_OPEN: char = '\u{E}';
const TABLE_CLOSE: char = '\u{F}';
/// A line longer than this was no line of a typewriter: the text has lost its line breaks.
const FLATTENED: usize = 400;
/// A line longer than this was not wrapped: where it ends with a sentence, a paragraph ends.
const UNWRAPPED: usize = 200;
/// Where a second column may begin.
const COLUMN: usize = 30;

/// The widest gap that stretches a line of prose to its margin.
const JUSTIFIED: usize = 4;

/// Text with its lines, and where it came from.
#[derive(Debug, Default)]
pub(super) struct Lines {
    text: String,
    map: SegmentMap,
}

impl Lines {
    /// Whether nothing was written.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn add(&mut self, text: &str, source: usize, source_len: usize) {
        self.text.push_str(text);
        self.map.append(text.len(), source, source_len);
    }

    fn add_char(&mut self, c: char, source: usize, source_len: usize) {
        let mut buffer = [0; 4];
        self.add(c.encode_utf8(&mut buffer), source, source_len);
    }

    /// A break between paragraphs, or a mere space.
    pub(super) fn gap(&mut self, block: bool, at: usize) {
        self.add(if block { "\n\n" } else { " " }, at, 0);
    }

    /// A line break.
    pub(super) fn line_break(&mut self, at: usize) {
        self.add("\n", at, 0);
    }

    /// A page break.
    pub(super) fn page_break(&mut self, at: usize) {
        self.add("\n\u{C}\n", at, 0);
    }

    /// Text of a `<pre>` element: references are decoded, there are no tags in it.
    pub(super) fn push_markup(&mut self, text: &str, source: usize) {
        let mut rest = 0;
        let bytes = text.as_bytes();
        let special = |b: &u8| *b == b'&' || (*b < 0x20 && !matches!(*b, b'\n' | b'\t'));
        while let Some(i) = bytes.get(rest..).and_then(|r| r.iter().position(special)) {
            let at = rest + i;
            self.add(text.get(rest..at).unwrap_or_default(), source + rest, i);
            rest = at + 1;
            match bytes.get(at) {
                Some(0x0C) => self.page_break(source + at),
                Some(b'&') => match references::decode(bytes.get(at..).unwrap_or_default()) {
                    Some((Replacement::Char(c), len)) => {
                        match fate(c) {
                            Fate::Keep => self.add_char(c, source + at, len),
                            Fate::Become(c) => self.add_char(c, source + at, len),
                            Fate::Space => self.add(" ", source + at, len),
                            Fate::Drop => {}
                        }
                        rest = at + len;
                    }
                    Some((Replacement::Text(t), len)) => {
                        self.add(t, source + at, len);
                        rest = at + len;
                    }
                    None => self.add("&", source + at, 1),
                },
                // Carriage returns and other controls.
                _ => {}
            }
        }
        self.add(text.get(rest..).unwrap_or_default(), source + rest, text.len() - rest);
    }

    /// A plain-text document: EDGAR's typesetting tags go, a bare `<` stays.
    pub(super) fn push_plain(&mut self, text: &str) {
        let mut rest = 0;
        let mut at = 0;
        while let Some(i) = text.as_bytes().get(at..).and_then(|r| memchr::memchr(b'<', r)) {
            at += i;
            let Some((effect, len)) = sgml_tags::read(text.get(at..).unwrap_or_default()) else {
                at += 1;
                continue;
            };
            self.push_markup(text.get(rest..at).unwrap_or_default(), rest);
            match effect {
                Effect::Nothing => {}
                Effect::Line => self.line_break(at),
                Effect::Page => self.page_break(at),
                Effect::TableOpen => self.add("\n\u{E}\n", at, 0),
                Effect::TableClose => self.add("\n\u{F}\n", at, 0),
            }
            at += len;
            rest = at;
        }
        self.push_markup(text.get(rest..).unwrap_or_default(), rest);
    }
}

/// One line, trimmed.
#[derive(Debug, Clone, Copy)]
struct Line<'a> {
    text: &'a str,
    /// Where `text` stands among the lines.
    at: usize,
    /// Columns before it.
    indent: usize,
}

impl Line<'_> {
    /// Whether it ends well before the right margin.
    const fn is_short(&self, width: usize) -> bool {
        (self.indent + self.text.len()) * 5 < width * 3
    }

    fn ends_sentence(&self) -> bool {
        self.text.ends_with(['.', ':', ';', '!', '?', '”', '"']) || self.text.ends_with(".)")
    }
}

/// The paragraph being put together.
#[derive(Debug, Clone, Copy)]
struct Open<'a> {
    /// Its last line.
    last: Line<'a>,
    /// Where its first line begins.
    start: usize,
    first_indent: usize,
    lines: usize,
    /// Begins with `(a)`, `1.`, a bullet.
    labelled: bool,
    /// Begins with an Item number, and the heading is not over yet.
    heading: bool,
    all_upper: bool,
    columns: bool,
    /// Where the text behind a label or a first column begins: lines under it go on with it.
    hang: Option<usize>,
}

/// Renders a plain-text document.
pub(super) fn document(text: &str) -> Output {
    let mut lines = Lines { text: String::with_capacity(text.len()), map: SegmentMap::default() };
    lines.push_plain(text);
    let mut output = Output::for_source(text.len());
    render(&lines, &mut output);
    output
}

/// Writes the lines as paragraphs.
pub(super) fn render(lines: &Lines, output: &mut Output) {
    let mut writer = Writer { lines, output, segment: 0 };
    let width = width(&lines.text);
    let mut open: Option<Open<'_>> = None;
    let mut in_table = false;
    let mut blank = false;
    let mut at = 0;
    for raw in lines.text.split('\n') {
        let start = at;
        at += raw.len() + 1;
        let line = trimmed(raw, start);
        let source = start;
        if line.text.is_empty() {
            // Nothing but the debris of a table is no blank line.
            blank |= memchr::memchr(b'|', raw.as_bytes()).is_none();
            continue;
        }
        if std::mem::take(&mut blank) && !open.is_some_and(|o| goes_on_over_blank(&o, &line, width)) {
            writer.gap(Gap::Block, source);
            open = None;
        }
        if is_rule(line.text) {
            writer.gap(Gap::Block, source);
            open = None;
            continue;
        }
        if let Some(mark) = line.text.chars().next().filter(|c| matches!(*c, PAGE | TABLE_OPEN | TABLE_CLOSE)) {
            match mark {
                PAGE => writer.page_break(source),
                mark => {
                    in_table = mark == TABLE_OPEN;
                    writer.gap(Gap::Block, source);
                }
            }
            open = None;
            continue;
        }
        let line = after_rule(line);
        let cells = cells(line.text);
        if cells.is_row() && !(open.is_some() && cells.are_justified(&line, width)) {
            writer.row(&line, &cells.spans);
            open = None;
            continue;
        }
        let columns = !cells.is_row() && cells.spans.get(1).is_some_and(|c| in_table || c.start >= COLUMN);
        let before = open;
        let begins = before.is_none_or(|o| begins_paragraph(&o, &line, &lines.text, width, columns));
        if begins {
            writer.gap(Gap::Block, source);
            open = Some(Open {
                last: line,
                start: line.at,
                first_indent: line.indent,
                lines: 1,
                labelled: is_labelled(line.text),
                heading: heading::opens_with_number(line.text),
                all_upper: heading::is_upper(line.text),
                columns,
                hang: cells.spans.get(1).map(|c| line.indent + c.start),
            });
        } else if let Some(o) = &mut open {
            if !hyphenated(o.last.text, line.text) {
                writer.gap(Gap::Space, source);
            }
            o.last = line;
            o.lines += 1;
            o.all_upper &= !line.text.chars().any(char::is_lowercase);
        }
        writer.prose(&line);
    }
    writer.gap(Gap::Block, at.saturating_sub(1));
}

/// Whether `line` goes on with a clause that a blank line has cut: a full line that ends inside the clause comes before it. Text
/// drawn from pages has such blank lines.
fn goes_on_over_blank(open: &Open<'_>, line: &Line<'_>, width: usize) -> bool {
    let last = open.last.text;
    let full = open.lines > 1 || !open.last.is_short(width);
    if open.heading || open.columns || !full || is_labelled(line.text) {
        return false;
    }
    clause::hangs(last) || (clause::breaks_off(last) && line.text.starts_with(char::is_lowercase))
}

/// Whether `line` begins a paragraph although nothing but a line break stands before it.
fn begins_paragraph(open: &Open<'_>, line: &Line<'_>, text: &str, width: usize, columns: bool) -> bool {
    let last = &open.last;
    if heading::begins_item(line.text, last.text) {
        return true;
    }
    if open.heading {
        let so_far = text.get(open.start..last.at + last.text.len()).unwrap_or_default();
        return !heading::heading_goes_on(so_far, line.text);
    }
    if open.columns && columns {
        return true;
    }
    if !open.all_upper && last.ends_sentence() && is_upper_title(line.text) {
        return true;
    }
    if is_cell_by_line(open, line, text, width) {
        return true;
    }
    if open.all_upper && !heading::is_upper(line.text) && line.text.chars().next().is_some_and(char::is_uppercase) {
        return true;
    }
    let hangs = open.hang.is_some_and(|column| column.abs_diff(line.indent) <= 1);
    if hangs && !is_labelled(line.text) {
        return false;
    }
    let short = last.is_short(width);
    if line.indent >= last.indent + 8 && !open.labelled {
        return true;
    }
    if short && line.indent + 8 <= last.indent {
        return true;
    }
    if !last.ends_sentence() {
        return false;
    }
    let label_line = open.labelled && open.lines == 1;
    is_labelled(line.text)
        || short
        || last.text.len() > UNWRAPPED
        || (line.indent >= last.indent + 2 && !label_line)
        || (line.indent + 2 <= last.indent && open.labelled && open.lines > 1 && line.indent <= open.first_indent)
}

/// Whether a table that lost its columns, one cell a line, begins, goes on or ends with `line`; or the prose below a title does.
fn is_cell_by_line(open: &Open<'_>, line: &Line<'_>, text: &str, width: usize) -> bool {
    let last = &open.last;
    let capital = line.text.starts_with(char::is_uppercase);
    if last.text.ends_with(':') && capital && line.is_short(width) {
        return true;
    }
    if !last.is_short(width) || clause::hangs(last.text) {
        return false;
    }
    if is_figure(last.text) {
        return capital || is_figure(line.text);
    }
    if is_figure(line.text) {
        return !last.text.split(' ').any(|w| w.starts_with(char::is_lowercase));
    }
    let so_far = text.get(open.start..last.at + last.text.len()).unwrap_or_default();
    capital && !line.is_short(width) && open.lines <= 3 && is_title(so_far)
}

/// A count with its commas or a percentage alone on its line. Shorter numbers may be labels: of notes, pages, exhibits.
fn is_figure(line: &str) -> bool {
    let bare = line.trim_start_matches(['$', '(']).trim_end_matches(['%', ')']);
    line.len() <= 16
        && line.contains(['%', ','])
        && bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.bytes().all(|b| b.is_ascii_digit() || matches!(b, b',' | b'.'))
}

/// Several words, each of more than four letters with a capital, and no punctuation at the end.
fn is_title(text: &str) -> bool {
    let mut long = text.split_whitespace().filter(|w| w.len() > 4).peekable();
    text.len() <= 240
        && text.contains(' ')
        && text.ends_with(char::is_alphanumeric)
        && long.peek().is_some()
        && long.all(|w| w.starts_with(char::is_uppercase))
}

/// Two words or more in capitals.
fn is_upper_title(line: &str) -> bool {
    heading::is_upper(line) && line.split(' ').filter(|w| w.len() > 1).nth(1).is_some()
}

/// Writes to the output with the map of the lines.
struct Writer<'a> {
    lines: &'a Lines,
    output: &'a mut Output,
    /// The segment of the last position asked for; positions only grow.
    segment: usize,
}

impl Writer<'_> {
    fn source(&mut self, at: usize) -> usize {
        let segments = self.lines.map.segments();
        while segments.get(self.segment).is_some_and(|s| s.out + s.out_len <= at) {
            self.segment += 1;
        }
        match segments.get(self.segment) {
            Some(s) if s.out_len == s.source_len => s.source + at.saturating_sub(s.out),
            Some(s) => s.source,
            None => segments.last().map_or(0, |s| s.source + s.source_len),
        }
    }

    fn gap(&mut self, gap: Gap, at: usize) {
        let source = self.source(at);
        self.output.gap(gap, source);
    }

    fn page_break(&mut self, at: usize) {
        let source = self.source(at);
        self.output.page_break(source);
    }

    /// Copies `span` of the lines.
    fn copy(&mut self, span: Span) {
        self.output.emphasised = false;
        self.source(span.start);
        let segments = self.lines.map.segments();
        let mut at = span.start;
        let mut index = self.segment;
        while let Some(s) = segments.get(index).filter(|s| s.out < span.end) {
            let to = (s.out + s.out_len).min(span.end);
            let piece = self.lines.text.get(at..to).unwrap_or_default();
            if s.out_len == s.source_len {
                self.output.push(piece, s.source + (at - s.out), false);
            } else {
                for c in piece.chars() {
                    self.output.char(c, Span::new(s.source, s.source + s.source_len));
                }
            }
            at = to;
            index += 1;
        }
    }

    /// One line of prose; a flattened one is cut before its headings.
    fn prose(&mut self, line: &Line<'_>) {
        let mut from = 0;
        if line.text.len() > FLATTENED {
            for cut in heading::cuts_in_flattened(line.text) {
                self.without_debris(line, Span::new(from, cut));
                self.gap(Gap::Block, line.at + cut);
                from = cut;
            }
        }
        self.without_debris(line, Span::new(from, line.text.len()));
    }

    /// Copies a part of a line, less every `|` that stands alone.
    fn without_debris(&mut self, line: &Line<'_>, part: Span) {
        let mut from = part.start;
        for at in memchr::memchr_iter(b'|', part.of(line.text).as_bytes()) {
            let at = part.start + at;
            if is_debris(line.text.as_bytes(), at) {
                self.copy(Span::new(line.at + from, line.at + at));
                self.gap(Gap::Space, line.at + at);
                from = at + 1;
            }
        }
        self.copy(Span::new(line.at + from, line.at + part.end));
    }

    fn row(&mut self, line: &Line<'_>, cells: &[Span]) {
        let source = self.source(line.at);
        self.output.begin_row(source);
        for cell in cells {
            self.gap(Gap::Cell, line.at + cell.start);
            self.copy(Span::new(line.at + cell.start, line.at + cell.end));
        }
        let end = self.source(line.at + line.text.len());
        self.output.mark_row(end);
    }
}

/// The line without white space and debris of tables at its ends.
fn trimmed(raw: &str, at: usize) -> Line<'_> {
    let text = raw.trim_end_matches([' ', '\t', '\r', '\u{A0}', '|']);
    let body = text.trim_start_matches([' ', '\t', '\u{A0}', '|']);
    let lead = text.len() - body.len();
    let indent = text.get(..lead).unwrap_or_default().chars().map(|c| if c == '\t' { 8 } else { 1 }).sum();
    Line { text: body, at: at + lead, indent }
}

/// The usual length of a full line: the 90th percentile of those that hold text, within the bounds of typewriters.
fn width(text: &str) -> usize {
    let mut lengths: Vec<usize> =
        text.split('\n').map(|l| l.trim_end().len()).filter(|n| *n > 20 && *n < FLATTENED).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() * 9 / 10).copied().unwrap_or(70).clamp(40, 140)
}

const fn is_rule_byte(b: u8) -> bool {
    matches!(b, b'-' | b'=' | b'_' | b'*' | b'~' | b'+' | b'#')
}

/// `-----`, `=====`, `* * *`; also several side by side, as under the headings of columns.
fn is_rule(text: &str) -> bool {
    text.bytes().all(|b| is_rule_byte(b) || b == b' ' || b == b'|')
        && text.bytes().filter(|b| is_rule_byte(*b)).count() >= 3
}

/// The line without a rule that runs into it.
fn after_rule(line: Line<'_>) -> Line<'_> {
    let rule = line.text.bytes().take_while(|b| matches!(b, b'-' | b'=' | b'*' | b'_')).count();
    if rule < 4 {
        return line;
    }
    let rest = line.text.get(rest_start(line.text, rule)..).unwrap_or_default();
    // A blank to fill in (`____ Yes`) is not a rule glued to a heading.
    if rest.chars().next().is_some_and(char::is_alphabetic) && !line.text.starts_with('_') {
        Line { text: rest, at: line.at + line.text.len() - rest.len(), indent: line.indent }
    } else {
        line
    }
}

fn rest_start(text: &str, from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + (rest.len() - rest.trim_start().len())
}

/// The columns of a line.
struct Cells {
    spans: Vec<Span>,
    leaders: bool,
}

impl Cells {
    fn is_row(&self) -> bool {
        let n = self.spans.len();
        n >= 3 || (self.leaders && n >= 2)
    }

    /// Whether the gaps only stretch a line of prose to its margin: none is wide, and most pieces begin with small letters.
    fn are_justified(&self, line: &Line<'_>, width: usize) -> bool {
        let starts = |what: fn(char) -> bool| move |c: &&Span| c.of(line.text).starts_with(what);
        let small = self.spans.iter().filter(starts(char::is_lowercase)).count();
        let letters = self.spans.iter().filter(starts(char::is_alphabetic)).count();
        let narrow = self.spans.windows(2).all(|w| matches!(w, [a, b] if b.start - a.end <= JUSTIFIED));
        narrow
            && !self.leaders
            && small * 2 >= self.spans.len()
            && letters == self.spans.len()
            && (line.indent + line.text.len()) * 10 >= width * 9
            && !line.text.contains(['\t', '|'])
    }
}

/// Whether the `|` at `at` has nothing but white space, an end of the line or more of its kind on both sides.
fn is_debris(line: &[u8], at: usize) -> bool {
    let outside = |b: Option<&u8>| b.is_none_or(|b| matches!(b, b' ' | b'\t'));
    let before = line.iter().take(at).rev().take(4).find(|b| **b != b'|');
    let after = line.iter().skip(at).take(4).find(|b| **b != b'|');
    outside(before) && outside(after)
}

/// Cuts a line at runs of three spaces, at tabs, at dot leaders, and at each `|` that stands alone; a long line is no row of a
/// table, so its `|` cut nothing.
fn cells(text: &str) -> Cells {
    let bytes = text.as_bytes();
    let mut spans = Vec::new();
    let mut leaders = false;
    let mut start = 0;
    let mut at = 0;
    while at < bytes.len() {
        let run = |what: &dyn Fn(u8) -> bool| bytes.iter().skip(at).take_while(|b| what(**b)).count();
        let n = match bytes.get(at) {
            Some(b' ' | b'\t') => {
                let n = run(&|b| b == b' ' || b == b'\t');
                let wide = bytes.iter().skip(at).take(n).any(|b| *b == b'\t') || n >= 3;
                if wide { n } else { 0 }
            }
            Some(b'.') => {
                let n = run(&|b| b == b'.' || b == b' ');
                let dots = bytes.iter().skip(at).take(n).filter(|b| **b == b'.').count();
                leaders |= dots >= 4;
                if dots >= 4 { n } else { 0 }
            }
            Some(b'|') if bytes.len() <= UNWRAPPED && is_debris(bytes, at) => 1,
            _ => 0,
        };
        if n == 0 {
            at += 1;
            continue;
        }
        if at > start {
            spans.push(Span::new(start, at));
        }
        at += n;
        start = at;
    }
    if start < bytes.len() {
        spans.push(Span::new(start, bytes.len()));
    }
    Cells { spans, leaders }
}

/// Whether a list entry begins here: `(a)`, `(iv)`, `1.`, `A.`, a bullet, a dash.
fn is_labelled(text: &str) -> bool {
    let Some((first, _)) = text.split_once(char::is_whitespace) else { return false };
    let body = first.trim_start_matches('(').trim_end_matches([')', '.']);
    let closed = first.ends_with(')') || first.ends_with('.');
    matches!(first, "•" | "·" | "-" | "--" | "*" | "o" | "–" | "—" | "§" | "■" | "●")
        || (closed
            && !body.is_empty()
            && body.len() <= 4
            && (body.bytes().all(|b| b.is_ascii_digit())
                || (body.len() == 1 && body.bytes().all(|b| b.is_ascii_alphabetic()))
                || (first.starts_with('(') && body.bytes().all(|b| b.is_ascii_lowercase()))))
}

/// Whether a word was cut at its own hyphen: the hyphen stays and no space follows.
fn hyphenated(last: &str, next: &str) -> bool {
    let Some(stem) = last.strip_suffix('-') else { return false };
    let joined = stem.ends_with(char::is_alphanumeric) && next.starts_with(|c: char| c.is_alphanumeric());
    let word = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    joined && !matches!(word, "and" | "or" | "to")
}
