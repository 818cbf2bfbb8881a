//! Numbers and lists in sentences, written as in the tables of this tool: `.780 [.64,.89]`.

/// A value without the zero before its point, with a real minus.
fn bare(written: &str) -> String {
    match written.strip_prefix('-').map_or(("", written), |rest| ("−", rest)) {
        (sign, rest) if rest.starts_with("0.") => format!("{sign}{}", rest.trim_start_matches('0')),
        ("", rest) if rest.starts_with("1.") => rest.strip_suffix('0').unwrap_or(rest).to_owned(),
        (sign, rest) => format!("{sign}{rest}"),
    }
}

/// Three digits.
pub(super) fn three(x: f64) -> String {
    // What rounds to 0 has no sign.
    let x = if x.abs() < 0.0005 { 0.0 } else { x };
    bare(&format!("{x:.3}"))
}

/// Three digits with a sign.
pub(super) fn signed(x: f64) -> String {
    if three(x).starts_with('−') { three(x) } else { format!("+{}", three(x)) }
}

/// ` [low,high]` with the space before it; empty where it is not known or has no width.
pub(super) fn interval(low: Option<f64>, high: Option<f64>) -> String {
    let two = |x: f64| bare(&format!("{:.2}", if x.abs() < 0.005 { 0.0 } else { x }));
    match low.zip(high) {
        Some((low, high)) if low < high => format!(" [{},{}]", two(low), two(high)),
        _ => String::new(),
    }
}

/// Of a p-value, `p < .001` or `p = .012`.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.001 { "p < .001".to_owned() } else { format!("p = {}", three(p)) }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn list<S: AsRef<str>>(names: &[S]) -> String {
    match names {
        [] => "none".to_owned(),
        [one] => one.as_ref().to_owned(),
        [most @ .., last] => {
            let most: Vec<&str> = most.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", most.join(", "), last.as_ref())
        }
    }
}

/// `1 query`, `2,000 queries`.
pub(super) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", eightk_runs::thousands(n), if n == 1 { one } else { many })
}

/// An expected count: whole where it is whole.
pub(super) fn count(x: f64) -> String {
    if (x - x.round()).abs() < 0.005 { format!("{:.0}", x.round()) } else { format!("{x:.1}") }
}

/// Letters, digits and dashes of a name, for ids.
pub(super) fn slug(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_in_the_tables() {
        assert_eq!(
            [0.0, 0.78, 1.0, -0.25, -0.0001, 12.5].map(three),
            [".000", ".780", "1.00", "−.250", ".000", "12.500"]
        );
        assert_eq!([0.25, -0.25, -0.0001].map(signed), ["+.250", "−.250", "+.000"]);
        assert_eq!(interval(Some(0.0), Some(1.0)), " [.00,1.0]");
        assert_eq!(interval(Some(0.5), Some(0.5)) + &interval(None, Some(0.5)), "");
        assert_eq!([0.0, 0.04].map(p_value), ["p < .001", "p = .040"]);
        assert_eq!([2.0, 2.999_999, 1.5].map(count), ["2", "3", "1.5"]);
    }

    #[test]
    fn lists_have_one_and() {
        assert_eq!(list::<&str>(&[]), "none");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }
}
