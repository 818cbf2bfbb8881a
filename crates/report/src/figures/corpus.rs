//! Success against the size of the corpus, without ranking anything again.

use super::words::{counted, thousands};
use eightk_measure::curves::{CorpusPoint, corpus_curve};

use super::figure::{Figure, FigureTable};
use super::grid;
use super::lines::{Curve, band_note, beside, heads, leaders, left_out, log_chart, rows, series, some, written};
use super::lineup::{Entrant, Lineup, MOST, Role};

/// How far apart the bounds of a mean may be that is drawn as one line.
const APART: f64 = 0.01;

/// # Errors
/// Why there is none.
pub(super) fn figure(lineup: &Lineup<'_>) -> Result<Figure, String> {
    let report = &lineup.account.results.report;
    let known = report.data.as_ref().map(|d| d.chunks);
    let chunks = known.unwrap_or_else(|| lineup.account.filings.iter().map(|f| f.chunks.len()).sum());
    if !(2..=MOST).contains(&chunks) || !lineup.has_places() {
        return Err("Success by size of the corpus is not shown: the size of the corpus or the places of the answers are not known.".into());
    }
    let ns = grid::up_to(chunks - 1);
    let all: Vec<(&Entrant<'_>, Vec<CorpusPoint>)> = lineup
        .entrants
        .iter()
        .map(|e| (e, corpus_curve(&e.places(), &e.clusters, chunks, &ns, &report.settings.bootstrap)))
        .filter(|(_, points)| !points.is_empty())
        .collect();
    let Some(queries) = all.iter().flat_map(|(_, c)| c).map(|p| p.point.queries).max() else {
        return Err("Success by size of the corpus is not shown: no query has an answer that any system ranked.".into());
    };
    // In a small sample of the corpus it matters where below the saved depth an answer stands, and nobody knows. The chart begins
    // where it no longer matters for the contestants; a baseline that finds little must not hide what they do.
    let drawn = lineup.drawn();
    let apart = |n: usize, takes_part: &dyn Fn(&Entrant<'_>) -> bool| {
        let points = all.iter().filter(|(e, _)| drawn.contains(e.name) && takes_part(e)).flat_map(|(_, c)| c);
        points.filter(|p| p.point.x == n).map(|p| p.at_most - p.point.value).fold(0.0, f64::max)
    };
    let contestant = |e: &Entrant<'_>| e.role == Role::Contestant;
    let from = ns.iter().copied().find(|n| apart(*n, &contestant) <= APART).unwrap_or(chunks - 1);
    let shown: Vec<usize> = if ns.iter().filter(|n| **n >= from).count() >= 3 {
        ns.iter().copied().filter(|n| *n >= from).collect()
    } else {
        ns.clone()
    };
    let widest = |name: &str| shown.iter().map(|n| apart(*n, &|e| e.name == name)).fold(0.0, f64::max);
    let mut bounds: Vec<(&str, f64)> = drawn.iter().map(|name| (*name, widest(name))).filter(|b| b.1 > APART).collect();
    bounds.sort_by(|a, b| b.1.total_cmp(&a.1));
    let points = |c: &[CorpusPoint]| c.iter().map(|p| p.point).filter(|p| shown.contains(&p.x)).collect();
    let curves: Vec<Curve<'_, '_>> = all.iter().map(|(e, c)| Curve { entrant: e, points: points(c) }).collect();
    let series = series(lineup, &curves, |_| false);

    let mut notes = vec![
        "Each point is the mean probability that an answer would be first among itself and n chunks drawn at random from the rest of the corpus, worked out from its rank in the whole of it.".to_owned(),
        band_note(lineup, queries),
    ];
    if shown.len() < ns.len() {
        notes.push(format!(
            "Begins at {}: for less it would matter where answers stand that were not retrieved, which is not known.",
            thousands(from)
        ));
    }
    if let Some((_, widest)) = bounds.first() {
        let names: Vec<&str> = bounds.iter().map(|b| b.0).collect();
        notes.push(format!(
            "Answers that were not retrieved count as failures: of {} lower bounds are drawn, too low by up to {} at the left.",
            some(&names),
            super::words::three(*widest)
        ));
    }
    notes.extend(left_out(&curves, &series));
    notes.extend(lineup.without.iter().cloned());
    Ok(Figure {
        id: "figure-corpus".into(),
        title: "How often the answer would be first, by size of the corpus".into(),
        seen: seen(lineup, &curves, &shown),
        chart: log_chart("other chunks drawn at random, n", "answer first", series),
        table: FigureTable {
            caption: "Probability that the answer is first among itself and n random chunks, by n".into(),
            columns: heads("system", &shown),
            rows: rows(&curves, &shown),
        },
        notes,
    }
    .worded())
}

fn seen(lineup: &Lineup<'_>, curves: &[Curve<'_, '_>], ns: &[usize]) -> String {
    let ends = ns.first().copied().zip(ns.last().copied());
    let Some((small, large)) = ends else { return String::new() };
    let (Some((first, at_small)), Some((last, at_large))) = (leaders(curves, small), leaders(curves, large)) else {
        return "No contestant has a curve; the systems to compare with are drawn.".into();
    };
    format!(
        "Beside {} the answer is first with probability {}{} for {}; beside the whole corpus of {} with {}{} for {}.",
        counted(small, "random chunk", "random chunks"),
        written(at_small),
        beside(lineup, curves, small, &first),
        some(&first),
        thousands(large),
        written(at_large),
        beside(lineup, curves, large, &last),
        some(&last)
    )
}
