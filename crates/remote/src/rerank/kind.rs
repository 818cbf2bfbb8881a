//! Which services there are, and what can be set of each.

use std::collections::BTreeMap;
use std::fmt;

use crate::settings::key_variable;

/// A way to ask for scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RerankKind {
    /// Cohere: `/v2/rerank`.
    Cohere,
    /// Jina: `/v1/rerank`, as many gateways have it.
    Jina,
    /// vLLM: `/v1/rerank`.
    Vllm,
    /// Hugging Face's text-embeddings-inference: `/rerank`.
    Tei,
    /// Voyage: `/v1/rerank`.
    Voyage,
}

/// What can be set of every service.
macro_rules! with_common {
    ($($own:literal),*) => {
        &["url", "key-env", "timeout", "price", "batch", "max-tokens", "revision", $($own),*]
    };
}

impl RerankKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Cohere, Self::Jina, Self::Vllm, Self::Tei, Self::Voyage];

    /// As specs write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cohere => "cohere",
            Self::Jina => "jina",
            Self::Vllm => "vllm",
            Self::Tei => "tei",
            Self::Voyage => "voyage",
        }
    }

    /// Back from [`name`](Self::name).
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Names of the settings it knows; `-` may be written `_`. `batch` is passages and `max-tokens` is tokens of one request, both at most.
    pub const fn settings(self) -> &'static [&'static str] {
        match self {
            Self::Cohere => with_common!("max-tokens-per-doc"),
            Self::Jina => with_common!(),
            Self::Vllm => with_common!("truncate-prompt-tokens"),
            Self::Tei => with_common!("model", "truncate", "raw-scores"),
            Self::Voyage => with_common!("truncate"),
        }
    }

    /// The environment variable that holds the key: what `key-env=` names; else the usual one of the service, but only where the address is
    /// the service's own. A key that lies in the environment for one host is not sent to another because somebody set `url=`.
    pub fn key_variable(self, settings: &BTreeMap<String, String>) -> Option<&str> {
        key_variable(self.usual_key_variable(), settings)
    }

    /// Where the key of the service itself usually is.
    pub(crate) const fn usual_key_variable(self) -> Option<&'static str> {
        match self {
            Self::Cohere => Some("COHERE_API_KEY"),
            Self::Jina => Some("JINA_API_KEY"),
            Self::Voyage => Some("VOYAGE_API_KEY"),
            Self::Vllm | Self::Tei => None,
        }
    }
}

impl fmt::Display for RerankKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for kind in RerankKind::ALL {
            assert_eq!(RerankKind::parse(kind.name()), Some(kind));
        }
        assert_eq!(RerankKind::parse("openai"), None);
    }

    #[test]
    fn a_key_goes_only_where_it_belongs() {
        let set =
            |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect::<BTreeMap<_, _>>();
        let variable = |pairs: &[(&str, &str)]| RerankKind::Cohere.key_variable(&set(pairs)).map(str::to_owned);
        assert_eq!(variable(&[]).as_deref(), Some("COHERE_API_KEY"));
        assert_eq!(variable(&[("url", "http://kiln.test")]), None);
        assert_eq!(variable(&[("url", "http://kiln.test"), ("key_env", "KILN")]).as_deref(), Some("KILN"));
        assert_eq!(RerankKind::Vllm.key_variable(&set(&[])), None);
    }
}
