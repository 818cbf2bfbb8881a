//! Nomic BERT: BERT with rotary positions and gated feed-forward layers, for long texts.
//!
//! Tensors are named as in the published checkpoints. The configuration is read in both dialects: that of the publisher's own code
//! (GPT-2's names: `n_embd`, `n_layer`, …) and that of the library that took the model over (`hidden_size`, …).

use eightk_encode::EncodeError;
use serde_json::Value;

use super::gated::{Gated, ROWS, embed};
use super::{Architecture, Batch};
use crate::folder::{ModelFolder, Tensors, Weights};
use crate::math::{Activation, Attention, LayerNorm, Linear, Rotary, Rows, Scratch, Stretch, add, attend};

struct Layer {
    mixed: Linear,
    attended: Linear,
    attention_norm: LayerNorm,
    feed: Gated,
    norm: LayerNorm,
}

/// The transformer with its weights.
pub(super) struct Nomic {
    width: usize,
    heads: usize,
    positions: usize,
    rotary: Rotary,
    words: Vec<f32>,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

/// A configuration under two names per key.
struct Keys<'a> {
    folder: &'a ModelFolder,
    config: &'a Value,
}

impl Keys<'_> {
    fn find(&self, names: &[&str]) -> Option<&Value> {
        names.iter().find_map(|name| self.config.get(name).filter(|v| !v.is_null()))
    }

    fn bad(&self, why: String) -> EncodeError {
        self.folder.bad("config.json", why)
    }

    fn size(&self, names: &[&str]) -> Result<usize, EncodeError> {
        let value = self.find(names).and_then(Value::as_u64).filter(|n| *n > 0);
        let value = value.and_then(|n| usize::try_from(n).ok());
        value.ok_or_else(|| self.bad(format!("needs a number above 0 as {}", names.join(" or "))))
    }

    fn number(&self, names: &[&str], missing: f64) -> f64 {
        self.find(names).and_then(Value::as_f64).unwrap_or(missing)
    }

    /// Refuses what would change the arithmetic.
    fn refuse_others(&self) -> Result<(), EncodeError> {
        let on = |name: &&&str| self.config.get(**name).and_then(Value::as_bool) == Some(true);
        let flags = ["prenorm", "causal", "use_rms_norm", "parallel_block", "norm_mlp", "rotary_head_dim"];
        let experts = self.find(&["moe_every_n_layers"]).and_then(Value::as_u64).is_some_and(|n| n > 0);
        let other = flags.iter().find(on).copied().or_else(|| experts.then_some("moe_every_n_layers"));
        let scaled = self.find(&["rotary_emb_scale_base"]).map(|_| "rotary_emb_scale_base");
        match other.or(scaled) {
            Some(flag) => Err(EncodeError::Usage(format!(
                "{}: nomic_bert with {flag} cannot be run here, only the kind of nomic-embed-text-v1 and v1.5; use cmd: (any Python model) or vectors: instead",
                self.folder.file("config.json").display()
            ))),
            None => Ok(()),
        }
    }

    fn activation(&self) -> Result<Activation, EncodeError> {
        match self.find(&["activation_function", "hidden_act"]).and_then(Value::as_str) {
            Some("swiglu" | "silu") | None => Ok(Activation::Silu),
            Some("geglu") => Ok(Activation::Gelu),
            Some(other) => Err(self.bad(format!("activation_function {other:?} cannot be run; swiglu and geglu can"))),
        }
    }

    fn rotary(&self, head_width: usize, positions: usize) -> Result<Rotary, EncodeError> {
        let rope = self.config.get("rope_parameters").filter(|r| r.is_object());
        let (base, factor, trained) = match rope {
            Some(rope) => {
                let factor = match rope.get("rope_type").and_then(Value::as_str) {
                    None | Some("default") => None,
                    Some("dynamic") => rope.get("factor").and_then(Value::as_f64),
                    Some(other) => {
                        return Err(self.bad(format!("rope_type {other:?} cannot be run; default and dynamic can")));
                    }
                };
                (rope.get("rope_theta").and_then(Value::as_f64).unwrap_or(1000.0), factor, positions)
            }
            None => {
                let factor = self.find(&["rotary_scaling_factor"]).and_then(Value::as_f64);
                let trained = self.number(&["max_trained_positions"], 2048.0);
                (self.number(&["rotary_emb_base", "rope_theta"], 1000.0), factor, trained.max(1.0) as usize)
            }
        };
        let fraction = self.number(&["rotary_emb_fraction", "partial_rotary_factor"], 1.0);
        let dims = (head_width as f64 * fraction) as usize;
        if !(base > 0.0 && dims > 0 && dims <= head_width && dims.is_multiple_of(2)) {
            return Err(self.bad(format!("cannot turn {dims} of {head_width} numbers of a head with the base {base}")));
        }
        let interleaved = self.config.get("rotary_emb_interleaved").and_then(Value::as_bool).unwrap_or(false);
        let stretch = factor.filter(|f| *f > 0.0).map(|factor| Stretch { trained, factor });
        Ok(Rotary { dims, base, interleaved, stretch })
    }
}

