//! Punkt as NLTK runs it: `PunktSentenceTokenizer.span_tokenize` with its realignment of closing punctuation.
//!
//! Three steps. *Candidates*: a `.`, `?` or `!` before white space or punctuation (`candidates`); of several in one word only the last
//! counts. *Decision*: the word before and the one after are cut into tokens (`tokens`) and judged by the parameters
//! (`decide`, `tables`). *Realignment*: closing quotes and brackets that follow a boundary move to the sentence they close
//! (`realign`). Only the neighbourhood of a candidate is ever tokenised, as in NLTK, where the reason is speed and the effect is part of
//! the definition.

mod candidates;
mod classes;
mod decide;
mod realign;
#[cfg(test)]
mod reference;
mod tables;
#[cfg(test)]
mod tests;
mod tokens;

use eightk_core::Span;

/// Which NLTK to agree with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// 3.9 and before: only straight quotes close a sentence; regular expressions of Python's `re`.
    Nltk39,
    /// 3.10 (July 2026) and after: curly quotes and guillemets too; regular expressions of the `regex` package, whose white
    /// space leaves out the four ASCII separators U+001C–U+001F.
    Nltk310,
}

/// The sentences of `text` as NLTK gives them, in bytes.
pub fn spans(text: &str, version: Version) -> Vec<Span> {
    let mut slices = Vec::new();
    let mut begin = 0;
    for candidate in candidates::candidates(text, version) {
        if decide::holds_break(candidate.context(text), version) {
            slices.push(Span::new(begin, candidate.at + 1));
            begin = candidate.next_begins();
        }
    }
    slices.push(Span::new(begin, text.trim_end_matches(classes::python_space).len()));
    realign::realign(text, &slices, version)
}
