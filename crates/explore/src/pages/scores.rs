//! What systems scored, and charts of it.

use eightk_measure::Metric;
use eightk_report::components::numbers::thousands;
use eightk_report::components::safe_text::foreign;
use eightk_report::components::table::{Cell, Column, Row, Table};
use maud::{Markup, html};

use super::failure::Failure;
use super::layout::{Page, Part};
use crate::link;
use crate::site::{Outcomes, Site};

/// Columns of the main table, as far as they were computed.
const HEADLINE: &[Metric] = &[
    Metric::StandardRecall(1),
    Metric::StandardRecall(10),
    Metric::NdcgAnswer(10),
    Metric::RivalAuc,
    Metric::ResolvedAt1,
    Metric::Impostor(10),
];

/// The page.
pub(crate) fn scores(site: &Site) -> Result<Page, Failure> {
    let outcomes = site.outcomes.as_ref().ok_or(Failure::NotFound("page of scores"))?;
    let body = html! {
        (warnings(site, outcomes))
        (table(outcomes))
        p { a href="/download/scores.csv" { "Scores as CSV" } " · " a href="/download/outcomes.csv" { "every query and system as CSV" } }
    };
    Ok(site.page(Part::Scores, "Scores", body))
}

/// What to know before reading a number.
pub(super) fn warnings(site: &Site, outcomes: &Outcomes) -> Markup {
    let report = &outcomes.account.results.report;
    let stated = site.explorer.shelf.about().fingerprint.as_deref();
    let scored = report.data.as_ref().map(|d| d.fingerprint.as_str());
    html! {
        @if stated.zip(scored).is_some_and(|(a, b)| a != b) {
            p.warning role="alert" {
                strong { "Another data set. " }
                "These scores are of a data set with another fingerprint (" code { (foreign(scored.unwrap_or_default())) }
                "): queries and sentences may not be those shown here."
            }
        }
        @for failed in &report.failed {
            p.warning { strong { (foreign(&failed.name)) " failed: " } (foreign(&failed.reason)) }
        }
    }
}

/// Every system's headline scores.
pub(super) fn table(outcomes: &Outcomes) -> Markup {
    let report = &outcomes.account.results.report;
    let metrics: Vec<Metric> = HEADLINE.iter().copied().filter(|m| report.settings.metrics.contains(m)).collect();
    let chance = |metric: &Metric| {
        report.systems.iter().find_map(|s| s.metrics.get(metric)?.as_ref()?.chance).map(|c| format!("chance {c:.3}"))
    };
    let mut columns = vec![Column::text("system")];
    for metric in &metrics {
        let column = Column::number(&metric.to_string());
        columns.push(match chance(metric) {
            Some(chance) => column.with_note(&chance),
            None => column,
        });
    }
    columns.push(Column::number("failed at").with_note("queries"));
    let row = |system: &eightk_measure::SystemReport| {
        let score = |metric: &Metric| match system.metrics.get(metric) {
            Some(Some(value)) if !system.never_ran => Cell::score(Some(value.expected), value.low, value.high),
            _ => Cell::none(),
        };
        let mut cells: Vec<Cell> = metrics.iter().map(score).collect();
        let failed = outcomes.failed_by(&system.name).len();
        let href = link::with_query("/queries", &[("failed", &system.name)]);
        cells.push(Cell::number("", failed as f64).with_note(&html! { a href=(href) { (thousands(failed)) } }));
        Row { head: foreign(&system.name), cells, muted: !report.settings.contestants.contains(&system.name) }
    };
    let table = Table {
        id: "scores".to_owned(),
        caption: html! {
            "Mean over queries, ties in random order, with the interval of a bootstrap over filings. In italics: floors, ceilings and controls."
        },
        columns,
        rows: report.systems.iter().map(row).collect(),
        sortable: true,
    };
    table.markup()
}
