//! An encoder out of its spec, where no data set is needed for it.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use eightk_encode::{EncodeError, Encoder};
use eightk_models::{LocalSettings, open};
use eightk_remote::child::{CommandEncoder, CommandSettings};
use eightk_remote::{Access, Budget, RemoteEncoder, RemoteKind, Waiting};
use eightk_retrieve::{EncoderKind, EncoderSpec};

use super::keys::key;
use crate::failure::Failure;
use crate::model_name::NamedModel;
use crate::output::printable;

/// Shorter pauses are not worth a line.
const PAUSE_SHOWN: Duration = Duration::from_secs(2);

/// The encoder of a spec; with `dry` nothing is asked of anybody. Vectors made elsewhere go by the ids of a data set and are not made here.
pub(crate) fn make(spec: &EncoderSpec, budget: &Arc<Budget>, dry: bool) -> Result<Arc<dyn Encoder>, EncodeError> {
    let pairs = &spec.settings;
    let remote = |kind: RemoteKind| -> Result<Arc<dyn Encoder>, EncodeError> {
        let mut encoder =
            RemoteEncoder::new(kind, &spec.name, pairs, access(kind.key_variable(pairs), pairs, budget)?)?;
        if !dry {
            encoder.introduce()?;
        }
        Ok(Arc::new(encoder))
    };
    match spec.kind {
        EncoderKind::Dense => local(&spec.name, pairs),
        EncoderKind::Cmd => {
            let settings = CommandSettings::from_pairs(pairs)?;
            let say = |line: &str| {
                let _ = writeln!(std::io::stderr(), "{}", printable(line));
            };
            Ok(Arc::new(CommandEncoder::new(&spec.name, settings, Arc::new(say))?))
        }
        EncoderKind::OpenAi => remote(RemoteKind::OpenAi),
        EncoderKind::Tei => remote(RemoteKind::Tei),
        EncoderKind::Voyage => remote(RemoteKind::Voyage),
        EncoderKind::Perplexity => remote(RemoteKind::Perplexity),
        EncoderKind::Jina => remote(RemoteKind::Jina),
        other => Err(EncodeError::Bug(format!("nothing makes encoders of kind {}", other.as_str()))),
    }
}

/// The key in this variable, and the budget that all share.
pub(super) fn access(
    variable: Option<&str>,
    settings: &BTreeMap<String, String>,
    budget: &Arc<Budget>,
) -> Result<Access, EncodeError> {
    let key = key(variable)?;
    // A variable that somebody named is meant: without its key the service would only say that it wants one, or answer somebody else.
    match (&key, settings.get("key-env")) {
        (None, Some(named)) => Err(EncodeError::Usage(format!("key-env={named}: this variable is not set"))),
        _ => Ok(Access::new(key, Arc::clone(budget)).watched(tell)),
    }
}

/// A model that runs here: from a folder, or from the Hub.
fn local(name: &str, pairs: &BTreeMap<String, String>) -> Result<Arc<dyn Encoder>, EncodeError> {
    let revision = pairs.get("revision").map(String::as_str);
    let model = NamedModel::find(name, revision).map_err(Failure::into_encode_error)?;
    let own = pairs.iter().filter(|(k, _)| *k != "revision").map(|(k, v)| (k.as_str(), v.as_str()));
    let settings = LocalSettings { name: Some(model.name), ..LocalSettings::from_pairs(own)? };
    open(&model.folder, &settings)
}

/// A pause that a service made.
fn tell(waiting: &Waiting) {
    if waiting.pause >= PAUSE_SHOWN {
        let (retry, most) = waiting.retry;
        let line =
            format!("{}: {}; retry {retry} of {most} in {} s", waiting.who, waiting.reason, waiting.pause.as_secs());
        let _ = writeln!(std::io::stderr(), "note: {}", printable(&line));
    }
}
