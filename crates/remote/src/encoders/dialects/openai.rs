//! OpenAI's `/v1/embeddings`, and whoever copies it.
//!
//! `encoding_format` is always said: OpenAI's own client asks for base64 where nothing is, and servers that copy the protocol then refuse, or send
//! floats that it misreads. What comes is read in either form.

use std::borrow::Cow;

use eightk_encode::{EncodeError, Role};
use serde_json::{Value, json};

use super::{Dialect, Spoken, facts, list, similarity};
use crate::encoders::answer::{Answer, Format, flat};
use crate::encoders::plan::Limits;
use crate::settings::Settings;
use crate::web::Unread;

struct OpenAi {
    model: String,
    dims: Option<usize>,
}

pub(super) fn spoken(model: &str, settings: &Settings<'_>) -> Result<Spoken, EncodeError> {
    let dims = settings.number("dims")?;
    settings.one_of("dtype", &["float"])?;
    Ok(Spoken {
        dialect: Box::new(OpenAi { model: model.to_owned(), dims }),
        home: Some("https://api.openai.com/v1/embeddings"),
        path: "/v1/embeddings",
        sees_context: false,
        similarity: similarity(settings)?,
        facts: facts([("dtype", "float")]),
    })
}

impl Dialect for OpenAi {
    fn limits(&self, _: bool) -> Limits {
        Limits { units: 2048, texts: 2048, tokens: 300_000, unit_tokens: Some(8192) }
    }

    fn body(&self, _: Role, _: bool, documents: &[Vec<Cow<'_, str>>]) -> Value {
        let mut body = json!({"model": self.model, "input": list(documents), "encoding_format": "float"});
        if let (Some(dims), Some(body)) = (self.dims, body.as_object_mut()) {
            body.insert("dimensions".to_owned(), dims.into());
        }
        body
    }

    fn read(&self, _: bool, shape: &[usize], body: &[u8]) -> Result<Answer, Unread> {
        flat(Format::Float, shape, body)
    }
}
