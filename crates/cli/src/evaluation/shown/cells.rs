//! Numbers as the tables show them.

use eightk_measure::{Metric, SystemScores, Value};
pub(super) use eightk_runs::short;

use super::page::Cell;

/// What stands where there is no number.
pub(super) const NONE: &str = "–";

/// From which p on a difference is not shown.
pub(super) const SHOWN_BELOW: f64 = 0.05;

/// Without the zero before the point: `.143`; and 1 as `1.00`, as wide as the others.
fn without_zero(written: &str) -> String {
    match written.strip_prefix('-').map_or(("", written), |rest| ("-", rest)) {
        (sign, rest) if rest.starts_with("0.") => format!("{sign}{}", &rest[1..]),
        ("", rest) if rest.starts_with("1.") => rest.get(..rest.len() - 1).unwrap_or(rest).to_owned(),
        _ => written.to_owned(),
    }
}

/// Three digits.
pub(super) fn three(x: f64) -> String {
    without_zero(&format!("{x:.3}"))
}

/// With its sign.
pub(super) fn signed(x: f64) -> String {
    let written = without_zero(&format!("{:.3}", x.abs()));
    format!("{}{written}", if x < 0.0 { '-' } else { '+' })
}

/// A p-value: three digits, never a zero it is not.
pub(super) fn probability(p: f64) -> String {
    if p < 0.001 { "<.001".into() } else { three(p) }
}

/// In brackets; a bound has two digits.
pub(super) fn bracket(low: Option<f64>, high: Option<f64>) -> String {
    let bound = |x: f64| without_zero(&format!("{x:.2}"));
    match (low, high) {
        // An interval of no width says nothing that the value does not.
        (Some(l), Some(h)) if l < h => format!("[{},{}]", bound(l), bound(h)),
        _ => String::new(),
    }
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
    fn numbers_take_little_room() {
        assert_eq!([0.0, 0.1434, 0.9996, 1.0].map(three), [".000", ".143", "1.00", "1.00"]);
        assert_eq!([0.0, 0.25, -0.25, 1.0].map(signed), ["+.000", "+.250", "-.250", "+1.00"]);
        assert_eq!(interval(Some(-0.051), Some(1.0)), " [-.05,1.0]");
        assert_eq!(interval(Some(0.5), Some(0.5)), "");
        assert_eq!([0.0004, 0.001, 1.0].map(probability), ["<.001", ".001", "1.00"]);
    }
}
