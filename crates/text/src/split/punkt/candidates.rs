//! Where a sentence may end.

use eightk_core::Span;
use memchr::memchr3_iter;

use super::Version;
use super::classes::{ascii_space, non_word, space};

/// A `.`, `?` or `!` that may end a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// Its position.
    pub(super) at: usize,
    /// Where the word that it ends begins.
    word: usize,
    /// What follows.
    after: After,
}

#[derive(Debug, Clone, Copy)]
enum After {
    /// Punctuation up to here.
    Punctuation(usize),
    /// White space, then this run of other characters.
    Token(Span),
}

impl Candidate {
    /// The stretch of text by which the candidate is judged: the word before it up to the token after it.
    pub(super) fn context<'t>(&self, text: &'t str) -> &'t str {
        let end = match self.after {
            After::Punctuation(end) => end,
            After::Token(token) => token.end,
        };
        Span::new(self.word, end).of(text)
    }

    /// Where the next sentence begins if this one ends here.
    pub(super) fn next_begins(&self) -> usize {
        match self.after {
            After::Punctuation(_) => self.at + 1,
            After::Token(token) => token.start,
        }
    }
}

/// The candidates of a text in order. Of those in one word (no ASCII white space between them) only the last is given,
/// and a mark that begins the word.
pub(super) fn candidates(text: &str, version: Version) -> impl Iterator<Item = Candidate> + '_ {
    let bytes = text.as_bytes();
    let mut marks = memchr3_iter(b'.', b'?', b'!', bytes);
    let mut held: Option<Candidate> = None;
    std::iter::from_fn(move || {
        for at in marks.by_ref() {
            let Some(after) = after(text, at + 1, version) else { continue };
            let from = held.map_or(0, |h| h.at);
            let gap = bytes.get(from..at).unwrap_or_default().iter().rposition(|b| ascii_space(*b));
            // White space at the very beginning does not count as found: NLTK uses 0 for "none".
            let word = gap.filter(|g| *g > 0).map(|g| from + g + 1);
            let word = word.unwrap_or(held.map_or(0, |h| h.word));
            let before = held.replace(Candidate { at, word, after });
            // A mark with no word before it never counts as overlapped by the next.
            if before.is_some_and(|b| b.at <= word) {
                return before;
            }
        }
        held.take()
    })
}

/// What follows the mark that ends at `from`, if it makes the mark a candidate.
fn after(text: &str, from: usize, version: Version) -> Option<After> {
    let rest = text.get(from..)?;
    let first = rest.chars().next()?;
    if non_word(first, version) {
        return Some(After::Punctuation(from + first.len_utf8()));
    }
    if !space(first, version) {
        return None;
    }
    let token = rest.trim_start_matches(|c| space(c, version));
    let start = text.len() - token.len();
    let len = token.find(|c| space(c, version)).unwrap_or(token.len());
    (len > 0).then(|| After::Token(Span::new(start, start + len)))
}
