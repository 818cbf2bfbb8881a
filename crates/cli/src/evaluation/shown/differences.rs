//! Who is better than whom, and what these queries could have shown.

use eightk_measure::Comparison;

use super::asked::Which;
use super::cells::{NONE, SHOWN_BELOW, difference, probability, three};
use super::page::{Cell, Grid, Role, columns};
use crate::evaluation::Scored;
use crate::output::width::width;
use crate::output::{Align, thousands};

/// Widest title that leaves room for the numbers.
const TITLE: usize = 20;

/// From so many queries on it does not matter how many more.
const HOPELESS: usize = 1_000_000_000;

/// Each contestant against the baseline and against the best, which may be another for each metric; a group per metric, nothing
/// where nothing is compared.
pub(super) fn differences(scored: &Scored) -> Vec<Grid> {
    let base = scored.settings.baseline.as_deref().unwrap_or_default();
    let title = format!("against {base}");
    let fits = width(&title) <= TITLE;
    let corner = if fits { title.as_str() } else { "against the baseline" };
    let baseline = grid(corner, &format!("Differences from {base}"), &scored.comparisons, !fits);
    let best = grid(
        "against the best",
        "Differences from the best, which is chosen on these very queries",
        &scored.against_best,
        true,
    );
    baseline.into_iter().chain(best).collect()
}

fn grid(corner: &str, caption: &str, comparisons: &[Comparison], name_other: bool) -> Option<Grid> {
    if comparisons.is_empty() {
        return None;
    }
    let right = columns(["p", "p Holm", "could show", "queries more"], Align::Right);
    let header = columns(["difference"], Align::Left).into_iter().chain(right).collect();
    let mut grid = Grid::new(Which::Comparisons, caption, corner, header);
    let mut metric = None;
    for c in comparisons {
        if metric != Some(c.metric) {
            metric = Some(c.metric);
            grid.group(if name_other { format!("{}: {}", c.metric, c.b) } else { c.metric.to_string() });
        }
        let more = |n: usize| if n < HOPELESS { thousands(n) } else { ">1 billion".into() };
        let holm = Cell {
            text: c.p_holm.map(probability).unwrap_or_default(),
            strong: c.p_holm.is_some_and(|p| p < SHOWN_BELOW),
            ..Cell::default()
        };
        let cells = [
            difference(c.difference, c.low, c.high),
            probability(c.p).into(),
            holm,
            c.detectable.map_or_else(|| NONE.into(), |d| format!("±{}", three(d))).into(),
            c.more_queries().map_or_else(|| NONE.into(), more).into(),
        ];
        grid.row(format!("  {}", c.a), Role::System, cells);
    }
    Some(grid)
}
