//! nomic-bert.

use serde_json::{Value, json};

use super::{Heads, Made, Rows, SMALL, Size, check, plus, silu};

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
