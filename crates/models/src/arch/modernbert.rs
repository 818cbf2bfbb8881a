//! ModernBERT: norms before each half of a layer, rotary positions, gated feed-forward layers, and attention that in most layers
//! reaches only over a window.

use std::collections::BTreeMap;

use eightk_encode::EncodeError;
use serde::Deserialize;
use serde_json::Value;

use super::gated::{Gated, ROWS, embed};
use super::{Architecture, Batch};
use crate::folder::{ModelFolder, Tensors, Weights};
use crate::math::{Activation, Attention, LayerNorm, Linear, Rotary, Rows, Scratch, add, attend};

const GLOBAL: &str = "full_attention";
const LOCAL: &str = "sliding_attention";

/// What `config.json` says, as published in 2024 and as later versions of the library save it.
#[derive(Debug, Deserialize)]
struct Config {
    hidden_size: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    max_position_embeddings: usize,
    #[serde(default = "gelu")]
    hidden_activation: String,
    #[serde(default = "epsilon")]
    norm_eps: f64,
    /// Tokens of a window, both sides together.
    #[serde(default = "window")]
    local_attention: usize,
    /// Which layers see everything: every third. Newer: `layer_types` by name.
    #[serde(default = "third")]
    global_attn_every_n_layers: usize,
    #[serde(default)]
    layer_types: Option<Vec<String>>,
    #[serde(default = "global_base")]
    global_rope_theta: f64,
    /// Null: as in global layers.
    #[serde(default = "local_base")]
    local_rope_theta: Option<f64>,
    /// Newer: by the name of the layer's kind.
    #[serde(default)]
    rope_parameters: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    rope_scaling: Option<Value>,
}

fn gelu() -> String {
    "gelu".to_owned()
}

const fn epsilon() -> f64 {
    1e-5
}

const fn window() -> usize {
    128
}

const fn third() -> usize {
    3
}

const fn global_base() -> f64 {
    160_000.0
}

// The shape that serde wants of a default.
#[allow(clippy::unnecessary_wraps)]
const fn local_base() -> Option<f64> {
    Some(10_000.0)
}

impl Config {
    /// Whether a layer sees the whole text. Errors say what is wrong in words.
    fn is_global(&self, layer: usize) -> Result<bool, String> {
        match &self.layer_types {
            None => Ok(layer.is_multiple_of(self.global_attn_every_n_layers.max(1))),
            Some(kinds) => match kinds.get(layer).map(String::as_str) {
                Some(GLOBAL) => Ok(true),
                Some(LOCAL) => Ok(false),
                other => Err(format!("layer_types names {other:?} for layer {layer}; {GLOBAL} and {LOCAL} can be run")),
            },
        }
    }

    /// How tokens are turned in layers of a kind.
    fn rotary(&self, kind: &str) -> Result<Rotary, String> {
        let own = self.rope_parameters.as_ref().and_then(|r| r.get(kind));
        let scaling = own.or(self.rope_scaling.as_ref());
        let name = scaling.and_then(|s| s.get("rope_type").or_else(|| s.get("type"))).and_then(Value::as_str);
        if let Some(other) = name.filter(|n| *n != "default") {
            return Err(format!("rope_type {other:?} cannot be run; only \"default\""));
        }
        let old = if kind == GLOBAL { Some(self.global_rope_theta) } else { self.local_rope_theta };
        let base =
            own.and_then(|o| o.get("rope_theta")).and_then(Value::as_f64).or(old).unwrap_or(self.global_rope_theta);
        let head = self.hidden_size / self.num_attention_heads;
        if !(base > 0.0 && head.is_multiple_of(2)) {
            return Err(format!("cannot turn {head} numbers of a head with the base {base}"));
        }
        Ok(Rotary::plain(head, base))
    }
}

struct Layer {
    /// None before the first layer: the embeddings are normalised already.
    attention_norm: Option<LayerNorm>,
    mixed: Linear,
    attended: Linear,
    norm: LayerNorm,
    feed: Gated,
    global: bool,
}

/// The transformer with its weights.
pub(super) struct ModernBert {
    width: usize,
    heads: usize,
    positions: usize,
    /// How far local layers see to each side.
    reach: usize,
    global: Rotary,
    local: Rotary,
    words: Vec<f32>,
    norm: LayerNorm,
    layers: Vec<Layer>,
    last_norm: LayerNorm,
}

