//! Scores as tables write them: `.780 [.64,.89]`.
//!
//! One place, so that terminal, report and explorer say the same. Bounds are rounded outwards: rounded to the nearest, `.998` could stand
//! beside `[1.0,1.0]`, and an interval must hold its value on paper too. Signs are ASCII; a page sets a real minus.

/// Without the zero before the point: `.143`; and 1 as `1.00`, as wide as the others.
fn without_zero(written: &str) -> String {
    match written.strip_prefix('-').map_or(("", written), |rest| ("-", rest)) {
        (sign, rest) if rest.starts_with("0.") => format!("{sign}{}", &rest[1..]),
        ("", rest) if rest.starts_with("1.") => rest.get(..rest.len() - 1).unwrap_or(rest).to_owned(),
        _ => written.to_owned(),
    }
}

/// Three digits.
pub fn three(x: f64) -> String {
    without_zero(&format!("{x:.3}"))
}

/// Two digits.
pub fn two(x: f64) -> String {
    without_zero(&format!("{x:.2}"))
}

/// Three digits with their sign; what rounds to nothing has none of its own.
pub fn signed(x: f64) -> String {
    let written = three(x.abs());
    let sign = if x < 0.0 && written != ".000" { '-' } else { '+' };
    format!("{sign}{written}")
}

/// A p-value: three digits, never a zero it is not.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "<.001".into() } else { three(p) }
}

/// `[low,high]`, two digits each, rounded outwards; nothing where the interval has no width, which says nothing that the value does not.
pub fn interval(low: Option<f64>, high: Option<f64>) -> Option<String> {
    let (low, high) = low.zip(high)?;
    // What misses two digits by less is a number of two digits that arithmetic has brushed.
    const BRUSHED: f64 = 1e-7;
    // Adding zero takes the sign off a zero.
    let (below, above) = ((low * 100.0 + BRUSHED).floor() / 100.0 + 0.0, (high * 100.0 - BRUSHED).ceil() / 100.0 + 0.0);
    (low < high).then(|| format!("[{},{}]", two(below), two(above)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_little_room() {
        assert_eq!([0.0, 0.1434, 0.9996, 1.0, -0.5].map(three), [".000", ".143", "1.00", "1.00", "-.500"]);
        assert_eq!([0.0, 0.25, -0.25, 1.0, -0.0001].map(signed), ["+.000", "+.250", "-.250", "+1.00", "+.000"]);
        assert_eq!([0.0004, 0.001, 1.0].map(probability), ["<.001", ".001", "1.00"]);
    }

    #[test]
    fn intervals_hold_their_values() {
        let of = |low, high| interval(Some(low), Some(high));
        assert_eq!(of(0.9961, 0.9999).unwrap(), "[.99,1.0]");
        assert_eq!(of(-0.051, 1.0).unwrap(), "[-.06,1.0]");
        assert_eq!(of(-0.001, 0.001).unwrap(), "[-.01,.01]");
        // Two digits stay as they are, whatever a mean of them has done to the last bit.
        assert_eq!(of(0.1 + 0.2, 0.7 + 0.1).unwrap(), "[.30,.80]");
        assert_eq!(of(-0.0, 0.29).unwrap(), "[.00,.29]");
        assert_eq!(of(-0.2, -0.0).unwrap(), "[-.20,.00]");
        assert_eq!(of(0.5, 0.5), None);
        assert_eq!(interval(None, Some(0.5)), None);
    }
}
