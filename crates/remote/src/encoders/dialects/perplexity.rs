//! Perplexity: `/v1/contextualizedembeddings` for its context models, `/v1/embeddings` for the others.
//!
//! It knows no floats: what comes is signed bytes that are not normalised, or bits. Asking it for `float` as for any other service is an error 400.

use std::borrow::Cow;

use eightk_encode::{EncodeError, Role, Similarity};
use serde_json::{Value, json};

use super::{Dialect, Spoken, facts, list};
use crate::encoders::answer::{Answer, Format, flat, nested};
use crate::encoders::plan::Limits;
use crate::settings::Settings;
use crate::web::Unread;

struct Perplexity {
    model: String,
    dims: Option<usize>,
    binary: bool,
    contextual: bool,
}

pub(super) fn spoken(model: &str, settings: &Settings<'_>) -> Result<Spoken, EncodeError> {
    let dtype = settings.one_of("dtype", &["int8", "binary"])?.unwrap_or("int8");
    let (binary, contextual) = (dtype == "binary", model.contains("context"));
    let dims = settings.number("dims")?;
    let (home, path) = if contextual {
        ("https://api.perplexity.ai/v1/contextualizedembeddings", "/v1/contextualizedembeddings")
    } else {
        ("https://api.perplexity.ai/v1/embeddings", "/v1/embeddings")
    };
    Ok(Spoken {
        dialect: Box::new(Perplexity { model: model.to_owned(), dims, binary, contextual }),
        home: Some(home),
        path,
        sees_context: contextual,
        similarity: if binary { Similarity::Hamming } else { Similarity::Cosine },
        facts: facts([("dtype", dtype)]),
    })
}

impl Dialect for Perplexity {
    fn limits(&self, _: bool) -> Limits {
        Limits {
            units: 512,
            texts: if self.contextual { 16_000 } else { 512 },
            tokens: 120_000,
            unit_tokens: Some(32_000),
        }
    }

    fn body(&self, _: Role, _: bool, documents: &[Vec<Cow<'_, str>>]) -> Value {
        let format = if self.binary { "base64_binary" } else { "base64_int8" };
        let mut body = if self.contextual {
            json!({"input": documents, "model": self.model, "encoding_format": format})
        } else {
            json!({"input": list(documents), "model": self.model, "encoding_format": format})
        };
        if let (Some(dims), Some(body)) = (self.dims, body.as_object_mut()) {
            body.insert("dimensions".to_owned(), dims.into());
        }
        body
    }

    fn read(&self, _: bool, shape: &[usize], body: &[u8]) -> Result<Answer, Unread> {
        let format = if self.binary { Format::PackedBits } else { Format::PackedInt8 };
        if self.contextual { nested(format, shape, body) } else { flat(format, shape, body) }
    }
}
