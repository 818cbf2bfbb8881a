//! What the curves have in common: one line per system that is drawn, one row per system in the table.

use super::words::thousands;
use eightk_measure::curves::CurvePoint;
use eightk_plot::{Labels, LineChart, Point, Series};

use super::figure::{Chart, FigureCell, FigureRow};
use super::lineup::{Entrant, Lineup, Role};
use super::words::{counted, interval, list, three};

/// One system's curve.
#[derive(Debug)]
pub(super) struct Curve<'e, 'a> {
    pub(super) entrant: &'e Entrant<'a>,
    pub(super) points: Vec<CurvePoint>,
}

impl Curve<'_, '_> {
    pub(super) fn at(&self, x: usize) -> Option<&CurvePoint> {
        self.points.iter().find(|p| p.x == x)
    }

    pub(super) fn cells(&self, xs: &[usize]) -> Vec<FigureCell> {
        let cell = |p: &CurvePoint| FigureCell::Score { value: p.value, low: p.low, high: p.high };
        xs.iter().map(|x| self.at(*x).map_or(FigureCell::Missing, cell)).collect()
    }
}

/// The lines of those that are drawn; `also` says who else is.
pub(super) fn series(lineup: &Lineup<'_>, curves: &[Curve<'_, '_>], also: impl Fn(Role) -> bool) -> Vec<Series> {
    let drawn = lineup.drawn();
    let line = |curve: &Curve<'_, '_>| Series {
        name: curve.entrant.name.to_owned(),
        points: curve.points.iter().map(point).collect(),
        class: curve.entrant.class(),
    };
    curves.iter().filter(|c| drawn.contains(c.entrant.name) || also(c.entrant.role)).map(line).collect()
}

/// Shares over a number that grows by factors.
pub(super) fn log_chart(x: &str, y: &str, series: Vec<Series>) -> Chart {
    let labels = Labels { x: format!("{x} (log scale)"), y: y.to_owned(), ..Labels::default() };
    Chart::Lines(LineChart { labels, x_log: true, y: (0.0, 1.0), series, references: Vec::new() })
}

pub(super) fn point(p: &CurvePoint) -> Point {
    Point { x: p.x as f64, y: p.value, low: p.low, high: p.high }
}

/// Every system's numbers.
pub(super) fn rows(curves: &[Curve<'_, '_>], xs: &[usize]) -> Vec<FigureRow> {
    let row = |curve: &Curve<'_, '_>| FigureRow {
        head: curve.entrant.name.to_owned(),
        muted: curve.entrant.class() != eightk_plot::SeriesClass::Normal,
        cells: curve.cells(xs),
    };
    curves.iter().map(row).collect()
}

/// Who is in the table alone.
pub(super) fn left_out(curves: &[Curve<'_, '_>], series: &[Series]) -> Option<String> {
    let missing = curves.iter().map(|c| c.entrant.name).filter(|name| series.iter().all(|s| s.name != *name));
    let missing: Vec<&str> = missing.collect();
    (!missing.is_empty()).then(|| format!("Only in the table: {}.", list(&missing)))
}

/// The best contestants at x, all that share the first place, and their value there.
pub(super) fn leaders<'c>(curves: &'c [Curve<'_, '_>], x: usize) -> Option<(Vec<&'c str>, &'c CurvePoint)> {
    let contestants =
        || curves.iter().filter(|c| c.entrant.role == Role::Contestant).filter_map(|c| Some((c, c.at(x)?)));
    let best = contestants().map(|(_, p)| p).max_by(|a, b| a.value.total_cmp(&b.value))?;
    let names = contestants().filter(|(_, p)| p.value >= best.value - 1e-12).map(|(c, _)| c.entrant.name);
    Some((names.collect(), best))
}

/// Some names, and how many more.
pub(super) fn some(names: &[&str]) -> String {
    match names {
        [a, b, c, rest @ ..] if rest.len() > 1 => format!("{a}, {b}, {c} and {} more", rest.len()),
        few => list(few),
    }
}

/// `.780 [.64,.89]`.
pub(super) fn written(p: &CurvePoint) -> String {
    format!("{}{}", three(p.value), interval(p.low, p.high))
}

/// `, bm25 .430` for the baseline, unless it is among those just named.
pub(super) fn beside(lineup: &Lineup<'_>, curves: &[Curve<'_, '_>], x: usize, named: &[&str]) -> String {
    let baseline = lineup.baseline().filter(|b| !named.contains(&b.name));
    let point = baseline.and_then(|b| curves.iter().find(|c| c.entrant.name == b.name)?.at(x).map(|p| (b.name, p)));
    point.map_or(String::new(), |(name, p)| format!(" ({name} {})", three(p.value)))
}

/// How the bands came about.
pub(super) fn band_note(lineup: &Lineup<'_>, queries: usize) -> String {
    let options = lineup.account.results.report.settings.bootstrap;
    let percent = options.confidence * 100.0;
    format!(
        "Means over {}; bands are {percent:.0} % intervals of a bootstrap that draws filings whole; ties are taken in random order.",
        counted(queries, "query", "queries")
    )
}

/// Heads of columns of numbers.
pub(super) fn heads(first: &str, xs: &[usize]) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(xs.iter().map(|x| thousands(*x))).collect()
}
