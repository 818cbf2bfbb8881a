//! The main table: a row a system, a column a metric, every mean with its interval.

use eightk_measure::Metric;
use eightk_runs::Account;
use maud::{Markup, html};

use super::cast::{Cast, Member, Role, short};
use crate::components::numbers::{NONE, counted, three};
use crate::components::safe_text::{self, foreign};
use crate::components::table::{Cell, Column, Row, Table};

/// What the main table shows where it was computed, in this order; the rest is in the table below it.
const MAIN: &[Metric] = &[
    Metric::ResolvedAt1,
    Metric::RivalAuc,
    Metric::FilingResolvedAt1,
    Metric::StandardRecall(1),
    Metric::NdcgAnswer(10),
    Metric::Impostor(10),
];

pub(super) fn section(account: &Account, cast: &Cast<'_>) -> Markup {
    if cast.members.is_empty() {
        return html! {};
    }
    let settings = &account.results.report.settings;
    let known = |m: &Metric| cast.members.iter().any(|s| s.value(*m).is_some());
    let mut main: Vec<Metric> = MAIN.iter().copied().filter(known).collect();
    if main.is_empty() {
        main = settings.metrics.iter().copied().filter(known).take(7).collect();
    }
    let all: Vec<Metric> = settings.metrics.iter().copied().filter(known).collect();
    let confidence = format!("{:.0} %", settings.bootstrap.confidence * 100.0);
    let caption = html! {
        "Means over the queries with " (confidence) " bootstrap intervals, filings drawn whole. Contestants come first, best first; floors, controls and ceilings "
        "are there to compare with. The best contestant of each column is bold."
    };
    html! {
        (table("score-table", &caption, cast, &main))
        (meanings(&main))
        (ties(cast))
        @if all.len() > main.len() {
            details.fold {
                summary { "All " (all.len()) " metrics" }
                (table("all-scores", &html! { "Every metric that was computed." }, cast, &all))
            }
        }
    }
}

fn table(id: &str, caption: &Markup, cast: &Cast<'_>, metrics: &[Metric]) -> Markup {
    let column = |m: &Metric| {
        let chance = cast.members.iter().find_map(|s| s.value(*m)?.chance).filter(|c| c.is_finite());
        let note = match (chance, m.higher_is_better()) {
            (Some(c), _) => format!("chance {}", three(c)),
            (None, false) => "lower is better".into(),
            (None, true) => String::new(),
        };
        let column = Column::number(&short(*m));
        if note.is_empty() { column } else { column.with_note(&note) }
    };
    let best: Vec<Option<f64>> = metrics.iter().map(|m| best(cast, *m)).collect();
    let row = |s: &Member<'_>| Row {
        head: name(s),
        cells: metrics
            .iter()
            .zip(&best)
            .map(|(m, best)| {
                let Some(v) = s.value(*m) else { return Cell::none() };
                let is_best = s.role == Role::Contestant && *best == Some(v.expected);
                Cell::score(Some(v.expected), v.low, v.high).best(is_best)
            })
            .collect(),
        muted: s.role != Role::Contestant,
    };
    Table {
        id: id.to_owned(),
        caption: caption.clone(),
        columns: [Column::text("system")].into_iter().chain(metrics.iter().map(column)).collect(),
        rows: cast.members.iter().map(row).collect(),
        sortable: true,
    }
    .markup()
}

/// A system's name, and what it is where it is no contestant.
pub(super) fn name(s: &Member<'_>) -> Markup {
    html! { (safe_text::name(s.name)) @if let Some(word) = s.role.word() { " " span.kind { (word) } } }
}

fn best(cast: &Cast<'_>, metric: Metric) -> Option<f64> {
    let values = cast.contestants().iter().filter_map(|s| s.value(metric)).map(|v| v.expected);
    if metric.higher_is_better() { values.max_by(f64::total_cmp) } else { values.min_by(f64::total_cmp) }
}

fn meanings(metrics: &[Metric]) -> Markup {
    let meaning = |m: &Metric| {
        let name = m.to_string();
        let any_k = name.split_once('@').map_or_else(|| name.clone(), |(stem, _)| format!("{stem}@k"));
        // `resolved@1` is a name of its own.
        let at = Metric::NAMES.iter().position(|n| *n == name || *n == any_k)?;
        Metric::MEANINGS.get(at).copied()
    };
    html! {
        p.note {
            @for (i, m) in metrics.iter().enumerate() {
                @if let Some(meaning) = meaning(m) { @if i > 0 { "; " } strong { (short(*m)) } ": " (meaning) }
            }
            "."
        }
    }
}

/// Where equal scores leave the order open, and how much hangs on it.
fn ties(cast: &Cast<'_>) -> Markup {
    let tied: Vec<&Member<'_>> =
        cast.members.iter().filter(|s| s.role != Role::Chance && s.report.ties.exact > 0).collect();
    let widest = cast
        .members
        .iter()
        .filter(|s| s.role != Role::Chance)
        .flat_map(|s| s.report.metrics.iter().filter_map(move |(m, v)| Some((s, *m, (*v)?))))
        .map(|(s, m, v)| (s, m, v.trec - v.expected))
        .filter(|x| x.2.is_finite())
        .max_by(|a, b| a.2.abs().total_cmp(&b.2.abs()));
    html! {
        p.note {
            "Where scores are equal, means are over all orders inside the tie. "
            @if tied.is_empty() { "No answer or evidence that was found shares its score with another sentence." }
            @else {
                "Answers and evidence that share their score with another sentence: "
                @for (i, s) in tied.iter().enumerate() {
                    @if i > 0 { ", " } (foreign(s.name)) " " (s.report.ties.exact) " of " (s.report.ties.retrieved)
                }
                "."
                @if let Some((s, m, d)) = widest.filter(|w| w.2.abs() >= 0.0005) {
                    " The order of trec_eval (ids decide) would change " (short(m)) " of " (foreign(s.name)) " most, by "
                    (crate::components::numbers::signed(d)) "."
                }
            }
            @let missing: Vec<&Member<'_>> = cast.members.iter().filter(|s| s.report.missing > 0).collect();
            @if !missing.is_empty() {
                " Queries that a run lacks count as not found: "
                @for (i, s) in missing.iter().enumerate() { @if i > 0 { ", " } (foreign(s.name)) " " (s.report.missing) }
                "."
            }
            @let undefined = cast.members.iter().map(|s| s.report.undefined.answer).max().unwrap_or(0);
            @if undefined > 0 { " " (counted(undefined, "query has", "queries have")) " no answer and no value (" (NONE) ")." }
        }
    }
}
