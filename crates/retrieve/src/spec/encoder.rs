//! Which encoder, and nothing of what it is shown: several systems share one.

use std::collections::BTreeMap;
use std::fmt;

use super::text::written;

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

const PROMPTS: [&str; 2] = ["query-prompt", "passage-prompt"];

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

    /// The settings of this kind, beside the prompts.
    const fn own_keys(self) -> &'static [&'static str] {
        match self {
            Self::Dense => &["dims", "max-tokens", "pooling", "revision"],
            Self::Vectors => &["similarity"],
            Self::Cmd => &["about", "batch", "context", "dims", "revision", "similarity", "timeout"],
            Self::Tei => &[
                "batch",
                "dims",
                "key-env",
                "max-tokens",
                "model",
                "parallel",
                "passage-prompt-name",
                "price",
                "query-prompt-name",
                "revision",
                "similarity",
                "timeout",
                "truncate",
            ],
            Self::OpenAi => &[
                "batch",
                "dims",
                "dtype",
                "key-env",
                "max-tokens",
                "parallel",
                "price",
                "revision",
                "similarity",
                "timeout",
                "truncate",
                "url",
            ],
            Self::Voyage | Self::Perplexity | Self::Jina => &[
                "batch",
                "dims",
                "dtype",
                "key-env",
                "max-tokens",
                "parallel",
                "price",
                "revision",
                "timeout",
                "truncate",
                "url",
            ],
        }
    }

    /// The settings an encoder of this kind can be given. Vectors made elsewhere have none: their prompts are in them.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        let prompts: &[&str] = if self == Self::Vectors { &[] } else { &PROMPTS };
        self.own_keys().iter().chain(prompts).copied()
    }
}

/// An encoder as asked for. Ordered, so that it can key a map.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EncoderSpec {
    /// How it is reached.
    pub kind: EncoderKind,
    /// Model, folder, program with its arguments, or address.
    pub name: String,
    /// Its settings as written, by key: those of [`EncoderKind::keys`]. Numbers and addresses have been found to be such.
    pub settings: BTreeMap<String, String>,
}

impl fmt::Display for EncoderSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.as_str(), written(&self.name))?;
        show_settings(&self.settings, f)
    }
}

/// `,key=value` in the order of keys.
pub(super) fn show_settings(settings: &BTreeMap<String, String>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    settings.iter().try_for_each(|(key, value)| write!(f, ",{key}={}", written(value)))
}
