//! What stands behind the headline.

use eightk_measure::{Metric, SystemScores};

use super::cells::{NONE, cell, interval, named_row, three};
use crate::evaluation::Scored;
use crate::output::{Align, Table};

/// Factors, families of rivals, cuts, ties; each where it is known.
pub(super) fn details(scored: &Scored) -> String {
    let parts = [factors(scored), families(scored), cuts(scored), ties(scored)];
    parts.iter().filter(|p| !p.is_empty()).map(|p| format!("\n{p}")).collect()
}

fn systems(scored: &Scored) -> impl Iterator<Item = &SystemScores> {
    scored.systems.iter().map(|s| &s.scores).filter(|s| !s.never_ran())
}

/// recall@1 = P(filing right) · P(sentence right | filing right).
fn factors(scored: &Scored) -> String {
    if systems(scored).all(|s| s.first_place.is_none()) {
        return String::new();
    }
    let left = |name| (name, Align::Left);
    let mut table = Table::new([
        left("first place"),
        left("filing right"),
        left("sentence, if filing"),
        left("product = recall@1"),
    ]);
    for s in systems(scored) {
        let Some(f) = s.first_place else { continue };
        let with = |x: f64, i: Option<[f64; 2]>| three(x) + &interval(i.map(|i| i[0]), i.map(|i| i[1]));
        let sentence = f.sentence_right_given_filing;
        let cells = [
            with(f.filing_right, f.filing_right_interval),
            sentence.map_or_else(|| NONE.into(), |x| with(x, f.sentence_right_given_filing_interval)),
            with(f.standard_recall, f.standard_recall_interval),
        ];
        named_row(&mut table, &s.name, cells);
    }
    table.render()
}

/// *D_fact*, and *D_near* from one similarity after another.
fn families(scored: &Scored) -> String {
    let Some(first) = scored.systems.first().filter(|s| !s.families.is_empty()) else { return String::new() };
    let has = |metric| first.families.iter().any(|f| f.scores.metric(metric).is_some());
    if !has(Metric::RivalAuc) || !has(Metric::ResolvedAt1) {
        return String::new();
    }
    let left = |name| (name, Align::Left);
    let mut table = Table::new([left("rivals"), left("rival AUC"), left("resolved@1"), left("(chance)")]);
    for (i, family) in first.families.iter().enumerate() {
        let mut about =
            format!("{}: {} queries, {:.1} rivals each", family.family, family.contested, family.mean_rivals);
        if family.incomplete > 0 {
            about += &format!("; lists of {} were cut", family.incomplete);
        }
        if family.unknown > 0 {
            about += &format!("; similarities of {} not known", family.unknown);
        }
        table.line(&about);
        if family.contested == 0 {
            continue;
        }
        for s in scored.systems.iter().filter(|s| !s.scores.never_ran()) {
            let Some(f) = s.families.get(i) else { continue };
            let value = |metric| f.scores.metric(metric).and_then(|m| m.value);
            let chance = value(Metric::ResolvedAt1).and_then(|v| v.chance).map(three).unwrap_or_default();
            let cells = [cell(value(Metric::RivalAuc)), cell(value(Metric::ResolvedAt1)), chance];
            named_row(&mut table, &format!("  {}", s.scores.name), cells);
        }
    }
    table.render()
}

/// By fact, |D|, evidence and its distance.
fn cuts(scored: &Scored) -> String {
    let mut out = String::new();
    let Some(first) = scored.systems.first() else { return out };
    let mut names: Vec<&str> = Vec::new();
    for split in &first.splits {
        if !names.contains(&split.split.as_str()) {
            names.push(&split.split);
        }
    }
    for name in names {
        let of = |s: &'_ eightk_measure::SplitScores| s.split == name;
        let metrics: Vec<Metric> = first.splits.iter().filter(|s| of(s)).map(|s| s.metric).take(4).collect();
        let columns: Vec<String> = metrics.iter().map(|m| short(*m)).collect();
        let title = format!("by {name}");
        let header = columns.iter().map(|c| (c.as_str(), Align::Left));
        let mut table = Table::new([("", Align::Left)].into_iter().chain(header));
        let labels = first.splits.iter().find(|s| of(s)).map(|s| s.parts.as_slice()).unwrap_or_default();
        for (i, part) in labels.iter().enumerate().filter(|(_, p)| p.queries > 0) {
            table.line(&format!("{}: {} queries", part.label, part.queries));
            for s in scored.systems.iter().filter(|s| !s.scores.never_ran()) {
                let value = |m: &Metric| {
                    let cut = s.splits.iter().find(|c| of(c) && c.metric == *m)?;
                    cut.parts.get(i)?.value
                };
                named_row(&mut table, &format!("  {}", s.scores.name), metrics.iter().map(|m| cell(value(m))));
            }
        }
        out += &format!("{}{title}\n{}", if out.is_empty() { "" } else { "\n" }, table.render());
    }
    out
}

/// As the headline calls them.
fn short(metric: Metric) -> String {
    match metric {
        Metric::StandardRecall(k) => format!("recall@{k}"),
        Metric::EvidenceRecall(k) => format!("evidence@{k}"),
        Metric::RivalAuc => "rival AUC".into(),
        other => other.to_string(),
    }
}

/// Golds that share their score with another chunk, also where scores are nearly equal.
fn ties(scored: &Scored) -> String {
    let right = |name| (name, Align::Right);
    let mut table = Table::new([
        ("golds found that tie", Align::Left),
        right("exactly"),
        right("to 1e-6"),
        right("to 1e-4"),
        right("of"),
    ]);
    for s in systems(scored) {
        let t = s.ties;
        table.row(
            [s.name.clone()]
                .into_iter()
                .chain([t.exact, t.within_1e6, t.within_1e4, t.retrieved].map(|n| n.to_string())),
        );
    }
    table.render()
}
