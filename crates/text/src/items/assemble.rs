//! The narrative put together: pieces of paragraphs, cut at headings, with their map.

use std::ops::Range;

use eightk_core::{ItemSection, Span};

use crate::{Cleaned, Narrative, Paragraph, ParagraphKind};

use super::candidates::is_section_line;
use super::lines;
use super::pages;
use super::redirect;
use super::select::Section;

/// A stretch of the cleaned text that becomes a paragraph of the narrative.
pub(super) struct Piece {
    pub(super) paragraph: Paragraph,
    /// Index of the section whose heading it is.
    pub(super) opens: Option<usize>,
    pub(super) heading: bool,
    /// It is the rest of the paragraph before it.
    pub(super) continues: bool,
}

/// Builds the narrative from the byte ranges of the cleaned text that belong to it (ascending, apart) and the sections in them.
pub(super) fn narrative(cleaned: &Cleaned, ranges: &[Span], sections: &[Section]) -> Narrative {
    let mut pieces = pieces(cleaned, ranges, sections);
    pages::mend(cleaned, &mut pieces);
    let spans: Vec<Span> = pieces.iter().map(|p| p.paragraph.span).collect();
    let mut text = String::with_capacity(spans.iter().map(|s| s.len() + 1).sum());
    let mut paragraphs: Vec<Paragraph> = Vec::with_capacity(pieces.len());
    let mut headings = Vec::with_capacity(pieces.len());
    let mut items: Vec<ItemSection> = Vec::with_capacity(sections.len());
    let mut bodies: Vec<String> = Vec::with_capacity(sections.len());
    for piece in &pieces {
        if !text.is_empty() {
            // Either takes the one byte that the map has between two pieces.
            text.push(if piece.continues { ' ' } else { '\n' });
        }
        let start = text.len();
        let words = piece.paragraph.span.of(&cleaned.text);
        text.push_str(words);
        if let Some(section) = piece.opens.and_then(|s| sections.get(s)) {
            if let Some(last) = items.last_mut() {
                last.span.end = start;
            }
            items.push(item(section, start));
            bodies.push(String::new());
        } else if !piece.heading
            && let Some(body) = bodies.last_mut()
            && body.len() <= redirect::LONGEST
        {
            body.push_str(words);
            body.push('\n');
        }
        if piece.continues
            && let Some(last) = paragraphs.last_mut()
        {
            last.span.end = text.len();
            continue;
        }
        paragraphs.push(Paragraph { span: Span::new(start, text.len()), ..piece.paragraph });
        headings.push(piece.heading);
    }
    if let Some(last) = items.last_mut() {
        last.span.end = text.len();
    }
    redirect::resolve(&mut items, &bodies);
    Narrative { map: cleaned.map.select(&spans), text, paragraphs, items, headings }
}

fn item(section: &Section, start: usize) -> ItemSection {
    let mut numbers: Vec<String> = Vec::new();
    let mut titles: Vec<&str> = Vec::new();
    for heading in &section.headings {
        let known = numbers.len();
        for n in &heading.numbers {
            if !numbers.contains(n) {
                numbers.push(n.clone());
            }
        }
        // A heading that repeats its numbers repeats its title.
        if numbers.len() > known && !heading.title.is_empty() {
            titles.push(&heading.title);
        }
    }
    ItemSection { numbers, title: titles.join("; "), span: Span::new(start, start), redirect: None }
}

fn pieces(cleaned: &Cleaned, ranges: &[Span], sections: &[Section]) -> Vec<Piece> {
    // All headings in document order, with the section that the first of each stack opens.
    let all = sections.iter().enumerate();
    let headings: Vec<_> = all
        .flat_map(|(s, section)| section.headings.iter().enumerate().map(move |(k, h)| (h, (k == 0).then_some(s))))
        .collect();
    let mut pieces = Vec::with_capacity(cleaned.paragraphs.len());
    let mut next = 0;
    let mut titles: Range<usize> = 0..0;
    for range in ranges {
        let first = cleaned.paragraphs.partition_point(|p| p.span.end <= range.start);
        for (index, p) in cleaned.paragraphs.iter().enumerate().skip(first) {
            if p.span.start >= range.end {
                break;
            }
            let end = p.span.end.min(range.end);
            let mut at = p.span.start.max(range.start);
            let mut push = |from: usize, to: usize, opens: Option<usize>, heading: bool| {
                let span = trimmed(&cleaned.text, from, to);
                if span.is_empty() {
                    return;
                }
                let whole = span.start == p.span.start;
                let kind = if heading || !whole { ParagraphKind::Prose } else { p.kind };
                let after_page_break = p.after_page_break && whole;
                pieces.push(Piece {
                    paragraph: Paragraph { span, kind, after_page_break, ..*p },
                    opens,
                    heading,
                    continues: false,
                });
            };
            while let Some((heading, opens)) = headings.get(next) {
                if heading.start >= end {
                    break;
                }
                next += 1;
                if heading.start < at {
                    continue;
                }
                let before = cleaned.text.get(at..heading.start).unwrap_or_default();
                let foot = lines::trailing_furniture(before);
                if foot < before.trim_end().len() {
                    push(at, at + foot, None, false);
                    at += foot;
                }
                let section_line = is_section_line(before.trim());
                push(at, heading.start, None, section_line);
                push(heading.start, heading.end.min(end), *opens, true);
                at = heading.end.min(end);
                titles = heading.title_paragraphs.clone();
            }
            let rest = cleaned.text.get(at..end).unwrap_or_default();
            let foot = lines::trailing_furniture(rest);
            if foot < rest.trim_end().len() {
                push(at, at + foot, None, titles.contains(&index));
                at += foot;
            }
            let line = cleaned.text.get(at..end).unwrap_or_default();
            let is_heading = titles.contains(&index) || is_section_line(line.trim());
            push(at, end, None, is_heading);
        }
    }
    pieces
}

fn trimmed(text: &str, from: usize, to: usize) -> Span {
    let Some(part) = text.get(from..to) else { return Span::default() };
    let start = from + (part.len() - part.trim_start().len());
    Span::new(start, start + part.trim().len())
}
