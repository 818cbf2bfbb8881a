//! Which services there are, and what can be set of each.

use std::collections::BTreeMap;
use std::fmt;

use crate::settings::key_variable;

/// A way to ask for embeddings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RemoteKind {
    /// `/v1/embeddings` as OpenAI has it, which vLLM, Ollama, LiteLLM and most gateways speak too.
    OpenAi,
    /// Hugging Face's text-embeddings-inference: `/embed`.
    Tei,
    /// Voyage: contextualized chunks for its context models, else plain ones.
    Voyage,
    /// Perplexity: contextualized chunks for its context models, else plain ones.
    Perplexity,
    /// Jina, with late chunking where there is a context.
    Jina,
}

/// What can be set of every service.
macro_rules! with_common {
    ($($own:literal),*) => {
        &[
            "url", "key-env", "timeout", "price", "batch", "parallel", "max-tokens", "truncate", "query-prompt", "passage-prompt",
            "revision", $($own),*
        ]
    };
}

impl RemoteKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::OpenAi, Self::Tei, Self::Voyage, Self::Perplexity, Self::Jina];

    /// As specs write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Tei => "tei",
            Self::Voyage => "voyage",
            Self::Perplexity => "perplexity",
            Self::Jina => "jina",
        }
    }

    /// Back from [`name`](Self::name).
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Names of the settings it knows; `-` may be written `_`.
    pub const fn settings(self) -> &'static [&'static str] {
        match self {
            Self::OpenAi => with_common!("dims", "dtype", "similarity"),
            Self::Tei => with_common!("dims", "similarity", "model", "query-prompt-name", "passage-prompt-name"),
            Self::Voyage | Self::Perplexity | Self::Jina => with_common!("dims", "dtype"),
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
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Tei => None,
            Self::Voyage => Some("VOYAGE_API_KEY"),
            Self::Perplexity => Some("PERPLEXITY_API_KEY"),
            Self::Jina => Some("JINA_API_KEY"),
        }
    }
}

impl fmt::Display for RemoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for kind in RemoteKind::ALL {
            assert_eq!(RemoteKind::parse(kind.name()), Some(kind));
            assert!(kind.settings().contains(&"url"));
        }
        assert_eq!(RemoteKind::parse("OpenAI"), None);
    }

    #[test]
    fn a_key_goes_only_where_it_belongs() {
        let set =
            |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect::<BTreeMap<_, _>>();
        let variable = |pairs: &[(&str, &str)]| RemoteKind::OpenAi.key_variable(&set(pairs)).map(str::to_owned);
        assert_eq!(variable(&[]).as_deref(), Some("OPENAI_API_KEY"));
        assert_eq!(variable(&[("url", "http://kiln.test")]), None);
        assert_eq!(variable(&[("url", "http://kiln.test"), ("key-env", "KILN")]).as_deref(), Some("KILN"));
        assert_eq!(variable(&[("key-env", "")]), None);
        assert_eq!(RemoteKind::Tei.key_variable(&set(&[])), None);
    }
}
