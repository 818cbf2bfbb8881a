//! Numbers and lists in sentences; numbers as they are written in tables.

pub(super) use eightk_runs::short;

pub(super) use crate::components::numbers::{counted, signed, thousands, three};

use crate::components::numbers;

/// ` [low,high]` with the space before it; empty where it is not known or has no width.
pub(super) fn interval(low: Option<f64>, high: Option<f64>) -> String {
    numbers::interval(low, high).map_or_else(String::new, |bounds| format!(" {bounds}"))
}

/// Of a p-value, `p < .001` or `p = .012`.
pub(super) fn p_value(p: f64) -> String {
    let written = numbers::probability(p);
    written.strip_prefix('<').map_or_else(|| format!("p = {written}"), |bound| format!("p < {bound}"))
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
    fn numbers_in_sentences() {
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
