//! The table of scores.

use eightk_measure::{Metric, Value};

use super::asked::Which;
use super::best::mark_best;
use super::cells::{number, score, short, value};
use super::page::{Cell, Grid, Place, Role, columns};
use crate::evaluation::{Scored, is_mark};
use crate::output::Align;

/// Two tables of four scores: eight with intervals do not fit in 80 columns, nor on a page.
const BLOCKS: [(&str, [Metric; 4]); 2] = [
    (
        "Answers and evidence found",
        [Metric::StandardRecall(1), Metric::StandardRecall(5), Metric::StandardRecall(10), Metric::EvidenceRecall(10)],
    ),
    (
        "Ranking, and answers told from their rivals",
        [Metric::Ndcg(10), Metric::NdcgAnswer(10), Metric::RivalAuc, Metric::ResolvedAt1],
    ),
];

/// Scores beside each other on a page.
const ABREAST: usize = 4;

/// Every system between floor and ceiling, with chance where chance does not depend on the system.
pub(super) fn headline(scored: &Scored) -> Vec<Grid> {
    BLOCKS.iter().map(|(caption, metrics)| systems(scored, caption, metrics)).collect()
}

/// The metrics that were named: on a terminal all readings of ties, in a document systems by metrics.
pub(super) fn named(scored: &Scored) -> Vec<Grid> {
    let metrics = &scored.settings.metrics;
    let tables = metrics.len().div_ceil(ABREAST).max(1);
    let blocks = metrics.chunks(metrics.len().div_ceil(tables).max(1));
    let documents = blocks.map(|block| Grid { only: Some(Place::Document), ..systems(scored, "Scores", block) });
    documents.chain([readings(scored)]).collect()
}

/// What a system is among the others.
pub(super) fn role(name: &str) -> Role {
    if is_mark(name) { Role::Mark } else { Role::System }
}

/// Systems by metrics.
fn systems(scored: &Scored, caption: &str, metrics: &[Metric]) -> Grid {
    let names: Vec<String> = metrics.iter().map(|m| short(*m)).collect();
    let mut grid = Grid::new(Which::Systems, caption, "system", columns(names.iter().map(String::as_str), Align::Left));
    let scores = || scored.systems.iter().map(|s| &s.scores);
    scores_of(&mut grid, "", metrics, scores().map(|s| (s.name.as_str(), metrics.iter().map(|m| value(s, *m)))));
    let chance = |metric: Metric| Some(number(metric, scores().find_map(|s| value(s, metric)?.chance)?));
    let levels: Vec<Option<String>> = metrics.iter().map(|m| chance(*m)).collect();
    if levels.iter().any(Option::is_some) {
        grid.row("(chance)", Role::Mark, levels.into_iter().map(|level| level.unwrap_or_default().into()));
    }
    grid
}

/// Adds a row a system, one score a metric, the best of them marked.
pub(super) fn scores_of<'s, V: Iterator<Item = Option<Value>>>(
    grid: &mut Grid,
    indent: &str,
    metrics: &[Metric],
    systems: impl Iterator<Item = (&'s str, V)>,
) {
    let (names, values): (Vec<&str>, Vec<Vec<Option<Value>>>) = systems.map(|(n, v)| (n, v.collect())).unzip();
    let cells = |values: &Vec<Option<Value>>| -> Vec<Cell> {
        metrics.iter().zip(values).map(|(metric, v)| score(*metric, *v)).collect()
    };
    let mut rows: Vec<_> = names.iter().zip(&values).map(|(name, v)| (role(name), cells(v))).collect();
    mark_best(&mut rows, &values, metrics);
    for (name, (role, cells)) in names.into_iter().zip(rows) {
        grid.row(format!("{indent}{name}"), role, cells);
    }
}

/// One row per metric, all readings of ties.
fn readings(scored: &Scored) -> Grid {
    let right = ["chance", "trec", "best", "worst", "queries"];
    let header = columns(["expected"], Align::Left).into_iter().chain(columns(right, Align::Right)).collect();
    let mut grid = Grid::new(Which::Systems, "Scores, all readings of ties", "metric", header);
    grid.only = Some(Place::Terminal);
    let scores = || scored.systems.iter().map(|s| &s.scores);
    let metrics = &scored.settings.metrics;
    let values: Vec<Vec<Option<Value>>> = scores().map(|s| metrics.iter().map(|m| value(s, *m)).collect()).collect();
    let expected = |v: &Vec<Option<Value>>| metrics.iter().zip(v).map(|(m, v)| score(*m, *v)).collect();
    let mut rows: Vec<(Role, Vec<Cell>)> = scores().zip(&values).map(|(s, v)| (role(&s.name), expected(v))).collect();
    mark_best(&mut rows, &values, metrics);
    let by_system = scores().zip(rows).zip(values);
    for ((s, (role, expected)), values) in by_system {
        grid.group(s.name.clone());
        for ((metric, expected), v) in metrics.iter().zip(expected).zip(values) {
            let others = v.map_or_else(Vec::new, |v| other_readings(*metric, v));
            grid.row(format!("  {metric}"), role, [expected].into_iter().chain(others));
        }
    }
    grid
}

fn other_readings(metric: Metric, v: Value) -> Vec<Cell> {
    let of = |x: f64| number(metric, x);
    let chance = v.chance.map(of).unwrap_or_default();
    [chance, of(v.trec), of(v.best), of(v.worst), v.queries.to_string()].map(Cell::from).into()
}
