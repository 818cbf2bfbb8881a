//! Boundaries that are none.

use super::context::{After, Before, Boundary, bare, closes, label};
use super::words::{Kind, finite, form, kind, lettered, national, numbered, report_title, starts, zone};

/// How long a bracket or a quotation may be for a period inside it to end nothing.
const SHORT_INSERTION: usize = 60;

/// Whether the sentence that begins at `begin` goes on across the boundary.
pub(super) fn joins(text: &str, begin: usize, boundary: Boundary) -> bool {
    let (Some(left), Some(right)) = (text.get(begin..boundary.end), text.get(boundary.next..)) else { return true };
    let after = After::new(right);
    let glued = boundary.end == boundary.next;
    goes_on(after, glued) || is_label(left) || by_word(Before::new(left), after, glued) || inside_insertion(left, right)
}

/// Whether the first character cannot begin a sentence.
fn goes_on(after: After<'_>, glued: bool) -> bool {
    let first = after.first();
    if matches!(first, ')' | ']' | '}' | ',' | ';' | ':' | '”' | '»' | '?' | '!' | '.' | '%' | '§') {
        return true;
    }
    // A possessive or an apostrophe.
    (glued && matches!(first, '\'' | '’')) || lower_case(after) || defines(after)
}

/// Whether a word in lower case follows that is not spelled so by itself (`eBay`, `iRobot`) and is no list label (`a.`).
fn lower_case(after: After<'_>) -> bool {
    if !after.first().is_lowercase() {
        return false;
    }
    let word = after.words().next().unwrap_or_default();
    let inner = bare(word);
    let label =
        word.len() > inner.len() && inner.len() < 4 && word.ends_with(['.', ')']) && !matches!(inner, "v" | "vs");
    // A lone `o` is the bullet of many a list.
    let bullet = word == "o";
    let own =
        inner.chars().skip(1).take(4).any(char::is_uppercase) || inner.contains(".com") || word.starts_with("www.");
    !(label || bullet || own)
}

/// Whether a defined term in brackets follows: `(the “Plan”)`, `(“Acme”)`.
fn defines(after: After<'_>) -> bool {
    let Some(inner) = after.text.strip_prefix('(') else { return false };
    let quoted = |s: &str| s.starts_with(['“', '"', '‘']) || s.starts_with("''") || s.starts_with("``");
    let article =
        ["the ", "The ", "each, a ", "each a ", "each, an ", "a ", "an ", "collectively, ", "together, ", "or "];
    quoted(inner) || article.iter().any(|a| inner.strip_prefix(a).is_some_and(|s| quoted(s) || s.starts_with("“")))
}

/// Whether all there is so far is a label: `1.`, `(a)`, `IV.`, `Item 2.05.`
fn is_label(left: &str) -> bool {
    let left = left.trim();
    if left.len() > 24 {
        return false;
    }
    let mut words = left.split_whitespace();
    let (Some(first), second, None) = (words.next(), words.next(), words.next()) else { return false };
    let name = |w: &str| {
        let inner = w.trim_matches(|c| matches!(c, '(' | ')' | '.' | '[' | ']' | ':'));
        let roman = !inner.is_empty() && inner.bytes().all(|b| matches!(b, b'I' | b'V' | b'X' | b'i' | b'v' | b'x'));
        let digits = inner.starts_with(|c: char| c.is_ascii_digit())
            && inner.len() < 8
            && inner.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'(' | b')' | b'a'..=b'f'));
        roman || digits || (inner.len() == 1 && inner.bytes().all(|b| b.is_ascii_alphabetic()))
    };
    match second {
        None => name(first),
        Some(second) => name(second) && (numbered(first) || (name(first) && first.starts_with('('))),
    }
}

