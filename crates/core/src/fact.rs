//! What a sentence states, and how it refers to whoever states it.

use serde::{Deserialize, Serialize};

/// How a sentence refers to the filer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reference {
    /// Only by a word that any filer could use: the Company, we, the Registrant.
    Coreferent,
    /// By one of its names.
    Alias,
    /// Another organisation is the subject, or "the Company" is bound to another.
    Other,
    /// Not at all.
    None,
}

/// A sentence that states a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactMention {
    /// Which fact of the recipe: `charges`, `workforce`.
    pub fact: String,
    /// Index into the filing's sentences.
    pub sentence: usize,
    /// How it refers to the filer.
    pub reference: Reference,
    /// Whether it gives the whole rather than a component or a part-period amount.
    pub total: bool,
    /// Whether it is the one sentence of its filing that answers for this fact. At most one per fact, always coreferent.
    pub best: bool,
}

impl FactMention {
    /// Whether only the document's context says whose fact it is.
    pub fn coreferent_only(&self) -> bool {
        self.reference == Reference::Coreferent
    }
}

/// Why a sentence is evidence for who the filer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// It binds the name to the coreferent: `Acme N.V. (the “Company”)`.
    Binding,
    /// It is the sentence nearest before the answer that names the filer.
    NearestName,
}

/// The sentence that tells whose a coreferent answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Index into the filing's sentences.
    pub sentence: usize,
    /// Why it counts.
    pub kind: EvidenceKind,
}
