//! Who is better than whom, and what these queries could have shown.

use eightk_measure::Comparison;

use super::cells::{NONE, interval, probability, signed, three};
use crate::evaluation::Scored;
use crate::output::{Align, Table, thousands};

/// Each contestant against the baseline and against the best, which may be another for each metric; a group per metric, nothing
/// where nothing is compared.
pub(super) fn differences(scored: &Scored) -> String {
    let base = scored.settings.baseline.as_deref().unwrap_or_default();
    let best = table("against the best", &scored.against_best, true);
    table(&format!("against {base}"), &scored.comparisons, false) + &best
}

fn table(title: &str, comparisons: &[Comparison], name_other: bool) -> String {
    if comparisons.is_empty() {
        return String::new();
    }
    let right = |name| (name, Align::Right);
    let mut table = Table::new([
        (title, Align::Left),
        ("difference", Align::Left),
        right("p"),
        right("p Holm"),
        right("could show"),
        right("queries more"),
    ]);
    let mut metric = None;
    for c in comparisons {
        if metric != Some(c.metric) {
            metric = Some(c.metric);
            table.line(&if name_other { format!("{}: {}", c.metric, c.b) } else { c.metric.to_string() });
        }
        let name = format!("  {}", c.a);
        let long = name.chars().count() > 22;
        if long {
            table.line(&name);
        }
        table.row([
            if long { String::new() } else { name },
            signed(c.difference) + &interval(c.low, c.high),
            probability(c.p),
            c.p_holm.map(probability).unwrap_or_default(),
            c.detectable.map_or_else(|| NONE.into(), |d| format!("±{}", three(d))),
            c.more_queries().map_or_else(|| NONE.into(), thousands),
        ]);
    }
    format!("\n{}", table.render())
}
