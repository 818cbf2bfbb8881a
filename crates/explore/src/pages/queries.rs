//! All queries: by fact, by words, by the system that failed at them.

use eightk_core::Query;
use eightk_report::components::numbers::counted;
use eightk_report::components::safe_text::{foreign, plain, title as titled};
use eightk_report::components::table::{Cell, Column, Row, Table};
use maud::{Markup, html};

use super::failure::Failure;
use super::layout::{Page, Part};
use crate::link;
use crate::paging::Paging;
use crate::params::Params;
use crate::site::Site;

/// Queries of a page.
const SIZE: usize = 50;

/// What is asked for.
struct Wanted<'p> {
    words: &'p str,
    fact: &'p str,
    failed: &'p str,
}

/// The list.
pub(crate) fn queries(site: &Site, params: &Params) -> Result<Page, Failure> {
    let wanted = Wanted { words: params.text("q"), fact: params.text("fact"), failed: params.text("failed") };
    let found = find(site, &wanted);
    let paging = Paging::new(found.len(), SIZE, params.page());
    let pairs = [("q", wanted.words), ("fact", wanted.fact), ("failed", wanted.failed)];
    let body = html! {
        (form(site, &wanted))
        p {
            (counted(found.len(), "query", "queries"))
            @if !wanted.failed.is_empty() { " at which " (foreign(wanted.failed)) " did not put the gold before every rival" }
            "; shown: " (paging.words()) ". "
            a href="/download/queries.csv" { "All as CSV" }
            @if site.outcomes.is_some() { " · " a href="/download/outcomes.csv" { "all outcomes as CSV" } }
        }
        @if found.is_empty() { p { "No query is like that. " a href="/queries" { "All queries" } } }
        @else { (paging.around("/queries", &pairs, &table(site, paging.slice(&found)))) }
    };
    Ok(site.page(Part::Queries, "Queries", body))
}

fn find(site: &Site, wanted: &Wanted<'_>) -> Vec<usize> {
    let failed = site.outcomes.as_ref().filter(|_| !wanted.failed.is_empty());
    let words = wanted.words.to_lowercase();
    let words: Vec<&str> = words.split_whitespace().take(16).collect();
    let fits = |index: usize, query: &Query| {
        let text = || query.query.to_lowercase();
        (wanted.fact.is_empty() || query.fact.as_deref() == Some(wanted.fact))
            && failed.is_none_or(|f| f.failed_by(wanted.failed).is_some_and(|failed| failed.contains(&index)))
            && (words.is_empty() || words.iter().all(|w| text().contains(w)))
    };
    let all = site.explorer.shelf.queries().iter().enumerate();
    all.filter(|(i, q)| fits(*i, q)).map(|(i, _)| i).collect()
}

fn form(site: &Site, wanted: &Wanted<'_>) -> Markup {
    html! {
        form.form method="get" action="/queries" role="search" {
            div.field.grow {
                label for="q" { "Words of the query" }
                input #q type="search" name="q" value=(wanted.words) maxlength="200";
            }
            @if !site.facts.is_empty() {
                div.field {
                    label for="fact" { "Fact" }
                    select #fact name="fact" {
                        option value="" { "any" }
                        @for (fact, count) in &site.facts {
                            option value=(fact) selected[fact == wanted.fact] { (plain(fact)) " (" (count) ")" }
                        }
                    }
                }
            }
            @if let Some(outcomes) = &site.outcomes {
                div.field {
                    label for="failed" { "Failed by" }
                    select #failed name="failed" {
                        option value="" { "any or none" }
                        @for system in &outcomes.systems {
                            option value=(system) selected[system == wanted.failed] { (plain(system)) }
                        }
                    }
                }
            }
            button.main type="submit" { "Show" }
        }
    }
}

fn table(site: &Site, shown: &[usize]) -> Markup {
    let mut columns = vec![Column::text("query"), Column::text("about"), Column::text("fact")];
    if let Some(outcomes) = &site.outcomes {
        columns.push(Column::number("rivals"));
        columns.push(
            Column::number("failed by")
                .with_note(&format!("of {}", counted(outcomes.contestants(), "contestant", "contestants"))),
        );
    }
    let row = |index: &usize| {
        let query = site.explorer.shelf.queries().get(*index)?;
        let filing = query.golds.first().and_then(|g| site.filing_position(&g.source_url));
        let title = filing.and_then(|f| site.entry(f)).map(|e| e.title).filter(|t| !t.trim().is_empty());
        let about = html! {
            @match filing {
                Some(filing) => a href=(link::filing(filing)) {
                    @match title { Some(title) => (titled(title)), None => "filing" }
                },
                None => "–",
            }
        };
        let head = html! { a href=(link::query(*index)) { (foreign(&query.query)) } " " span.kind { "q" (index) } };
        let mut cells = vec![Cell::text(about), Cell::text(foreign(query.fact.as_deref().unwrap_or("–")))];
        if let Some(outcomes) = &site.outcomes {
            let number = |n: usize| Cell::number(&n.to_string(), n as f64);
            cells.push(outcomes.of(*index).map(|row| row.rivals).max().map_or_else(Cell::none, number));
            cells.push(number(outcomes.failures(*index)));
        }
        Some(Row { head, cells, muted: false })
    };
    let table = Table {
        id: "queries".to_owned(),
        caption: html! { "Queries, the filing that answers each, and the fact it asks for." },
        columns,
        rows: shown.iter().filter_map(row).collect(),
        sortable: true,
    };
    table.markup()
}
