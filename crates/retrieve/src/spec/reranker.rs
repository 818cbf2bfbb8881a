//! Which reranker.

use std::collections::BTreeMap;
use std::fmt;

use super::encoder::show_settings;
use super::text::written;

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

    /// The settings a reranker of this kind can be given.
    pub const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Cohere => {
                &["batch", "key-env", "max-tokens", "max-tokens-per-doc", "price", "revision", "timeout", "url"]
            }
            Self::Jina => &["batch", "key-env", "max-tokens", "price", "revision", "timeout", "url"],
            Self::Vllm => {
                &["batch", "key-env", "max-tokens", "price", "revision", "timeout", "truncate-prompt-tokens", "url"]
            }
            Self::Tei => {
                &["batch", "key-env", "max-tokens", "model", "price", "raw-scores", "revision", "timeout", "truncate"]
            }
            Self::Voyage => &["batch", "key-env", "max-tokens", "price", "revision", "timeout", "truncate", "url"],
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
    /// Its settings as written, by key: those of [`RerankerKind::keys`].
    pub settings: BTreeMap<String, String>,
}

impl fmt::Display for RerankerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.as_str(), written(&self.name))?;
        show_settings(&self.settings, f)
    }
}
