//! BERT and RoBERTa: learnt positions, attention over all, norms after each half of a layer.

use eightk_encode::EncodeError;
use serde::Deserialize;
use serde_json::Value;

use super::{Architecture, Batch};
use crate::folder::{ModelFolder, Tensors, Weights};
use crate::math::{Activation, Attention, LayerNorm, Linear, Rows, Scratch, activate, add, attend};

/// Rows that go through a feed-forward layer together: what stands between its halves then stays in the second-level cache.
const ROWS: usize = 64;

/// What `config.json` says.
#[derive(Debug, Clone, Deserialize)]
struct Config {
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    max_position_embeddings: usize,
    vocab_size: usize,
    #[serde(default = "gelu")]
    hidden_act: String,
    #[serde(default = "small")]
    layer_norm_eps: f64,
    #[serde(default)]
    type_vocab_size: Option<usize>,
    #[serde(default)]
    pad_token_id: Option<usize>,
    #[serde(default)]
    position_embedding_type: Option<String>,
    #[serde(default)]
    model_type: Option<String>,
}

fn gelu() -> String {
    "gelu".to_owned()
}

const fn small() -> f64 {
    1e-12
}

struct Layer {
    mixed: Linear,
    attended: Linear,
    attention_norm: LayerNorm,
    up: Linear,
    down: Linear,
    norm: LayerNorm,
}

/// The transformer with its weights.
pub(super) struct Bert {
    width: usize,
    heads: usize,
    words: Vec<f32>,
    /// Learnt positions with the first token type added.
    positions: Vec<f32>,
    /// Where the first token stands: RoBERTa counts on from its padding.
    first_position: usize,
    norm: LayerNorm,
    layers: Vec<Layer>,
    activation: Activation,
}

impl Bert {
    /// Reads the weights that the configuration speaks of.
    pub(super) fn load(folder: &ModelFolder, config: Value, weights: &Weights) -> Result<Self, EncodeError> {
        let bad = |why: String| folder.bad("config.json", why);
        let config: Config = serde_json::from_value(config).map_err(|e| bad(e.to_string()))?;
        let (width, heads) = (config.hidden_size, config.num_attention_heads);
        if width == 0 || heads == 0 || width % heads != 0 {
            return Err(bad(format!("hidden_size {width} cannot be shared by {heads} num_attention_heads")));
        }
        if config.num_hidden_layers == 0 || config.intermediate_size == 0 || config.vocab_size == 0 {
            return Err(bad("num_hidden_layers, intermediate_size and vocab_size must be above 0".to_owned()));
        }
        if let Some(other) = config.position_embedding_type.as_deref().filter(|p| *p != "absolute") {
            return Err(bad(format!("position_embedding_type {other:?} cannot be run; only \"absolute\"")));
        }
        let activation = Activation::named(&config.hidden_act).ok_or_else(|| {
            bad(format!("hidden_act {:?} is not known; gelu, gelu_new, relu, silu are", config.hidden_act))
        })?;
        let roberta = config.model_type.as_deref().is_some_and(|m| m != "bert");
        let first_position = if roberta { config.pad_token_id.unwrap_or(1) + 1 } else { 0 };
        if config.max_position_embeddings <= first_position {
            return Err(bad(format!(
                "max_position_embeddings {} leaves no position for a token",
                config.max_position_embeddings
            )));
        }

        let all =
            weights.under(&["", "bert.", "roberta.", "model.", "transformer."], "embeddings.word_embeddings.weight")?;
        let embeddings = all.sub("embeddings");
        let words = embeddings.read("word_embeddings.weight", &[config.vocab_size, width])?;
        let mut positions = embeddings.read("position_embeddings.weight", &[config.max_position_embeddings, width])?;
        let types = config.type_vocab_size.unwrap_or(2);
        // Only the first type is ever used: a text alone has one.
        if let Some(types) = embeddings.read_if_there("token_type_embeddings.weight", &[types, width])? {
            let first = types.get(..width).unwrap_or_default();
            positions.chunks_exact_mut(width).for_each(|row| add(row, first));
        }
        let norm = LayerNorm::load(&embeddings.sub("LayerNorm"), width, config.layer_norm_eps)?;
        let mut layers = Vec::new();
        for i in 0..config.num_hidden_layers {
            layers.push(Layer::load(&all.sub("encoder").sub("layer").sub(&i.to_string()), &config)?);
        }
        Ok(Self { width, heads, words, positions, first_position, norm, layers, activation })
    }