impl Nomic {
    /// Reads the weights that the configuration speaks of.
    pub(super) fn load(folder: &ModelFolder, config: &Value, weights: &Weights) -> Result<Self, EncodeError> {
        let keys = Keys { folder, config };
        keys.refuse_others()?;
        let width = keys.size(&["n_embd", "hidden_size"])?;
        let heads = keys.size(&["n_head", "num_attention_heads"])?;
        if width % heads != 0 {
            return Err(keys.bad(format!("a width of {width} cannot be shared by {heads} heads")));
        }
        let positions = keys.size(&["n_positions", "max_position_embeddings"])?;
        let rotary = keys.rotary(width / heads, positions)?;
        let activation = keys.activation()?;
        let epsilon = keys.number(&["layer_norm_epsilon", "layer_norm_eps"], 1e-12);

        let all = weights.under(&["", "bert.", "nomic_bert.", "model."], "embeddings.word_embeddings.weight")?;
        let embeddings = all.sub("embeddings");
        // The vocabulary is padded to a round number after the configuration was made: the table knows its length.
        let rows = embeddings.shape("word_embeddings.weight").and_then(|s| s.first()).copied().unwrap_or(0);
        let mut words = embeddings.read("word_embeddings.weight", &[rows, width])?;
        if let Some(&[types, _]) = embeddings.shape("token_type_embeddings.weight") {
            // A text alone has the first type everywhere.
            let types = embeddings.read("token_type_embeddings.weight", &[types, width])?;
            let first = types.get(..width).unwrap_or_default();
            words.chunks_exact_mut(width).for_each(|row| add(row, first));
        }
        let norm = LayerNorm::load(&all.sub("emb_ln"), width, epsilon)?;
        let (count, own) = (keys.size(&["n_layer", "num_hidden_layers"])?, all.sub("encoder").sub("layers"));
        own.ends_after(count)?;
        let mut layers = Vec::new();
        for i in 0..count {
            layers.push(Layer::load(&own.sub(&i.to_string()), width, epsilon, activation)?);
        }
        Ok(Self { width, heads, positions, rotary, words, norm, layers })
    }
}

impl Layer {
    fn load(tensors: &Tensors<'_>, width: usize, epsilon: f64, activation: Activation) -> Result<Self, EncodeError> {
        let attention = tensors.sub("attn");
        Ok(Self {
            mixed: Linear::load(&attention.sub("Wqkv"), width, 3 * width)?,
            attended: Linear::load(&attention.sub("out_proj"), width, width)?,
            attention_norm: LayerNorm::load(&tensors.sub("norm1"), width, epsilon)?,
            feed: Gated::of_two(&tensors.sub("mlp"), ["fc12", "fc11", "fc2"], width, activation)?,
            norm: LayerNorm::load(&tensors.sub("norm2"), width, epsilon)?,
        })
    }
}

impl Architecture for Nomic {
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
        let mut attended = scratch.take(tokens * width);
        let shape = Attention { heads, head_width: width / heads, reach: None, distances: None };
        let room = self.layers.iter().map(|l| l.feed.room()).max().unwrap_or(0);
        let mut half = scratch.take(ROWS * room);
        let mut added = scratch.take(ROWS * width);
        let lengths: Vec<usize> = batch.sequences().map(|s| s.len()).collect();
        let turns = self.rotary.turns_of(&lengths);
        for layer in &self.layers {
            layer.mixed.apply(Rows::dense(&states, width), &mut mixed);
            for (sequence, turns) in batch.sequences().zip(&turns) {
                let own = mixed.get_mut(sequence.start * 3 * width..sequence.end * 3 * width).unwrap_or_default();
                self.rotary.turn(turns, own, 3 * width, 2 * heads, shape.head_width);
            }
            attend(shape, &mixed, batch.sequences(), &mut attended, scratch);
            for (states, attended) in states.chunks_mut(ROWS * width).zip(attended.chunks(ROWS * width)) {
                let rows = states.len() / width;
                let half = half.get_mut(..rows * layer.feed.room()).unwrap_or_default();
                let added = added.get_mut(..rows * width).unwrap_or_default();
                layer.attended.apply(Rows::dense(attended, width), added);
                layer.attention_norm.add_and_apply(states, added);
                layer.feed.apply(Rows::dense(states, width), half, added);
                layer.norm.add_and_apply(states, added);
            }
        }
        for buffer in [mixed, attended, half, added] {
            scratch.give(buffer);
        }
        states
    }
}
