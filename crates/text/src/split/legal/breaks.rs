//! Boundaries that Punkt cannot see.

use memchr::memchr_iter;

use super::context::{After, Before, Boundary, bare, closes, label, opens};
use super::words::{Kind, kind, lettered, numbered, starts};

/// Boundaries after a word that Punkt takes for an abbreviation, or where the space is missing, in order.
pub(super) fn breaks(text: &str) -> impl Iterator<Item = Boundary> + '_ {
    memchr_iter(b'.', text.as_bytes()).filter_map(move |at| {
        let rest = text.get(at + 1..)?;
        let first = rest.chars().next()?;
        if first.is_ascii_uppercase() {
            return missing_space(text, at, rest);
        }
        let closed = rest.trim_start_matches(closes);
        let right = closed.trim_start();
        if right.len() == closed.len() || right.is_empty() {
            return None;
        }
        let end = text.len() - closed.len();
        let boundary = Boundary { end, next: text.len() - right.len() };
        begins_after_abbreviation(text.get(..at + 1)?, right).then_some(boundary)
    })
}

/// `… $3.0 million.The plan`: a word in lower case or a number, a period, a word that begins sentences.
fn missing_space(text: &str, at: usize, rest: &str) -> Option<Boundary> {
    let before = text.get(..at)?;
    let last = before.chars().next_back()?;
    if !(last.is_lowercase() || last.is_ascii_digit() || matches!(last, ')' | '%' | '”' | '"')) {
        return None;
    }
    let word = rest.split_whitespace().next()?;
    let left = Before::new(text.get(..at + 1)?);
    let web = left.word.contains(['.', '@', '/']) && !left.word.starts_with(|c: char| c == '$' || c.is_ascii_digit());
    (starts(word) && !web).then_some(Boundary { end: at + 1, next: at + 1 })
}

/// Whether `right` clearly begins a sentence although `left` ends in an abbreviation.
fn begins_after_abbreviation(left: &str, right: &str) -> bool {
    let first = right.chars().next().unwrap_or(' ');
    if !(first.is_uppercase() || opens(first)) {
        return false;
    }
    let before = Before::new(left);
    let kind = kind(before.word);
    let possible = match kind {
        Kind::Company | Kind::Country | Kind::Hour | Kind::Suffix | Kind::Digits | Kind::Month => true,
        Kind::Initial => lettered(before.previous()),
        // Punkt looks at what stands behind the last hyphen: `Form 8-K.` is an initial to it.
        Kind::Other => before.word.contains('-'),
        _ => false,
    };
    if !possible {
        return false;
    }
    let after = After::new(right);
    let word = after.word();
    if kind == Kind::Digits {
        // Collocations of the newspapers Punkt learned from: `2012. Business`.
        let label =
            numbered(before.previous()) || before.word.len() < 3 && before.previous().ends_with([':', ';', '.']);
        return !label
            && first.is_uppercase()
            && word.chars().nth(1).is_some_and(char::is_lowercase)
            && left.len() > before.word.len() + 20;
    }
    if first == '(' && label(right).is_none() {
        return false;
    }
    let follows = after.words().nth(1).map(bare).unwrap_or_default();
    // `A` and `No` are words of names too, unless a word in lower case follows.
    let certain = !matches!(word, "A" | "No" | "All" | "First" | "Such") || follows.starts_with(char::is_lowercase);
    starts(word) && certain
}
