//! What each service is sent, and how much of it at once.

use std::collections::BTreeMap;

use eightk_encode::EncodeError;
use serde_json::{Map, Value};

use super::kind::RerankKind;
use crate::settings::Settings;

/// Where a list of results stands in an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the answer.
    Bare,
    /// Under `results`.
    Results,
    /// Under `data`.
    Data,
}

/// How one service is talked to.
#[derive(Debug)]
pub(super) struct Dialect {
    /// The service's own address, if there is one for all.
    pub(super) home: Option<&'static str>,
    /// The path where `url=` gives a server only.
    pub(super) path: &'static str,
    /// The name of the list of passages.
    passages: &'static str,
    /// Where results stand.
    pub(super) results: Place,
    /// Most passages in a request.
    pub(super) most: usize,
    /// Most tokens in a request, the query counted with each passage.
    pub(super) tokens: u64,
    /// Scores depend on what else is in the request.
    pub(super) listwise: bool,
    /// The rest of the body.
    fixed: Map<String, Value>,
    /// What changes scores, for the identity.
    pub(super) facts: BTreeMap<String, String>,
}

impl Dialect {
    /// Of a service, for one of its models.
    ///
    /// Nothing is cut silently where a service can be told not to: `truncate` is always said, and false where nothing is set.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Usage`] for a setting that has no such value.
    pub(super) fn new(kind: RerankKind, model: &str, settings: &Settings<'_>) -> Result<Self, EncodeError> {
        let mut fixed = Map::new();
        let mut facts = BTreeMap::new();
        let mut say = |name: &str, value: Value| {
            if name != "model" {
                facts.insert(name.to_owned(), value.to_string());
            }
            fixed.insert(name.to_owned(), value);
        };
        if kind != RerankKind::Tei {
            say("model", model.into());
        }
        let truncate = || Ok::<_, EncodeError>(settings.flag("truncate")?.unwrap_or(false).into());
        match kind {
            RerankKind::Cohere => {
                if let Some(most) = settings.number::<u64>("max-tokens-per-doc")? {
                    say("max_tokens_per_doc", most.into());
                }
            }
            RerankKind::Jina => say("return_documents", false.into()),
            RerankKind::Vllm => {
                if let Some(most) = settings.number::<u64>("truncate-prompt-tokens")? {
                    say("truncate_prompt_tokens", most.into());
                }
            }
            RerankKind::Tei => {
                say("truncate", truncate()?);
                say("raw_scores", settings.flag("raw-scores")?.unwrap_or(false).into());
                say("return_text", false.into());
            }
            RerankKind::Voyage => {
                say("truncation", truncate()?);
                say("return_documents", false.into());
            }
        }
        // These say what comes back beside the scores.
        for name in ["return_documents", "return_text"] {
            facts.remove(name);
        }
        let (home, path) = match kind {
            RerankKind::Cohere => (Some("https://api.cohere.com/v2/rerank"), "/v2/rerank"),
            RerankKind::Jina => (Some("https://api.jina.ai/v1/rerank"), "/v1/rerank"),
            RerankKind::Vllm => (None, "/v1/rerank"),
            RerankKind::Tei => (None, "/rerank"),
            RerankKind::Voyage => (Some("https://api.voyageai.com/v1/rerank"), "/v1/rerank"),
        };
        let tokens = match kind {
            // Its models of the first generation take a third of what the later ones do.
            RerankKind::Voyage if model.starts_with("rerank-1") => 100_000,
            RerankKind::Voyage => 300_000,
            _ => u64::MAX,
        };
        Ok(Self {
            home,
            path,
            passages: if kind == RerankKind::Tei { "texts" } else { "documents" },
            results: match kind {
                RerankKind::Tei => Place::Bare,
                RerankKind::Voyage => Place::Data,
                RerankKind::Cohere | RerankKind::Jina | RerankKind::Vllm => Place::Results,
            },
            // TEI's own default for clients; the others take a thousand and more.
            most: if kind == RerankKind::Tei { 32 } else { 1000 },
            tokens,
            listwise: model.contains("jina-reranker-v3"),
            fixed,
            facts,
        })
    }

    /// The JSON that is posted.
    pub(super) fn body(&self, query: &str, passages: &[&str]) -> Value {
        let mut body = self.fixed.clone();
        body.insert("query".to_owned(), query.into());
        body.insert(self.passages.to_owned(), passages.into());
        Value::Object(body)
    }
}
