//! Item numbers as headings write them: `Item 2.05`, `Items 1.01(a) and 5.02(e)`, `ITEM 2. 02`, `Item 5`.
//!
//! A parser by hand, not a regex: the same places are tried for decimal and for old numbers, with sub-letters and lists of
//! them, and each alternative has its own idea of what may follow.

use super::titles;

/// The most numbers that one heading can have.
const MOST: usize = 16;

/// The numbers at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Normal form: `2.05` or `5`.
    pub(super) list: Vec<String>,
    /// Whether they are of the numbering before August 2004.
    pub(super) former: bool,
    /// Written in a way that only a title can vouch for: `Item 502`, `Item 5.2`, a number the form does not have.
    pub(super) irregular: bool,
    /// First byte after the last number and its sub-letters.
    pub(super) end: usize,
}

/// Reads numbers from `at`, where the word `item` stands.
pub(super) fn parse(text: &str, at: usize) -> Option<Numbers> {
    let bytes = text.as_bytes();
    let (mut i, plural) = item_word(bytes, at)?;
    let first = one(bytes, i)?;
    i = first.end;
    let mut numbers = Numbers {
        list: vec![first.number],
        former: first.former,
        irregular: first.irregular,
        end: sub_letters(bytes, i),
    };
    // No report has more; a list without end is read once per number otherwise.
    while numbers.list.len() < MOST
        && let Some(next) = following(bytes, numbers.end, numbers.former, plural)
    {
        numbers.list.push(next.number);
        numbers.irregular |= next.irregular;
        numbers.end = sub_letters(bytes, next.end);
    }
    let mut seen = Vec::with_capacity(numbers.list.len());
    numbers.list.retain(|n| {
        !seen.contains(n) && {
            seen.push(n.clone());
            true
        }
    });
    Some(numbers)
}

/// Steps over `Item`, `Items`, `Item(s)`, `Item No.`; tells whether it is a plural.
fn item_word(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let mut i = word(bytes, at, b"item")?;
    let mut plural = false;
    if let Some(j) = word(bytes, i, b"(s)").or_else(|| word(bytes, i, b"s")) {
        i = j;
        plural = true;
    }
    let spaced = skip(bytes, i, b" \t:.-");
    let i = ["number", "no.", "no"].iter().find_map(|n| word(bytes, spaced, n.as_bytes())).unwrap_or(spaced);
    Some((skip(bytes, i, b" \t"), plural))
}

struct One {
    number: String,
    former: bool,
    irregular: bool,
    end: usize,
}

/// Reads one number.
fn one(bytes: &[u8], at: usize) -> Option<One> {
    let digit = |i: usize| bytes.get(i).filter(|b| b.is_ascii_digit()).map(|b| char::from(*b));
    let a = digit(at)?;
    // `2.05`, `2. 05`, `9 .0 1`: blanks come from tags and bad extraction.
    let dot = skip(bytes, at + 1, b" ");
    if a != '0' && bytes.get(dot) == Some(&b'.') {
        let tens = skip(bytes, dot + 1, b" ");
        if let Some('0') = digit(tens) {
            let ones = skip(bytes, tens + 1, b" ");
            if let Some(c) = digit(ones).filter(|c| *c != '0')
                && ends_number(bytes, ones + 1)
            {
                let number = format!("{a}.0{c}");
                let irregular = !titles::is_known(&number);
                return Some(One { number, former: false, irregular, end: ones + 1 });
            }
        }
        // `Item 5.2` for 5.02.
        if tens == dot + 1
            && dot == at + 1
            && let Some(c) = digit(tens).filter(|c| *c != '0')
            && ends_number(bytes, tens + 1)
        {
            return Some(One { number: format!("{a}.0{c}"), former: false, irregular: true, end: tens + 1 });
        }
    }
    // `Item 502` for 5.02.
    if let (Some('0'), Some(c)) = (digit(at + 1), digit(at + 2))
        && a != '0'
        && c != '0'
        && ends_number(bytes, at + 3)
    {
        let number = format!("{a}.0{c}");
        return titles::is_known(&number).then_some(One { number, former: false, irregular: true, end: at + 3 });
    }
    let (number, end) = match (a, digit(at + 1)) {
        ('1', Some(b @ '0'..='2')) => (format!("1{b}"), at + 2),
        ('0', Some(b @ '1'..='9')) => (b.to_string(), at + 2),
        ('1'..='9', None) => (a.to_string(), at + 1),
        _ => return None,
    };
    // `1A` is an item of an annual report, `7.1` a clause.
    if !ends_number(bytes, end) || (bytes.get(end).is_some_and(u8::is_ascii_alphabetic) && !opens_title(bytes, end)) {
        return None;
    }
    if bytes.get(end) == Some(&b'.') && digit(end + 1).is_some() {
        return None;
    }
    Some(One { number, former: true, irregular: false, end })
}

/// Whether letters glued to a number can be a title: at least two capitals or a capital and a small letter.
fn opens_title(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_uppercase) && bytes.get(at + 1).is_some_and(u8::is_ascii_alphabetic)
}

/// Whether no digit, percent sign, slash or decimal makes the number at hand a part of a longer one.
fn ends_number(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(b) if b.is_ascii_digit() => false,
        Some(b'%' | b'/') => false,
        Some(b'.' | b',') => !bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
        _ => true,
    }
}

