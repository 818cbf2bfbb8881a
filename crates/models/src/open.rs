//! From a folder to the encoder that is in it.

use std::path::Path;
use std::sync::Arc;

use eightk_encode::{EncodeError, Encoder};

use crate::folder::ModelFolder;
use crate::local::LocalModel;
use crate::settings::LocalSettings;
use crate::statics::StaticEncoder;

/// Opens whatever kind of model a folder holds: a transformer, or a table of static embeddings (model2vec, sentence-transformers'
/// `StaticEmbedding`).
///
/// # Errors
///
/// As [`LocalModel::open`]; [`EncodeError::Usage`] also for a setting that a static model cannot have.
pub fn open(folder: &Path, settings: &LocalSettings) -> Result<Arc<dyn Encoder>, EncodeError> {
    match StaticEncoder::open(&ModelFolder::open(folder)?, settings)? {
        Some(encoder) => Ok(Arc::new(encoder)),
        None => Ok(Arc::new(LocalModel::open(folder, settings)?)),
    }
}
