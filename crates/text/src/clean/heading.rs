//! Where an Item heading stands in running lines, as far as paragraphs depend on it.
//!
//! Only the question "does a paragraph begin here?" is answered. Which candidates are headings of the report is decided later,
//! with the whole document in view.

use std::sync::LazyLock;

use memchr::memmem;

use crate::official::{CURRENT, FORMER};

/// Item numbers with their titles and the other ways to begin them, as letters alone.
static TITLES: LazyLock<Vec<(&'static str, Vec<String>)>> = LazyLock::new(|| {
    let all = CURRENT.iter().chain(FORMER);
    all.map(|row| (row.number, std::iter::once(&row.title).chain(row.openings).map(|t| letters(t)).collect())).collect()
});

/// Words after which an Item number is a reference to the Item, not its heading.
const CUES: &[&str] = &[
    "in", "under", "to", "of", "this", "pursuant", "by", "the", "and", "or", "with", "see", "from", "per", "at", "on",
    "as", "for", "a", "such", "also", "our", "its", "both", "with,", "amend", "amends", "that", "within",
];

/// A heading's number and what stands behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Numbered<'a> {
    number: (u32, Option<u32>),
    rest: &'a str,
}

/// Reads `Item 2.05`, `ITEM 2. 05(a)`, `Items 1.01 and 2.03` at the start of `line`.
fn numbered(line: &str) -> Option<Numbered<'_>> {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '-' | '_' | '=' | '*' | '•' | '|'));
    let rest = line.strip_prefix("Item").or_else(|| line.strip_prefix("ITEM"))?;
    let rest = rest.strip_prefix(['s', 'S']).unwrap_or(rest);
    let (first, rest) = digits(rest.trim_start())?;
    if first == 0 || first > 12 {
        return None;
    }
    let after_dot = rest.trim_start().strip_prefix('.').map(str::trim_start);
    let (second, rest) = match after_dot.and_then(digits) {
        Some((n, r)) if n <= 9 && first <= 9 => (Some(n), r),
        _ => (None, rest),
    };
    let mut rest = rest.trim_start();
    if let Some(inner) = rest.strip_prefix('(')
        && let Some(close) = inner.bytes().take(3).position(|b| b == b')')
    {
        rest = inner.get(close + 1..).unwrap_or_default();
    }
    Some(Numbered { number: (first, second), rest })
}

/// Up to two digits at the start.
fn digits(s: &str) -> Option<(u32, &str)> {
    let n = s.bytes().take_while(u8::is_ascii_digit).count();
    if n == 0 || n > 2 {
        return None;
    }
    Some((s.get(..n)?.parse().ok()?, s.get(n..)?))
}

/// The letters of the first part of `s`, lower case: what titles are compared by.
fn letters(s: &str) -> String {
    s.chars().take(400).filter(char::is_ascii_alphabetic).take(160).map(|c| c.to_ascii_lowercase()).collect()
}

fn titles(number: (u32, Option<u32>)) -> &'static [String] {
    let name = match number {
        (a, Some(b)) => format!("{a}.{b:02}"),
        (a, None) => a.to_string(),
    };
    TITLES.iter().find(|(n, _)| *n == name).map_or(&[], |(_, t)| t)
}

/// Whether `text` begins with a title that the Item bears, or with enough of it.
fn bears_title(number: (u32, Option<u32>), text: &str) -> bool {
    let have = letters(text);
    titles(number).iter().any(|t| {
        let enough = t.len().min(14);
        have.len() >= enough && t.get(..enough) == have.get(..enough)
    })
}

/// Whether the last word of `before` makes an Item number behind it a reference.
fn refers(before: &str) -> bool {
    let before = before.trim_end();
    if before.ends_with([',', '“', '"', '‘', '(']) {
        return true;
    }
    // No cue is longer than ten letters; a bound keeps one endless word from being read again and again.
    let reversed = before.bytes().rev().take(12).take_while(|b| !b.is_ascii_whitespace());
    let mut word: Vec<u8> = reversed.map(|b| b.to_ascii_lowercase()).collect();
    word.reverse();
    CUES.iter().any(|cue| cue.as_bytes() == word)
}