/// Steps over `(a)`, `(e)(1)`, `(a), (b) and (c)`, `(a)-(c)`.
fn sub_letters(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    let mut i = skip(bytes, at, b" .");
    while let Some(j) = sub_letter(bytes, i) {
        end = j;
        i = skip(bytes, j, b" ,&-");
        i = word(bytes, i, b"and ").map_or(i, |k| skip(bytes, k, b" "));
    }
    end
}

fn sub_letter(bytes: &[u8], at: usize) -> Option<usize> {
    let inside = bytes.get(at).filter(|b| **b == b'(').map(|_| at + 1)?;
    let len = bytes.iter().skip(inside).take(4).take_while(|b| b.is_ascii_alphanumeric()).count();
    ((1..=3).contains(&len) && bytes.get(inside + len) == Some(&b')')).then_some(inside + len + 1)
}

/// Reads a further number after a comma, `and`, `&` or a slash, with or without the word `item` again.
fn following(bytes: &[u8], at: usize, former: bool, plural: bool) -> Option<One> {
    let mut i = skip(bytes, at, b" ");
    let begin = i;
    i = skip(bytes, i, b",;&/ ");
    if let Some(j) = word(bytes, i, b"and").filter(|j| bytes.get(*j) == Some(&b' ')) {
        i = skip(bytes, j, b" ");
    }
    if i == begin {
        return None;
    }
    let again = item_word(bytes, i);
    let i = again.map_or(i, |(j, _)| j);
    let next = one(bytes, i)?;
    // A bare old number after a comma is a number of anything else (`Item 5, 10 days later`).
    let trusted = next.former == former && (!former || plural || again.is_some());
    trusted.then_some(next)
}

/// The place after `what` (lower case) if it stands at `at` in any case.
fn word(bytes: &[u8], at: usize, what: &[u8]) -> Option<usize> {
    let end = at + what.len();
    bytes.get(at..end).filter(|b| b.eq_ignore_ascii_case(what)).map(|_| end)
}

/// The first place from `at` on that holds none of `set`.
fn skip(bytes: &[u8], at: usize, set: &[u8]) -> usize {
    at + bytes.iter().skip(at).take_while(|b| set.contains(b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(s: &str) -> Option<(Vec<String>, &str)> {
        parse(s, 0).map(|n| (n.list, &s[n.end..]))
    }

    fn numbers(s: &str) -> Vec<String> {
        read(s).map_or_else(Vec::new, |n| n.0)
    }

    #[test]
    fn one_number_in_many_spellings() {
        for s in [
            "Item 2.05",
            "ITEM 2.05.",
            "Item 2. 05",
            "Item 2.0 5 Costs",
            "Item 2 .0 5",
            "item2.05",
            "Item No. 2.05",
            "Item: 2.05",
            "Item 2.05:",
            "Item 2.05Costs",
            "Item(s) 2.05",
        ] {
            assert_eq!(numbers(s), ["2.05"], "{s}");
        }
    }

    #[test]
    fn sub_letters_belong_to_the_number() {
        assert_eq!(read("Item 5.02(e) Pay").unwrap().1, " Pay");
        assert_eq!(read("Item 5.02(b), (c) and (d). Pay").unwrap().1, ". Pay");
        assert_eq!(read("ITEM 9.01(d). Exhibits").unwrap().1, ". Exhibits");
        assert_eq!(read("Item 9.01 (the list)").unwrap().1, " (the list)");
    }

    #[test]
    fn several_numbers_in_one_heading() {
        assert_eq!(numbers("Items 1.01(a) and 5.02(e) Entry"), ["1.01", "5.02"]);
        assert_eq!(numbers("Item 2.05 and Item 2.06 Costs"), ["2.05", "2.06"]);
        assert_eq!(numbers("Items 2.02, 7.01 & 9.01"), ["2.02", "7.01", "9.01"]);
        assert_eq!(numbers("Items 5 and 7. Other"), ["5", "7"]);
        assert_eq!(numbers("Item 5, 10 days later"), ["5"]);
        assert_eq!(numbers("Item 2.02 and 2.02"), ["2.02"]);
    }

    #[test]
    fn old_numbers_go_from_one_to_twelve() {
        assert_eq!(numbers("Item 5. Other"), ["5"]);
        assert_eq!(numbers("ITEM 12 - Results"), ["12"]);
        assert_eq!(numbers("Item 5OTHER EVENTS"), ["5"]);
        for s in [
            "Item 13. x",
            "Item 0. x",
            "Item 1A. Risk",
            "Item 7.12 x",
            "Item 404(a)",
            "items sold",
            "Item 10% of",
            "Item 5/6",
        ] {
            assert_ne!(numbers(s).len(), 1, "{s}: {:?}", numbers(s));
        }
    }

    #[test]
    fn odd_spellings_are_marked() {
        assert!(parse("Item 5.2 Departure", 0).unwrap().irregular);
        assert!(parse("Item 502. Departure", 0).unwrap().irregular);
        assert!(parse("Item 7.04 x", 0).unwrap().irregular);
        assert!(parse("Item 601 of a rule", 0).unwrap().irregular);
        assert!(!parse("Item 7.01 x", 0).unwrap().irregular);
    }
}
