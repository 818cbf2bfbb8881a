//! Numbers as the tables show them.

use eightk_measure::{Metric, SystemScores, Value};

use crate::output::Table;

/// Widest name that stands beside four cells with intervals in 80 columns. Longer ones get a line of their own.
pub(super) const NAME_WIDTH: usize = 16;

/// What stands where there is no number.
pub(super) const NONE: &str = "–";

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

/// A bound has two digits.
pub(super) fn interval(low: Option<f64>, high: Option<f64>) -> String {
    let bound = |x: f64| without_zero(&format!("{x:.2}"));
    match (low, high) {
        // An interval of no width says nothing that the value does not.
        (Some(l), Some(h)) if l < h => format!(" [{},{}]", bound(l), bound(h)),
        _ => String::new(),
    }
}

/// Value and interval.
pub(super) fn cell(v: Option<Value>) -> String {
    v.map_or_else(|| NONE.into(), |v| three(v.expected) + &interval(v.low, v.high))
}

/// Of a system; a system that ran no query has no score.
pub(super) fn value(scores: &SystemScores, metric: Metric) -> Option<Value> {
    scores.metric(metric)?.value.filter(|_| !scores.never_ran())
}

/// A row that begins with a name, however long.
pub(super) fn named_row(table: &mut Table, name: &str, cells: impl IntoIterator<Item = String>) {
    let long = name.chars().count() > NAME_WIDTH;
    if long {
        table.line(name);
    }
    table.row([if long { String::new() } else { name.to_owned() }].into_iter().chain(cells));
}

/// Breaks a paragraph at blanks into lines of at most 80 columns.
pub(super) fn wrapped(text: &str) -> String {
    let (mut out, mut width) = (String::new(), 0);
    for word in text.split_whitespace() {
        let w = word.chars().count();
        if width > 0 && width + 1 + w > 80 {
            out.push('\n');
            width = 0;
        }
        if width > 0 {
            out.push(' ');
            width += 1;
        }
        out += word;
        width += w;
    }
    out.push('\n');
    out
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

    #[test]
    fn paragraphs_fit() {
        let text = "word ".repeat(60);
        let lines = wrapped(&text);
        assert!(lines.lines().count() == 4 && lines.lines().all(|l| l.chars().count() <= 80), "{lines}");
        assert_eq!(wrapped("a  b\nc"), "a b c\n");
    }
}
