//! Hugging Face's text-embeddings-inference: `/embed`.
//!
//! `truncate` is always said, and always false: where nothing is said, servers of late cut what is too long and tell nobody. Who wants it cut has us
//! cut it (`truncate=true` with `max-tokens=`), because only then is it known which texts were.

use std::borrow::Cow;

use eightk_encode::{EncodeError, Role};
use serde_json::{Value, json};

use super::{Dialect, Spoken, facts, list, similarity};
use crate::encoders::answer::{Answer, Format, bare};
use crate::encoders::plan::Limits;
use crate::settings::Settings;
use crate::web::Unread;

struct Tei {
    dims: Option<usize>,
    query_prompt_name: Option<String>,
    passage_prompt_name: Option<String>,
}

pub(super) fn spoken(settings: &Settings<'_>) -> Result<Spoken, EncodeError> {
    let name = |of: &str| settings.text(of).filter(|n| !n.is_empty()).map(str::to_owned);
    let tei = Tei {
        dims: settings.number("dims")?,
        query_prompt_name: name("query-prompt-name"),
        passage_prompt_name: name("passage-prompt-name"),
    };
    if settings.flag("truncate")? == Some(true) && settings.number::<u64>("max-tokens")?.is_none() {
        return Err(EncodeError::Usage(
            "tei: truncate=true needs max-tokens=, the most tokens that the served model takes (its server says so under /info)".to_owned(),
        ));
    }
    let mut facts = facts([("dtype", "float"), ("normalize", "true")]);
    for (role, name) in
        [("query_prompt_name", &tei.query_prompt_name), ("passage_prompt_name", &tei.passage_prompt_name)]
    {
        if let Some(name) = name {
            facts.insert(role.to_owned(), name.clone());
        }
    }
    Ok(Spoken {
        dialect: Box::new(tei),
        home: None,
        path: "/embed",
        sees_context: false,
        similarity: similarity(settings)?,
        facts,
    })
}

impl Dialect for Tei {
    fn limits(&self, _: bool) -> Limits {
        // The server's own default for clients; how long a text may be depends on its model, and it says so.
        Limits { units: 32, texts: 32, tokens: u64::MAX, unit_tokens: None }
    }

    fn body(&self, role: Role, _: bool, documents: &[Vec<Cow<'_, str>>]) -> Value {
        let mut body = json!({"inputs": list(documents), "normalize": true, "truncate": false});
        let name = match role {
            Role::Query => &self.query_prompt_name,
            Role::Passage => &self.passage_prompt_name,
        };
        if let Some(body) = body.as_object_mut() {
            if let Some(name) = name {
                body.insert("prompt_name".to_owned(), name.as_str().into());
            }
            if let Some(dims) = self.dims {
                body.insert("dimensions".to_owned(), dims.into());
            }
        }
        body
    }

    fn read(&self, _: bool, shape: &[usize], body: &[u8]) -> Result<Answer, Unread> {
        bare(Format::Float, shape, body)
    }
}
