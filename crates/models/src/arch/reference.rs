//! The newer kinds once more, as their papers write them: every token by itself, in f64, nothing packed and nothing blocked.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Architecture, Batch};
use crate::folder::{ModelFolder, Weights};
use crate::math::Scratch;
use crate::statics::testing::safetensors;

type Rows = Vec<Vec<f64>>;

/// Weights of any numbers, the same in every run.
#[derive(Default)]
struct Made {
    tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
    state: u64,
}

impl Made {
    fn number(&mut self) -> f32 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Numbers around 0, of a size that keeps attention peaked but not saturated.
    fn matrix(&mut self, name: &str, shape: [usize; 2]) {
        let size = 3.0 / (shape[1] as f32).sqrt();
        let numbers = (0..shape[0] * shape[1]).map(|_| self.number() * size).collect();
        self.tensors.insert(name.to_owned(), (shape.to_vec(), numbers));
    }

    fn vector(&mut self, name: &str, length: usize, around: f32) {
        let numbers = (0..length).map(|_| around + 0.3 * self.number()).collect();
        self.tensors.insert(name.to_owned(), (vec![length], numbers));
    }

    fn get(&self, name: &str) -> Option<Rows> {
        let (shape, numbers) = self.tensors.get(name)?;
        let numbers: Vec<f64> = numbers.iter().map(|x| f64::from(*x)).collect();
        Some(numbers.chunks(*shape.last().unwrap()).map(<[f64]>::to_vec).collect())
    }

    fn linear(&self, name: &str, rows: &Rows) -> Rows {
        let weight = self.get(&format!("{name}.weight")).unwrap();
        let bias = self.get(&format!("{name}.bias"));
        let one = |x: &Vec<f64>| -> Vec<f64> {
            let mut y: Vec<f64> = weight.iter().map(|w| w.iter().zip(x).map(|(a, b)| a * b).sum()).collect();
            bias.iter().for_each(|b| y.iter_mut().zip(&b[0]).for_each(|(y, b)| *y += b));
            y
        };
        rows.iter().map(one).collect()
    }

    fn norm(&self, name: &str, rows: &Rows, epsilon: f64) -> Rows {
        let scale = self.get(&format!("{name}.weight")).unwrap().remove(0);
        let shift = self.get(&format!("{name}.bias")).map_or_else(|| vec![0.0; scale.len()], |mut b| b.remove(0));
        let one = |x: &Vec<f64>| -> Vec<f64> {
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64;
            let unit = |(i, x): (usize, &f64)| (x - mean) / (variance + epsilon).sqrt() * scale[i] + shift[i];
            x.iter().enumerate().map(unit).collect()
        };
        rows.iter().map(one).collect()
    }

    fn load(&self, config: &Value) -> Box<dyn Architecture> {
        let dir = tempfile::tempdir().unwrap();
        let bytes = |numbers: &[f32]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let tensors: Vec<_> =
            self.tensors.iter().map(|(n, (shape, x))| (n.as_str(), "F32", shape.as_slice(), bytes(x))).collect();
        std::fs::write(dir.path().join("model.safetensors"), safetensors(&tensors)).unwrap();
        let folder = ModelFolder::open(dir.path()).unwrap();
        super::load(&folder, config, &Weights::open(&folder).unwrap()).unwrap()
    }
}

fn plus(a: &Rows, b: &Rows) -> Rows {
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect()
}

/// Attention over rows of queries, keys and values, turned by `angle(token, pair)`; `pair` of number `i` is `pairs(i)` with its fellow.
struct Heads<'a> {
    count: usize,
    width: usize,
    /// Numbers of a head that are turned.
    turned: usize,
    interleaved: bool,
    base: f64,
    sees: &'a dyn Fn(usize, usize) -> bool,
    /// What is added to a score, by head, query and key.
    added: &'a dyn Fn(usize, usize, usize) -> f64,
}

