//! What the data set is, at a glance: what went in, what is there, how its audit went.

use eightk_dataset::ShelfFacts;
use eightk_report::components::invented::of_invented;
use eightk_report::components::marks::{Mark, badge};
use eightk_report::components::numbers::{counted, thousands};
use eightk_report::components::safe_text::foreign;
use eightk_report::components::table::{Cell, Column, Row, Table};
use maud::{Markup, html};
use serde_json::{Map, Value};

use super::failure::Failure;
use super::layout::{Page, Part};
use crate::download;
use crate::link;
use crate::site::Site;

/// The page.
pub(crate) fn overview(site: &Site) -> Result<Page, Failure> {
    let facts = site.explorer.shelf.about();
    let body = html! {
        (counts(site, facts))
        @if let Some(outcomes) = &site.outcomes {
            h2 #scores { "Scores" }
            (super::scores::short(site, outcomes))
        }
        h2 #audit { "Audit" }
        (audit(facts))
        h2 #facts { "What is asked" }
        (asked(site))
        @if !facts.counts.is_empty() || !facts.dropped.is_empty() || !facts.left_out.is_empty() {
            h2 #made { "How it was made" }
            (made(facts))
        }
        h2 #downloads { "Downloads" }
        (downloads(site))
    };
    Ok(site.page(Part::Overview, &site.explorer.name, body))
}

fn counts(site: &Site, facts: &ShelfFacts) -> Markup {
    let shelf = &site.explorer.shelf;
    let chunks: usize = shelf.filings().iter().map(|f| f.chunks).sum();
    let bare = shelf.filings().iter().filter(|f| f.chunks == 0).count();
    let span = facts.statistics.get("filed").and_then(Value::as_array);
    let number = |of: &Map<String, Value>, key: &str| of.get(key)?.as_u64().and_then(|n| usize::try_from(n).ok());
    let range = |name: &str| {
        let of = facts.statistics.get(name)?.as_object()?;
        Some(format!("{} to {}, median {}", number(of, "min")?, number(of, "max")?, number(of, "median")?))
    };
    html! {
        dl.facts {
            div { dt { "filings" } dd {
                a href="/filings" { (thousands(shelf.filings().len())) }
                @if bare > 0 { " " small { (thousands(bare)) " without a sentence" } }
                (of_invented(number(&facts.statistics, "invented").unwrap_or(0), shelf.filings().len()))
            } }
            @if let Some(n) = number(&facts.statistics, "companies") { div { dt { "companies" } dd { (thousands(n)) } } }
            @if let Some([Value::String(first), Value::String(last)]) = span.map(Vec::as_slice) {
                div { dt { "filed" } dd { (foreign(first)) " to " (foreign(last)) } }
            }
            div { dt { "chunks (sentences)" } dd { (thousands(chunks)) } }
            div { dt { "queries" } dd { a href="/queries" { (thousands(shelf.queries().len())) } } }
            @if let Some(words) = range("rivals") { div { dt { "rivals per query" } dd { (words) } } }
            @if let Some(words) = range("chunk_chars") { div { dt { "characters per chunk" } dd { (words) } } }
            @if let Some(recipe) = &facts.recipe { div { dt { "recipe" } dd { (foreign(recipe)) } } }
        }
        @if let Some(fingerprint) = &facts.fingerprint {
            p.small { "Fingerprint of its rows, as its manifest states it: " code { (foreign(fingerprint)) } }
        }
        @if shelf.queries().len() < 30 && site.outcomes.is_none() {
            p.note { "Fewer than 30 queries: differences between systems on this set are a smoke test, not a finding." }
        }
        @if !shelf.has_rows() { p.note { "This data set holds no text of its filings; their chunks are shown in order." } }
        @let report = shelf.report();
        @if !report.missing.is_empty() || !report.notes.is_empty() {
            ul.small {
                @for one in &report.missing { li { code { (foreign(one.config)) "." (foreign(one.column)) } " is not there; instead: " (foreign(one.instead)) } }
                @for note in &report.notes { li { (foreign(note)) } }
            }
        }
    }
}

