//! One filing, read as the text that offsets count in, every sentence marked with what became of it.

use std::collections::BTreeMap;

use eightk_core::{Chunk, query_id};
use eightk_dataset::{DroppedSentence, FilingRow};
use eightk_report::components::link::external;
use eightk_report::components::marks::{self, Mark};
use eightk_report::components::numbers::{counted, thousands};
use eightk_report::components::safe_text::foreign;
use maud::{Markup, html};

use super::failure::Failure;
use super::layout::{Page, Part};
use crate::link;
use crate::paging::Paging;
use crate::params::Params;
use crate::site::{Kind, Passage, Site, Use, passages};

/// Bytes of a text that are shown; no filing of EDGAR's that we know has as many.
const MOST: usize = 4 << 20;

/// Links shown on one sentence; a sentence may be rival of a thousand queries.
const LINKS: usize = 3;

/// Links shown of it below the text.
const MANY: usize = 300;

/// The page.
pub(crate) fn filing(site: &Site, index: usize, params: &Params) -> Result<Page, Failure> {
    let entry = site.entry(index).ok_or(Failure::NotFound("filing"))?;
    let shelf = &site.explorer.shelf;
    let chunks = site.chunks(entry.source_url)?;
    let row = shelf.row(entry.source_url)?;
    let dropped = if row.is_some() { shelf.dropped(entry.source_url)? } else { Vec::new() };
    let uses = site.uses(&chunks)?;
    let paging = Paging::new(chunks.len(), link::SENTENCES, params.page());
    let path = link::filing(index);
    let shown = Shown { chunks: &chunks, dropped: &dropped, uses: &uses, paging };
    let text = row.as_ref().map(|row| start_of(&row.text, MOST));
    let cut = row.as_ref().zip(text).is_some_and(|(row, text)| text.len() < row.text.len());
    let title = if entry.title.trim().is_empty() { entry.source_url } else { entry.title };
    let body = html! {
        (about(entry.source_url, row.as_ref(), &chunks, &dropped))
        (neighbours(site, index))
        (legend(row.is_some(), shelf.has_dropped()))
        @if cut { p.warning { "This text is too long for a page: what follows its first " (thousands(MOST)) " bytes is not shown." } }
        @if row.is_none() { p.note { "This data set holds no text of its filings: here are the chunks alone, in order." } }
        (paging.around(&path, &[], &html! {
            div.filing {
                @match text {
                    Some(text) => (shown.text(text)),
                    None => { @for chunk in paging.slice(&chunks) { p { (shown.kept(chunk, start_of(&chunk.text, MOST / 64))) } } },
                }
            }
            (all_marks(paging.slice(&chunks), &uses))
        }))
    };
    let mut page = site.page(Part::Filings, title, body);
    page.crumbs = vec![("Filings".to_owned(), "/filings".to_owned()), (entry.source_url.to_owned(), path)];
    Ok(page)
}

/// The text up to its last whole character within so many bytes.
fn start_of(text: &str, bytes: usize) -> &str {
    let end = bytes.min(text.len());
    (end.saturating_sub(3)..=end).rev().find_map(|at| text.get(..at)).unwrap_or_default()
}

fn about(source_url: &str, row: Option<&FilingRow>, chunks: &[Chunk], dropped: &[DroppedSentence]) -> Markup {
    let of = |get: fn(&FilingRow) -> Option<&String>| row.and_then(get).map(String::as_str);
    let original = link::original(
        of(|r| r.url.as_ref()),
        of(|r| r.cik.as_ref()),
        of(|r| r.accession.as_ref()).or(Some(source_url)),
    );
    html! {
        dl.facts {
            @for (name, value) in [("company", of(|r| r.company.as_ref())), ("form", of(|r| r.form.as_ref())), ("filed", of(|r| r.filed.as_ref()))] {
                @if let Some(value) = value { div { dt { (name) } dd { (foreign(start_of(value, 500))) } } }
            }
            @if let Some(items) = row.map(|r| &r.items).filter(|i| !i.is_empty()) {
                div { dt { "Items" } dd { (foreign(start_of(&items.join(", "), 500))) } }
            }
            div { dt { "kept" } dd { (counted(chunks.len(), "sentence", "sentences")) } }
            @if row.is_some() { div { dt { "dropped" } dd { (counted(dropped.len(), "sentence", "sentences")) } } }
        }
        p {
            @if let Some(address) = original { (external(&address, &html! { "The original on sec.gov" })) }
            @else { "The data set does not say where the original stands." }
        }
    }
}

