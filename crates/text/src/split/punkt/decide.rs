//! Whether a sentence ends within a context.
//!
//! First by the token alone (a known abbreviation or not), then by the token that follows. NLTK annotates every token twice; here a
//! token's final mark is computed when its successor is known, and nothing is stored.

use std::borrow::Cow;

use super::Version;
use super::classes::{digit, letter};
use super::tables;
use super::tokens::tokens;

/// Whether some token of the context, the last one aside, ends a sentence.
pub(super) fn holds_break(context: &str, version: Version) -> bool {
    let mut tokens = tokens(context, version);
    let Some(mut before) = tokens.next() else { return false };
    for after in tokens {
        if ends_sentence(before, after, version) {
            return true;
        }
        before = after;
    }
    false
}

/// What a token is by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    None,
    Break,
    Ellipsis,
    Abbreviation,
}

fn mark(token: &str) -> Mark {
    if matches!(token, "." | "?" | "!") {
        return Mark::Break;
    }
    if token.len() > 1 && token.bytes().all(|b| b == b'.') {
        return Mark::Ellipsis;
    }
    let Some(word) = token.strip_suffix('.').filter(|w| !w.ends_with('.')) else { return Mark::None };
    let word = lower(word);
    let last = word.rsplit('-').next().unwrap_or_default();
    if tables::abbreviation(&word) || tables::abbreviation(last) { Mark::Abbreviation } else { Mark::Break }
}

fn ends_sentence(token: &str, next: &str, version: Version) -> bool {
    let mark = mark(token);
    if !token.ends_with('.') {
        return mark == Mark::Break;
    }
    let initial = is_initial(token, version);
    let kind = without_period(kind(token));
    let pair = tables::may_collocate(&kind);
    let number = kind == NUMBER;
    let doubtful = matches!(mark, Mark::Abbreviation | Mark::Ellipsis);
    if !(pair || doubtful || initial || number) {
        return mark == Mark::Break;
    }

    let after = Next::new(next);
    if pair && tables::collocation(&kind, &after.kind) {
        return false;
    }
    if doubtful && !initial {
        // Evidence that the next word begins a sentence makes the abbreviation a boundary too.
        if after.begins_sentence() == Some(true) || (after.upper && tables::starter(&after.kind)) {
            return true;
        }
    }
    if initial || number {
        match after.begins_sentence() {
            Some(false) => return false,
            None if initial && after.upper && after.flags & tables::ANY_LOWER == 0 => return false,
            _ => {}
        }
    }
    mark == Mark::Break
}

/// What is known of the token after.
struct Next<'t> {
    token: &'t str,
    kind: Cow<'t, str>,
    flags: u8,
    upper: bool,
    lower: bool,
}

impl<'t> Next<'t> {
    fn new(token: &'t str) -> Self {
        let kind = if mark(token) == Mark::Break { without_period(kind(token)) } else { kind(token) };
        let first = token.chars().next();
        Self {
            token,
            flags: tables::orthography(&kind),
            kind,
            upper: first.is_some_and(char::is_uppercase),
            lower: first.is_some_and(char::is_lowercase),
        }
    }

    /// Whether case says that the word begins a sentence; `None` where it says nothing.
    fn begins_sentence(&self) -> Option<bool> {
        if matches!(self.token, ";" | ":" | "," | "." | "!" | "?") {
            return Some(false);
        }
        if self.upper && self.flags & tables::ANY_LOWER != 0 && self.flags & tables::INSIDE_UPPER == 0 {
            return Some(true);
        }
        let never_begins_lower = self.flags & tables::ANY_UPPER != 0 || self.flags & tables::BEGIN_LOWER == 0;
        (self.lower && never_begins_lower).then_some(false)
    }
}

/// The type of every number.
const NUMBER: &str = "##number##";

/// A token's type: lower case, all numbers one.
fn kind(token: &str) -> Cow<'_, str> {
    if is_number(token) { Cow::Borrowed(NUMBER) } else { lower(token) }
}

fn lower(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(word.to_lowercase())
    }
}

fn without_period(kind: Cow<'_, str>) -> Cow<'_, str> {
    if kind.len() < 2 || !kind.ends_with('.') {
        return kind;
    }
    match kind {
        Cow::Borrowed(k) => Cow::Borrowed(k.strip_suffix('.').unwrap_or(k)),
        Cow::Owned(mut k) => {
            k.pop();
            Cow::Owned(k)
        }
    }
}

/// An optional minus, an optional point or comma, a digit, then digits, commas, points and hyphens.
fn is_number(token: &str) -> bool {
    let rest = token.strip_prefix('-').unwrap_or(token);
    let rest = rest.strip_prefix(['.', ',']).unwrap_or(rest);
    let mut chars = rest.chars();
    chars.next().is_some_and(digit) && chars.all(|c| matches!(c, ',' | '.' | '-') || digit(c))
}

/// One letter and a period.
fn is_initial(token: &str, version: Version) -> bool {
    let mut chars = token.chars();
    let first = chars.next();
    chars.as_str() == "." && first.is_some_and(|c| letter(c, version))
}
