//! What stands around a boundary.

/// A place where one sentence ends and the next begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Boundary {
    /// After the last character of the one.
    pub(super) end: usize,
    /// At the first of the other.
    pub(super) next: usize,
}

/// Quotes and brackets that close.
pub(super) fn closes(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '}' | '”' | '’' | '»')
}

/// Quotes and brackets that open.
pub(super) fn opens(c: char) -> bool {
    matches!(c, '"' | '\'' | '(' | '[' | '{' | '“' | '‘' | '«')
}

/// The words before a mark.
#[derive(Debug, Clone, Copy)]
pub(super) struct Before<'t> {
    /// The mark itself: `.`, `?`, `!`, or something else where there is none.
    pub(super) mark: char,
    /// The word the mark ends, without the mark and without opening punctuation.
    pub(super) word: &'t str,
    /// Whether closing punctuation stands between the mark and the boundary.
    pub(super) closed: bool,
    /// What comes before the word.
    rest: &'t str,
}

impl<'t> Before<'t> {
    /// Reads backwards from the end of `text`.
    pub(super) fn new(text: &'t str) -> Self {
        let bare = text.trim_end_matches(closes);
        let mark = bare.chars().next_back().unwrap_or(' ');
        let stem = bare.strip_suffix(['.', '?', '!']).unwrap_or(bare);
        let begin = stem
            .rfind(|c: char| c.is_whitespace() || matches!(c, '/' | '—' | '–'))
            .map_or(0, |i| i + stem.get(i..).and_then(|s| s.chars().next()).map_or(1, char::len_utf8));
        let (rest, word) = stem.split_at_checked(begin).unwrap_or(("", stem));
        Self { mark, word: word.trim_start_matches(opens), closed: bare.len() < text.len(), rest }
    }

    /// The word before the word.
    pub(super) fn previous(&self) -> &'t str {
        last_word(self.rest)
    }
}

/// The last word of a text, opening punctuation aside.
pub(super) fn last_word(text: &str) -> &str {
    let text = text.trim_end();
    text.rsplit(char::is_whitespace).next().unwrap_or_default().trim_start_matches(opens)
}

/// The words after a boundary.
#[derive(Debug, Clone, Copy)]
pub(super) struct After<'t> {
    /// All of it.
    pub(super) text: &'t str,
    /// The text without opening punctuation.
    inner: &'t str,
}

impl<'t> After<'t> {
    /// Reads forwards.
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, inner: text.trim_start_matches(opens) }
    }

    /// The first character, opening punctuation included.
    pub(super) fn first(&self) -> char {
        self.text.chars().next().unwrap_or(' ')
    }

    /// The first character that is no opening punctuation.
    pub(super) fn letter(&self) -> char {
        self.inner.chars().next().unwrap_or(' ')
    }

    /// Whether opening punctuation comes first.
    pub(super) fn opened(&self) -> bool {
        self.inner.len() < self.text.len()
    }

    /// The words in order, opening and closing punctuation aside, commas and periods kept.
    pub(super) fn words(&self) -> impl Iterator<Item = &'t str> + use<'t> {
        self.inner.split_whitespace()
    }

    /// The first word without closing punctuation, comma or period.
    pub(super) fn word(&self) -> &'t str {
        bare(self.words().next().unwrap_or_default())
    }
}

/// A word without the punctuation around it.
pub(super) fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| opens(c) || closes(c) || matches!(c, ',' | '.' | ';' | ':' | '?' | '!'))
}

/// The length of a list label such as `(a)`, `(iv)`, `(12)` at the beginning of a text.
pub(super) fn label(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('(')?;
    let len = inner.bytes().take(6).take_while(u8::is_ascii_alphanumeric).count();
    let name = inner.get(..len)?;
    let roman = len < 6 && name.bytes().all(|b| matches!(b.to_ascii_lowercase(), b'i' | b'v' | b'x'));
    let short = len < 3 && (name.bytes().all(|b| b.is_ascii_digit()) || len == 1 || doubled(name));
    (len > 0 && inner.as_bytes().get(len) == Some(&b')') && (roman || short)).then_some(len + 2)
}

fn doubled(name: &str) -> bool {
    let b = name.as_bytes();
    b.len() == 2 && b.first() == b.last()
}
