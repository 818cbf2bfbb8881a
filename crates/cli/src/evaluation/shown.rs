//! Scores for people: tables of at most 80 columns.

use eightk_measure::{Comparison, Metric, SMOKE_TEST_BELOW, SystemScores, Value};

use super::Scored;
use crate::output::{Align, Table};

/// A number between 0 and 1, three digits.
fn three(x: f64) -> String {
    format!("{x:.3}")
}

/// A bound of an interval: two digits, no leading zero, so that two of them fit a column.
fn bound(x: f64) -> String {
    let s = format!("{x:.2}");
    s.replacen("0.", ".", 1)
}

/// A p-value: three digits, never a zero it is not.
fn probability(p: f64) -> String {
    if p < 0.001 { "<.001".into() } else { three(p) }
}

fn interval(low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        // An interval of no width says nothing that the value does not.
        (Some(l), Some(h)) if l < h => format!(" [{},{}]", bound(l), bound(h)),
        _ => String::new(),
    }
}

fn value(scores: &SystemScores, metric: Metric) -> Option<Value> {
    scores.metric(metric)?.value
}

fn plain(v: Option<Value>) -> String {
    v.map_or_else(|| "–".into(), |v| three(v.expected))
}

fn with_interval(v: Option<Value>) -> String {
    v.map_or_else(|| "–".into(), |v| three(v.expected) + &interval(v.low, v.high))
}

/// The headline table with chance level, the differences to the baseline, and what a reader must know beside them.
pub(crate) fn show(scored: &Scored) -> String {
    let mut out = headline(&scored.systems);
    if !scored.comparisons.is_empty() {
        out += "\n";
        out += &differences(&scored.comparisons);
    }
    out += "\n";
    out += &notes(scored);
    out
}

fn headline(systems: &[SystemScores]) -> String {
    let right = |name| (name, Align::Right);
    let mut table = Table::new([
        ("system", Align::Left),
        ("recall@1 [95 %]", Align::Left),
        right("@10"),
        ("ndcg_answer@10", Align::Left),
        right("rival AUC"),
        right("resolved@1"),
    ]);
    for s in systems {
        table.row([
            s.name.clone(),
            with_interval(value(s, Metric::StandardRecall(1))),
            plain(value(s, Metric::StandardRecall(10))),
            with_interval(value(s, Metric::NdcgAnswer(10))),
            plain(value(s, Metric::RivalAuc)),
            plain(value(s, Metric::ResolvedAt1)),
        ]);
    }
    let chance = |metric| systems.iter().find_map(|s| value(s, metric)?.chance).map(three);
    if let (Some(auc), Some(resolved)) = (chance(Metric::RivalAuc), chance(Metric::ResolvedAt1)) {
        table.row(["(chance)".into(), String::new(), String::new(), String::new(), auc, resolved]);
    }
    table.render()
}

fn differences(comparisons: &[Comparison]) -> String {
    let base = comparisons.first().map(|c| c.b.clone()).unwrap_or_default();
    let title = format!("against {base}");
    let mut table = Table::new([
        (title.as_str(), Align::Left),
        ("metric", Align::Left),
        ("difference [95 %]", Align::Left),
        ("p", Align::Right),
        ("p Holm", Align::Right),
    ]);
    let mut systems: Vec<&str> = Vec::new();
    for c in comparisons {
        if !systems.contains(&c.a.as_str()) {
            systems.push(&c.a);
        }
    }
    for system in systems {
        for c in comparisons.iter().filter(|c| c.a == system) {
            table.row([
                c.a.clone(),
                c.metric.to_string(),
                format!("{:+.3}{}", c.difference, interval(c.low, c.high)),
                probability(c.p),
                c.p_holm.map(probability).unwrap_or_default(),
            ]);
        }
    }
    table.render()
}

fn notes(scored: &Scored) -> String {
    let mut out = String::new();
    if let Some(s) = scored.systems.first() {
        let answerable = s.queries.len() - s.undefined.answer;
        out += &format!("{answerable} queries with an answer");
        if s.undefined.answer > 0 {
            out += &format!(", {} without: not counted", s.undefined.answer);
        }
        out += "; expected values over a random order inside ties.\n";
        if s.smoke_test() {
            out += &format!("Fewer than {SMOKE_TEST_BELOW}: this is a smoke test, not a result.\n");
        }
        if s.draws > 0 {
            out += "Intervals: bootstrap, filings drawn whole.";
            if !scored.comparisons.is_empty() {
                out += " p: paired randomization,\nHolm: corrected for the number of systems compared.";
            }
            out += "\n";
        }
    }
    for s in &scored.systems {
        let mut odd = Vec::new();
        if !s.missing.is_empty() {
            odd.push(format!("{} queries missing from the run count 0: {}", s.missing.len(), some(&s.missing)));
        }
        if !s.ignored.is_empty() {
            odd.push(format!("{} queries of the run are not judged: {}", s.ignored.len(), some(&s.ignored)));
        }
        if s.ties.exact > 0 {
            odd.push(format!("{} of {} golds found tie with another chunk", s.ties.exact, s.ties.retrieved));
        }
        if !odd.is_empty() {
            out += &format!("{}: {}.\n", s.name, odd.join("; "));
        }
    }
    out
}

fn some(ids: &[String]) -> String {
    let more = if ids.len() > 5 { ", …" } else { "" };
    ids.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ") + more
}

/// One row per metric asked for, all four readings of ties.
pub(crate) fn show_metrics(scored: &Scored) -> String {
    let right = |name| (name, Align::Right);
    let mut table = Table::new([
        ("system", Align::Left),
        ("metric", Align::Left),
        ("expected [95 %]", Align::Left),
        right("trec"),
        right("best"),
        right("worst"),
        right("queries"),
    ]);
    for s in &scored.systems {
        for m in &s.metrics {
            let Some(v) = m.value else {
                table.row([s.name.clone(), m.metric.to_string(), "–".into()]);
                continue;
            };
            table.row([
                s.name.clone(),
                m.metric.to_string(),
                with_interval(Some(v)),
                three(v.trec),
                three(v.best),
                three(v.worst),
                v.queries.to_string(),
            ]);
        }
    }
    format!("{}\n{}", table.render(), notes(scored))
}
