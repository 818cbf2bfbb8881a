//! A recipe: the whole definition of one benchmark, in one TOML file.
//!
//! Where filings come from, how a fact is recognised, how the filer is referred to, what is asked. A benchmark of
//! another kind is another file, not another program; `recipes/README.md` tells how to write one.

mod audit;
mod compile;
mod schema;
mod vocabulary;

use eightk_core::{FilingDate, Form};

use crate::MineError;
use crate::fact::{FactRule, Gate};
use crate::refer::Coreference;

pub use audit::AuditLimits;
pub(crate) use compile::NAME;

/// Recipes that are part of the program: name and text.
const BUILT_IN: &[(&str, &str)] = &[
    ("restructuring", include_str!("../../../../recipes/restructuring.toml")),
    ("officer-departure", include_str!("../../../../recipes/officer-departure.toml")),
];
const BUILT_IN_NAMES: &[&str] = &{
    let mut names = [""; BUILT_IN.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = BUILT_IN[i].0;
        i += 1;
    }
    names
};

/// Where a recipe's filings come from. Read by whoever fetches; mining takes every filing it is given.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Source {
    /// Phrase of the full-text search, without quotes; empty: no phrase.
    pub phrase: String,
    /// Forms to fetch.
    pub forms: Vec<Form>,
    /// Item numbers to ask for; empty: any.
    pub items: Vec<String>,
    /// First filing date.
    pub from: Option<FilingDate>,
    /// Last filing date.
    pub to: Option<FilingDate>,
    /// Whether one filing per company is enough.
    pub one_per_company: bool,
}

/// How a query for a fact is worded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryTemplate {
    /// As first made; holds `{name}` once.
    pub template: String,
    /// As a person would ask it; holds `{name}` once.
    pub rewrite: String,
}

/// One fact that a recipe looks for.
#[derive(Debug, Clone)]
pub struct Fact {
    /// Its name in data: `charges`.
    pub name: String,
    /// What it is, in a sentence.
    pub description: String,
    /// Wordings of its queries.
    pub queries: Vec<QueryTemplate>,
    pub(crate) rule: FactRule,
}

/// A recipe, read, checked and compiled.
#[derive(Debug, Clone)]
pub struct Recipe {
    name: String,
    description: String,
    source: Source,
    audit: AuditLimits,
    facts: Vec<Fact>,
    toml: String,
    pub(crate) coreference: Coreference,
    pub(crate) gate: Gate,
    pub(crate) binding: bool,
    pub(crate) nearest_name: bool,
    pub(crate) near: f64,
    pub(crate) exact_duplicates: bool,
    pub(crate) at_most: usize,
    pub(crate) seed: u64,
}

impl Recipe {
    /// A recipe that comes with the program; `None` where it has none of that name.
    ///
    /// # Errors
    /// Never for the recipes as published; the type is [`Recipe::parse`]'s.
    pub fn builtin(name: &str) -> Option<Result<Self, MineError>> {
        BUILT_IN.iter().find(|(n, _)| *n == name).map(|(n, text)| Self::parse(text, n))
    }

    /// Names of the recipes that come with the program, in the order they are listed.
    pub fn builtin_names() -> &'static [&'static str] {
        BUILT_IN_NAMES
    }

    /// Reads a recipe from the text of its file. `origin` is what messages call it: a path or a name.
    ///
    /// # Errors
    /// The recipe is not usable; the error names the place.
    pub fn parse(toml: &str, origin: &str) -> Result<Self, MineError> {
        compile::compile(toml, origin)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What its benchmark is about, in a sentence or two.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Where its filings come from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// What a data set of it is held to.
    pub fn audit(&self) -> &AuditLimits {
        &self.audit
    }

    /// The facts it looks for, in its own order.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The text it was read from.
    pub fn toml(&self) -> &str {
        &self.toml
    }

    /// Similarity from which a rival counts as near (τ).
    pub fn near(&self) -> f64 {
        self.near
    }
}