fn audit(facts: &ShelfFacts) -> Markup {
    let Some(audit) = &facts.audit else {
        return html! { p { "No result of an audit lies with this data set. " code { "eightk audit" } " makes one." } };
    };
    let failed = audit.failed_checks.len();
    html! {
        p {
            @if audit.passed && failed == 0 { (badge(Mark::Gold, "passed")) } @else { (badge(Mark::Rival, "failed")) }
            " " (counted(audit.passed_checks.len(), "check", "checks")) " passed, " (failed) " failed, "
            (audit.skipped_checks.len()) " did not apply."
        }
        @if failed > 0 {
            ul { @for name in &audit.failed_checks { li { (badge(Mark::Rival, "failed")) " " code { (foreign(name)) } } } }
        }
        details.fold {
            summary { "All checks" }
            ul {
                @for name in &audit.passed_checks { li { code { (foreign(name)) } ": passed" } }
                @for name in &audit.skipped_checks { li { code { (foreign(name)) } ": does not apply" } }
            }
        }
    }
}

fn asked(site: &Site) -> Markup {
    let shelf = &site.explorer.shelf;
    let with = |test: fn(&eightk_core::Query) -> bool| shelf.queries().iter().filter(|q| test(q)).count();
    let evidence = with(|q| q.golds.iter().any(|g| g.role == eightk_core::Role::Evidence));
    html! {
        ul {
            @for (fact, count) in &site.facts {
                li { a href=(link::with_query("/queries", &[("fact", fact)])) { (foreign(fact)) } ": " (counted(*count, "query", "queries")) }
            }
            @if site.facts.is_empty() { li { "The data set does not say which facts its queries ask for." } }
            li { (counted(evidence, "query has", "queries have")) " evidence: a sentence that tells whose the answer is." }
            li { (counted(with(|q| !q.alternatives.is_empty()), "query has", "queries have")) " alternatives: other sentences of the filing that state the fact." }
            @if !shelf.has_rivals() { li { "No rivals are listed." } }
        }
    }
}

fn made(facts: &ShelfFacts) -> Markup {
    let whole = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
    let steps = facts.counts.iter().filter_map(|(name, value)| Some((name.replace('_', " "), whole(value)?)));
    let small = |map: &std::collections::BTreeMap<String, u64>| -> Vec<(String, usize)> {
        map.iter().map(|(name, n)| (name.clone(), usize::try_from(*n).unwrap_or(usize::MAX))).collect()
    };
    html! {
        div.two {
            div {
                (numbers("steps", "What each step let through.", "step", &steps.collect::<Vec<_>>()))
                (numbers("left-out", "Queries left out, and why.", "reason", &small(&facts.left_out)))
            }
            (numbers("dropped", "Sentences dropped, and why.", "reason", &small(&facts.dropped)))
        }
    }
}

fn numbers(id: &str, caption: &str, head: &str, rows: &[(String, usize)]) -> Markup {
    if rows.is_empty() {
        return html! {};
    }
    let row = |(name, n): &(String, usize)| Row {
        head: foreign(name),
        cells: vec![Cell::number(&thousands(*n), *n as f64)],
        muted: false,
    };
    let table = Table {
        id: id.to_owned(),
        caption: html! { (caption) },
        columns: vec![Column::text(head), Column::number("number")],
        rows: rows.iter().map(row).collect(),
        sortable: rows.len() > 2,
    };
    table.markup()
}

fn downloads(site: &Site) -> Markup {
    html! {
        ul {
            @for (name, what) in download::OFFERED.iter().filter(|(name, _)| download::offered(site, name)) {
                li { a href={ "/download/" (name) ".csv" } { (name) ".csv" } ": " (what) }
            }
        }
        p.small { "CSV as RFC 4180 has it. A cell of text that begins like a formula has an apostrophe in front." }
    }
}
