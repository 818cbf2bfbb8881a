//! Kinds of transformers: from tokens to the states of their last layer.
//!
//! Every kind works on *packed* sequences: the tokens of one text after those of another, without padding. All that happens to a
//! token by itself (embeddings, products with weights, norms, activations) does not ask which text it is of; attention does, and
//! walks through the texts. Padding would cost time and, worse, would be a second way in which a text's vector could depend
//! on its neighbours.

mod bert;
mod gated;
mod modernbert;
mod nomic;
#[cfg(test)]
mod reference;

use eightk_encode::EncodeError;
use serde_json::Value;

use crate::folder::{ModelFolder, Weights};
use crate::math::Scratch;

/// Token sequences that go through a model together, one after another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Batch {
    ids: Vec<u32>,
    ends: Vec<usize>,
}

impl Batch {
    /// Adds a sequence, marks and all.
    pub(crate) fn push(&mut self, ids: impl IntoIterator<Item = u32>) {
        self.ids.extend(ids);
        self.ends.push(self.ids.len());
    }

    /// All tokens.
    pub(crate) fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Each sequence's tokens, as a range of all.
    pub(crate) fn sequences(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends.iter().copied()).map(|(from, to)| from..to)
    }
}

/// A transformer that turns tokens into states.
pub(crate) trait Architecture: Send + Sync {
    /// Numbers in a token's state.
    fn width(&self) -> usize;

    /// Most tokens of one sequence, marks included.
    fn positions(&self) -> usize;

    /// How many token ids have an embedding.
    fn vocabulary(&self) -> usize;

    /// The states of the last layer, [tokens × width]. Ids are below [`vocabulary`](Self::vocabulary), sequences not longer than
    /// [`positions`](Self::positions). A sequence's states are the same to the last bit whatever else is in the batch.
    fn states(&self, batch: &Batch, scratch: &mut Scratch) -> Vec<f32>;
}

/// Loads the transformer that a folder's `config.json` (here already read) speaks of.
pub(crate) fn load(
    folder: &ModelFolder,
    config: &Value,
    weights: &Weights,
) -> Result<Box<dyn Architecture>, EncodeError> {
    let kind = config.get("model_type").and_then(Value::as_str).unwrap_or("bert");
    match kind {
        kind if bert::KINDS.contains(&kind) => Ok(Box::new(bert::Bert::load(folder, kind, config.clone(), weights)?)),
        "modernbert" => Ok(Box::new(modernbert::ModernBert::load(folder, config, weights)?)),
        "nomic_bert" => Ok(Box::new(nomic::Nomic::load(folder, config, weights)?)),
        other => Err(EncodeError::Usage(format!(
            "{}: model_type {other:?} cannot be run here; {}, modernbert, nomic_bert and static embeddings (model2vec) can. Others: through cmd: (any Python model), a server, or vectors made elsewhere (vectors:)",
            folder.file("config.json").display(),
            bert::KINDS.join(", ")
        ))),
    }
}