/// Whether the word before the mark asks for more.
fn by_word(before: Before<'_>, after: After<'_>, glued: bool) -> bool {
    let (word, next) = (before.word, after.word());
    if before.mark != '.' {
        // A name that ends in a mark: the company's legal form follows.
        return before.mark == '!' && !before.closed && kind(next) == Kind::Company;
    }
    if before.closed {
        return false;
    }
    let letter = after.letter();
    let digit = letter.is_ascii_digit();
    let bracket = after.first() == '(' && label(after.text).is_none();
    match kind(word) {
        Kind::Never => !glued,
        Kind::Number => {
            let code = next.len() < 12 && next.bytes().any(|b| b.is_ascii_digit()) && !starts(next);
            digit || code || matches!(letter, '$' | '€' | '£' | '#' | '§' | '-') || bracket
        }
        Kind::Citation => {
            let short =
                after.words().next().is_some_and(|w| w.len() < 8 && w.trim_end_matches([',', ')']).ends_with('.'));
            digit || bracket || (short && !starts(next))
        }
        Kind::Month => digit,
        Kind::Name => letter.is_uppercase() && !starts(next) && !after.opened(),
        Kind::Country => bracket || digit || national(next) || matches!(letter, '$' | '/' | '&'),
        Kind::Hour => bracket || zone(next),
        Kind::Company => {
            bracket
                || digit
                || matches!(letter, '&' | '/' | '-' | '–' | '—')
                || kind(next) == Kind::Company
                || form(next)
                || name_goes_on(after)
        }
        Kind::Suffix => bracket || matches!(letter, '&' | '-') || kind(next) == Kind::Suffix,
        Kind::Initial => {
            let named = lettered(before.previous()) && (starts(next) || after.opened());
            !named && !glued && letter.is_uppercase() && !after.opened() && initial_in_name(before, after)
        }
        Kind::Digits => {
            let item = before.previous().eq_ignore_ascii_case("item");
            (item && (digit || titled(after))) || (digit && word.starts_with('$') && word.len() < 4)
        }
        Kind::Other => false,
    }
}

/// Whether the title of an Item of a periodic report follows: `Item 7. Management’s Discussion and Analysis`.
fn titled(after: After<'_>) -> bool {
    let second = after.words().nth(1).unwrap_or_default();
    report_title(after.word()) && (second.starts_with(char::is_uppercase) || matches!(second, "and" | "of" | "into"))
}

/// Whether capitals after a company's legal form belong to the name of something: a plan, a class of stock.
fn name_goes_on(after: After<'_>) -> bool {
    if after.opened() || !after.letter().is_uppercase() || starts(after.word()) {
        return false;
    }
    let capital = |w: &&str| w.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let run = after.words().take(8).take_while(capital).count();
    let behind = after.words().nth(run).map(bare).unwrap_or_default();
    run > 1 && !finite(behind)
}

/// Whether a single capital is a person's initial: a name before it (or nothing), a name after it.
fn initial_in_name(before: Before<'_>, after: After<'_>) -> bool {
    let previous = bare(before.previous());
    let name_before = previous.is_empty() || previous.starts_with(char::is_uppercase) || previous == "and";
    name_before && !(starts(after.word()) && after.words().nth(1).is_some_and(|w| w.starts_with(char::is_lowercase)))
}

/// Whether the boundary lies inside a short bracket or quotation that opened in this sentence.
fn inside_insertion(left: &str, right: &str) -> bool {
    [('(', ')'), ('“', '”')].into_iter().any(|(open, close)| {
        let Some(at) = left.rfind(open) else { return false };
        let inside = left.get(at..).unwrap_or_default();
        if inside.len() > SHORT_INSERTION || inside.contains(close) {
            return false;
        }
        let ahead = right
            .char_indices()
            .take_while(|(i, _)| inside.len() + i < SHORT_INSERTION)
            .find(|(_, c)| *c == close || *c == open);
        // A bracket that opens with the sentence holds a sentence of its own.
        let whole = left.trim_start().starts_with(open) && right.trim_start_matches(|c| !closes(c)).starts_with(closes);
        ahead.is_some_and(|(_, c)| c == close) && !whole
    })
}
