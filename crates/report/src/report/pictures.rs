//! Figures on the page: heading, what can be seen, the drawing in a box that scrolls, how it was made, and its numbers folded below.

use eightk_measure::{Comparison, Metric};
use eightk_plot::Theme;
use eightk_runs::Account;
use maud::{Markup, PreEscaped, html};

use super::cast::{names, short};
use super::verdict::is_shown;
use crate::components::numbers::{NONE, interval, probability, signed, thousands};
use crate::components::safe_text::{foreign, name, plain, visible};
use crate::components::table::{Cell, Column, Row, Table, scrolling};
use crate::figures::{Figure, FigureCell, FigureTable, Figures};

/// Scores and curves.
pub(super) fn section(figures: &Figures) -> Markup {
    let scores = figures.resolved.iter().chain(&figures.rival_auc);
    let curves = figures.recall.iter().chain(&figures.rivals).chain(&figures.corpus);
    let all: Vec<&Figure> = scores.chain(curves).chain(&figures.confusions).collect();
    html! {
        @for one in &all { (figure(one)) }
        @if !figures.absent.is_empty() {
            p.note { @for (i, why) in figures.absent.iter().enumerate() { @if i > 0 { " " } (visible(why)) } }
        }
    }
}

/// Pairwise differences: from the baseline as figures, from the best as a table.
pub(super) fn differences(account: &Account, figures: &Figures) -> Markup {
    html! {
        @for one in &figures.differences { (figure(one)) }
        (against_best(account))
    }
}

/// One figure.
pub(super) fn figure(figure: &Figure) -> Markup {
    let heading = format!("{}-heading", figure.id);
    html! {
        figure #(figure.id) aria-labelledby=(heading) {
            h3 #(heading) { (visible(&figure.title)) }
            p { (visible(&figure.seen)) }
            (scrolling(&plain(&figure.title), "chart", &PreEscaped(figure.svg(Theme::Page))))
            @if !figure.notes.is_empty() {
                figcaption { @for (i, note) in figure.notes.iter().enumerate() { @if i > 0 { " " } (visible(note)) } }
            }
            @if !figure.table.rows.is_empty() {
                details.fold {
                    summary { "The numbers" span.only-read { " of: " (visible(&figure.title)) } }
                    (table(&figure.id, &figure.table))
                }
            }
        }
    }
}

fn table(id: &str, data: &FigureTable) -> Markup {
    // A column is one of numbers unless it holds words.
    let is_words = |i: usize| data.rows.iter().any(|r| matches!(r.cells.get(i), Some(FigureCell::Words(_))));
    let column = |(i, head): (usize, &String)| match i {
        0 => Column::text(&plain(head)),
        i if is_words(i - 1) => Column::text(&plain(head)),
        _ => Column::number(&plain(head)),
    };
    let row = |row: &crate::figures::FigureRow| Row {
        head: name(&row.head),
        cells: row.cells.iter().map(cell).collect(),
        muted: row.muted,
    };
    Table {
        id: format!("{id}-table"),
        caption: html! { (visible(&data.caption)) "." },
        columns: data.columns.iter().enumerate().map(column).collect(),
        rows: data.rows.iter().map(row).collect(),
        sortable: true,
    }
    .markup()
}

fn cell(cell: &FigureCell) -> Cell {
    match cell {
        FigureCell::Missing => Cell::none(),
        FigureCell::Words(words) => Cell::text(foreign(words)),
        FigureCell::Count(n) => Cell::number(&count(*n), *n),
        FigureCell::Score { value, low, high } => Cell::score(Some(*value), *low, *high),
        FigureCell::Difference { value, low, high } => difference(*value, *low, *high),
        FigureCell::Probability(p) => Cell::number(&probability(*p), *p),
    }
}

/// Whole where it is whole.
fn count(n: f64) -> String {
    match n {
        n if !n.is_finite() => NONE.into(),
        n if n.fract() == 0.0 && (0.0..1e15).contains(&n) => thousands(n as usize),
        n => format!("{n:.1}"),
    }
}

fn difference(value: f64, low: Option<f64>, high: Option<f64>) -> Cell {
    let cell = Cell::number(&signed(value), value);
    match interval(low, high) {
        Some(bounds) => cell.with_note(&html! { span.interval { (bounds) } }),
        None => cell,
    }
}

/// Each contestant less the one with the best mean, which may be another for each metric: a sentence each, the numbers folded.
fn against_best(account: &Account) -> Markup {
    let all = &account.results.report.against_best;
    let mut metrics: Vec<Metric> = Vec::new();
    for c in all {
        if !metrics.contains(&c.metric) {
            metrics.push(c.metric);
        }
    }
    if metrics.is_empty() {
        return html! {};
    }
    html! {
        h3 #against-best { "Against the best" }
        ul {
            @for metric in &metrics {
                @let of: Vec<&Comparison> = all.iter().filter(|c| c.metric == *metric).collect();
                @let open: Vec<&str> = of.iter().filter(|c| !is_shown(c)).map(|c| c.a.as_str()).collect();
                li {
                    "On " (short(*metric)) " " strong { (foreign(of.first().map_or("", |c| c.b.as_str()))) } " is best"
                    @if open.is_empty() { ", and shown to differ from every other contestant." }
                    @else { "; not shown to differ from it: " (names(&open, 12)) "." }
                }
            }
        }
        details.fold {
            summary { "The numbers" span.only-read { " of: differences from the best" } }
            p { "Not shown is not the same as none: the last column says how many queries like these it takes to show a difference as large as the one seen." }
            @for (i, metric) in metrics.iter().enumerate() { (against_best_on(i, *metric, all)) }
        }
    }
}

fn against_best_on(number: usize, metric: Metric, all: &[Comparison]) -> Markup {
    let of: Vec<&Comparison> = all.iter().filter(|c| c.metric == metric).collect();
    let best = of.first().map_or("", |c| c.b.as_str());
    let row = |c: &&Comparison| Row {
        head: name(&c.a),
        cells: vec![
            difference(c.difference, c.low, c.high),
            Cell::number(&probability(c.p), c.p),
            c.p_holm.map_or_else(Cell::none, |p| Cell::number(&probability(p), p)),
            Cell::text(html! { @if is_shown(c) { "shown" } @else { "not shown" } }),
            c.needed.map_or_else(Cell::none, |n| Cell::number(&thousands(n), n as f64)),
        ],
        muted: false,
    };
    let columns = [
        Column::text("system"),
        Column::number("difference"),
        Column::number("p"),
        Column::number("p (Holm)"),
        Column::text("at 5 %"),
        Column::number("queries to show it"),
    ];
    Table {
        id: format!("against-best-{number}"),
        caption: html! { (short(metric)) " of each contestant less that of " (foreign(best)) ", the best by it." },
        columns: columns.to_vec(),
        rows: of.iter().map(row).collect(),
        sortable: true,
    }
    .markup()
}
