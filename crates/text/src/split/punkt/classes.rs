//! Character classes as Python's two regular-expression engines and its string methods see them.

use std::sync::LazyLock;

use regex::Regex;

use super::Version;

/// `str.isspace()`, which is also `\s` of Python's `re`: Unicode white space and the four ASCII separators.
pub(super) fn python_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// `\s` in the engine of that version.
pub(super) fn space(c: char, version: Version) -> bool {
    match version {
        Version::Nltk39 => python_space(c),
        Version::Nltk310 => c.is_whitespace(),
    }
}

/// `string.whitespace`, the six ASCII characters by which NLTK finds the word before a candidate.
pub(super) fn ascii_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

/// Curly quotes and guillemets, which 3.10 added to the classes below.
fn curly(c: char, version: Version) -> bool {
    version == Version::Nltk310 && matches!(c, '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '«' | '»')
}

/// Characters that end a word.
pub(super) fn non_word(c: char, version: Version) -> bool {
    let plain = matches!(c, ')' | '"' | ';' | '}' | ']' | '*' | ':' | '@' | '\'' | '(' | '{' | '[' | '!' | '?');
    plain || (!c.is_ascii() && curly(c, version))
}

/// Characters that cannot begin a word.
pub(super) fn no_word_start(c: char) -> bool {
    matches!(c, '(' | '"' | '`' | '{' | '[' | ':' | ';' | '&' | '#' | '*' | '@' | ')' | '}' | ']' | '-' | ',')
}

/// Characters that close a sentence.
pub(super) fn closer(c: char, version: Version) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '}') || curly(c, version)
}

/// `\d`: decimal digits of any script.
pub(super) fn digit(c: char) -> bool {
    static DECIMAL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^\p{Nd}").ok());
    if c.is_ascii() { c.is_ascii_digit() } else { c.is_numeric() && is(&DECIMAL, c) }
}

/// `[^\W\d]`: a letter, an underscore, and what else the engine counts as part of a word without being a digit.
pub(super) fn letter(c: char, version: Version) -> bool {
    static RE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{Nl}\p{No}_]").ok());
    static REGEX: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"^[\w--\d]").ok());
    if c.is_ascii() {
        return c.is_ascii_alphabetic() || c == '_';
    }
    is(if version == Version::Nltk39 { &RE } else { &REGEX }, c)
}

fn is(class: &Option<Regex>, c: char) -> bool {
    class.as_ref().is_some_and(|r| r.is_match(c.encode_utf8(&mut [0; 4])))
}
