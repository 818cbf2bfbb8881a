//! A system's name on the command line and in results.
//!
//! ```text
//! text ──▶ parts outside of parentheses ──▶ name and settings ──▶ SystemSpec ──▶ its canonical text, its label
//! ```
//!
//! A spec is text, not a table of options: it is what one types, what a file of systems lists and what a result is stored under. It reads
//! itself and prints itself in one canonical form. For tables that form is too long; they show the [label](SystemSpec::label).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Bm25Options, Control, RetrieveError, Storage, View};

mod encoder;
mod help;
mod label;
mod parse;
mod reranker;
mod settings;
mod text;

pub use encoder::{EncoderKind, EncoderSpec};
pub use reranker::{RerankerKind, RerankerSpec};

/// The constant of reciprocal rank fusion where none is given.
const DEFAULT_RRF_K: u32 = 60;
/// How many chunks are reranked where nothing is said.
const DEFAULT_RERANKED: usize = 100;

/// Which system: what `--system` takes. Reads and prints itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum SystemSpec {
    /// BM25 over a view of each chunk.
    Bm25 {
        /// What of its filing a chunk is seen with.
        view: View,
        /// Parameters and stop words.
        options: Bm25Options,
        /// What is done to the view.
        control: Option<Control>,
        /// `as=`: its label.
        name: Option<String>,
    },
    /// The filing whose title best matches, then BM25 inside it.
    NameFilter {
        /// Parameters and stop words, of the match and of the BM25 inside.
        options: Bm25Options,
    },
    /// Chance.
    Random {
        /// One seeded order; without it all tie.
        seed: Option<u64>,
    },
    /// The judgements themselves.
    Oracle,
    /// Vectors of chunks and queries, compared.
    Dense(DenseSpec),
    /// Systems fused by reciprocal ranks.
    Rrf {
        /// Whose rankings.
        parts: Vec<SystemSpec>,
        /// What is added to a rank before it divides.
        k: u32,
        /// `as=`: its label.
        name: Option<String>,
    },
    /// Systems fused by the weighted sum of their scores.
    WeightedSum {
        /// Whose scores, with their weights.
        parts: Vec<(f64, SystemSpec)>,
        /// `as=`: its label.
        name: Option<String>,
    },
    /// The best of a system, ordered anew by a model that reads query and chunk together.
    Rerank {
        /// Who finds them.
        first: Box<SystemSpec>,
        /// Who orders them.
        reranker: RerankerSpec,
        /// How many are handed over.
        n: usize,
        /// What of its filing a chunk is shown with.
        view: View,
        /// `as=`: its label.
        name: Option<String>,
    },
}

/// A system of vectors: an encoder, and what it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct DenseSpec {
    /// Who encodes.
    pub encoder: EncoderSpec,
    /// What of its filing a chunk is seen with.
    pub view: View,
    /// What is done to the view.
    pub control: Option<Control>,
    /// How vectors are held for the search.
    pub storage: Storage,
    /// `as=`: its label.
    pub name: Option<String>,
}

impl SystemSpec {
    /// The floors and ceilings between which any other system is read: chance, words, words with the title, the name alone, and
    /// the most that can be had.
    pub fn always_shown() -> [Self; 5] {
        let options = Bm25Options::default();
        let bm25 = |view| Self::Bm25 { view, options, control: None, name: None };
        [Self::Random { seed: None }, bm25(View::BARE), bm25(View::TITLE), Self::NameFilter { options }, Self::Oracle]
    }

    /// What can be asked for, one form a line: for help texts.
    pub const fn possible() -> &'static str {
        help::POSSIBLE
    }

    /// Every encoder that it needs, each once.
    pub fn encoders(&self) -> Vec<&EncoderSpec> {
        let mut found = Vec::new();
        // Specs are nested a few levels deep at most: the parser sees to that. Built by hand they may be deeper, so no recursion.
        let mut open = vec![self];
        while let Some(spec) = open.pop() {
            match spec {
                Self::Dense(dense) if !found.contains(&&dense.encoder) => found.push(&dense.encoder),
                Self::Rrf { parts, .. } => open.extend(parts.iter().rev()),
                Self::WeightedSum { parts, .. } => open.extend(parts.iter().rev().map(|(_, part)| part)),
                Self::Rerank { first, .. } => open.push(first),
                _ => {}
            }
        }
        found
    }
}

impl FromStr for SystemSpec {
    type Err = RetrieveError;

    fn from_str(s: &str) -> Result<Self, RetrieveError> {
        parse::system(s)
    }
}

impl fmt::Display for SystemSpec {
    /// The canonical text: defaults left out, settings in one order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bm25 { view, options, control, name } => {
                f.write_str("bm25")?;
                if *view != View::BARE {
                    write!(f, ":{}", text::written(&view.to_string()))?;
                }
                write!(f, "{options}")?;
                show("control", control.as_ref(), f)?;
                show("as", name.as_ref(), f)
            }
            Self::NameFilter { options } => write!(f, "name-filter{options}"),
            Self::Random { seed: None } => f.write_str("random"),
            Self::Random { seed: Some(seed) } => write!(f, "random:{seed}"),
            Self::Oracle => f.write_str("oracle"),
            Self::Dense(dense) => dense.fmt(f),
            Self::Rrf { parts, k, name } => {
                f.write_str("rrf(")?;
                show_parts(parts.iter(), f)?;
                if *k != DEFAULT_RRF_K {
                    write!(f, "; k={k}")?;
                }
                close(name.as_ref(), f)
            }
            Self::WeightedSum { parts, name } => {
                f.write_str("sum(")?;
                for (i, (weight, part)) in parts.iter().enumerate() {
                    write!(f, "{}{weight}*{part}", if i > 0 { "; " } else { "" })?;
                }
                close(name.as_ref(), f)
            }
            Self::Rerank { first, reranker, n, view, name } => {
                write!(f, "rerank({first}; {reranker}")?;
                if *n != DEFAULT_RERANKED {
                    write!(f, "; n={n}")?;
                }
                if *view != View::BARE {
                    write!(f, "; view={view}")?;
                }
                close(name.as_ref(), f)
            }
        }
    }
}

impl fmt::Display for DenseSpec {
    /// What it is shown stands before the settings of the encoder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EncoderSpec { kind, name, settings } = &self.encoder;
        write!(f, "{}:{}", kind.as_str(), text::written(name))?;
        show("view", (self.view != View::BARE).then_some(&self.view), f)?;
        show("control", self.control.as_ref(), f)?;
        show("storage", (self.storage != Storage::default()).then_some(&self.storage), f)?;
        encoder::show_settings(settings, f)?;
        show("as", self.name.as_ref(), f)
    }
}

fn show<T: ToString>(key: &str, value: Option<&T>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, ",{key}={}", text::written(&value.to_string())))
}

fn show_parts<'s>(parts: impl Iterator<Item = &'s SystemSpec>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (i, part) in parts.enumerate() {
        write!(f, "{}{part}", if i > 0 { "; " } else { "" })?;
    }
    Ok(())
}

fn close(name: Option<&String>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match name {
        Some(name) => write!(f, "; as={name})"),
        None => f.write_str(")"),
    }
}

impl TryFrom<String> for SystemSpec {
    type Error = RetrieveError;
    fn try_from(s: String) -> Result<Self, RetrieveError> {
        s.parse()
    }
}

impl From<SystemSpec> for String {
    fn from(spec: SystemSpec) -> Self {
        spec.to_string()
    }
}

#[cfg(test)]
mod tests;
