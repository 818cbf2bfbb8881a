//! Which encoder, and nothing of what it is shown: several systems share one.

use std::collections::BTreeMap;

/// How an encoder is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EncoderKind {
    /// A model that runs here: a folder, or a name on the Hub.
    Dense,
    /// Vectors made elsewhere, in a folder.
    Vectors,
    /// A program fed over its standard input.
    Cmd,
    /// A server of the `/v1/embeddings` kind.
    OpenAi,
    /// A text-embeddings-inference server.
    Tei,
    /// Voyage's contextualized embeddings.
    Voyage,
    /// Perplexity's contextualized embeddings.
    Perplexity,
    /// Jina's embeddings with late chunking.
    Jina,
}

impl EncoderKind {
    /// Every kind, in the order of help texts.
    pub const ALL: [Self; 8] =
        [Self::Dense, Self::Vectors, Self::Cmd, Self::OpenAi, Self::Tei, Self::Voyage, Self::Perplexity, Self::Jina];

    /// What stands before the colon of a spec.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dense => "dense",
            Self::Vectors => "vectors",
            Self::Cmd => "cmd",
            Self::OpenAi => "openai",
            Self::Tei => "tei",
            Self::Voyage => "voyage",
            Self::Perplexity => "perplexity",
            Self::Jina => "jina",
        }
    }
}

/// An encoder as asked for. Ordered, so that it can key a map.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EncoderSpec {
    /// How it is reached.
    pub kind: EncoderKind,
    /// Model, folder, program with its arguments, or address.
    pub name: String,
    /// Its settings as written, by key: `url`, `key-env`, `dims`, `dtype`, `batch`, `max-tokens`, `price`, `pooling`, `timeout`,
    /// `revision`, `query-prompt`, `passage-prompt`.
    pub settings: BTreeMap<String, String>,
}
