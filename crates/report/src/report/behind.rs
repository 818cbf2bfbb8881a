//! What stands behind the scores: the first place factor by factor, rivals from near to far, cuts by label. Folded, as not everybody asks.

use eightk_measure::{Metric, SystemReport, Value};
use eightk_runs::Account;
use maud::{Markup, html};

use super::cast::{Cast, Member, Role, short};
use super::scores::name;
use crate::components::safe_text::{foreign, plain};
use crate::components::table::{Cell, Column, Row, Table};

pub(super) fn section(account: &Account, cast: &Cast<'_>) -> Markup {
    let Some(first) = cast.members.first() else { return html! {} };
    let mut names: Vec<&str> = Vec::new();
    for split in &first.report.splits {
        if !names.contains(&split.split.as_str()) {
            names.push(&split.split);
        }
    }
    let contested = account.results.report.systems.iter().any(|s| s.families.iter().any(|f| f.contested > 0));
    html! {
        (factors(cast))
        @if contested { (families(cast, first.report)) }
        @for (i, split) in names.iter().enumerate() { (cut(cast, first.report, i, split)) }
    }
}

fn folded(summary: &Markup, table: &Table) -> Markup {
    if table.rows.is_empty() {
        return html! {};
    }
    html! { details.fold { summary { (summary) } (table.markup()) } }
}

fn cell(v: Option<Value>) -> Cell {
    v.map_or_else(Cell::none, |v| Cell::score(Some(v.expected), v.low, v.high))
}

/// recall@1 = P(filing right) · P(sentence right | filing right).
fn factors(cast: &Cast<'_>) -> Markup {
    let row = |s: &Member<'_>| {
        let f = s.report.first_place?;
        let cell = |x: Option<f64>, i: Option<[f64; 2]>| Cell::score(x, i.map(|i| i[0]), i.map(|i| i[1]));
        let cells = vec![
            cell(Some(f.filing_right), f.filing_right_interval),
            cell(f.sentence_right_given_filing, f.sentence_right_given_filing_interval),
            cell(Some(f.standard_recall), f.standard_recall_interval),
        ];
        Some(Row { head: name(s), cells, muted: s.role != Role::Contestant })
    };
    let columns = ["filing right", "sentence right, given the filing", "product: recall@1"];
    let table = Table {
        id: "factors".into(),
        caption: html! { "Of the first place: how often it is of the right filing, and if so of the right sentence. The second depends on a system’s own hits: it is no measure to compare systems by." },
        columns: [Column::text("system")].into_iter().chain(columns.map(Column::number)).collect(),
        rows: cast.members.iter().filter_map(row).collect(),
        sortable: true,
    };
    folded(&html! { "The first place, factor by factor" }, &table)
}

/// *D_fact*, and *D_near* from one similarity after another.
fn families(cast: &Cast<'_>, first: &SystemReport) -> Markup {
    let contested: Vec<usize> =
        first.families.iter().enumerate().filter(|(_, f)| f.contested > 0).map(|(i, _)| i).collect();
    let column = |i: &usize| {
        let family = first.families.get(*i);
        let note = family.map(|f| format!("{} queries, {:.1} rivals each", f.contested, f.mean_rivals));
        Column::number(&plain(family.map_or("", |f| f.family.as_str()))).with_note(&note.unwrap_or_default())
    };
    let row = |s: &Member<'_>| {
        let value = |i: &usize| s.report.families.get(*i)?.metrics.get(&Metric::ResolvedAt1).copied().flatten();
        Row {
            head: name(s),
            cells: contested.iter().map(|i| cell(value(i))).collect(),
            muted: s.role != Role::Contestant,
        }
    };
    let table = Table {
        id: "families".into(),
        caption: html! { "resolved@1 among rivals of one fact, and among those whose masked words are at least so alike to the answer’s." },
        columns: [Column::text("system")].into_iter().chain(contested.iter().map(column)).collect(),
        rows: cast.members.iter().map(row).collect(),
        sortable: true,
    };
    folded(&html! { "Rivals from far to near" }, &table)
}

/// The telling metric by label.
fn cut(cast: &Cast<'_>, first: &SystemReport, number: usize, split: &str) -> Markup {
    let metric = cast.telling;
    let of = |s: &'_ SystemReport| s.splits.iter().position(|c| c.split == split && c.metric == metric);
    let Some(parts) = of(first).and_then(|i| first.splits.get(i)).map(|c| &c.parts) else { return html! {} };
    let filled: Vec<usize> = parts.iter().enumerate().filter(|(_, p)| p.queries > 0).map(|(i, _)| i).collect();
    let column = |i: &usize| {
        let part = parts.get(*i);
        let note = part.map(|p| format!("{} {}", p.queries, if p.queries == 1 { "query" } else { "queries" }));
        Column::number(&plain(part.map_or("", |p| p.label.as_str()))).with_note(&note.unwrap_or_default())
    };
    let row = |s: &Member<'_>| {
        let mine = of(s.report).and_then(|i| s.report.splits.get(i));
        let value = |i: &usize| mine?.parts.get(*i)?.value;
        Row { head: name(s), cells: filled.iter().map(|i| cell(value(i))).collect(), muted: s.role != Role::Contestant }
    };
    let meaning = match split {
        "|D|" => "number of sentences to tell apart",
        "distance" => "sentences between answer and evidence",
        other => other,
    };
    let table = Table {
        id: format!("cut-{number}"),
        caption: html! { (short(metric)) " by " (foreign(meaning)) "." },
        columns: [Column::text("system")].into_iter().chain(filled.iter().map(column)).collect(),
        rows: if filled.len() < 2 { Vec::new() } else { cast.members.iter().map(row).collect() },
        sortable: true,
    };
    folded(&html! { "By " (foreign(meaning)) }, &table)
}
