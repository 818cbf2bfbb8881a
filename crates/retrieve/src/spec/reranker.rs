//! Which reranker.

use std::collections::BTreeMap;

/// Which dialect a reranking server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum RerankerKind {
    /// Cohere's, which several services took over.
    Cohere,
    /// Jina's.
    Jina,
    /// vLLM's.
    Vllm,
    /// That of text-embeddings-inference.
    Tei,
    /// Voyage's.
    Voyage,
}

impl RerankerKind {
    /// Every kind, in the order of help texts.
    pub const ALL: [Self; 5] = [Self::Cohere, Self::Jina, Self::Vllm, Self::Tei, Self::Voyage];

    /// What stands before the colon of a spec.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cohere => "cohere",
            Self::Jina => "jina",
            Self::Vllm => "vllm",
            Self::Tei => "tei",
            Self::Voyage => "voyage",
        }
    }
}

/// A reranker as asked for. Ordered, so that it can key a map.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RerankerSpec {
    /// Which dialect.
    pub kind: RerankerKind,
    /// The model, or the address where the kind has no model name (`tei`).
    pub name: String,
    /// Its settings as written, by key: `url`, `key-env`, `timeout`, `price`, `batch`.
    pub settings: BTreeMap<String, String>,
}
