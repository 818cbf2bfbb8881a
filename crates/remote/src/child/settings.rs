//! What a spec may say about a child process.

use std::collections::BTreeMap;
use std::time::Duration;

use eightk_encode::{EncodeError, Similarity};

use crate::settings::Settings;

/// How long one answer may take, where nobody says: loading a large model on a slow disk is part of the first.
const PATIENCE: Duration = Duration::from_secs(600);
/// Queries per request, where nobody says.
const BATCH: usize = 64;

/// Settings of a [`CommandEncoder`](super::CommandEncoder).
#[derive(Debug, Clone, PartialEq)]
pub struct CommandSettings {
    /// Stands before each query.
    pub query_prompt: String,
    /// Stands before each chunk and each context.
    pub passage_prompt: String,
    /// How long one answer may take, the loading of the model included.
    pub timeout: Duration,
    /// Dimensions that every vector must have.
    pub dims: Option<usize>,
    /// How vectors are compared; else as the program says, else cosine.
    pub similarity: Option<Similarity>,
    /// What pins the program instead of the contents of the files on its command line.
    pub revision: Option<String>,
    /// Ask it first who it is.
    pub about: bool,
    /// Whether filings may be handed over with a context; else as the program says, else yes.
    pub context: Option<bool>,
    /// Queries per request.
    pub batch: usize,
}

impl Default for CommandSettings {
    fn default() -> Self {
        Self {
            query_prompt: String::new(),
            passage_prompt: String::new(),
            timeout: PATIENCE,
            dims: None,
            similarity: None,
            revision: None,
            about: false,
            context: None,
            batch: BATCH,
        }
    }
}

impl CommandSettings {
    /// The settings a spec may give.
    pub const KEYS: [&'static str; 9] =
        ["about", "batch", "context", "dims", "passage-prompt", "query-prompt", "revision", "similarity", "timeout"];

    /// From the `key=value` pairs of a spec; `timeout` is in seconds.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Usage`] for a key that is not among [`KEYS`](Self::KEYS) and a value that is not what its key wants.
    pub fn from_pairs(pairs: &BTreeMap<String, String>) -> Result<Self, EncodeError> {
        let given = Settings::new("cmd", pairs, &Self::KEYS)?;
        let text = |name: &str| given.text(name).map(str::to_owned);
        let timeout = match given.text("timeout") {
            Some(_) => given.timeout()?,
            None => PATIENCE,
        };
        Ok(Self {
            query_prompt: text("query-prompt").unwrap_or_default(),
            passage_prompt: text("passage-prompt").unwrap_or_default(),
            timeout,
            dims: given.number("dims")?,
            similarity: given.one_of("similarity", &["cosine", "dot"])?.and_then(similarity),
            revision: text("revision"),
            about: given.flag("about")?.unwrap_or(false),
            context: given.flag("context")?,
            batch: given.number("batch")?.unwrap_or(BATCH),
        })
    }
}

/// By its name. Bits cannot be sent, so their similarity is none here.
pub(super) fn similarity(name: &str) -> Option<Similarity> {
    match name {
        "cosine" => Some(Similarity::Cosine),
        "dot" => Some(Similarity::Dot),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Result<CommandSettings, String> {
        let pairs = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        CommandSettings::from_pairs(&pairs).map_err(|e| e.to_string())
    }

    #[test]
    fn every_key_is_read() {
        let read = of(&[
            ("about", "true"),
            ("batch", "8"),
            ("context", "false"),
            ("dims", "3"),
            ("passage-prompt", "p: "),
            ("query-prompt", "q: "),
            ("revision", "v2"),
            ("similarity", "dot"),
            ("timeout", "1.5"),
        ]);
        let wanted = CommandSettings {
            query_prompt: "q: ".into(),
            passage_prompt: "p: ".into(),
            timeout: Duration::from_millis(1500),
            dims: Some(3),
            similarity: Some(Similarity::Dot),
            revision: Some("v2".into()),
            about: true,
            context: Some(false),
            batch: 8,
        };
        assert_eq!(read, Ok(wanted));
        assert_eq!(of(&[]), Ok(CommandSettings::default()));
    }

    #[test]
    fn what_cannot_be_is_refused_by_name() {
        for (key, value) in [
            ("timeout", "0"),
            ("timeout", "-1"),
            ("timeout", "NaN"),
            ("timeout", "1e300"),
            ("batch", "0"),
            ("dims", "3.5"),
            ("about", "yes"),
            ("similarity", "hamming"),
        ] {
            assert!(of(&[(key, value)]).unwrap_err().contains(&format!("`{key}=")), "{key}={value}");
        }
        assert!(of(&[("url", "x")]).unwrap_err().contains("url="));
    }
}
