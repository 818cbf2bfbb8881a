//! What cannot be run, and what is said of it.

use serde_json::{Value, json};

use super::SMALL;
use super::modernbert::modernbert_config;
use crate::arch::load;
use crate::folder::{ModelFolder, Weights};
use crate::statics::testing::safetensors;

#[test]
fn what_cannot_be_run_is_said() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("model.safetensors"), safetensors(&[])).unwrap();
    let folder = ModelFolder::open(dir.path()).unwrap();
    let weights = Weights::open(&folder).unwrap();
    let said = |config: Value| load(&folder, &config, &weights).err().unwrap().to_string();
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
