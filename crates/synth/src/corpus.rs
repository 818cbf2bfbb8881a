//! The shapes a generated corpus is handed out in.

use serde::{Deserialize, Serialize};

/// How a corpus is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many filings.
    pub filings: usize,
    /// Where the choices begin; the same seed gives the same bytes.
    pub seed: u64,
    /// How many filings share the wording of their facts, so that only amounts, dates and places tell them apart; at least 1.
    pub rivals: usize,
    /// Whether files and rows are as people collect them: rows that leave to the document what it says itself, compressed files,
    /// text without a header. Otherwise all are as EDGAR serves them, and every row is complete.
    pub sparse: bool,
}

impl Default for Options {
    /// 200 filings, seed 1, 8 filings per wording, complete.
    fn default() -> Self {
        Self { filings: 200, seed: 1, rivals: 8, sparse: false }
    }
}

/// Generated filings and what was planted in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corpus {
    /// One per filing, in the order they were drawn.
    pub files: Vec<GeneratedFile>,
}

/// One file of a corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// File name; the ending tells the kind. `{accession}.htm` or `.txt`; in a sparse corpus `synth_{number}_{accession}` and an ending.
    pub name: String,
    /// What to write to it.
    pub bytes: Vec<u8>,
    /// Its row of `manifest.jsonl`.
    pub row: ManifestRow,
    /// Every sentence of its narrative that states a fact, in document order.
    pub planted: Vec<Planted>,
}

/// A row of `manifest.jsonl`. What is `None` has to be derived from the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestRow {
    /// File name.
    pub file: String,
    /// Accession number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accession: Option<String>,
    /// Central Index Key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cik: Option<String>,
    /// Registrant's name, in EDGAR's capitals or as the company writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<String>,
    /// Form type.
    pub form: String,
    /// Day of filing, `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filed: Option<String>,
    /// Where it would be published. Accession numbers and CIKs begin at 9000000000, which EDGAR does not give out, so there never is
    /// anything at that address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Item numbers, `old:5` in the numbering before August 2004.
    pub items: Vec<String>,
    /// `ixbrl`, `html`, `sgml-txt`; in a sparse corpus also `extracted-text`.
    pub kind: String,
    /// Whether the document is whole.
    pub complete: bool,
    /// Whether a fact was planted in its narrative.
    pub restructuring: bool,
    /// `ascii` or `utf-8`.
    pub encoding: String,
    /// `synth`.
    pub source: String,
    /// Length of the file in bytes.
    pub bytes: usize,
    /// SHA-256 of the file, lower-case hex.
    pub sha256: String,
}

/// A sentence that states a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planted {
    /// `charges` or `workforce`.
    pub fact: String,
    /// The sentence as a reader sees it.
    pub sentence: String,
    /// Whether it refers to the filer by a coreferent alone.
    pub coreferent_only: bool,
    /// Whether it is the answer of its filing for the fact.
    pub answer: bool,
    /// Whether a query can ask for it: an answer, and no other filing of its company states the fact.
    pub unique: bool,
    /// For an answer, the sentence that tells whose it is.
    pub evidence: Option<PlantedEvidence>,
}

/// The sentence that tells whose an answer is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlantedEvidence {
    /// The sentence as a reader sees it.
    pub sentence: String,
    /// Why it is evidence.
    pub kind: EvidenceKind,
}

pub use eightk_core::EvidenceKind;
