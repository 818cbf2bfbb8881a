//! ModernBERT.

use serde_json::{Value, json};

use super::{Heads, Made, Rows, SMALL, Size, check, gelu, plus};

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

pub(super) fn modernbert_config(size: Size, more: &Value) -> Value {
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
