//! The words of a context, cut as Punkt's word tokenizer cuts them.

use super::Version;
use super::classes::{no_word_start, non_word, python_space, space};

/// The tokens of a text. Lines are cut one by one.
pub(super) fn tokens(text: &str, version: Version) -> impl Iterator<Item = &str> {
    let lines = text.split('\n').filter(|line| !line.chars().all(python_space));
    lines.flat_map(move |line| {
        let mut rest = line;
        std::iter::from_fn(move || {
            rest = rest.trim_start_matches(|c| space(c, version));
            let (token, tail) = rest.split_at_checked(token_len(rest, version)?)?;
            rest = tail;
            Some(token)
        })
    })
}

/// How long the token is at the beginning of `rest`, which does not begin with white space; `None` at the end.
fn token_len(rest: &str, version: Version) -> Option<usize> {
    let first = rest.chars().next()?;
    if let Some(len) = multi_char(rest, version) {
        return Some(len);
    }
    if no_word_start(first) {
        return Some(first.len_utf8());
    }
    let mut len = first.len_utf8();
    while let Some(c) = rest.get(len..).and_then(|r| r.chars().next()) {
        if !c.is_ascii_alphanumeric() && ends_word(rest.get(len..).unwrap_or_default(), c, version) {
            break;
        }
        len += c.len_utf8();
    }
    Some(len)
}

/// Whether a word ends before `rest`, whose first character is `c`.
fn ends_word(rest: &str, c: char, version: Version) -> bool {
    if hard_end(rest, c, version) {
        return true;
    }
    c == ',' && rest.get(1..).is_none_or(|r| r.chars().next().is_none_or(|c| hard_end(r, c, version)))
}

fn hard_end(rest: &str, c: char, version: Version) -> bool {
    space(c, version) || non_word(c, version) || (matches!(c, '-' | '.') && multi_char(rest, version).is_some())
}

/// Two or more hyphens, two or more periods, or three or more periods with one white space between each.
fn multi_char(rest: &str, version: Version) -> Option<usize> {
    let run = |b: u8| rest.bytes().take_while(|x| *x == b).count();
    match rest.bytes().next()? {
        b'-' => Some(run(b'-')).filter(|n| *n > 1),
        b'.' => Some(run(b'.')).filter(|n| *n > 1).or_else(|| spaced_periods(rest, version)),
        _ => None,
    }
}

fn spaced_periods(rest: &str, version: Version) -> Option<usize> {
    let (mut len, mut periods) = (1, 1);
    loop {
        let tail = rest.get(len..).unwrap_or_default();
        let gap = tail.chars().next().filter(|c| space(*c, version)).map(char::len_utf8);
        let Some(gap) = gap.filter(|g| tail.as_bytes().get(*g) == Some(&b'.')) else { break };
        (len, periods) = (len + gap + 1, periods + 1);
    }
    (periods > 2).then_some(len)
}
