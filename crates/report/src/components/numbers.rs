//! Numbers as the terminal's tables show them: `.780 [.64,.89]`.

pub use eightk_runs::thousands;

/// What stands where there is no number.
pub const NONE: &str = "–";

/// Without the zero before the point: `.143`; and 1 as `1.00`, as wide as the others.
fn without_zero(written: &str) -> String {
    match written.strip_prefix('-').map_or(("", written), |rest| ("−", rest)) {
        (sign, rest) if rest.starts_with("0.") => format!("{sign}{}", &rest[1..]),
        ("", rest) if rest.starts_with("1.") => rest.get(..rest.len() - 1).unwrap_or(rest).to_owned(),
        (sign, rest) => format!("{sign}{rest}"),
    }
}

/// Three digits; [`NONE`] for what is no number.
pub fn three(x: f64) -> String {
    if x.is_finite() { without_zero(&format!("{x:.3}")) } else { NONE.into() }
}

/// Two digits.
pub fn two(x: f64) -> String {
    if x.is_finite() { without_zero(&format!("{x:.2}")) } else { NONE.into() }
}

/// With its sign, a real minus.
pub fn signed(x: f64) -> String {
    if !x.is_finite() {
        return NONE.into();
    }
    let written = without_zero(&format!("{:.3}", x.abs()));
    // What rounds to nothing has no sign of its own.
    let sign = if x < 0.0 && written != ".000" { '−' } else { '+' };
    format!("{sign}{written}")
}

/// A p-value: three digits, never a zero it is not.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "<.001".into() } else { three(p) }
}

/// A bound has two digits; nothing where the interval has no width, which says nothing that the value does not.
pub fn interval(low: Option<f64>, high: Option<f64>) -> Option<String> {
    let (low, high) = low.zip(high)?;
    (low < high).then(|| format!("[{},{}]", two(low), two(high)))
}

/// `1 query`, `2 queries`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(n), if n == 1 { one } else { many })
}

/// A score of any size, to be compared with its neighbours: four significant digits.
pub fn score(x: f64) -> String {
    if !x.is_finite() {
        return NONE.into();
    }
    let size = x.abs();
    let written = match size {
        s if s >= 1000.0 => format!("{x:.0}"),
        s if s >= 100.0 => format!("{x:.1}"),
        s if s >= 10.0 => format!("{x:.2}"),
        s if s >= 0.1 || s == 0.0 => format!("{x:.3}"),
        s if s >= 0.000_01 => format!("{x:.5}"),
        _ => format!("{x:.2e}"),
    };
    written.replacen('-', "−", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_in_the_terminal() {
        assert_eq!([0.0, 0.1434, 0.9996, 1.0, -0.5].map(three), [".000", ".143", "1.00", "1.00", "−.500"]);
        assert_eq!([0.0, 0.25, -0.25, 1.0, -0.0001].map(signed), ["+.000", "+.250", "−.250", "+1.00", "+.000"]);
        assert_eq!(interval(Some(-0.051), Some(1.0)).unwrap(), "[−.05,1.0]");
        assert_eq!(interval(Some(0.5), Some(0.5)), None);
        assert_eq!([0.0004, 0.001, 1.0].map(probability), ["<.001", ".001", "1.00"]);
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([12.345, 0.0163, -0.5, 0.0].map(score), ["12.35", "0.01630", "−0.500", "0.000"]);
        assert_eq!(three(f64::NAN), NONE);
    }
}
