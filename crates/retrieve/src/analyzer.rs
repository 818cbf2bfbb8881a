//! From English text to the terms BM25 counts.
//!
//! Four steps: word boundaries of Unicode's annex 29 (a word is a segment with a letter or digit: `1,250.5` and `company's` are
//! one word each, `8-K` is two), lower case, stop words out, Snowball English stem. Each step is a crate that is kept
//! today; the `bm25` crate's own tokenizer was not taken because it leans on a stemmer without a release since 2019, transliterates
//! every letter first, and hands out owned strings per word. No accents are folded: a name is spelled one way within a filing.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use frostem::{Algorithm, Stemmer};
use unicode_segmentation::UnicodeSegmentation;

/// Longer words are no words (links, keys); they are kept whole, since a stemmer may take quadratic time on them.
const MAX_STEMMED_BYTES: usize = 64;

/// Which words are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum StopWords {
    /// NLTK's English list, 198 words.
    #[default]
    Nltk,
    /// None: for corpora with companies called *On* or *Now*.
    None,
}

impl StopWords {
    /// The name used in specs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nltk => "nltk",
            Self::None => "none",
        }
    }
}

impl fmt::Display for StopWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for StopWords {
    type Err = &'static str;
    fn from_str(s: &str) -> Result<Self, &'static str> {
        match s {
            "nltk" => Ok(Self::Nltk),
            "none" => Ok(Self::None),
            _ => Err("must be nltk or none"),
        }
    }
}

/// Splits English text into terms.
#[derive(Clone)]
pub struct Analyzer {
    stop_words: StopWords,
    stopped: HashSet<&'static str>,
    stemmer: Stemmer,
}

impl fmt::Debug for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analyzer").field("stop_words", &self.stop_words).finish_non_exhaustive()
    }
}

impl Analyzer {
    /// An analyzer with or without stop words.
    pub fn new(stop_words: StopWords) -> Self {
        let list = match stop_words {
            StopWords::Nltk => stop_words::lookup("en").unwrap_or_default(),
            StopWords::None => &[],
        };
        Self { stop_words, stopped: list.iter().copied().collect(), stemmer: Stemmer::new(Algorithm::English) }
    }

    /// The words of a text, as they stand there.
    pub fn words(text: &str) -> impl Iterator<Item = &str> {
        // Annex 29 lets a combining mark at the start of a word cling to the space before it.
        text.split_whitespace().flat_map(str::unicode_words)
    }

    /// The term a word counts as; `None` for a stop word.
    pub fn term(&self, word: &str) -> Option<String> {
        // The stemmer and the stop words know the straight apostrophe only.
        let lower = word.to_lowercase().replace(['\u{2019}', '\u{2018}'], "'");
        if self.stopped.contains(lower.as_str()) {
            return None;
        }
        if lower.len() > MAX_STEMMED_BYTES {
            return Some(lower);
        }
        Some(self.stemmer.stem(&lower).into_owned()).filter(|t| !t.is_empty())
    }

    /// The terms of a text in order, repeats included.
    pub fn terms(&self, text: &str) -> impl Iterator<Item = String> {
        Self::words(text).filter_map(|w| self.term(w))
    }

    /// What it does, for results: crates and lists with their versions.
    pub fn describe(&self) -> String {
        let stop = match self.stop_words {
            StopWords::Nltk => format!("NLTK English stop words ({})", self.stopped.len()),
            StopWords::None => "no stop words".to_owned(),
        };
        format!(
            "UAX #29 words (unicode-segmentation 1), lower case, {stop}, Snowball English stemmer (frostem 2.20261016)"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn terms(text: &str) -> Vec<String> {
        Analyzer::new(StopWords::Nltk).terms(text).collect()
    }

    #[test]
    fn forms_of_one_word_are_one_term() {
        assert_eq!(terms("closing closed closes CLOSE"), ["close"; 4]);
        assert_eq!(terms("company's Company’s COMPANY"), ["compani"; 3]);
    }

    #[test]
    fn amounts_stay_whole_and_punctuation_goes() {
        assert_eq!(terms("about $1,250.5 million (8-K/A)—today"), ["1,250.5", "million", "8", "k", "today"]);
    }

    #[test]
    fn a_mark_does_not_take_the_space_before_it_along() {
        assert_eq!(terms("mill \u{11347}"), ["mill", "\u{11347}"]);
    }

    #[test]
    fn stop_words_are_a_choice() {
        assert_eq!(terms("It’s on the NOW list"), ["list"]);
        let all = Analyzer::new(StopWords::None);
        assert_eq!(all.terms("on the NOW list").collect::<Vec<_>>(), ["on", "the", "now", "list"]);
        assert!(Analyzer::new(StopWords::Nltk).describe().contains("(198)"));
    }

    #[test]
    fn the_stated_stemmer_is_the_one_in_use() {
        // The lock file is what the build used; the description has to follow it.
        let lock = include_str!("../../../Cargo.lock").replace("\r\n", "\n");
        let version = lock.split("name = \"frostem\"\nversion = \"").nth(1).and_then(|s| s.split('"').next()).unwrap();
        assert!(Analyzer::new(StopWords::None).describe().contains(version.rsplit_once('.').unwrap().0), "{version}");
    }

    #[test]
    fn a_word_of_a_megabyte_is_no_trouble() {
        let word = "y".repeat(1 << 20);
        assert_eq!(terms(&word), [word]);
    }

    proptest! {
        #[test]
        fn never_empty_never_upper_case(text in "(\\PC|[A-Za-z'’ ]{0,9}){0,40}") {
            for term in terms(&text) {
                prop_assert!(!term.is_empty() && !term.contains(char::is_whitespace));
                prop_assert_eq!(&term, &term.to_lowercase());
            }
        }

        /// What lets BM25 count pieces instead of rendered texts.
        #[test]
        fn pieces_joined_by_a_space_have_the_pieces_terms(a in "(\\PC|[a-z,.' ]{0,9}){0,20}", b in "(\\PC|[a-z,.' ]{0,9}){0,20}") {
            let mut apart = terms(&a);
            apart.extend(terms(&b));
            prop_assert_eq!(terms(&format!("{a} {b}")), apart);
        }
    }
}