/// Whether `line` begins an Item although no paragraph ended before it: it opens with a number and, on this line, a title of
/// that Item or nothing else.
pub(super) fn begins_item(line: &str, before: &str) -> bool {
    let Some(found) = numbered(line) else { return false };
    if refers(before) {
        return false;
    }
    let rest = found.rest.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '(');
    if rest.is_empty() {
        return true;
    }
    if bears_title(found.number, rest) {
        return true;
    }
    let ended =
        before.trim_end().ends_with(['.', ':', ';', '!', '?', '”', '"', ')', '_', '-']) || before.trim().is_empty();
    ended && rest.chars().next().is_some_and(char::is_uppercase) && found.number.1.is_some()
}

/// Whether an Item heading, `heading` so far, goes on in the next line.
pub(super) fn heading_goes_on(heading: &str, next: &str) -> bool {
    // Longer than any title with its number: a passage.
    let Some(found) = numbered(heading).filter(|_| heading.len() < 400) else { return false };
    let so_far = letters(found.rest);
    let next_letters = letters(next);
    if next_letters.is_empty() {
        return false;
    }
    if so_far.is_empty() {
        return bears_title(found.number, next) || (next.len() < 100 && !next.trim_end().ends_with('.'));
    }
    let joined = format!("{so_far}{next_letters}");
    titles(found.number).iter().any(|t| {
        t.len() > so_far.len() && t.starts_with(&so_far) && (t.starts_with(&joined) || joined.starts_with(t.as_str()))
    }) || (is_upper(found.rest) && is_upper(next) && numbered(next).is_none() && next.len() < 100)
        || found.rest.trim_end().ends_with([';', ','])
        || next.trim_start().starts_with(|c: char| c.is_lowercase())
}

/// Whether `line` opens with an Item number, whatever follows.
pub(super) fn opens_with_number(line: &str) -> bool {
    numbered(line).is_some()
}

/// Whether there are letters and none of them is lower case.
pub(super) fn is_upper(s: &str) -> bool {
    !s.chars().any(char::is_lowercase) && s.chars().any(char::is_uppercase)
}

/// Where paragraphs begin in a text that has lost its line breaks: before each Item heading that bears its title, and before
/// the signatures.
pub(super) fn cuts_in_flattened(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut cuts = Vec::new();
    for needle in ["Item", "ITEM"] {
        for at in memmem::find_iter(bytes, needle) {
            let (Some(before), Some(here)) = (text.get(..at), text.get(at..)) else { continue };
            let Some(found) = numbered(here) else { continue };
            let bounded = before.is_empty() || before.ends_with(|c: char| !c.is_alphanumeric());
            if bounded && !refers(before) && bears_title(found.number, found.rest) {
                cuts.push(at);
            }
        }
    }
    for at in memmem::find_iter(bytes, "SIGNATURE") {
        let here = text.get(at..).unwrap_or_default();
        let rest = here.get("SIGNATURE".len()..).unwrap_or_default();
        let rest = rest.strip_prefix('S').unwrap_or(rest).trim_start_matches([' ', ':', '.']);
        if rest.get(..23).is_some_and(|r| r.eq_ignore_ascii_case("pursuant to the require")) {
            cuts.push(at);
        }
    }
    cuts.sort_unstable();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_in_running_lines() {
        assert!(begins_item("Item 2.05 Costs Associated with Exit or Disposal Activities.", "on that day."));
        assert!(begins_item("ITEM 5. OTHER EVENTS", "Inc"));
        assert!(begins_item("Item 2. 02. Results of Operations and Financial Condition", ""));
        assert!(!begins_item("Item 2.06 below is incorporated", "set forth in"));
        assert!(!begins_item("Item 9. Regulation FD Disclosure and will not", "furnished under"));
        assert!(!begins_item("Item 404(a) of Regulation S-K.", "required by"));
        assert!(!begins_item("Item 10 of the annual report", "refer to"));
    }

    #[test]
    fn titles_run_over_lines() {
        assert!(heading_goes_on("Item 2.05", "Costs Associated with Exit or Disposal Activities"));
        assert!(heading_goes_on("Item 2.05 Costs Associated with", "Exit or Disposal Activities"));
        assert!(heading_goes_on("ITEM 8.01", "OTHER EVENTS"));
        assert!(!heading_goes_on("Item 8.01 Other Events", "On May 3 the Company closed a plant."));
    }

    #[test]
    fn flattened_text_is_cut_at_headings_only() {
        let text = "Acme files this. Item 8.01 Other Events. As said in Item 8.01 Other Events above, we go. SIGNATURE Pursuant to the requirements of the Act";
        assert_eq!(cuts_in_flattened(text), [17, 89]);
    }
}
