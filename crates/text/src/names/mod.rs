//! What a filer is called: by its registration, by its filings, by itself.
//!
//! ```text
//! "TARWICK COM INC /DE/"  ──▶ suffix ──▶ spelling ──▶ derive ──▶ Names
//!  registered name            (form       (as the      (defined short names, first
//!                              removed)    text does)    words, initials, tickers)
//! ```
//!
//! A name that is missed makes an answer look as if it named nobody, and a word that is wrongly a name hides an answer; the
//! second is the rarer harm in a data set of coreferent answers, but both are counted against us. So the filing's own
//! definitions are trusted most, the registered name next, and a part of a name only where it could mean nothing else or the
//! filing uses it so. A dictionary of known companies was the road not taken: it ages, and small filers are in none.

mod antecedent;
mod binding;
mod derive;
mod fold;
mod spelling;
mod suffix;
mod words;

use eightk_core::{FilingMeta, Span};

pub use binding::{Binding, Term, TermKind, bindings};
pub use suffix::legal_form;

use derive::Derived;
use fold::{Key, squeeze};

/// A name and what it takes to find it.
#[derive(Debug, Clone)]
struct Alias {
    key: Key,
    /// A single word may be part of a person's name.
    single: bool,
}

/// A symbol or abbreviation: found in exactly this spelling only.
#[derive(Debug, Clone)]
struct Symbol {
    text: String,
    /// Too short or too common a word to stand for the company outside `(NYSE: …)`.
    only_after_exchange: bool,
}

/// The names of one filer, as far as its registration and one of its filings tell them.
#[derive(Debug, Clone)]
pub struct Names {
    short: String,
    aliases: Vec<String>,
    keys: Vec<Alias>,
    symbols: Vec<Symbol>,
    /// Bytes that a name may begin with.
    first: Box<[bool; 256]>,
}

impl Names {
    /// Collects the names of the filer of `narrative`.
    ///
    /// `extra` are aliases that a user gives; they are taken as they are. Without any registered name the filing's tickers and
    /// `extra` are all there is, and [`Names::short`] is the first of `extra` or empty.
    pub fn new(meta: &FilingMeta, narrative: &str, extra: &[String]) -> Self {
        derive::names(meta, narrative, extra)
    }

    /// The name without legal form, spelled as the filing spells it: `Ostrova Marine`.
    pub fn short(&self) -> &str {
        &self.short
    }

    /// Every name, best first: the short name, the registered name and its stages, given aliases, names that the filing
    /// defines, former names, parts of names, symbols. Without repeats.
    pub fn aliases(&self) -> &[String] {
        &self.aliases
    }

    /// Where `sentence` first names the filer, in bytes, possessive ending excluded. The longest name at the first place.
    ///
    /// Whole words only; apostrophes, hyphens, `&`, accents and capitals are matters of style, but a name in lower case is
    /// none, symbols must be spelled exactly, and a surname after `Mr.` is a person.
    pub fn mention(&self, sentence: &str) -> Option<Span> {
        let bytes = sentence.as_bytes();
        let starts = bytes.iter().enumerate().filter(|&(_, &b)| self.may_begin(b));
        for (at, _) in starts {
            if let Some(end) = self.longest_at(sentence, at) {
                return Some(Span::new(at, end));
            }
        }
        None
    }

    /// Every place where `text` names the filer, in order and without overlap; each as [`mention`](Self::mention) gives the first.
    pub fn mentions(&self, text: &str) -> Vec<Span> {
        let (mut spans, mut free) = (Vec::new(), 0);
        for (at, byte) in text.bytes().enumerate() {
            if at < free || !self.may_begin(byte) {
                continue;
            }
            if let Some(end) = self.longest_at(text, at).filter(|end| *end > at) {
                spans.push(Span::new(at, end));
                free = end;
            }
        }
        spans
    }

    /// Whether `text`, taken whole, is a name of the filer; a legal form more or less makes no difference.
    pub fn is_alias(&self, text: &str) -> bool {
        let text = suffix::without_article(text.trim().trim_matches(|c| matches!(c, '“' | '”' | '"' | ',' | ';')));
        if self.symbols.iter().any(|s| s.text == text) {
            return true;
        }
        let forms = |rest: &str| rest.split_whitespace().all(|w| squeeze(w).is_empty() || suffix::is_suffix_word(w));
        let start = text.find(char::is_alphanumeric).unwrap_or(0);
        self.keys.iter().any(|a| {
            a.key
                .match_at(text, start)
                .and_then(|end| text.get(end..))
                .is_some_and(|rest| matches!(rest, "’s" | "'s") || forms(rest))
        })
    }

