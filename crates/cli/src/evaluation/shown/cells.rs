//! Numbers as the tables show them.

use eightk_measure::{Metric, SystemScores, Value};
use eightk_runs::numbers;
pub(super) use eightk_runs::numbers::{probability, signed, three};
pub(super) use eightk_runs::short;

use super::page::Cell;

/// What stands where there is no number.
pub(super) const NONE: &str = "–";

/// From which p on a difference is not shown.
pub(super) const SHOWN_BELOW: f64 = 0.05;

/// In brackets; empty where there is none.
pub(super) fn bracket(low: Option<f64>, high: Option<f64>) -> String {
    numbers::interval(low, high).unwrap_or_default()
}

/// The same behind a number.
pub(super) fn interval(low: Option<f64>, high: Option<f64>) -> String {
    let bracket = bracket(low, high);
    if bracket.is_empty() { bracket } else { format!(" {bracket}") }
}

/// Value and interval of a share.
pub(super) fn share(v: Option<Value>) -> Cell {
    let some = |v: Value| Cell { text: three(v.expected), interval: bracket(v.low, v.high), ..Cell::default() };
    v.map_or_else(|| NONE.to_owned().into(), some)
}

/// Value and interval; a rank has none, it would need as much room as two.
pub(super) fn score(metric: Metric, v: Option<Value>) -> Cell {
    match v {
        Some(v) if !metric.is_share() => number(metric, v.expected).into(),
        v => share(v),
    }
}

/// A number of this metric.
pub(super) fn number(metric: Metric, x: f64) -> String {
    if metric.is_share() { three(x) } else { format!("{x:.2}") }
}

/// Difference and interval.
pub(super) fn difference(difference: f64, low: Option<f64>, high: Option<f64>) -> Cell {
    Cell { text: signed(difference), interval: bracket(low, high), ..Cell::default() }
}

/// Of a system; a system that ran no query has no score.
pub(super) fn value(scores: &SystemScores, metric: Metric) -> Option<Value> {
    scores.metric(metric)?.value.filter(|_| !scores.never_ran())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_stands_behind_its_number() {
        assert_eq!(interval(Some(-0.05), Some(1.0)), " [-.05,1.0]");
        assert_eq!(interval(Some(0.5), Some(0.5)), "");
    }
}
