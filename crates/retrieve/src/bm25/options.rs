//! The settings of BM25 and how a spec writes them.

use std::fmt;

use crate::{Analyzer, StopWords};

/// What BM25 can be told; the default is k1 = 1.2, b = 0.75, NLTK stop words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25Options {
    k1: f64,
    b: f64,
    stop_words: StopWords,
}

impl Default for Bm25Options {
    fn default() -> Self {
        Self { k1: 1.2, b: 0.75, stop_words: StopWords::default() }
    }
}

impl Bm25Options {
    /// How soon a repeated term stops adding: 0 (at once) to 1,000.
    pub const fn k1(&self) -> f64 {
        self.k1
    }

    /// How much length counts: 0 (not) to 1 (in full).
    pub const fn b(&self) -> f64 {
        self.b
    }

    /// Which words are left out.
    pub const fn stop_words(&self) -> StopWords {
        self.stop_words
    }

    /// An analyzer with these stop words.
    pub fn analyzer(&self) -> Analyzer {
        Analyzer::new(self.stop_words)
    }

    /// Reads one setting, `k1=0.9`, `b=0.4` or `stop=none`.
    ///
    /// # Errors
    ///
    /// What is wrong with it, as the end of a sentence that begins with the setting.
    pub fn set(&mut self, setting: &str) -> Result<(), &'static str> {
        const KNOWN: &str = "is unknown; possible are k1=NUMBER, b=NUMBER, stop=nltk|none";
        let (name, value) = setting.split_once('=').ok_or(KNOWN)?;
        let number = |most: f64| value.parse::<f64>().ok().filter(|n| (0.0..=most).contains(n)).map(f64::abs);
        match name {
            "k1" => self.k1 = number(1000.0).ok_or("must be a number from 0 to 1000")?,
            "b" => self.b = number(1.0).ok_or("must be a number from 0 to 1")?,
            "stop" => self.stop_words = value.parse()?,
            _ => return Err(KNOWN),
        }
        Ok(())
    }
}

impl fmt::Display for Bm25Options {
    /// What differs from the default, `?k1=0.9,stop=none`; empty when nothing does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Self::default();
        let k1 = (self.k1 != default.k1).then(|| format!("k1={}", self.k1));
        let b = (self.b != default.b).then(|| format!("b={}", self.b));
        let stop = (self.stop_words != default.stop_words).then(|| format!("stop={}", self.stop_words));
        let settings: Vec<_> = [k1, b, stop].into_iter().flatten().collect();
        f.write_str(if settings.is_empty() { "" } else { "?" })?;
        f.write_str(&settings.join(","))
    }
}
