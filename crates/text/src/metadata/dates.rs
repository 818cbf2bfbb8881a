//! Calendar days as filings write them.
//!
//! A small scanner, not a date crate: what has to be read is a fixed set of layouts inside running text, and what matters is to
//! find where a day stands, not to accept as many formats as possible.

use eightk_core::FilingDate;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// `20240308`, the form of SGML headers; a time of day may follow.
pub(super) fn compact(s: &str) -> Option<FilingDate> {
    let s = s.trim();
    let digits = s.get(..8).filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?;
    let longer = s.as_bytes().get(8).is_some_and(u8::is_ascii_digit) && s.len() != 14;
    if longer {
        return None;
    }
    format!("{}-{}-{}", digits.get(..4)?, digits.get(4..6)?, digits.get(6..)?).parse().ok()
}

/// The first day that the text names, and the byte after it. Months in words in any case, shortened or not; `3/8/2024` is read
/// as month, day, year, as the form is an American one; `2024-03-08`.
pub(super) fn first(text: &str) -> Option<(FilingDate, usize)> {
    let bytes = text.as_bytes();
    let mut previous = false;
    for (i, b) in bytes.iter().enumerate() {
        let word_begins = !previous;
        previous = b.is_ascii_alphanumeric();
        if !word_begins || !previous {
            continue;
        }
        let found = if b.is_ascii_digit() { numeric(bytes, i) } else { in_words(bytes, i) };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// `March 8, 2024`, `Sept. 5 , 2003`, `June 3rd, 2002`.
fn in_words(bytes: &[u8], at: usize) -> Option<(FilingDate, usize)> {
    let (month, after) = month(bytes, at)?;
    let (day, end_of_day) = digits(bytes, skip(bytes, after, b" ."), 2)?;
    let end_of_day = ordinal(bytes, end_of_day);
    let (year, end) = year(bytes, end_of_day)?;
    day_of(year, month, day, end)
}

/// `3/8/2024`, `2024-03-08`, `8 March 2024`.
fn numeric(bytes: &[u8], at: usize) -> Option<(FilingDate, usize)> {
    let (a, i) = digits(bytes, at, 4)?;
    match bytes.get(i) {
        Some(b'/') => {
            let (day, j) = digits(bytes, i + 1, 2)?;
            let (year, end) = digits(bytes, after(bytes, j, b'/')?, 4)?;
            let year = match end - j {
                3 if year < 70 => 2000 + year,
                3 => 1900 + year,
                _ => year,
            };
            day_of(year, a, day, end)
        }
        Some(b'-') if i - at == 4 => {
            let (month, j) = digits(bytes, i + 1, 2)?;
            let (day, end) = digits(bytes, after(bytes, j, b'-')?, 2)?;
            day_of(a, month, day, end)
        }
        _ => {
            let (month, j) = month(bytes, skip(bytes, ordinal(bytes, i), b" "))?;
            let (year, end) = year(bytes, j)?;
            day_of(year, month, a, end)
        }
    }
}

/// The month whose name, or its first three letters, stand here as a word.
fn month(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let len = bytes.iter().skip(at).take(10).take_while(|b| b.is_ascii_alphabetic()).count();
    let word = bytes.get(at..at + len)?;
    let named = |name: &str| {
        let name = name.as_bytes();
        let short = len == 3 || (len == 4 && name.starts_with(b"sept"));
        (len == name.len() || short) && name.get(..len).is_some_and(|n| n.eq_ignore_ascii_case(word))
    };
    let index = MONTHS.iter().position(|m| named(m))?;
    Some((u32::try_from(index).ok()? + 1, at + len))
}

/// Four digits after a blank or comma.
fn year(bytes: &[u8], at: usize) -> Option<(u32, usize)> {
    let gap = skip(bytes, at, b" ,.");
    let (year, end) = digits(bytes, gap, 4)?;
    (gap > at && end - gap == 4).then_some((year, end))
}

fn digits(bytes: &[u8], at: usize, most: usize) -> Option<(u32, usize)> {
    let len = bytes.iter().skip(at).take(most + 1).take_while(|b| b.is_ascii_digit()).count();
    if len == 0 || len > most {
        return None;
    }
    let number = bytes.get(at..at + len)?.iter().fold(0, |n, b| n * 10 + u32::from(b - b'0'));
    Some((number, at + len))
}

fn ordinal(bytes: &[u8], at: usize) -> usize {
    let is = |s: &[u8]| ["st", "nd", "rd", "th"].iter().any(|o| o.as_bytes().eq_ignore_ascii_case(s));
    if bytes.get(at..at + 2).is_some_and(is) { at + 2 } else { at }
}

fn after(bytes: &[u8], at: usize, byte: u8) -> Option<usize> {
    (bytes.get(at) == Some(&byte)).then_some(at + 1)
}

fn skip(bytes: &[u8], at: usize, set: &[u8]) -> usize {
    at + bytes.iter().skip(at).take(12).take_while(|b| set.contains(b)).count()
}

fn day_of(year: u32, month: u32, day: u32, end: usize) -> Option<(FilingDate, usize)> {
    let date = (1900..2100).contains(&year).then(|| format!("{year:04}-{month:02}-{day:02}").parse().ok()).flatten()?;
    Some((date, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(s: &str) -> Option<String> {
        first(s).map(|(day, _)| day.to_string())
    }

    #[test]
    fn days_in_many_layouts() {
        for s in [
            "March 8, 2024",
            "MARCH 8, 2024",
            "march 8 , 2024",
            "March 8 2024",
            "Mar. 8, 2024",
            "March 8th, 2024",
            "8 March 2024",
            "8th March, 2024",
            "3/8/2024",
            "03/08/2024",
            "3/8/24",
            "2024-03-08",
            "reported: March 8, 2024 (March 1, 2024)",
            "the 12 of them met on March 8,2024",
        ] {
            assert_eq!(read(s).as_deref(), Some("2024-03-08"), "{s}");
        }
        assert_eq!(read("Sept. 5, 2003").as_deref(), Some("2003-09-05"));
        assert_eq!(read("4/9/94").as_deref(), Some("1994-04-09"));
        assert_eq!(first("on May 1, 2024 it").unwrap().1, 14);
    }

    #[test]
    fn what_is_no_day() {
        for s in [
            "",
            "March 2024",
            "February 30, 2024",
            "Marching 8, 2024",
            "13/40/2024",
            "March 8, 20245",
            "1/2",
            "240.14a-12",
            "31 of March",
        ] {
            assert_eq!(read(s), None, "{s}");
        }
    }

    #[test]
    fn header_days() {
        assert_eq!(compact("20240308").unwrap().to_string(), "2024-03-08");
        assert_eq!(compact(" 20240308070050").unwrap().to_string(), "2024-03-08");
        for s in ["", "2024030", "20241308", "202403081", "2024-03-08"] {
            assert!(compact(s).is_none(), "{s}");
        }
    }
}
