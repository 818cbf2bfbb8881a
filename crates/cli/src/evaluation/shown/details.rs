//! What stands behind the headline.

use eightk_measure::{Metric, SplitScores, SystemScores};

use super::asked::Which;
use super::cells::{NONE, bracket, short, three};
use super::headline::{role, scores_of};
use super::page::{Cell, Grid, Line, columns};
use crate::evaluation::Scored;
use crate::output::Align;

/// Factors, families of rivals, cuts, ties; each where it is known.
pub(super) fn details(scored: &Scored) -> Vec<Grid> {
    let (factors, families) = (factors(scored), families(scored));
    factors.into_iter().chain(families).chain(cuts(scored)).chain(ties(scored)).collect()
}

fn systems(scored: &Scored) -> impl Iterator<Item = &SystemScores> {
    scored.systems.iter().map(|s| &s.scores).filter(|s| !s.never_ran())
}

/// recall@1 = P(filing right) · P(sentence right | filing right).
fn factors(scored: &Scored) -> Option<Grid> {
    if systems(scored).all(|s| s.first_place.is_none()) {
        return None;
    }
    let header = columns(["filing right", "sentence, if filing", "product = recall@1"], Align::Left);
    let mut grid = Grid::new(Which::FirstPlace, "The first place, factor by factor", "first place", header);
    for s in systems(scored) {
        let Some(f) = s.first_place else { continue };
        let with = |x: f64, i: Option<[f64; 2]>| Cell {
            text: three(x),
            interval: bracket(i.map(|i| i[0]), i.map(|i| i[1])),
            ..Cell::default()
        };
        let sentence = f.sentence_right_given_filing;
        let cells = [
            with(f.filing_right, f.filing_right_interval),
            sentence.map_or_else(|| NONE.to_owned().into(), |x| with(x, f.sentence_right_given_filing_interval)),
            with(f.standard_recall, f.standard_recall_interval),
        ];
        grid.row(s.name.clone(), role(&s.name), cells);
    }
    Some(grid)
}

/// What families of rivals are shown by.
const TOLD_APART: [Metric; 2] = [Metric::RivalAuc, Metric::ResolvedAt1];

/// *D_fact*, and *D_near* from one similarity after another.
fn families(scored: &Scored) -> Option<Grid> {
    let first = scored.systems.first().filter(|s| !s.families.is_empty())?;
    let has = |metric: &Metric| first.families.iter().any(|f| f.scores.metric(*metric).is_some());
    if !TOLD_APART.iter().all(has) {
        return None;
    }
    let header = columns(["rival AUC", "resolved@1", "(chance)"], Align::Left);
    let caption = "By family of rivals: all that state the fact, and those at least so similar to the answer";
    let mut grid = Grid::new(Which::Rivals, caption, "rivals", header);
    for (i, family) in first.families.iter().enumerate() {
        let mut about =
            format!("{}: {} queries, {:.1} rivals each", family.family, family.contested, family.mean_rivals);
        if family.incomplete > 0 {
            about += &format!("; lists of {} were cut", family.incomplete);
        }
        if family.unknown > 0 {
            about += &format!("; similarities of {} not known", family.unknown);
        }
        grid.group(about);
        if family.contested == 0 {
            continue;
        }
        let ran = scored.systems.iter().filter(|s| !s.scores.never_ran());
        let rows = ran.filter_map(|s| Some((s.scores.name.as_str(), s.families.get(i)?)));
        let of = |f: &eightk_measure::FamilyScores, m: Metric| f.scores.metric(m).and_then(|m| m.value);
        let from = grid.lines.len();
        scores_of(
            &mut grid,
            "  ",
            &TOLD_APART,
            rows.clone().map(|(n, f)| (n, TOLD_APART.iter().map(move |m| of(f, *m)))),
        );
        for ((_, f), line) in rows.zip(grid.lines.iter_mut().skip(from)) {
            if let Line::Row(row) = line {
                let chance = of(f, Metric::ResolvedAt1).and_then(|v| v.chance);
                row.cells.push(chance.map(three).unwrap_or_default().into());
            }
        }
    }
    Some(grid)
}

/// By fact, |D|, evidence and its distance.
fn cuts(scored: &Scored) -> Vec<Grid> {
    let Some(first) = scored.systems.first() else { return Vec::new() };
    let mut names: Vec<&str> = Vec::new();
    for split in &first.splits {
        if !names.contains(&split.split.as_str()) {
            names.push(&split.split);
        }
    }
    let mut grids = Vec::new();
    for name in names {
        let of = |s: &'_ SplitScores| s.split == name;
        let metrics: Vec<Metric> = first.splits.iter().filter(|s| of(s)).map(|s| s.metric).take(4).collect();
        let header: Vec<String> = metrics.iter().map(|m| short(*m)).collect();
        let header = columns(header.iter().map(String::as_str), Align::Left);
        let mut grid = Grid::new(Which::Splits, &format!("by {name}"), "", header);
        grid.titled = true;
        let labels = first.splits.iter().find(|s| of(s)).map(|s| s.parts.as_slice()).unwrap_or_default();
        for (i, part) in labels.iter().enumerate().filter(|(_, p)| p.queries > 0) {
            grid.group(format!("{}: {} queries", part.label, part.queries));
            let ran = scored.systems.iter().filter(|s| !s.scores.never_ran());
            let rows = ran.map(|s| {
                let value = move |m: &Metric| {
                    let cut = s.splits.iter().find(|c| of(c) && c.metric == *m)?;
                    cut.parts.get(i)?.value
                };
                (s.scores.name.as_str(), metrics.iter().map(value))
            });
            scores_of(&mut grid, "  ", &metrics, rows);
        }
        grids.push(grid);
    }
    grids
}

/// Golds that share their score with another chunk, also where scores are nearly equal.
fn ties(scored: &Scored) -> Option<Grid> {
    let header = columns(["exactly", "to 1e-6", "to 1e-4", "of"], Align::Right);
    let mut grid = Grid::new(Which::Ties, "Golds found that tie with another chunk", "golds found that tie", header);
    for s in systems(scored) {
        let t = s.ties;
        let counts = [t.exact, t.within_1e6, t.within_1e4, t.retrieved].map(|n| n.to_string().into());
        grid.row(s.name.clone(), role(&s.name), counts);
    }
    Some(grid)
}
