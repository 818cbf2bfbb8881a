//! One query: what answers it, what looks like an answer, what systems put first.

use eightk_core::Query;
use eightk_report::components::marks::{Mark, badge, quote};
use eightk_report::components::numbers;
use eightk_report::components::safe_text::foreign;
use eightk_report::components::table::{Cell, Column, Row, Table};
use eightk_report::components::words;
use eightk_runs::OutcomeRow;
use maud::{Markup, html};

use super::failure::Failure;
use super::layout::{LONGEST, Page, Part};
use crate::link;
use crate::site::{Fate, Outcomes, Rival, Rivals, Roles, Sentence, Site};

/// Rivals shown here; the others are a page away.
const NEAREST: usize = 10;

/// The page.
pub(crate) fn query(site: &Site, index: usize) -> Result<Page, Failure> {
    let query = site.query(index)?;
    let sentences = site.sentences(query)?;
    let rivals = site.rivals(index)?;
    let gold = gold_text(&sentences);
    let body = html! {
        (head(site, index, query, &rivals))
        h2 #gold { "Answer and evidence" }
        @for sentence in &sentences { (stated(site, sentence)) }
        h2 #rivals { "Rivals" }
        (nearest(site, index, &rivals, gold)?)
        @if let Some(outcomes) = &site.outcomes {
            h2 #systems { "What systems made of it" }
            (systems(site, index, outcomes, gold)?)
        }
    };
    let mut page = site.page(Part::Queries, &query.query, body);
    page.crumbs = vec![("Queries".to_owned(), "/queries".to_owned()), (format!("q{index}"), link::query(index))];
    Ok(page)
}

/// The sentence that answers, as it is compared with others.
pub(super) fn gold_text(sentences: &[Sentence]) -> Option<&str> {
    let gold = sentences.iter().find(|s| s.mark == Mark::Gold)?;
    Some(gold.chunk.as_ref().map_or(gold.text.as_str(), |c| c.text.as_str()))
}

fn head(site: &Site, index: usize, query: &Query, rivals: &Rivals) -> Markup {
    let all = site.explorer.shelf.queries().len();
    html! {
        dl.facts {
            div { dt { "fact" } dd { (foreign(query.fact.as_deref().unwrap_or("not stated"))) } }
            div { dt { "rivals" } dd { (numbers::thousands(rivals.total)) } }
        }
        @if query.query.chars().count() > LONGEST { p { (foreign(&query.query)) } }
        @if query.original_query != query.query {
            p.small { "As its template made it: " (foreign(&query.original_query)) }
        }
        p {
            @if index > 0 { a href=(link::query(index - 1)) rel="prev" { "Query before" } " · " }
            @if index + 1 < all { a href=(link::query(index + 1)) rel="next" { "Next query" } " · " }
            a href=(link::rivals(index)) { "Rivals side by side" }
            @if let Some(system) = site.explorer.live.systems().first() {
                " · " a href=(link::with_query("/search", &[("q", &query.query), ("a", &system.name)])) { "Search for it" }
            }
        }
    }
}

fn stated(site: &Site, sentence: &Sentence) -> Markup {
    let text = sentence.chunk.as_ref().map_or(sentence.text.as_str(), |c| c.text.as_str());
    let from = html! {
        @match (&sentence.chunk, sentence.filing) {
            (Some(chunk), _) => (site.from(chunk)),
            (None, Some(filing)) => a href=(link::filing(filing)) { (foreign(&sentence.source_url)) },
            (None, None) => (foreign(&sentence.source_url)),
        }
    };
    let more = html! {
        @if sentence.chunk.is_none() { "no chunk of the data set overlaps it" }
        @else if let Some(score) = sentence.score { "grade " (score) }
    };
    quote(sentence.mark, sentence.mark.word(), &from, &more, &foreign(text))
}

fn nearest(site: &Site, index: usize, rivals: &Rivals, gold: Option<&str>) -> Result<Markup, Failure> {
    let shown = rivals.listed.get(..rivals.listed.len().min(NEAREST)).unwrap_or_default();
    let quotes: Vec<Markup> = shown.iter().map(|r| rival(site, r, gold)).collect::<Result<_, _>>()?;
    Ok(html! {
        @if rivals.listed.is_empty() { p { "None is listed." } }
        @else {
            p {
                "Sentences of other companies that state the same fact"
                @if shown.len() < rivals.total { "; the " (shown.len()) " most like the gold of " (numbers::thousands(rivals.total)) }
                ". " ins { "Underlined" } ": what a rival has and the gold has not; where the two are much alike, " del { "struck through" } ": the gold's words in that place."
            }
            @for quote in &quotes { (quote) }
            p {
                a href=(link::rivals(index)) { "All side by side" } " · "
                a href={ (link::rivals(index)) ".csv" } { "as CSV" }
            }
        }
    })
}

