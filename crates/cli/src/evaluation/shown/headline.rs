//! The table of scores.

use eightk_measure::Metric;

use super::cells::{NONE, cell, interval, named_row, three, value};
use crate::evaluation::Scored;
use crate::output::{Align, Table};

/// Two blocks of four scores: eight with intervals do not fit in 80 columns.
const BLOCKS: [[(&str, Metric); 4]; 2] = [
    [
        ("recall@1", Metric::StandardRecall(1)),
        ("recall@5", Metric::StandardRecall(5)),
        ("recall@10", Metric::StandardRecall(10)),
        ("evidence@10", Metric::EvidenceRecall(10)),
    ],
    [
        ("ndcg@10", Metric::Ndcg(10)),
        ("ndcg_answer@10", Metric::NdcgAnswer(10)),
        ("rival AUC", Metric::RivalAuc),
        ("resolved@1", Metric::ResolvedAt1),
    ],
];

/// Every system between floor and ceiling, with chance where chance does not depend on the system.
pub(super) fn headline(scored: &Scored) -> String {
    let block = |columns: &[(&str, Metric); 4]| {
        let names = columns.iter().map(|(name, _)| (*name, Align::Left));
        let mut table = Table::new([("system", Align::Left)].into_iter().chain(names));
        for s in scored.systems.iter().map(|s| &s.scores) {
            named_row(&mut table, &s.name, columns.iter().map(|(_, metric)| cell(value(s, *metric))));
        }
        let chance = |metric: Metric| scored.systems.iter().find_map(|s| value(&s.scores, metric)?.chance).map(three);
        let levels: Vec<Option<String>> = columns.iter().map(|(_, metric)| chance(*metric)).collect();
        if levels.iter().any(Option::is_some) {
            named_row(&mut table, "(chance)", levels.into_iter().map(Option::unwrap_or_default));
        }
        table.render()
    };
    BLOCKS.iter().map(block).collect::<Vec<_>>().join("\n")
}

/// One row per metric, all readings of ties.
pub(super) fn every_metric(scored: &Scored) -> String {
    let right = |name| (name, Align::Right);
    let mut table = Table::new([
        ("metric", Align::Left),
        ("expected", Align::Left),
        right("chance"),
        right("trec"),
        right("best"),
        right("worst"),
        right("queries"),
    ]);
    for s in scored.systems.iter().map(|s| &s.scores) {
        table.line(&s.name);
        for m in &s.metrics {
            let name = format!("  {}", m.metric);
            let Some(v) = value(s, m.metric) else {
                table.row([name, NONE.into()]);
                continue;
            };
            let rank = |x: f64| if m.metric.is_share() { three(x) } else { format!("{x:.2}") };
            let expected = match m.metric.is_share() {
                true => three(v.expected) + &interval(v.low, v.high),
                false => format!("{:.2}", v.expected),
            };
            let chance = v.chance.map(rank).unwrap_or_default();
            table.row([name, expected, chance, rank(v.trec), rank(v.best), rank(v.worst), v.queries.to_string()]);
        }
    }
    table.render()
}
