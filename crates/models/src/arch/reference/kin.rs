//! BERT and those that differ from it in names and positions.

use serde_json::{Value, json};

use super::{Heads, Made, Rows, SMALL, Size, check, gelu, plus};

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