fn rival(site: &Site, rival: &Rival, gold: Option<&str>) -> Result<Markup, Failure> {
    let more = html! { @if let Some(s) = rival.similarity { "similarity " (numbers::two(s)) } };
    let Some(chunk) = site.chunk(&rival.chunk)? else {
        return Ok(quote(
            Mark::Rival,
            "rival",
            &foreign(&rival.chunk),
            &more,
            &html! { "Not a chunk of the data set." },
        ));
    };
    Ok(quote(Mark::Rival, "rival", &site.from(&chunk), &more, &compared(gold, &chunk.text)))
}

/// A sentence with its difference to the gold; where the two are too unlike to be read as one, only its own words are marked.
fn compared(gold: Option<&str>, text: &str) -> Markup {
    let Some(gold) = gold else { return foreign(text) };
    let pieces = words::diff(gold, text);
    if words::likeness(&pieces) < ALIKE { words::other_side(&pieces) } else { words::unified(&pieces) }
}

/// Below this two sentences in one are harder to read than each.
const ALIKE: f64 = 1.0 / 3.0;

fn systems(site: &Site, index: usize, outcomes: &Outcomes, gold: Option<&str>) -> Result<Markup, Failure> {
    let rows: Vec<&OutcomeRow> = outcomes.of(index).collect();
    if rows.is_empty() {
        return Ok(html! { p { "No run has this query." } });
    }
    let roles = site.roles(index)?;
    // Systems that put the same sentence first, under the first of them.
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in &rows {
        let Some(first) = row.first.first() else { continue };
        match groups.iter_mut().find(|(chunk, _)| *chunk == first.chunk) {
            Some((_, systems)) => systems.push(&row.system),
            None => groups.push((&first.chunk, vec![&row.system])),
        }
    }
    let quotes = groups.iter().map(|(chunk, systems)| put_first(site, chunk, systems, &roles, gold));
    let quotes: Vec<Markup> = quotes.collect::<Result<_, _>>()?;
    Ok(html! {
        (table(&rows))
        @if !quotes.is_empty() {
            h3 { "What each put first" }
            @for quote in &quotes { (quote) }
        }
    })
}

fn table(rows: &[&OutcomeRow]) -> Markup {
    let count = |n: Option<usize>| n.map_or_else(Cell::none, |n| Cell::number(&numbers::thousands(n), n as f64));
    let row = |row: &&OutcomeRow| {
        let fate = Fate::of(row);
        let mark = if fate.failed() { Mark::Rival } else { Mark::Gold };
        // Among gold and rivals: rivals above, then half of those level, as ranks of a tie are.
        let known = row.retrieved.is_some() && row.answer_rank.is_some() && row.rivals > 0;
        let among = known.then(|| format!("{} of {}", row.rivals_above + 1, row.rivals + 1));
        let cells = vec![
            Cell::text(badge(mark, fate.words())),
            count(row.answer_rank),
            match among {
                Some(words) => Cell::number(&words, row.rivals_above as f64),
                None => Cell::none(),
            },
            Outcomes::margin(row).map_or_else(Cell::none, |m| Cell::number(&numbers::score(m), m)),
        ];
        Row { head: foreign(&row.system), cells, muted: false }
    };
    let table = Table {
        id: "outcomes".to_owned(),
        caption: html! { "Rank of the gold among all chunks and among its rivals; margin: its score less that of the best rival." },
        columns: vec![
            Column::text("system"),
            Column::text("outcome"),
            Column::number("rank"),
            Column::number("among rivals"),
            Column::number("margin"),
        ],
        rows: rows.iter().map(row).collect(),
        sortable: true,
    };
    table.markup()
}

fn put_first(site: &Site, id: &str, systems: &[&str], roles: &Roles, gold: Option<&str>) -> Result<Markup, Failure> {
    let mark = roles.of(id);
    let chunk = site.chunk(id)?;
    let from = html! { @match &chunk { Some(chunk) => (site.from(chunk)), None => (foreign(id)) } };
    let more = html! { span { "by " @for (i, system) in systems.iter().enumerate() { @if i > 0 { ", " } (foreign(system)) } } };
    let text = match &chunk {
        Some(chunk) if mark == Mark::Rival => compared(gold, &chunk.text),
        Some(chunk) => foreign(&chunk.text),
        None => html! { "Not a chunk of the data set." },
    };
    Ok(quote(mark, mark.word(), &from, &more, &text))
}
