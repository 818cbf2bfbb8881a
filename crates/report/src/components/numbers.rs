//! Numbers as the terminal's tables show them: `.780 [.64,.89]`.

use eightk_runs::numbers;
pub use eightk_runs::thousands;

/// What stands where there is no number.
pub const NONE: &str = "–";

/// A real minus, and [`NONE`] for what is no number.
fn set(x: f64, write: impl Fn(f64) -> String) -> String {
    if x.is_finite() { write(x).replace('-', "−") } else { NONE.into() }
}

/// Three digits.
pub fn three(x: f64) -> String {
    set(x, numbers::three)
}

/// Two digits.
pub fn two(x: f64) -> String {
    set(x, numbers::two)
}

/// With its sign.
pub fn signed(x: f64) -> String {
    set(x, numbers::signed)
}

/// A p-value: three digits, never a zero it is not.
pub fn probability(p: f64) -> String {
    set(p, numbers::probability)
}

/// Two digits a bound, rounded outwards; nothing where the interval has no width.
pub fn interval(low: Option<f64>, high: Option<f64>) -> Option<String> {
    numbers::interval(low, high).map(|written| written.replace('-', "−"))
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
        assert_eq!(interval(Some(-0.051), Some(1.0)).unwrap(), "[−.06,1.0]");
        assert_eq!(interval(Some(0.5), Some(0.5)), None);
        assert_eq!([0.0004, 0.001, 1.0].map(probability), ["<.001", ".001", "1.00"]);
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([12.345, 0.0163, -0.5, 0.0].map(score), ["12.35", "0.01630", "−0.500", "0.000"]);
        assert_eq!(three(f64::NAN), NONE);
    }
}