impl ModernBert {
    /// Reads the weights that the configuration speaks of.
    pub(super) fn load(folder: &ModelFolder, config: &Value, weights: &Weights) -> Result<Self, EncodeError> {
        let bad = |why: String| folder.bad("config.json", why);
        let config = Config::deserialize(config).map_err(|e| bad(e.to_string()))?;
        let (width, heads) = (config.hidden_size, config.num_attention_heads);
        if width == 0 || heads == 0 || width % heads != 0 {
            return Err(bad(format!("hidden_size {width} cannot be shared by {heads} num_attention_heads")));
        }
        if config.num_hidden_layers == 0 || config.intermediate_size == 0 || config.max_position_embeddings == 0 {
            let why = "num_hidden_layers, intermediate_size and max_position_embeddings must be above 0";
            return Err(bad(why.to_owned()));
        }
        let activation = Activation::named(&config.hidden_activation)
            .ok_or_else(|| bad(format!("hidden_activation {:?} is not known", config.hidden_activation)))?;
        let (global, local) = (config.rotary(GLOBAL).map_err(bad)?, config.rotary(LOCAL).map_err(bad)?);

        let all = weights.under(&["", "model.", "encoder."], "embeddings.tok_embeddings.weight")?;
        let embeddings = all.sub("embeddings");
        let rows = embeddings.shape("tok_embeddings.weight").and_then(|s| s.first()).copied().unwrap_or(0);
        let words = embeddings.read("tok_embeddings.weight", &[rows, width])?;
        let norm = LayerNorm::load(&embeddings.sub("norm"), width, config.norm_eps)?;
        all.sub("layers").ends_after(config.num_hidden_layers)?;
        let mut layers = Vec::new();
        for i in 0..config.num_hidden_layers {
            let global = config.is_global(i).map_err(bad)?;
            layers.push(Layer::load(&all.sub("layers").sub(&i.to_string()), &config, activation, i == 0, global)?);
        }
        let last_norm = LayerNorm::load(&all.sub("final_norm"), width, config.norm_eps)?;
        let (positions, reach) = (config.max_position_embeddings, config.local_attention / 2);
        Ok(Self { width, heads, positions, reach, global, local, words, norm, layers, last_norm })
    }
}

impl Layer {
    fn load(
        tensors: &Tensors<'_>,
        config: &Config,
        activation: Activation,
        first: bool,
        global: bool,
    ) -> Result<Self, EncodeError> {
        let (width, inner) = (config.hidden_size, config.intermediate_size);
        let (attention, own_norm) = (tensors.sub("attn"), tensors.sub("attn_norm"));
        let attention_norm = match first && !own_norm.has("weight") {
            true => None,
            false => Some(LayerNorm::load(&own_norm, width, config.norm_eps)?),
        };
        Ok(Self {
            attention_norm,
            mixed: Linear::load(&attention.sub("Wqkv"), width, 3 * width)?,
            attended: Linear::load(&attention.sub("Wo"), width, width)?,
            norm: LayerNorm::load(&tensors.sub("mlp_norm"), width, config.norm_eps)?,
            feed: Gated::of_one(&tensors.sub("mlp"), ["Wi", "Wo"], width, inner, activation)?,
            global,
        })
    }
}

impl Architecture for ModernBert {
    fn width(&self) -> usize {
        self.width
    }

    fn positions(&self) -> usize {
        self.positions
    }

    fn vocabulary(&self) -> usize {
        self.words.len() / self.width
    }

    fn states(&self, batch: &Batch, scratch: &mut Scratch) -> Vec<f32> {
        let (width, heads) = (self.width, self.heads);
        let mut states = embed(&self.words, width, batch.ids());
        self.norm.apply(&mut states);
        let tokens = states.len() / width;
        let mut mixed = scratch.take(tokens * 3 * width);
        // First the normalised states of a layer, then what its attention makes of them.
        let mut attended = scratch.take(tokens * width);
        let room = self.layers.first().map_or(0, |l| l.feed.room());
        let mut half = scratch.take(ROWS * room);
        let (mut normed, mut added) = (scratch.take(ROWS * width), scratch.take(ROWS * width));
        let lengths: Vec<usize> = batch.sequences().map(|s| s.len()).collect();
        let (global, local) = (self.global.turns_of(&lengths), self.local.turns_of(&lengths));
        for layer in &self.layers {
            let (rotary, turns, reach) = match layer.global {
                true => (&self.global, &global, None),
                false => (&self.local, &local, Some(self.reach)),
            };
            let shape = Attention { heads, head_width: width / heads, reach, distances: None };
            match &layer.attention_norm {
                Some(norm) => {
                    attended.copy_from_slice(&states);
                    norm.apply(&mut attended);
                    layer.mixed.apply(Rows::dense(&attended, width), &mut mixed);
                }
                None => layer.mixed.apply(Rows::dense(&states, width), &mut mixed),
            }
            for (sequence, turns) in batch.sequences().zip(turns) {
                let own = mixed.get_mut(sequence.start * 3 * width..sequence.end * 3 * width).unwrap_or_default();
                rotary.turn(turns, own, 3 * width, 2 * heads, shape.head_width);
            }
            attend(shape, &mixed, batch.sequences(), &mut attended, scratch);
            for (states, attended) in states.chunks_mut(ROWS * width).zip(attended.chunks(ROWS * width)) {
                let rows = states.len() / width;
                let half = half.get_mut(..rows * room).unwrap_or_default();
                let added = added.get_mut(..rows * width).unwrap_or_default();
                let normed = normed.get_mut(..rows * width).unwrap_or_default();
                layer.attended.apply(Rows::dense(attended, width), added);
                add(states, added);
                normed.copy_from_slice(states);
                layer.norm.apply(normed);
                layer.feed.apply(Rows::dense(normed, width), half, added);
                add(states, added);
            }
        }
        self.last_norm.apply(&mut states);
        for buffer in [mixed, attended, half, normed, added] {
            scratch.give(buffer);
        }
        states
    }
}