impl Heads<'_> {
    fn turn(&self, head: &[f64], token: usize) -> Vec<f64> {
        let mut out = head.to_vec();
        for pair in 0..self.turned / 2 {
            let (a, b) = if self.interleaved { (2 * pair, 2 * pair + 1) } else { (pair, pair + self.turned / 2) };
            let angle = token as f64 / self.base.powf(2.0 * pair as f64 / self.turned as f64);
            out[a] = head[a] * angle.cos() - head[b] * angle.sin();
            out[b] = head[b] * angle.cos() + head[a] * angle.sin();
        }
        out
    }

    fn attend(&self, mixed: &Rows) -> Rows {
        let width = self.count * self.width;
        let mut out = vec![vec![0.0; width]; mixed.len()];
        for head in 0..self.count {
            let part = |which: usize, t: usize| &mixed[t][which * width + head * self.width..][..self.width];
            let keys: Rows = (0..mixed.len()).map(|t| self.turn(part(1, t), t)).collect();
            for (t, out) in out.iter_mut().enumerate() {
                let query = self.turn(part(0, t), t);
                let score =
                    |k: &Vec<f64>| query.iter().zip(k).map(|(a, b)| a * b).sum::<f64>() / (self.width as f64).sqrt();
                let whole = |j: usize| score(&keys[j]) + (self.added)(head, t, j);
                let weight = |j: usize| if (self.sees)(t, j) { whole(j).exp() } else { 0.0 };
                let weights: Vec<f64> = (0..mixed.len()).map(weight).collect();
                let total: f64 = weights.iter().sum();
                for (j, w) in weights.iter().enumerate() {
                    let values = part(2, j).iter().zip(&mut out[head * self.width..]);
                    values.for_each(|(v, out)| *out += w / total * v);
                }
            }
        }
        out
    }
}

fn gelu(x: f64) -> f64 {
    // erf by its series: exact enough for |x| below 6.
    let z = x / 2f64.sqrt();
    let (mut term, mut total) = (z, z);
    for n in 1..150 {
        term *= -z * z / f64::from(n);
        total += term / f64::from(2 * n + 1);
    }
    let erf = if z.abs() > 4.0 { z.signum() } else { total * 2.0 / std::f64::consts::PI.sqrt() };
    x * 0.5 * (1.0 + erf)
}

fn silu(x: f64) -> f64 {
    x / (1.0 + (-x).exp())
}

/// Sequences around the sizes at which the fast path changes its ways.
fn sequences() -> Vec<Vec<u32>> {
    [1usize, 9, 63, 64, 65, 150].iter().map(|n| (0..*n).map(|i| (i * i + 3 * n) as u32 % 40).collect()).collect()
}

