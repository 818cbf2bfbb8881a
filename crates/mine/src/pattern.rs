//! Regular expressions as recipes use them: bytes, ASCII classes, no captures.
//!
//! The engine below `regex` is used directly because it can be told to leave out capture groups and Unicode: a recipe's
//! two dozen large patterns then build in a third of the time, and every run of the program pays for building them.

use std::borrow::Cow;

use regex_automata::meta::{Config, Regex};
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::syntax;

/// Compiled patterns larger than this are refused; the built-in ones stay far below.
const BYTES: usize = 4 << 20;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub(crate) struct Pattern(Regex);

/// How patterns are read.
fn plain() -> syntax::Config {
    syntax::Config::new().unicode(false).utf8(false)
}

impl Pattern {
    /// Compiles a pattern, or says why it cannot be.
    pub(crate) fn new(pattern: &str) -> Result<Self, String> {
        let config = Config::new()
            .which_captures(WhichCaptures::Implicit)
            .utf8_empty(false)
            .onepass(false)
            .backtrack(false)
            .dfa(false)
            .auto_prefilter(false)
            .nfa_size_limit(Some(BYTES))
            .hybrid_cache_capacity(BYTES);
        let built = Regex::builder().configure(config).syntax(plain()).build(pattern);
        built.map(Self).map_err(|e| match (e.syntax_error(), e.size_limit()) {
            (Some(syntax), _) => syntax.to_string(),
            (None, Some(limit)) => format!("it is larger than {limit} bytes when compiled; shorten it"),
            (None, None) => e.to_string(),
        })
    }

    /// Whether a pattern can be read, without building it.
    pub(crate) fn check(pattern: &str) -> Result<(), String> {
        syntax::parse_with(pattern, &plain()).map(drop).map_err(|e| e.to_string())
    }

    /// For patterns of this crate's own: `None` only where the pattern is wrong, which the tests would show.
    pub(crate) fn own(pattern: &str) -> Option<Self> {
        Self::new(pattern).ok()
    }

    pub(crate) fn is_match(&self, text: &[u8]) -> bool {
        self.0.is_match(text)
    }

    /// Ranges of the matches from left to right, which do not overlap.
    pub(crate) fn find_iter<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = std::ops::Range<usize>> + 't {
        self.0.find_iter(text).map(|m| m.range())
    }

    /// The text with every match replaced by what `with` makes of it.
    pub(crate) fn replace<'t, 'w>(&self, text: &'t [u8], mut with: impl FnMut(&'t [u8]) -> &'w [u8]) -> Cow<'t, [u8]>
    where
        't: 'w,
    {
        let mut found = self.0.find_iter(text).peekable();
        if found.peek().is_none() {
            return Cow::Borrowed(text);
        }
        let (mut out, mut from) = (Vec::with_capacity(text.len()), 0);
        for m in found {
            out.extend_from_slice(text.get(from..m.start()).unwrap_or_default());
            out.extend_from_slice(with(text.get(m.range()).unwrap_or_default()));
            from = m.end();
        }
        out.extend_from_slice(text.get(from..).unwrap_or_default());
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_and_says_what_is_wrong() {
        let p = Pattern::new("a+|€").unwrap();
        assert_eq!(&*p.replace("baa€c".as_bytes(), |_| b"-"), b"b--c");
        assert!(matches!(p.replace(b"xyz", |_| b"-"), Cow::Borrowed(_)));
        assert_eq!(p.find_iter(b"aabca").collect::<Vec<_>>(), [0..2, 4..5]);
        assert!(Pattern::new("(a").unwrap_err().contains("unclosed group"));
        assert!(Pattern::check("(a").unwrap_err().contains("unclosed group") && Pattern::check("a+").is_ok());
        assert!(Pattern::new("(?:[a-z]{900}){900}").unwrap_err().contains("larger than"));
    }
}
