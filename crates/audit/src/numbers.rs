//! Numbers of a sentence, as far as they could give an answer away.
//!
//! A small reader of its own: an audit must not lean on the recipe it audits. Digits only; a number in words is not seen.

/// A number as it is compared: `$1.5 million` and `1,500,000` are one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Number {
    /// Its value in millionths.
    micros: u128,
    percent: bool,
}

/// A number with what marks it in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    number: Number,
    /// Money, a percentage, or so large and so placed that it is neither a day, a year nor a section of a law.
    telling: bool,
}

/// Every number of a text, in order.
pub(crate) fn numbers(text: &str) -> impl Iterator<Item = Number> {
    found(text).map(|f| f.number)
}

/// The numbers that are amounts: with a currency sign, a percent sign or a scale, or whole numbers over 31 that are no year and
/// no number of a rule, a form or an Item.
pub(crate) fn amounts(text: &str) -> impl Iterator<Item = Number> {
    found(text).filter(|f| f.telling).map(|f| f.number)
}

fn found(text: &str) -> impl Iterator<Item = Found> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.as_bytes().get(at..)?;
            let start = at + rest.iter().position(u8::is_ascii_digit)?;
            let end = end_of_number(text.as_bytes(), start);
            at = end;
            if let Some(found) = read(text, start, end) {
                return Some(found);
            }
        }
    })
}

/// Digits with commas before three digits and one point before digits.
fn end_of_number(bytes: &[u8], start: usize) -> usize {
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let (mut end, mut point) = (start, false);
    loop {
        match bytes.get(end) {
            Some(b) if b.is_ascii_digit() => end += 1,
            Some(b',') if !point && digit(end + 1) && digit(end + 2) && digit(end + 3) && !digit(end + 4) => end += 4,
            Some(b'.') if !point && digit(end + 1) => (point, end) = (true, end + 1),
            _ => return end,
        }
    }
}

fn read(text: &str, start: usize, end: usize) -> Option<Found> {
    let (before, after) = (text.get(..start)?, text.get(end..)?);
    let (inside, joined) = (before.chars().next_back(), after.chars().next());
    let word = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    // `Q4`, `8x8`, `409A` are names, not numbers; `$5M` and `15bn` would be, and are left out with them.
    if word(inside) || word(joined) {
        return None;
    }
    let digits = text.get(start..end)?;
    let trimmed = after.trim_start_matches([' ', '\u{a0}']);
    let next: &str = trimmed.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let scale: u128 = match next.to_ascii_lowercase().as_str() {
        "thousand" => 1_000,
        "million" => 1_000_000,
        "billion" => 1_000_000_000,
        _ => 1,
    };
    let percent = trimmed.starts_with('%') || next.eq_ignore_ascii_case("percent");
    let money = before.trim_end_matches([' ', '\u{a0}']).ends_with(['$', '€', '£', '¥']);
    let micros = micros(digits)?.checked_mul(scale)?;
    let telling = money || percent || scale > 1 || is_count(digits, before, after);
    Some(Found { number: Number { micros, percent }, telling })
}

/// Millionths of a decimal number; further digits are cut off. `None` beyond what any amount could be.
fn micros(digits: &str) -> Option<u128> {
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let mut value: u128 = 0;
    for digit in whole.bytes().filter(u8::is_ascii_digit) {
        value = value.checked_mul(10)?.checked_add(u128::from(digit - b'0'))?;
    }
    for place in 0..6 {
        let digit = part.as_bytes().get(place).map_or(0, |b| b - b'0');
        value = value.checked_mul(10)?.checked_add(u128::from(digit))?;
    }
    Some(value)
}

/// Whether a number without a mark counts something: not a day, a year, a decimal (`Item 2.05`), or the number of a rule.
fn is_count(digits: &str, before: &str, after: &str) -> bool {
    const RULES: &[&str] = &[
        "item", "items", "section", "sections", "rule", "no", "nos", "number", "exhibit", "asc", "sfas", "fas",
        "topic", "form", "title", "chapter", "article", "act", "note", "file",
    ];
    let plain: String = digits.chars().filter(|c| *c != ',').collect();
    let Ok(value) = plain.parse::<u64>() else { return false };
    let year = !digits.contains(',') && (1900..2100).contains(&value);
    let dashed = before.ends_with('-') || after.starts_with('-');
    let last = before.trim_end_matches(|c: char| !c.is_alphabetic()).rsplit(|c: char| !c.is_alphabetic()).next();
    let of_a_rule = last.is_some_and(|w| RULES.iter().any(|r| w.eq_ignore_ascii_case(r)));
    value > 31 && !year && !dashed && !of_a_rule
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(text: &str, all: bool) -> Vec<(f64, bool)> {
        let found: Vec<Number> = if all { numbers(text).collect() } else { amounts(text).collect() };
        found.into_iter().map(|n| (n.micros as f64 / 1e6, n.percent)).collect()
    }

    #[test]
    fn one_amount_has_many_spellings() {
        for text in ["$1.5 million", "1,500,000 jobs", "€ 1.50 million.", "1500 thousand", "$1,500,000"] {
            assert_eq!(list(text, false), [(1_500_000.0, false)], "{text}");
        }
        assert_eq!(list("15% or 15 percent", false), [(15.0, true), (15.0, true)]);
        assert_eq!(list("from $22-25 million", false), [(22.0, false), (25_000_000.0, false)]);
        assert_eq!(list("in 1,2345", true), [(1.0, false), (2345.0, false)]);
    }

    #[test]
    fn days_years_rules_and_names_are_no_amounts() {
        let text =
            "On June 30, 2025 under Item 2.05, Section 409, ASC 420 and Form 8-K of 8x8 (File No. 333-12345), Q4";
        assert_eq!(list(text, false), []);
        assert_eq!(list("On June 30, 2025", true), [(30.0, false), (2025.0, false)]);
        assert_eq!(list("about 45 of 1,900 people", false), [(45.0, false), (1900.0, false)]);
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(\\PC|[0-9.,$% ]{0,9}){0,30}") {
            prop_assert!(amounts(&text).count() <= numbers(&text).count());
        }
    }
}