fn check(model: &dyn Architecture, naive: impl Fn(&[u32]) -> Rows) {
    let mut scratch = Scratch::default();
    let mut all = Batch::default();
    sequences().into_iter().for_each(|s| all.push(s));
    let together = model.states(&all, &mut scratch);
    for (range, ids) in all.sequences().zip(sequences()) {
        let states = &together[range.start * model.width()..range.end * model.width()];
        let mut alone = Batch::default();
        alone.push(ids.iter().copied());
        assert_eq!(model.states(&alone, &mut scratch), states, "{} tokens alone and among others", ids.len());
        for (t, (state, expected)) in states.chunks(model.width()).zip(naive(&ids)).enumerate() {
            for (x, y) in state.iter().zip(&expected) {
                assert!((f64::from(*x) - y).abs() < 2e-4, "token {t} of {}: {state:?}, not {expected:?}", ids.len());
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Size {
    width: usize,
    heads: usize,
    inner: usize,
    layers: usize,
}

const SMALL: Size = Size { width: 18, heads: 3, inner: 10, layers: 4 };

fn modernbert(size: Size, prefix: &str, biases: bool) -> Made {
    let mut made = Made { state: 7, ..Made::default() };
    let Size { width, inner, .. } = size;
    made.matrix(&format!("{prefix}embeddings.tok_embeddings.weight"), [40, width]);
    let mut norms = vec!["embeddings.norm".to_owned(), "final_norm".to_owned()];
    for i in 0..size.layers {
        let layer = |name: &str| format!("layers.{i}.{name}");
        norms.extend((i > 0).then(|| layer("attn_norm")));
        norms.push(layer("mlp_norm"));
        let maps = [
            ("attn.Wqkv", 3 * width, width),
            ("attn.Wo", width, width),
            ("mlp.Wi", 2 * inner, width),
            ("mlp.Wo", width, inner),
        ];
        for (name, to, from) in maps {
            made.matrix(&format!("{prefix}{}.weight", layer(name)), [to, from]);
            if biases {
                made.vector(&format!("{prefix}{}.bias", layer(name)), to, 0.0);
            }
        }
    }
    for norm in norms {
        made.vector(&format!("{prefix}{norm}.weight"), width, 1.0);
        if biases {
            made.vector(&format!("{prefix}{norm}.bias"), width, 0.0);
        }
    }
    made
}

fn naive_modernbert(
    made: &Made,
    size: Size,
    prefix: &str,
    ids: &[u32],
    global: &dyn Fn(usize) -> bool,
    reach: usize,
) -> Rows {
    let name = |n: &str| format!("{prefix}{n}");
    let words = made.get(&name("embeddings.tok_embeddings.weight")).unwrap();
    let rows: Rows = ids.iter().map(|id| words[*id as usize].clone()).collect();
    let mut states = made.norm(&name("embeddings.norm"), &rows, 1e-5);
    for i in 0..size.layers {
        let layer = |n: &str| name(&format!("layers.{i}.{n}"));
        let normed = if i == 0 { states.clone() } else { made.norm(&layer("attn_norm"), &states, 1e-5) };
        let near = |a: usize, b: usize| a.abs_diff(b) <= reach;
        let heads = Heads {
            count: size.heads,
            width: size.width / size.heads,
            turned: size.width / size.heads,
            interleaved: false,
            base: if global(i) { 160_000.0 } else { 10_000.0 },
            sees: if global(i) { &|_, _| true } else { &near },
            added: &|_, _, _| 0.0,
        };
        let attended = heads.attend(&made.linear(&layer("attn.Wqkv"), &normed));
        states = plus(&states, &made.linear(&layer("attn.Wo"), &attended));
        let both = made.linear(&layer("mlp.Wi"), &made.norm(&layer("mlp_norm"), &states, 1e-5));
        let gated = |r: &Vec<f64>| (0..size.inner).map(|k| gelu(r[k]) * r[size.inner + k]).collect();
        states = plus(&states, &made.linear(&layer("mlp.Wo"), &both.iter().map(gated).collect()));
    }
    made.norm(&name("final_norm"), &states, 1e-5)
}

fn modernbert_config(size: Size, more: &Value) -> Value {
    let mut config = json!({"model_type": "modernbert", "vocab_size": 40, "hidden_size": size.width, "intermediate_size": size.inner,
        "num_hidden_layers": size.layers, "num_attention_heads": size.heads, "max_position_embeddings": 200, "local_attention": 4});
    config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    config
}

#[test]
fn modernbert_as_the_paper_writes_it() {
    for (prefix, biases) in [("", false), ("model.", true)] {
        let made = modernbert(SMALL, prefix, biases);
        let config = modernbert_config(SMALL, &json!({"global_attn_every_n_layers": 3}));
        let every_third = |i: usize| i.is_multiple_of(3);
        check(&*made.load(&config), |ids| naive_modernbert(&made, SMALL, prefix, ids, &every_third, 2));
    }
}

#[test]
fn modernbert_with_named_layers() {
    let made = modernbert(SMALL, "", false);
    let kinds = ["sliding_attention", "full_attention", "sliding_attention", "sliding_attention"];
    let rope = json!({"full_attention": {"rope_type": "default", "rope_theta": 160_000.0}, "sliding_attention": {"rope_theta": 10_000.0}});
    let config =
        modernbert_config(SMALL, &json!({"layer_types": kinds, "rope_parameters": rope, "global_rope_theta": 3.0}));
    check(&*made.load(&config), |ids| naive_modernbert(&made, SMALL, "", ids, &|i| i == 1, 2));
}

fn nomic(size: Size, biases: bool) -> Made {
    let mut made = Made { state: 11, ..Made::default() };
    let Size { width, inner, .. } = size;
    made.matrix("embeddings.word_embeddings.weight", [40, width]);
    made.matrix("embeddings.token_type_embeddings.weight", [2, width]);
    let mut norms = vec!["emb_ln".to_owned()];
    for i in 0..size.layers {
        let layer = |name: &str| format!("encoder.layers.{i}.{name}");
        norms.extend([layer("norm1"), layer("norm2")]);
        let maps = [
            ("attn.Wqkv", 3 * width, width),
            ("attn.out_proj", width, width),
            ("mlp.fc11", inner, width),
            ("mlp.fc12", inner, width),
            ("mlp.fc2", width, inner),
        ];
        for (name, to, from) in maps {
            made.matrix(&format!("{}.weight", layer(name)), [to, from]);
            if biases {
                made.vector(&format!("{}.bias", layer(name)), to, 0.0);
            }
        }
    }
    for norm in norms {
        made.vector(&format!("{norm}.weight"), width, 1.0);
        made.vector(&format!("{norm}.bias"), width, 0.0);
    }
    made
}

fn naive_nomic(made: &Made, size: Size, ids: &[u32], turned: usize, interleaved: bool, base: f64) -> Rows {
    let words = made.get("embeddings.word_embeddings.weight").unwrap();
    let first = made.get("embeddings.token_type_embeddings.weight").unwrap().remove(0);
    let rows: Rows = ids.iter().map(|id| words[*id as usize].clone()).collect();
    let mut states = made.norm("emb_ln", &plus(&rows, &vec![first; ids.len()]), 1e-12);
    for i in 0..size.layers {
        let layer = |n: &str| format!("encoder.layers.{i}.{n}");
        let heads = Heads {
            count: size.heads,
            width: size.width / size.heads,
            turned,
            interleaved,
            base,
            sees: &|_, _| true,
            added: &|_, _, _| 0.0,
        };
        let attended = made.linear(&layer("attn.out_proj"), &heads.attend(&made.linear(&layer("attn.Wqkv"), &states)));
        states = made.norm(&layer("norm1"), &plus(&states, &attended), 1e-12);
        let (up, gate) = (made.linear(&layer("mlp.fc11"), &states), made.linear(&layer("mlp.fc12"), &states));
        let gated = up.iter().zip(&gate).map(|(u, g)| u.iter().zip(g).map(|(u, g)| u * silu(*g)).collect()).collect();
        states = made.norm(&layer("norm2"), &plus(&states, &made.linear(&layer("mlp.fc2"), &gated)), 1e-12);
    }
    states
}

#[test]
fn nomic_as_its_makers_write_it() {
    let published = |more: Value| {
        let mut config = json!({"model_type": "nomic_bert", "n_embd": 18, "n_head": 3, "n_layer": 4, "n_inner": 10, "n_positions": 200,
            "vocab_size": 37, "activation_function": "swiglu", "rotary_emb_base": 1000, "rotary_emb_fraction": 1.0,
            "rotary_scaling_factor": null, "prenorm": false, "causal": false});
        config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        config
    };
    let made = nomic(SMALL, false);
    check(&*made.load(&published(json!({}))), |ids| naive_nomic(&made, SMALL, ids, 6, false, 1000.0));
    let some = published(json!({"rotary_emb_fraction": 0.7, "rotary_emb_interleaved": true}));
    check(&*made.load(&some), |ids| naive_nomic(&made, SMALL, ids, 4, true, 1000.0));
    // Beyond 60 tokens the base grows with the text.
    let longer = published(json!({"rotary_scaling_factor": 2, "max_trained_positions": 60}));
    check(&*made.load(&longer), |ids| {
        let longer = 2.0 * ids.len() as f64 / 60.0 - 1.0;
        let base = 1000.0 * if ids.len() > 60 { longer.powf(6.0 / 4.0) } else { 1.0 };
        naive_nomic(&made, SMALL, ids, 6, false, base)
    });
}

#[test]
fn nomic_in_the_other_dialect() {
    let made = nomic(SMALL, true);
    let config = json!({"model_type": "nomic_bert", "hidden_size": 18, "num_attention_heads": 3, "num_hidden_layers": 4, "intermediate_size": 10,
        "max_position_embeddings": 200, "hidden_act": "silu", "rope_parameters": {"rope_type": "default", "rope_theta": 500.0}});
    check(&*made.load(&config), |ids| naive_nomic(&made, SMALL, ids, 6, false, 500.0));
}

/// Names of a kind: layers, queries, keys, values, attended, its norm, up, down, norm.
type Kin = [&'static str; 9];
const BERT: Kin = [
    "encoder.layer",
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "attention.output.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
];
const MPNET: Kin = [
    "encoder.layer",
    "attention.attn.q",
    "attention.attn.k",
    "attention.attn.v",
    "attention.attn.o",
    "attention.LayerNorm",
    "intermediate.dense",
    "output.dense",
    "output.LayerNorm",
];
const DISTILBERT: Kin = [
    "transformer.layer",
    "attention.q_lin",
    "attention.k_lin",
    "attention.v_lin",
    "attention.out_lin",
    "sa_layer_norm",
    "ffn.lin1",
    "ffn.lin2",
    "output_layer_norm",
];
const POSITIONS: usize = 160;

fn kin(size: Size, [layers, q, k, v, o, norm1, up, down, norm2]: Kin) -> Made {
    let mut made = Made { state: 13, ..Made::default() };
    let Size { width, inner, .. } = size;
    made.matrix("embeddings.word_embeddings.weight", [40, width]);
    made.matrix("embeddings.position_embeddings.weight", [POSITIONS, width]);
    made.matrix("encoder.relative_attention_bias.weight", [32, size.heads]);
    let mut norms = vec!["embeddings.LayerNorm".to_owned()];
    for i in 0..size.layers {
        let layer = |name: &str| format!("{layers}.{i}.{name}");
        norms.extend([layer(norm1), layer(norm2)]);
        for (name, to, from) in [
            (q, width, width),
            (k, width, width),
            (v, width, width),
            (o, width, width),
            (up, inner, width),
            (down, width, inner),
        ] {
            made.matrix(&format!("{}.weight", layer(name)), [to, from]);
            made.vector(&format!("{}.bias", layer(name)), to, 0.0);
        }
    }
    for norm in norms {
        made.vector(&format!("{norm}.weight"), width, 1.0);
        made.vector(&format!("{norm}.bias"), width, 0.0);
    }
    made
}

fn naive_kin(
    made: &Made,
    size: Size,
    [layers, q, k, v, o, norm1, up, down, norm2]: Kin,
    ids: &[u32],
    first: usize,
    added: &dyn Fn(usize, usize, usize) -> f64,
) -> Rows {
    let table = |name: &str| made.get(&format!("embeddings.{name}_embeddings.weight")).unwrap();
    let (words, places) = (table("word"), table("position"));
    let words = ids.iter().map(|id| words[*id as usize].clone()).collect();
    let mut states = made.norm("embeddings.LayerNorm", &plus(&words, &places[first..].to_vec()), 1e-12);
    for i in 0..size.layers {
        let layer = |n: &str| format!("{layers}.{i}.{n}");
        let [q, k, v] = [q, k, v].map(|n| made.linear(&layer(n), &states));
        let mixed = q.iter().zip(&k).zip(&v).map(|((q, k), v)| [q.as_slice(), k, v].concat()).collect();
        let (count, width) = (size.heads, size.width / size.heads);
        let heads = Heads { count, width, turned: 0, interleaved: false, base: 1.0, sees: &|_, _| true, added };
        let attended = made.linear(&layer(o), &heads.attend(&mixed));
        states = made.norm(&layer(norm1), &plus(&states, &attended), 1e-12);
        let half = made.linear(&layer(up), &states).iter().map(|r| r.iter().map(|x| gelu(*x)).collect()).collect();
        states = made.norm(&layer(norm2), &plus(&states, &made.linear(&layer(down), &half)), 1e-12);
    }
    states
}

fn kin_config(kind: &str) -> Value {
    json!({"model_type": kind, "hidden_size": 18, "num_attention_heads": 3, "num_hidden_layers": 4, "intermediate_size": 10,
        "max_position_embeddings": POSITIONS, "vocab_size": 40, "pad_token_id": 1, "relative_attention_num_buckets": 32})
}

#[test]
fn bert_and_roberta_differ_in_their_first_position() {
    let made = kin(SMALL, BERT);
    for (kind, first) in [("bert", 0), ("roberta", 2), ("xlm-roberta", 2)] {
        let model = made.load(&kin_config(kind));
        assert_eq!(model.positions(), POSITIONS - first);
        check(&*model, |ids| naive_kin(&made, SMALL, BERT, ids, first, &|_, _, _| 0.0));
    }
}

#[test]
fn distilbert_by_its_own_names() {
    let made = kin(SMALL, DISTILBERT);
    let config = json!({"model_type": "distilbert", "dim": 18, "n_heads": 3, "n_layers": 4, "hidden_dim": 10, "activation": "gelu",
        "max_position_embeddings": POSITIONS, "vocab_size": 40, "pad_token_id": 0});
    check(&*made.load(&config), |ids| naive_kin(&made, SMALL, DISTILBERT, ids, 0, &|_, _, _| 0.0));
}

#[test]
fn mpnet_adds_by_distance() {
    let made = kin(SMALL, MPNET);
    let table = made.get("encoder.relative_attention_bias.weight").unwrap();
    // Sixteen rows a side: eight distances of their own, then ranges whose borders grow by a constant factor, 16 times in all.
    let row = |query: usize, key: usize| {
        let far = query.abs_diff(key);
        let borders = (1..8).filter(|i| far as f64 >= 8.0 * 16f64.powf(f64::from(*i) / 8.0) - 1e-9).count();
        far.min(8) + borders + if key > query { 16 } else { 0 }
    };
    let added = |head: usize, query: usize, key: usize| table[row(query, key)][head];
    check(&*made.load(&kin_config("mpnet")), |ids| naive_kin(&made, SMALL, MPNET, ids, 2, &added));
}

#[test]
fn what_cannot_be_run_is_said() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("model.safetensors"), safetensors(&[])).unwrap();
    let folder = ModelFolder::open(dir.path()).unwrap();
    let weights = Weights::open(&folder).unwrap();
    let said = |config: Value| super::load(&folder, &config, &weights).err().unwrap().to_string();
    let base = json!({"n_embd": 8, "n_head": 2, "n_layer": 1, "n_positions": 9, "model_type": "nomic_bert"});
    let nomic = |key: &str, value: Value| {
        let mut config = base.clone();
        config[key] = value;
        said(config)
    };
    assert!(nomic("prenorm", json!(true)).contains("prenorm"));
    assert!(nomic("moe_every_n_layers", json!(2)).contains("moe_every_n_layers"));
    assert!(nomic("activation_function", json!("glu")).contains("glu"));
    assert!(nomic("rotary_emb_fraction", json!(0.3)).contains("cannot turn"));
    assert!(nomic("n_head", json!(0)).contains("n_head or num_attention_heads"));
    assert!(nomic("n_head", json!(3)).contains("cannot be shared"));
    assert!(nomic("rope_parameters", json!({"rope_type": "yarn"})).contains("yarn"));
    let modern = |more: Value| said(modernbert_config(SMALL, &more));
    assert!(modern(json!({"rope_scaling": {"rope_type": "linear", "factor": 2.0}})).contains("linear"));
    assert!(modern(json!({"hidden_activation": "mish"})).contains("mish"));
    assert!(modern(json!({"hidden_size": 17})).contains("17"));
    assert!(modern(json!({"num_hidden_layers": 0})).contains("above 0"));
    assert!(modern(json!({})).contains("tok_embeddings"), "no weights");
    let other = said(json!({"model_type": "mamba"}));
    assert!(other.contains("mamba") && other.contains("modernbert") && other.contains("cmd:"), "{other}");
}