    /// Embeddings of a batch's tokens, normalised.
    fn embed(&self, batch: &Batch) -> Vec<f32> {
        let row = |table: &'_ [f32], i: usize| -> std::ops::Range<usize> {
            (i * self.width).min(table.len())..((i + 1) * self.width).min(table.len())
        };
        let mut states = Vec::with_capacity(batch.ids().len() * self.width);
        for sequence in batch.sequences() {
            for (position, id) in batch.ids().get(sequence).unwrap_or_default().iter().enumerate() {
                let from = states.len();
                states.extend_from_slice(self.words.get(row(&self.words, *id as usize)).unwrap_or_default());
                states.resize(from + self.width, 0.0);
                let position =
                    self.positions.get(row(&self.positions, self.first_position + position)).unwrap_or_default();
                add(states.get_mut(from..).unwrap_or_default(), position);
            }
        }
        self.norm.apply(&mut states);
        states
    }
}

impl Layer {
    fn load(tensors: &Tensors<'_>, config: &Config) -> Result<Self, EncodeError> {
        let width = config.hidden_size;
        let attention = tensors.sub("attention");
        let own = attention.sub("self");
        let output = attention.sub("output");
        Ok(Self {
            mixed: Linear::load_together(&[own.sub("query"), own.sub("key"), own.sub("value")], width, width)?,
            attended: Linear::load(&output.sub("dense"), width, width)?,
            attention_norm: LayerNorm::load(&output.sub("LayerNorm"), width, config.layer_norm_eps)?,
            up: Linear::load(&tensors.sub("intermediate").sub("dense"), width, config.intermediate_size)?,
            down: Linear::load(&tensors.sub("output").sub("dense"), config.intermediate_size, width)?,
            norm: LayerNorm::load(&tensors.sub("output").sub("LayerNorm"), width, config.layer_norm_eps)?,
        })
    }
}

impl Architecture for Bert {
    fn width(&self) -> usize {
        self.width
    }

    fn positions(&self) -> usize {
        self.positions.len() / self.width - self.first_position
    }

    fn vocabulary(&self) -> usize {
        self.words.len() / self.width
    }

    fn states(&self, batch: &Batch, scratch: &mut Scratch) -> Vec<f32> {
        let width = self.width;
        let mut states = self.embed(batch);
        let tokens = states.len() / width;
        let mut mixed = scratch.take(tokens * 3 * width);
        let mut attended = scratch.take(tokens * width);
        let shape = Attention { heads: self.heads, head_width: width / self.heads, reach: None };
        let inner = self.layers.first().map_or(0, |l| l.up.width());
        let mut half = scratch.take(ROWS * inner);
        let mut added = scratch.take(ROWS * width);
        for layer in &self.layers {
            layer.mixed.apply(Rows::dense(&states, width), &mut mixed);
            attend(shape, &mixed, batch.sequences(), &mut attended, scratch);
            for (states, attended) in states.chunks_mut(ROWS * width).zip(attended.chunks(ROWS * width)) {
                let rows = states.len() / width;
                let (half, added) = (
                    half.get_mut(..rows * inner).unwrap_or_default(),
                    added.get_mut(..rows * width).unwrap_or_default(),
                );
                layer.attended.apply(Rows::dense(attended, width), added);
                layer.attention_norm.add_and_apply(states, added);
                layer.up.apply(Rows::dense(states, width), half);
                activate(self.activation, half);
                layer.down.apply(Rows::dense(half, inner), added);
                layer.norm.add_and_apply(states, added);
            }
        }
        for buffer in [mixed, attended, half, added] {
            scratch.give(buffer);
        }
        states
    }
}
