//! All filings: found by name, ordered, a page at a time.

use eightk_report::components::numbers::{counted, thousands};
use eightk_report::components::safe_text::{foreign, title as titled};
use eightk_report::components::table::{Cell, Column, Row, Table};
use maud::{Markup, html};

use super::failure::Failure;
use super::layout::{Page, Part};
use crate::link;
use crate::paging::Paging;
use crate::params::Params;
use crate::site::{Order, Site};

/// Filings of a page.
const SIZE: usize = 50;

/// The list.
pub(crate) fn filings(site: &Site, params: &Params) -> Result<Page, Failure> {
    let (wanted, order) = (params.text("q"), Order::named(params.text("sort")));
    let found = site.filings.find(wanted, order, |i| site.entry(i));
    let paging = Paging::new(found.len(), SIZE, params.page());
    let pairs = [("q", wanted), ("sort", order.word())];
    let shown = paging.slice(&found);
    let body = html! {
        (form(wanted, order))
        p {
            @if wanted.is_empty() { (counted(found.len(), "filing", "filings")) }
            @else { (counted(found.len(), "filing has", "filings have")) " “" (foreign(wanted)) "” in company, number or date" }
            "; shown: " (paging.words()) ". "
            a href="/download/filings.csv" { "All as CSV" }
        }
        @if !shown.is_empty() { (paging.around("/filings", &pairs, &table(site, shown))) }
        @else if !wanted.is_empty() { p { "Nothing of that name. " a href="/filings" { "All filings" } } }
    };
    Ok(site.page(Part::Filings, "Filings", body))
}

fn form(wanted: &str, order: Order) -> Markup {
    html! {
        form.form method="get" action="/filings" role="search" {
            div.field.grow {
                label for="q" { "Company, accession number or date" }
                input #q type="search" name="q" value=(wanted) maxlength="200";
            }
            div.field {
                label for="sort" { "Order" }
                select #sort name="sort" {
                    @for (one, word, words) in Order::ALL { option value=(word) selected[*one == order] { (words) } }
                }
            }
            button.main type="submit" { "Show" }
        }
    }
}

fn table(site: &Site, shown: &[usize]) -> Markup {
    let row = |index: &usize| {
        let entry = site.entry(*index)?;
        let title = if entry.title.trim().is_empty() { entry.source_url } else { entry.title };
        let head = html! { a href=(link::filing(*index)) { (titled(title)) } };
        let name = html! { code { (foreign(entry.source_url)) } };
        let chunks = Cell::number(&thousands(entry.chunks), entry.chunks as f64);
        Some(Row { head, cells: vec![Cell::text(name), chunks], muted: false })
    };
    let table = Table {
        id: "filings".to_owned(),
        caption: html! { "Filings and how many of their sentences were kept as chunks." },
        columns: vec![Column::text("filing"), Column::text("number"), Column::number("chunks")],
        rows: shown.iter().filter_map(row).collect(),
        sortable: true,
    };
    table.markup()
}
