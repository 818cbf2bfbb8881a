//! From a folder to the encoder that is in it.

use std::path::Path;
use std::sync::Arc;

use eightk_encode::{EncodeError, Encoder};

use crate::folder::{ModelFolder, SentenceConfig};
use crate::local::LocalModel;
use crate::settings::LocalSettings;
use crate::statics::{StaticEncoder, StaticOptions};

/// Opens whatever kind of model a folder holds: a transformer, or a table of static embeddings.
///
/// # Errors
///
/// As [`LocalModel::open`]; [`EncodeError::Usage`] also for a setting that a static model cannot have.
pub fn open(folder: &Path, settings: &LocalSettings) -> Result<Arc<dyn Encoder>, EncodeError> {
    let root = ModelFolder::open(folder)?;
    if !StaticEncoder::is_in(&root)? {
        return Ok(Arc::new(LocalModel::open(folder, settings)?));
    }
    let unfit = [
        ("pooling", settings.pooling.is_some()),
        ("max-tokens", settings.max_tokens.is_some()),
        ("dims", settings.dims.is_some()),
    ];
    if let Some((key, _)) = unfit.iter().find(|(_, given)| *given) {
        return Err(EncodeError::Usage(format!(
            "{key}=: {} is a table of static embeddings, which has no such setting",
            root.name()
        )));
    }
    let sentence = SentenceConfig::read(&root)?;
    let options = StaticOptions {
        similarity: sentence.similarity,
        query_prompt: settings.query_prompt.clone().unwrap_or(sentence.query_prompt),
        passage_prompt: settings.passage_prompt.clone().unwrap_or(sentence.passage_prompt),
    };
    Ok(Arc::new(StaticEncoder::open(&root, options)?))
}
