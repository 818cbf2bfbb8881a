//! BERT and its kin, which differ in what they call their tensors and in how they know positions: learnt positions, attention over all, norms
//! after each half of a layer. MPNet also adds to each score by how far two tokens are apart.

use eightk_encode::EncodeError;
use serde::Deserialize;
use serde_json::Value;

use super::{Architecture, Batch};
use crate::folder::{ModelFolder, Tensors, Weights};
use crate::math::{Activation, Attention, Distances, LayerNorm, Linear, Rows, Scratch, activate, add, attend};

/// Rows that go through a feed-forward layer together: what stands between its halves then stays in the second-level cache.
const ROWS: usize = 64;

/// The kinds by the `model_type` of their configuration.
pub(super) const KINDS: [&str; 6] = ["bert", "roberta", "xlm-roberta", "camembert", "distilbert", "mpnet"];

/// What a kind calls its tensors.
struct Names {
    layers: &'static str,
    mixed: [&'static str; 3],
    attended: &'static str,
    attention_norm: &'static str,
    up: &'static str,
    down: &'static str,
    norm: &'static str,
}

const BERT: Names = Names {
    layers: "encoder.layer",
    mixed: ["attention.self.query", "attention.self.key", "attention.self.value"],
    attended: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    up: "intermediate.dense",
    down: "output.dense",
    norm: "output.LayerNorm",
};

const MPNET: Names = Names {
    mixed: ["attention.attn.q", "attention.attn.k", "attention.attn.v"],
    attended: "attention.attn.o",
    attention_norm: "attention.LayerNorm",
    ..BERT
};

const DISTILBERT: Names = Names {
    layers: "transformer.layer",
    mixed: ["attention.q_lin", "attention.k_lin", "attention.v_lin"],
    attended: "attention.out_lin",
    attention_norm: "sa_layer_norm",
    up: "ffn.lin1",
    down: "ffn.lin2",
    norm: "output_layer_norm",
};

/// What `config.json` says; the other names are DistilBERT's.
#[derive(Debug, Clone, Deserialize)]
struct Config {
    #[serde(alias = "dim")]
    hidden_size: usize,
    #[serde(alias = "n_layers")]
    num_hidden_layers: usize,
    #[serde(alias = "n_heads")]
    num_attention_heads: usize,
    #[serde(alias = "hidden_dim")]
    intermediate_size: usize,
    max_position_embeddings: usize,
    vocab_size: usize,
    #[serde(default = "gelu", alias = "activation")]
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
    relative_attention_num_buckets: Option<usize>,
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
    distances: Option<Distances>,
}

impl Bert {
    /// Reads the weights that the configuration speaks of, of one of [`KINDS`].
    pub(super) fn load(
        folder: &ModelFolder,
        kind: &str,
        config: Value,
        weights: &Weights,
    ) -> Result<Self, EncodeError> {
        let names = match kind {
            "distilbert" => DISTILBERT,
            "mpnet" => MPNET,
            _ => BERT,
        };
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
        let from_zero = matches!(kind, "bert" | "distilbert");
        let first_position = if from_zero { 0 } else { config.pad_token_id.unwrap_or(1) + 1 };
        if config.max_position_embeddings <= first_position {
            return Err(bad(format!(
                "max_position_embeddings {} leaves no position for a token",
                config.max_position_embeddings
            )));
        }

        let all = weights.under(
            &["", "bert.", "roberta.", "mpnet.", "distilbert.", "model.", "transformer."],
            "embeddings.word_embeddings.weight",
        )?;
        let embeddings = all.sub("embeddings");
        let words = embeddings.read("word_embeddings.weight", &[config.vocab_size, width])?;
        let mut positions = embeddings.read("position_embeddings.weight", &[config.max_position_embeddings, width])?;
        let stated = embeddings.shape("token_type_embeddings.weight").and_then(|s| s.first());
        let types = config.type_vocab_size.or(stated.copied()).unwrap_or(0);
        // Only the first type is ever used: a text alone has one.
        if let Some(types) = embeddings.read_if_there("token_type_embeddings.weight", &[types, width])? {
            let first = types.get(..width).unwrap_or_default();
            positions.chunks_exact_mut(width).for_each(|row| add(row, first));
        }
        let norm = LayerNorm::load(&embeddings.sub("LayerNorm"), width, config.layer_norm_eps)?;
        all.sub(names.layers).ends_after(config.num_hidden_layers)?;
        let mut layers = Vec::new();
        for i in 0..config.num_hidden_layers {
            layers.push(Layer::load(&all.sub(names.layers).sub(&i.to_string()), &names, &config)?);
        }
        let distances = match kind {
            "mpnet" => {
                let buckets = config.relative_attention_num_buckets.unwrap_or(32);
                let table = all.sub("encoder").read("relative_attention_bias.weight", &[buckets, heads])?;
                let longest = config.max_position_embeddings - first_position;
                let added =
                    |head, distance| table.get(bucket(distance, buckets) * heads + head).copied().unwrap_or(0.0);
                Some(Distances::of(heads, longest, added))
            }
            _ => None,
        };
        Ok(Self { width, heads, words, positions, first_position, norm, layers, activation, distances })
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
    fn load(tensors: &Tensors<'_>, names: &Names, config: &Config) -> Result<Self, EncodeError> {
        let (width, inner) = (config.hidden_size, config.intermediate_size);
        Ok(Self {
            mixed: Linear::load_together(&names.mixed.map(|name| tensors.sub(name)), width, width)?,
            attended: Linear::load(&tensors.sub(names.attended), width, width)?,
            attention_norm: LayerNorm::load(&tensors.sub(names.attention_norm), width, config.layer_norm_eps)?,
            up: Linear::load(&tensors.sub(names.up), width, inner)?,
            down: Linear::load(&tensors.sub(names.down), inner, width)?,
            norm: LayerNorm::load(&tensors.sub(names.norm), width, config.layer_norm_eps)?,
        })
    }
}

/// Which row of MPNet's table a distance (key − query) has: one each for near ones, then ever wider ranges up to 128 tokens. Keys behind the
/// query have the upper half of the table.
fn bucket(distance: isize, buckets: usize) -> usize {
    let (half, far) = (buckets / 2, distance.unsigned_abs());
    let near = half / 2;
    let within = if far < near {
        far
    } else {
        // In f32, as in the library with which the models were trained: borders fall where rounding puts them.
        let share = (far as f32 / near as f32).ln() / (128.0 / near as f64).ln() as f32;
        (near + (share * (half - near) as f32) as usize).min(half.saturating_sub(1))
    };
    within + if distance > 0 { half } else { 0 }
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
        let shape = Attention {
            heads: self.heads,
            head_width: width / self.heads,
            reach: None,
            distances: self.distances.as_ref(),
        };
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