fn neighbours(site: &Site, index: usize) -> Markup {
    html! {
        p.small {
            @if index > 0 { a href=(link::filing(index - 1)) rel="prev" { "Filing before" } " · " }
            @if site.entry(index + 1).is_some() { a href=(link::filing(index + 1)) rel="next" { "Next filing" } " · " }
            a href={ (link::filing(index)) "/sentences.csv" } { "Sentences as CSV" }
        }
    }
}

fn legend(text: bool, dropped: bool) -> Markup {
    let mut all = vec![
        (Mark::Gold, "answers a query"),
        (Mark::Evidence, "tells whose an answer is"),
        (Mark::Alternative, "states the fact of a query as well"),
        (Mark::Rival, "states the fact, of another company than the query's"),
    ];
    if text && dropped {
        all.push((Mark::Dropped, "not kept, for the reason on it"));
    }
    html! {
        (marks::legend(&all))
        p.small { span.kept { "Underlined" } ": a sentence that was kept as a chunk. Text without any line is no sentence of its own." }
    }
}

/// What a page of the text is made from.
struct Shown<'a> {
    chunks: &'a [Chunk],
    dropped: &'a [DroppedSentence],
    uses: &'a BTreeMap<String, Vec<Use>>,
    paging: Paging,
}

impl Shown<'_> {
    /// The passages of this page, in paragraphs.
    fn text(&self, text: &str) -> Markup {
        let spans = |all: &[Chunk]| all.iter().map(|c| c.span).collect::<Vec<_>>();
        let dropped: Vec<_> = self.dropped.iter().map(|d| d.span).collect();
        let all = passages(text, &spans(self.chunks), &dropped);
        html! {
            @for paragraph in paragraphs(self.of_page(&all)) {
                @match self.heading(&paragraph) {
                    Some(heading) => h2.item { (foreign(heading)) },
                    None => p { @for passage in &paragraph { (self.passage(passage)) } },
                }
            }
        }
    }

    /// From the first chunk of the page to the first of the next; the first page begins with the text.
    fn of_page<'p, 't>(&self, all: &'p [Passage<'t>]) -> &'p [Passage<'t>] {
        let at = |chunk: usize| {
            let is = |p: &Passage<'_>| matches!(p.kind, Kind::Kept(i) if i >= chunk);
            all.iter().position(is).unwrap_or(all.len())
        };
        let skip = self.paging.skip();
        let from = if skip == 0 { 0 } else { at(skip) };
        let to = if skip + self.paging.size >= self.chunks.len() { all.len() } else { at(skip + self.paging.size) };
        all.get(from..to).unwrap_or_default()
    }

    /// The text of a paragraph that is the heading of an Item, and nothing else.
    fn heading<'t>(&self, paragraph: &[Passage<'t>]) -> Option<&'t str> {
        let [Passage { kind: Kind::Dropped(i), text }] = paragraph else { return None };
        let is = self.dropped.get(*i)?.reason == "heading"
            && text.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("item"));
        is.then_some(*text)
    }

    fn passage(&self, passage: &Passage<'_>) -> Markup {
        match passage.kind {
            Kind::Between => foreign(passage.text),
            Kind::Kept(i) => self.chunks.get(i).map(|c| self.kept(c, passage.text)).unwrap_or_default(),
            Kind::Dropped(i) => {
                let reason = self.dropped.get(i).map_or("", |d| d.reason.as_str());
                html! { (marks::sentence(Mark::Dropped, passage.text)) " " (marks::dropped(reason)) " " }
            }
        }
    }

    /// A kept sentence under the weightiest of its marks, with links to the queries that it is something to.
    fn kept(&self, chunk: &Chunk, text: &str) -> Markup {
        let uses = self.uses.get(&chunk.id).map_or(&[][..], Vec::as_slice);
        let mark = uses.iter().map(|u| u.mark).min().unwrap_or(Mark::Plain);
        html! {
            span.kept id={ "s" (chunk.idx) } { (marks::sentence(mark, text)) }
            @for of in [Mark::Gold, Mark::Evidence, Mark::Alternative, Mark::Rival] { (badges(of, chunk.idx, uses)) }
        }
    }
}

