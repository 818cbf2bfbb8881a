//! Jina's `/v1/embeddings`.
//!
//! With `late_chunking` all inputs of a request are one document. So a filing is a request, and never two share one: their chunks would see each
//! other, and nothing would say so.

use std::borrow::Cow;

use eightk_encode::{EncodeError, Role, Similarity};
use serde_json::{Value, json};

use super::{Dialect, Spoken, facts, list};
use crate::encoders::answer::{Answer, Format, flat};
use crate::encoders::plan::Limits;
use crate::settings::Settings;
use crate::web::Unread;

struct Jina {
    model: String,
    dims: Option<usize>,
    dtype: &'static str,
    /// Models before v3 have none.
    has_tasks: bool,
}

pub(super) fn spoken(model: &str, settings: &Settings<'_>) -> Result<Spoken, EncodeError> {
    let dtype = settings.one_of("dtype", &["float", "binary", "ubinary"])?.unwrap_or("float");
    let has_tasks = !["-v1", "-v2"].iter().any(|old| model.contains(old));
    let mut facts = facts([("dtype", dtype), ("normalized", "true")]);
    if has_tasks {
        // The service chooses an adapter, and may put a prompt before each text, by this.
        facts.insert("task".to_owned(), "retrieval.query for queries, retrieval.passage for passages".to_owned());
    }
    Ok(Spoken {
        dialect: Box::new(Jina { model: model.to_owned(), dims: settings.number("dims")?, dtype, has_tasks }),
        home: Some("https://api.jina.ai/v1/embeddings"),
        path: "/v1/embeddings",
        sees_context: true,
        similarity: if dtype == "float" { Similarity::Cosine } else { Similarity::Hamming },
        facts,
    })
}

impl Dialect for Jina {
    fn limits(&self, in_context: bool) -> Limits {
        let units = if in_context { 1 } else { 128 };
        Limits { units, texts: usize::MAX, tokens: 32_000, unit_tokens: Some(8192) }
    }

    fn body(&self, role: Role, in_context: bool, documents: &[Vec<Cow<'_, str>>]) -> Value {
        let mut body = json!({
            "model": self.model, "input": list(documents), "late_chunking": in_context, "embedding_type": self.dtype,
            "normalized": true, "truncate": false,
        });
        if let Some(body) = body.as_object_mut() {
            if self.has_tasks {
                let task = match role {
                    Role::Query => "retrieval.query",
                    Role::Passage => "retrieval.passage",
                };
                body.insert("task".to_owned(), task.into());
            }
            if let Some(dims) = self.dims {
                body.insert("dimensions".to_owned(), dims.into());
            }
        }
        body
    }

    fn read(&self, _: bool, shape: &[usize], body: &[u8]) -> Result<Answer, Unread> {
        let format = match self.dtype {
            "binary" => Format::OffsetBits,
            "ubinary" => Format::Bits,
            _ => Format::Float,
        };
        flat(format, shape, body)
    }
}
