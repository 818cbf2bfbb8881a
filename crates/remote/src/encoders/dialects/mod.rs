//! One file per service: what it is sent, what it may be sent at once, how its answer reads.

mod jina;
mod openai;
mod perplexity;
mod tei;
mod voyage;

use std::borrow::Cow;
use std::collections::BTreeMap;

use eightk_encode::{EncodeError, Role, Similarity};
use serde_json::Value;

use super::answer::Answer;
use super::kind::RemoteKind;
use super::plan::Limits;
use crate::settings::Settings;
use crate::web::Unread;

/// How one service is talked to. `in_context` says whether the documents are filings, or single texts.
pub(crate) trait Dialect: Send + Sync {
    /// What one request may hold.
    fn limits(&self, in_context: bool) -> Limits;

    /// The JSON that is posted: documents of texts, prompts included.
    fn body(&self, role: Role, in_context: bool, documents: &[Vec<Cow<'_, str>>]) -> Value;

    /// Reads an answer to documents of so many texts each.
    fn read(&self, in_context: bool, shape: &[usize], body: &[u8]) -> Result<Answer, Unread>;
}

/// A dialect, and what follows from the settings besides.
pub(crate) struct Spoken {
    pub(crate) dialect: Box<dyn Dialect>,
    /// The service's own address, if there is one for all.
    pub(crate) home: Option<&'static str>,
    /// The path where `url=` gives a server only.
    pub(crate) path: &'static str,
    pub(crate) sees_context: bool,
    pub(crate) similarity: Similarity,
    /// What changes vectors and is not among an identity's own fields.
    pub(crate) facts: BTreeMap<String, String>,
}

/// The dialect of a service for one of its models.
pub(crate) fn spoken(kind: RemoteKind, model: &str, settings: &Settings<'_>) -> Result<Spoken, EncodeError> {
    match kind {
        RemoteKind::OpenAi => openai::spoken(model, settings),
        RemoteKind::Tei => tei::spoken(settings),
        RemoteKind::Voyage => voyage::spoken(model, settings),
        RemoteKind::Perplexity => perplexity::spoken(model, settings),
        RemoteKind::Jina => jina::spoken(model, settings),
    }
}

/// A dialect with nothing set but the kind of numbers, for its reader.
pub(crate) fn any(kind: RemoteKind, dtype: &str) -> Option<Box<dyn Dialect>> {
    let mut values = BTreeMap::new();
    if kind.settings().contains(&"dtype") {
        values.insert("dtype".to_owned(), dtype.to_owned());
    }
    let settings = Settings::new("", &values, kind.settings()).ok()?;
    spoken(kind, "a-context-model", &settings).ok().map(|s| s.dialect)
}

/// Facts as they go into an identity.
fn facts<const N: usize>(pairs: [(&str, &str); N]) -> BTreeMap<String, String> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Cosine, unless the settings say otherwise.
fn similarity(settings: &Settings<'_>) -> Result<Similarity, EncodeError> {
    Ok(match settings.one_of("similarity", &["cosine", "dot"])? {
        Some("dot") => Similarity::Dot,
        _ => Similarity::Cosine,
    })
}

/// Documents of one text each, or one document, as the flat list that most services take.
fn list<'a>(documents: &'a [Vec<Cow<'_, str>>]) -> Vec<&'a str> {
    documents.iter().flatten().map(AsRef::as_ref).collect()
}