    /// Whether a definition found in `text` explains a name of the filer: whether a name of it ends where the antecedent does.
    ///
    /// Prefer this to asking [`Names::is_alias`] about the antecedent: where the name begins is a guess there ("Citadel Bank
    /// and Ostrova N.V."), while here the names themselves decide.
    pub fn binds_filer(&self, text: &str, binding: &Binding) -> bool {
        let antecedent = binding.antecedent;
        if self.is_alias(antecedent.of(text)) {
            return true;
        }
        let floor = spelling::floor(text, antecedent.end.saturating_sub(200)).min(antecedent.start);
        let Some(window) = text.get(floor..antecedent.end) else { return false };
        let candidates = window.bytes().enumerate().filter(|&(_, b)| self.may_begin(b)).map(|(i, _)| floor + i);
        for at in candidates {
            let Some(before) = text.get(antecedent.start..at.max(antecedent.start)) else { continue };
            // "New Ostrova N.V." is another company; "Citadel Bank and Ostrova N.V." is ours.
            let joined = before.trim_end();
            let ours = joined.is_empty() || ["and", "of", "the", "&", "The", ","].iter().any(|j| joined.ends_with(j));
            let ends = |end: usize| {
                text.get(end..antecedent.end).is_some_and(|rest| {
                    rest.split_whitespace().all(|w| squeeze(w).is_empty() || suffix::is_suffix_word(w))
                })
            };
            if ours && self.longest_at(text, at).is_some_and(|end| end <= antecedent.end && ends(end)) {
                return true;
            }
        }
        false
    }

    fn may_begin(&self, byte: u8) -> bool {
        self.first.get(usize::from(byte)).copied().unwrap_or(false)
    }

    /// Where the longest name ends that begins at `at`.
    fn longest_at(&self, text: &str, at: usize) -> Option<usize> {
        if !text.is_char_boundary(at) || text.get(..at)?.chars().next_back().is_some_and(char::is_alphanumeric) {
            return None;
        }
        let names = self.keys.iter().filter_map(|a| {
            let end = a.key.match_at(text, at)?;
            (!a.single || !follows_honorific(text, at)).then_some(end)
        });
        let symbols = self.symbols.iter().filter_map(|s| {
            let rest = text.get(at..)?.strip_prefix(s.text.as_str())?;
            let over = !rest.starts_with(char::is_alphanumeric);
            (over && (!s.only_after_exchange || follows_exchange(text, at))).then_some(at + s.text.len())
        });
        names.chain(symbols).max()
    }

    fn from_parts(short: String, derived: Derived) -> Self {
        let mut first = Box::new([false; 256]);
        let mut keys = Vec::new();
        for name in &derived.names {
            let Some(key) = Key::new(name) else { continue };
            for byte in key.first_bytes() {
                if let Some(slot) = first.get_mut(usize::from(byte)) {
                    *slot = true;
                }
            }
            keys.push(Alias { key, single: !name.contains(' ') });
        }
        let mut symbols = Vec::new();
        for text in derived.symbols {
            if let Some(slot) = text.bytes().next().and_then(|b| first.get_mut(usize::from(b))) {
                *slot = true;
            }
            symbols.push(Symbol { only_after_exchange: derive::is_word_like(&text), text });
        }
        let mut aliases = derived.names;
        for symbol in &symbols {
            if !aliases.contains(&symbol.text) {
                aliases.push(symbol.text.clone());
            }
        }
        Self { short, aliases, keys, symbols, first }
    }
}

/// `Mr. Vane` is nobody's short name.
fn follows_honorific(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default().trim_end();
    ["Mr.", "Ms.", "Mrs.", "Dr.", "Messrs.", "Mr", "Ms", "Mrs"]
        .iter()
        .any(|h| before.strip_suffix(h).is_some_and(|b| !b.ends_with(char::is_alphanumeric)))
}

/// `NYSE: F`, `Nasdaq Global Market: F`.
fn follows_exchange(text: &str, at: usize) -> bool {
    let before = text.get(spelling::floor(text, at.saturating_sub(48))..at).unwrap_or_default();
    let Some((head, after)) = before.rsplit_once(':') else { return false };
    let exchange =
        ["NYSE", "Nasdaq", "NASDAQ", "AMEX", "Exchange", "Market", "OTC", "TSX"].iter().any(|e| head.contains(e));
    exchange && after.chars().all(|c| c.is_ascii_uppercase() || matches!(c, ' ' | ',' | '“' | '"' | '.'))
}

#[cfg(test)]
mod tests;
