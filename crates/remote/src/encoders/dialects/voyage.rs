//! Voyage: `/v1/contextualizedembeddings` for its context models, `/v1/embeddings` for the others.
//!
//! A context model takes lists of lists. A flat list is taken too, and makes of each chunk a document of its own: the same model name, no error, and
//! no context. So there is no code path here that sends one.

use std::borrow::Cow;

use eightk_encode::{EncodeError, Role, Similarity};
use serde_json::{Value, json};

use super::{Dialect, Spoken, facts, list};
use crate::encoders::answer::{Answer, Format, flat, nested};
use crate::encoders::plan::Limits;
use crate::settings::Settings;
use crate::web::Unread;

struct Voyage {
    model: String,
    dims: Option<usize>,
    dtype: &'static str,
    contextual: bool,
}

pub(super) fn spoken(model: &str, settings: &Settings<'_>) -> Result<Spoken, EncodeError> {
    let dtype = settings.one_of("dtype", &["float", "int8", "binary", "ubinary"])?.unwrap_or("float");
    let contextual = model.contains("context");
    let voyage = Voyage { model: model.to_owned(), dims: settings.number("dims")?, dtype, contextual };
    let (home, path) = if contextual {
        ("https://api.voyageai.com/v1/contextualizedembeddings", "/v1/contextualizedembeddings")
    } else {
        ("https://api.voyageai.com/v1/embeddings", "/v1/embeddings")
    };
    Ok(Spoken {
        home: Some(home),
        path,
        sees_context: contextual,
        similarity: if dtype.ends_with("binary") { Similarity::Hamming } else { Similarity::Cosine },
        // The service puts a prompt of its own before each text, by this.
        facts: facts([("dtype", dtype), ("input_type", "query for queries, document for passages")]),
        dialect: Box::new(voyage),
    })
}

impl Voyage {
    fn format(&self) -> Format {
        match self.dtype {
            "int8" => Format::Int8,
            "binary" => Format::OffsetBits,
            "ubinary" => Format::Bits,
            _ => Format::Float,
        }
    }
}

impl Dialect for Voyage {
    fn limits(&self, _: bool) -> Limits {
        if self.contextual {
            // Its pages disagree on 32,000 or 120,000 tokens a request: the smaller one, with room for the estimate.
            Limits { units: 1000, texts: 16_000, tokens: 30_000, unit_tokens: Some(30_000) }
        } else {
            Limits { units: 1000, texts: 1000, tokens: 120_000, unit_tokens: Some(32_000) }
        }
    }

    fn body(&self, role: Role, _: bool, documents: &[Vec<Cow<'_, str>>]) -> Value {
        let input_type = match role {
            Role::Query => "query",
            Role::Passage => "document",
        };
        let mut body = if self.contextual {
            json!({"inputs": documents, "model": self.model, "input_type": input_type, "output_dtype": self.dtype})
        } else {
            json!({"input": list(documents), "model": self.model, "input_type": input_type, "output_dtype": self.dtype, "truncation": false})
        };
        if let (Some(dims), Some(body)) = (self.dims, body.as_object_mut()) {
            body.insert("output_dimension".to_owned(), dims.into());
        }
        body
    }

    fn read(&self, _: bool, shape: &[usize], body: &[u8]) -> Result<Answer, Unread> {
        if self.contextual { nested(self.format(), shape, body) } else { flat(self.format(), shape, body) }
    }
}
