//! Character references: `&amp;`, `&#146;`, `&#x2019;`.
//!
//! The named ones are the table of the HTML standard, kept as sorted lines and searched in place: a hash map would have to be
//! built at each start for names that hardly any filing uses.

/// One line per name: name, tab, replacement; sorted by name.
const NAMED: &str = include_str!("entities.txt");

/// Windows-1252 for 0x80 to 0x9F, where numeric references (and wrongly decoded files) mean it rather than control characters.
const WINDOWS_1252: [char; 32] = [
    '\u{20AC}', '\u{81}', '\u{201A}', '\u{0192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{02C6}',
    '\u{2030}', '\u{0160}', '\u{2039}', '\u{0152}', '\u{8D}', '\u{017D}', '\u{8F}', '\u{90}', '\u{2018}', '\u{2019}',
    '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{02DC}', '\u{2122}', '\u{0161}', '\u{203A}',
    '\u{0153}', '\u{9D}', '\u{017E}', '\u{0178}',
];

/// What a reference stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Replacement {
    /// One character.
    Char(char),
    /// A named reference for several characters.
    Text(&'static str),
}

/// The character that a C1 control stands for in a document that means windows-1252.
pub(super) fn from_c1(c: char) -> char {
    let index = (c as usize).wrapping_sub(0x80);
    WINDOWS_1252.get(index).copied().unwrap_or(c)
}

/// Reads the reference that begins at `bytes[0] == b'&'`; gives what it stands for and how many bytes it takes.
///
/// `None` where the ampersand is only an ampersand: `AT&T`, `R&D`. A missing semicolon is forgiven for numbers and for names
/// of Latin-1 characters, as browsers do.
pub(super) fn decode(bytes: &[u8]) -> Option<(Replacement, usize)> {
    match bytes.get(1)? {
        b'#' => numeric(bytes),
        c if c.is_ascii_alphabetic() => named(bytes),
        _ => None,
    }
}

fn numeric(bytes: &[u8]) -> Option<(Replacement, usize)> {
    let hex = matches!(bytes.get(2), Some(b'x' | b'X'));
    let start = if hex { 3 } else { 2 };
    let radix = if hex { 16 } else { 10 };
    let mut value = 0u32;
    let mut at = start;
    while let Some(digit) = bytes.get(at).and_then(|b| (*b as char).to_digit(radix)) {
        value = value.saturating_mul(radix).saturating_add(digit);
        at += 1;
    }
    if at == start {
        return None;
    }
    if bytes.get(at) == Some(&b';') {
        at += 1;
    }
    let c = match value {
        0x80..=0x9F => from_c1(char::from_u32(value)?),
        0 => '\u{FFFD}',
        _ => char::from_u32(value).unwrap_or('\u{FFFD}'),
    };
    Some((Replacement::Char(c), at))
}

fn named(bytes: &[u8]) -> Option<(Replacement, usize)> {
    // The longest name has 31 letters.
    let len = bytes.iter().skip(1).take(32).take_while(|b| b.is_ascii_alphanumeric()).count();
    let name = std::str::from_utf8(bytes.get(1..=len)?).ok()?;
    let closed = bytes.get(1 + len) == Some(&b';');
    if let Some(text) = lookup(name) {
        let mut chars = text.chars();
        let replacement = match (chars.next(), chars.next()) {
            (Some(c), None) => Replacement::Char(c),
            _ => Replacement::Text(text),
        };
        if closed {
            return Some((replacement, len + 2));
        }
        if let Replacement::Char(c) = replacement
            && is_latin1(c)
        {
            return Some((replacement, len + 1));
        }
        return None;
    }
    // `&nbspof`: the name ran into the word that follows.
    if !closed && name.starts_with("nbsp") {
        return Some((Replacement::Char('\u{A0}'), 5));
    }
    None
}

fn is_latin1(c: char) -> bool {
    matches!(c, '&' | '<' | '>' | '"' | '\u{A0}'..='\u{FF}')
}

/// Binary search by lines.
fn lookup(name: &str) -> Option<&'static str> {
    let table = NAMED.as_bytes();
    let (mut low, mut high) = (0, table.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memchr::memrchr(b'\n', table.get(low..middle)?).map_or(low, |i| low + i + 1);
        let end = memchr::memchr(b'\n', table.get(start..)?).map_or(table.len(), |i| start + i);
        let (key, value) = NAMED.get(start..end)?.split_once('\t')?;
        match key.cmp(name) {
            std::cmp::Ordering::Equal => {
                return Some(match value {
                    "\\n" => "\n",
                    "\\t" => "\t",
                    v => v,
                });
            }
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(s: &str) -> Option<(String, usize)> {
        decode(s.as_bytes()).map(|(r, n)| match r {
            Replacement::Char(c) => (c.to_string(), n),
            Replacement::Text(t) => (t.to_owned(), n),
        })
    }

    #[test]
    fn every_named_reference_is_found() {
        let mut count = 0;
        for line in NAMED.lines() {
            let (name, value) = line.split_once('\t').unwrap();
            let value = value.replace("\\n", "\n").replace("\\t", "\t");
            assert_eq!(one(&format!("&{name};")), Some((value, name.len() + 2)), "{name}");
            count += 1;
        }
        assert_eq!(count, 2125);
    }

    #[test]
    fn numbers_mean_windows_1252_below_160() {
        assert_eq!(one("&#146;s"), Some(("\u{2019}".into(), 6)));
        assert_eq!(one("&#x97;"), Some(("\u{2014}".into(), 6)));
        assert_eq!(one("&#8217"), Some(("\u{2019}".into(), 6)));
        assert_eq!(one("&#xD800;"), Some(("\u{FFFD}".into(), 8)));
        assert_eq!(one("&#99999999999999;"), Some(("\u{FFFD}".into(), 17)));
    }

    #[test]
    fn a_lone_ampersand_stays() {
        for s in ["&", "& Co", "&T", "&D expenses", "&#;", "&#x;", "&unknown;", "&trade mark"] {
            assert_eq!(one(s), None, "{s}");
        }
    }

    #[test]
    fn a_missing_semicolon_is_forgiven_where_browsers_do() {
        assert_eq!(one("&nbsp of"), Some(("\u{A0}".into(), 5)));
        assert_eq!(one("&amp Sons"), Some(("&".into(), 4)));
        assert_eq!(one("&nbspof"), Some(("\u{A0}".into(), 5)));
    }
}
