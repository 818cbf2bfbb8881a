//! A tiny model with made-up weights, in a folder as models are published.

use std::path::Path;

use serde_json::{Value, json};

use crate::statics::testing::safetensors;

/// The shape of a tiny BERT.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tiny {
    pub(crate) width: usize,
    pub(crate) heads: usize,
    pub(crate) inner: usize,
    pub(crate) layers: usize,
    pub(crate) positions: usize,
}

pub(crate) const TINY: Tiny = Tiny { width: 12, heads: 3, inner: 20, layers: 2, positions: 24 };

/// Words that are one token each; all else is spelt in letters.
const WORDS: [&str; 8] = ["the", "company", "plant", "closed", "ask", "tell", "about", ":"];

/// The vocabulary in the order of its ids.
pub(crate) fn vocabulary() -> Vec<String> {
    let mut words: Vec<String> = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(String::from).to_vec();
    words.extend(WORDS.map(String::from));
    let letters = ('a'..='z').chain('0'..='9').chain(['é', 'σ', 'ς', '.', ',']);
    words.extend(letters.flat_map(|c| [c.to_string(), format!("##{c}")]));
    words
}

/// A WordPiece tokenizer over [`vocabulary`]; saved, as some are, with truncation and padding that must be switched off.
pub(crate) fn tokenizer() -> Value {
    let words = vocabulary();
    let vocab: serde_json::Map<_, _> = words.iter().enumerate().map(|(i, w)| (w.clone(), json!(i))).collect();
    let special = |id: usize| json!({"id": id, "content": words[id], "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true});
    let mark = |id: usize| json!({"SpecialToken": {"id": words[id], "type_id": 0}});
    let known = |id: usize| json!({"id": words[id], "ids": [id], "tokens": [words[id]]});
    json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 5, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": null, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": (0..4).map(special).collect::<Vec<_>>(),
        "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": false, "lowercase": false},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing",
            "single": [mark(2), {"Sequence": {"id": "A", "type_id": 0}}, mark(3)],
            "pair": [mark(2), {"Sequence": {"id": "A", "type_id": 0}}, mark(3), {"Sequence": {"id": "B", "type_id": 1}}, mark(3)],
            "special_tokens": {"[CLS]": known(2), "[SEP]": known(3)}},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab},
    })
}

impl Tiny {
    /// Its `config.json`.
    pub(crate) fn config(self) -> Value {
        json!({"model_type": "bert", "hidden_size": self.width, "num_attention_heads": self.heads, "num_hidden_layers": self.layers,
            "intermediate_size": self.inner, "max_position_embeddings": self.positions, "vocab_size": vocabulary().len(),
            "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12, "position_embedding_type": "absolute"})
    }

    /// Names and shapes of its tensors.
    pub(crate) fn tensors(self) -> Vec<(String, Vec<usize>)> {
        let Self { width, inner, layers, positions, .. } = self;
        let mut tensors = Vec::new();
        for (name, rows) in [("word", vocabulary().len()), ("position", positions), ("token_type", 2)] {
            tensors.push((format!("embeddings.{name}_embeddings.weight"), vec![rows, width]));
        }
        let mut norms = vec!["embeddings.LayerNorm".to_owned()];
        for i in 0..layers {
            let at = |name: &str| format!("encoder.layer.{i}.{name}");
            let maps = [
                ("attention.self.query", width, width),
                ("attention.self.key", width, width),
                ("attention.self.value", width, width),
                ("attention.output.dense", width, width),
                ("intermediate.dense", inner, width),
                ("output.dense", width, inner),
            ];
            for (name, to, from) in maps {
                tensors.push((at(&format!("{name}.weight")), vec![to, from]));
                tensors.push((at(&format!("{name}.bias")), vec![to]));
            }
            norms.extend([at("attention.output.LayerNorm"), at("output.LayerNorm")]);
        }
        for norm in norms {
            tensors.extend([(format!("{norm}.weight"), vec![width]), (format!("{norm}.bias"), vec![width])]);
        }
        tensors
    }

    /// Its weights as a file, with names under `prefix`.
    pub(crate) fn weights(self, prefix: &str) -> Vec<u8> {
        let mut state = 5u64;
        let mut number = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        let made: Vec<(String, Vec<usize>, Vec<u8>)> = self
            .tensors()
            .into_iter()
            .map(|(name, shape)| {
                let middle = if name.contains("LayerNorm.weight") { 1.0 } else { 0.0 };
                let count: usize = shape.iter().product();
                let bytes = (0..count).flat_map(|_| (middle + 0.6 * number()).to_le_bytes()).collect();
                (format!("{prefix}{name}"), shape, bytes)
            })
            .collect();
        let tensors: Vec<_> = made.iter().map(|(n, s, b)| (n.as_str(), "F32", s.as_slice(), b.clone())).collect();
        safetensors(&tensors)
    }

    /// Writes the whole folder: mean pooling and length 1, at most 16 tokens of a text alone.
    pub(crate) fn write(self, folder: &Path) {
        let modules = json!([
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
            {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]);
        let files = [
            ("config.json", self.config()),
            ("tokenizer.json", tokenizer()),
            ("modules.json", modules),
            (
                "1_Pooling/config.json",
                json!({"word_embedding_dimension": self.width, "pooling_mode_mean_tokens": true}),
            ),
            ("sentence_bert_config.json", json!({"max_seq_length": 16, "do_lower_case": false})),
        ];
        for (name, value) in files {
            put(folder, name, &value);
        }
        std::fs::write(folder.join("model.safetensors"), self.weights("")).unwrap();
    }
}

/// Writes a JSON file of a folder.
pub(crate) fn put(folder: &Path, name: &str, value: &Value) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, value.to_string()).unwrap();
}
