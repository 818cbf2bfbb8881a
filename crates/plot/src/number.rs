//! Numbers as text: coordinates and labels.
//!
//! Coordinates have at most two decimals, so that a chart is small and the same on every machine; a label has the decimals its
//! step needs and no more.

/// A number that can be drawn.
pub(crate) fn sane(value: f64) -> Option<f64> {
    (value.is_finite() && value.abs() <= 1e100).then_some(value)
}

/// A coordinate with at most two decimals.
pub(crate) fn coordinate(value: f64) -> String {
    trimmed(format!("{:.2}", if value.is_finite() { value } else { 0.0 }))
}

/// A value for people, to three decimals or three digits.
pub(crate) fn value(value: f64) -> String {
    let Some(value) = sane(value) else { return "no data".to_owned() };
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e12).contains(&size) {
        return with_minus(trimmed_exponent(value));
    }
    let decimals = if size >= 1000.0 { 1 } else { 3 };
    with_minus(grouped(&trimmed(format!("{value:.decimals$}"))))
}

/// The label of a tick among ticks `step` apart.
pub(crate) fn tick(value: f64, step: f64) -> String {
    let places = -step.abs().log10().floor();
    let largest = value.abs();
    if !(places <= 5.0 && largest < 1e9) {
        return if value == 0.0 { "0".to_owned() } else { with_minus(trimmed_exponent(value)) };
    }
    // `places` is at most 5 here and `as` takes what is negative to 0.
    let decimals = places as usize;
    with_minus(grouped(&format!("{value:.decimals$}")))
}

fn trimmed(text: String) -> String {
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text };
    if text == "-0" { "0".to_owned() } else { text }
}

fn trimmed_exponent(value: f64) -> String {
    let text = format!("{value:.2e}");
    match text.split_once('e') {
        Some((digits, exponent)) => format!("{}e{exponent}", trimmed(digits.to_owned())),
        None => text,
    }
}

/// Commas between thousands.
fn grouped(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, rest) = digits.find('.').map_or((digits, ""), |at| digits.split_at(at));
    let mut out = sign.to_owned();
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

/// A minus sign instead of a hyphen; no sign at all before zero.
fn with_minus(text: String) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        Some(rest) => format!("\u{2212}{rest}"),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let shown: Vec<String> = [1.0, 1.5, 1.239, -0.001, f64::NAN, 1200.0].into_iter().map(coordinate).collect();
        assert_eq!(shown, ["1", "1.5", "1.24", "0", "0", "1200"]);
    }

    #[test]
    fn ticks_share_their_decimals() {
        let shown: Vec<String> = [0.0, 0.2, 1.0].into_iter().map(|v| tick(v, 0.2)).collect();
        assert_eq!(shown, ["0.0", "0.2", "1.0"]);
        assert_eq!(tick(10_000.0, 5000.0), "10,000");
        assert_eq!(tick(-0.5, 0.5), "\u{2212}0.5");
        assert_eq!(tick(-1e-17, 0.5), "0.0");
        assert_eq!(tick(2e12, 1e12), "2e12");
        assert_eq!(tick(2e-9, 1e-9), "2e-9");
    }

    #[test]
    fn values_are_for_people() {
        let shown: Vec<String> =
            [0.5, 1234.0, -0.25, 0.12345, 1e-7, 1e15, 0.0, f64::INFINITY].into_iter().map(value).collect();
        assert_eq!(shown, ["0.5", "1,234", "\u{2212}0.25", "0.123", "1e-7", "1e15", "0", "no data"]);
    }
}