/// The first few queries that a sentence is something to; the others are below the text.
fn badges(mark: Mark, idx: usize, uses: &[Use]) -> Markup {
    let of: Vec<&Use> = uses.iter().filter(|u| u.mark == mark).collect();
    html! {
        @if let Some(first) = of.first() {
            " " span class={ "badge " (mark.class()) } {
                (mark.word())
                @if let Some(fact) = &first.fact { " (" (foreign(fact)) ")" }
                " " (queries(of.iter().take(LINKS)))
                @if of.len() > LINKS { " and " a href={ "#marks-" (idx) } { (thousands(of.len() - LINKS)) " more" } }
            } " "
        }
    }
}

fn queries<'u>(uses: impl Iterator<Item = &'u &'u Use>) -> Markup {
    html! {
        @for (i, one) in uses.enumerate() { @if i > 0 { ", " } a href=(link::query(one.query)) { (query_id(one.query)) } }
    }
}

/// Every query of the sentences that are something to more queries than have room beside them.
fn all_marks(chunks: &[Chunk], uses: &BTreeMap<String, Vec<Use>>) -> Markup {
    let marks = [Mark::Gold, Mark::Evidence, Mark::Alternative, Mark::Rival];
    let of = |chunk: &Chunk, mark: Mark| -> Vec<&Use> {
        uses.get(&chunk.id).map_or(&[][..], Vec::as_slice).iter().filter(|u| u.mark == mark).collect()
    };
    let many: Vec<&Chunk> = chunks.iter().filter(|c| marks.iter().any(|m| of(c, *m).len() > LINKS)).collect();
    html! {
        @if !many.is_empty() {
            h2 { "Sentences of many queries" }
            ul {
                @for chunk in many {
                    li id={ "marks-" (chunk.idx) } {
                        a href={ "#s" (chunk.idx) } { "Sentence " (chunk.idx.saturating_add(1)) }
                        @for mark in marks {
                            @let all = of(chunk, mark);
                            @if !all.is_empty() {
                                " " (marks::badge(mark, mark.word())) " " (queries(all.iter().take(MANY)))
                                @if all.len() > MANY { " and " (thousands(all.len() - MANY)) " more" }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Passages with a paragraph's end wherever the text has a line's end, or an Item begins.
fn paragraphs<'t>(passages: &[Passage<'t>]) -> Vec<Vec<Passage<'t>>> {
    let mut all: Vec<Vec<Passage<'t>>> = vec![Vec::new()];
    for passage in passages {
        if passage.kind != Kind::Between {
            all.last_mut().into_iter().for_each(|p| p.push(*passage));
            continue;
        }
        for (i, text) in passage.text.split('\n').enumerate() {
            if i > 0 {
                all.push(Vec::new());
            }
            if !text.is_empty() {
                all.last_mut().into_iter().for_each(|p| p.push(Passage { text, ..*passage }));
            }
        }
    }
    all.retain(|p| p.iter().any(|passage| !passage.text.trim().is_empty()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!([0, 1, 2, 3, 9].map(|n| start_of("aé–", n)), ["", "a", "a", "aé", "aé–"]);
    }

    #[test]
    fn a_line_ends_a_paragraph_between_sentences_only() {
        let between = |text| Passage { kind: Kind::Between, text };
        let kept = Passage { kind: Kind::Kept(0), text: "a\nb" };
        let found = paragraphs(&[between("\n"), kept, between(" x\n\ny"), kept, between("\n ")]);
        assert_eq!(found, [vec![kept, between(" x")], vec![between("y"), kept]]);
    }
}
