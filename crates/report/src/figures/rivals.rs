//! Success against the number of rivals, without ranking anything again.

use super::words::thousands;
use eightk_measure::Metric;
use eightk_measure::curves::{Contest, CurvePoint, Field, rival_curve};
use eightk_plot::{Labels, LineChart, Series, SeriesClass};

use super::figure::{Chart, Figure, FigureCell, FigureRow, FigureTable};
use super::grid;
use super::lines::{Curve, band_note, beside, heads, leaders, left_out, point, rows, series, some, written};
use super::lineup::{Entrant, Lineup};
use super::words::{counted, three};

/// # Errors
/// Why there is none.
pub(super) fn figure(lineup: &Lineup<'_>) -> Result<Figure, String> {
    let options = &lineup.account.results.report.settings.bootstrap;
    let contested = |e: &Entrant<'_>| e.contests().iter().flatten().count();
    let Some(sample) = lineup.entrants.iter().max_by_key(|e| contested(e)).filter(|e| contested(e) > 0) else {
        return Err("Success by number of rivals is not shown: no query with known places has rivals.".into());
    };
    let contests = sample.contests();
    let (most, kept, all) = reach(&contests);
    let ms = grid::up_to(most);
    let curve = |entrant| {
        let e: &Entrant<'_> = entrant;
        Curve { entrant, points: rival_curve(&e.contests(), &e.clusters, &ms, Field::AtLeast(most), options) }
    };
    let curves: Vec<Curve<'_, '_>> = lineup.entrants.iter().map(curve).filter(|c| !c.points.is_empty()).collect();
    // Level with everything, all of the answers are.
    let blind = sample.rows.iter().zip(&contests);
    let blind: Vec<Option<Contest>> =
        blind.map(|(row, c)| Some(Contest { answers: row.answers.len(), ..(*c)? }.undecided())).collect();
    let none = eightk_measure::Options { draws: 0, ..*options };
    let chance = rival_curve(&blind, &sample.clusters, &ms, Field::AtLeast(most), &none);

    let mut series = series(lineup, &curves, |_| false);
    let mut notes = vec![
        "Each point is the mean probability that the answer ranks above m of its rivals drawn at random: C(N − r + 1, m) / C(N, m) for rank r among N rivals, averaged over ties.".to_owned(),
        band_note(lineup, kept),
    ];
    if kept < all {
        notes.push(format!(
            "The same queries throughout, those with {most} rivals or more; {} with fewer left out here, and counted in the last column.",
            match all - kept { 1 => "the one query".to_owned(), n => format!("{} queries", thousands(n)) + " are" },
        ));
    }
    notes.extend(left_out(&curves, &series));
    notes.extend(lineup.without.iter().cloned());
    series.push(Series {
        name: "chance".into(),
        points: chance.iter().map(point).collect(),
        class: SeriesClass::Floor,
    });
    let mut table = rows(&curves, &ms);
    for (row, curve) in table.iter_mut().zip(&curves) {
        let resolved = curve.entrant.value(Metric::ResolvedAt1);
        row.cells.push(resolved.map_or(FigureCell::Missing, |v| FigureCell::Score {
            value: v.expected,
            low: v.low,
            high: v.high,
        }));
    }
    table.push(chance_row(&chance, &ms, curves.iter().find_map(|c| c.entrant.value(Metric::ResolvedAt1)?.chance)));
    table.push(counts_row(&contests, &ms, all));
    let mut columns = heads("system", &ms);
    columns.push("all rivals".into());
    Ok(Figure {
        id: "figure-rivals".into(),
        title: "How often the answer is on top, by number of rivals".into(),
        seen: seen(lineup, &curves, &chance, most),
        chart: Chart::Lines(LineChart {
            labels: Labels { x: format!("rivals drawn at random, m{}", if most > 10 { " (log scale)" } else { "" }), y: "answer above all m".into(), ..Labels::default() },
            x_log: most > 10,
            y: (0.0, 1.0),
            series,
            references: Vec::new(),
        }),
        table: FigureTable { caption: "Probability that the answer ranks above m random rivals, by m; last, above all of them (resolved@1, over every query with rivals)".into(), columns, rows: table },
        notes,
    }
    .worded())
}

/// How far the curve goes: to the number of rivals that at least two thirds of the queries reach, so that it is about most of
/// them and about the same throughout. With how many those are, and how many there are.
fn reach(contests: &[Option<Contest>]) -> (usize, usize, usize) {
    let mut counts: Vec<usize> = contests.iter().flatten().map(|c| c.rivals).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let most = counts.get((counts.len() * 2).div_ceil(3).saturating_sub(1)).copied().unwrap_or(0);
    (most, counts.iter().filter(|n| **n >= most).count(), counts.len())
}

fn chance_row(chance: &[CurvePoint], ms: &[usize], all: Option<f64>) -> FigureRow {
    let score = |value: f64| FigureCell::Score { value, low: None, high: None };
    let at = |m: &usize| chance.iter().find(|p| p.x == *m).map_or(FigureCell::Missing, |p| score(p.value));
    let cells = ms.iter().map(at).chain([all.map_or(FigureCell::Missing, score)]).collect();
    FigureRow { head: "chance".into(), muted: true, cells }
}

fn counts_row(contests: &[Option<Contest>], ms: &[usize], all: usize) -> FigureRow {
    let reaching = |m: &usize| contests.iter().flatten().filter(|c| c.rivals >= *m).count();
    let cells = ms.iter().map(reaching).chain([all]).map(|n| FigureCell::Count(n as f64)).collect();
    FigureRow { head: "queries with so many".into(), muted: true, cells }
}

fn seen(lineup: &Lineup<'_>, curves: &[Curve<'_, '_>], chance: &[CurvePoint], most: usize) -> String {
    let Some((first, at_1)) = leaders(curves, 1) else {
        return "No contestant has a curve; the systems to compare with are drawn.".into();
    };
    let verb = if first.len() == 1 { "puts" } else { "put" };
    let mut said = format!(
        "Above one random rival {} {verb} the answer with probability {}{}",
        some(&first),
        written(at_1),
        beside(lineup, curves, 1, &first)
    );
    if let (Some((names, at)), Some(blind)) = (leaders(curves, most), chance.iter().find(|p| p.x == most)) {
        if most > 1 {
            let verb = if names.len() == 1 { "does" } else { "do" };
            said += &format!(
                "; above {} {} {verb} with {}{}, where chance is {}",
                counted(most, "rival", "rivals"),
                some(&names),
                written(at),
                beside(lineup, curves, most, &names),
                three(blind.value)
            );
        }
        if at.low.is_some_and(|low| low <= blind.value) {
            said += ", which its interval includes";
        }
    }
    said + "."
}
