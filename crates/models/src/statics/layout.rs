//! Which folders hold a static model, and where in them what lies.
//!
//! Model2vec writes `config.json`, `model.safetensors` with `embeddings` and `tokenizer.json` side by side, and has never agreed with
//! itself on a `model_type`; sentence-transformers writes `modules.json` that names `StaticEmbedding`, with `embedding.weight` in the
//! module's folder. Model2vec also adds such a `modules.json` to its own layout: so the tensor's name decides, not the JSON.

use eightk_encode::EncodeError;
use serde::Deserialize;

use super::words::Tradition;
use crate::folder::{ModelFolder, Weights};

/// Where a static model lies and how it is to be read.
#[derive(Debug)]
pub(super) struct Layout {
    /// The tensors.
    pub(super) weights: Weights,
    /// `tokenizer.json`, by its name in the folder.
    pub(super) tokenizer: String,
    /// Name of the table among the tensors.
    pub(super) table: &'static str,
    /// Whose rules.
    pub(super) tradition: Tradition,
    /// Vectors are scaled to length one.
    pub(super) unit_length: bool,
}

#[derive(Debug, Deserialize)]
struct Module {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    path: String,
}

impl Module {
    /// The class without its package, which was renamed more than once.
    fn class(&self) -> &str {
        self.kind.rsplit('.').next().unwrap_or_default()
    }
}

/// What model2vec writes down; it has defaults for all of it.
#[derive(Debug, Deserialize)]
struct Model2vecConfig {
    #[serde(default)]
    normalize: bool,
    /// Null: no limit.
    #[serde(default = "model2vec_limit")]
    max_length: Option<usize>,
}

// The shape that serde wants of a default.
#[allow(clippy::unnecessary_wraps)]
const fn model2vec_limit() -> Option<usize> {
    Some(512)
}

/// Whether the folder holds a static model: `modules.json` names one, or, without `modules.json`, `config.json` is model2vec's.
pub(super) fn is_static(folder: &ModelFolder) -> Result<bool, EncodeError> {
    if let Some(modules) = modules(folder)? {
        return Ok(modules.first().is_some_and(|m| m.class() == "StaticEmbedding"));
    }
    let config: serde_json::Value = folder.json("config.json")?.unwrap_or_default();
    Ok(match config.get("model_type") {
        Some(kind) => kind == "model2vec",
        None => ["normalize", "embedding_dtype", "apply_pca", "apply_zipf"].iter().any(|key| config.get(key).is_some()),
    })
}

/// The layout of a folder for which [`is_static`] holds.
pub(super) fn read(folder: &ModelFolder) -> Result<Layout, EncodeError> {
    let modules = modules(folder)?.unwrap_or_default();
    let inner = modules.first().map_or("", |m| m.path.as_str()).trim_end_matches('/');
    if inner.starts_with('/') || inner.split('/').any(|part| part == "..") {
        return Err(folder.bad("modules.json", format_args!("names the folder {inner:?}, which is not in this one")));
    }
    let place = |file: &str| if inner.is_empty() || inner == "." { file.to_owned() } else { format!("{inner}/{file}") };
    let weights = Weights::of_files(folder, vec![place("model.safetensors")])?;
    let (table, tradition, unit_length) = if weights.shape("embedding.weight").is_some() {
        let unit_length = modules.iter().any(|m| m.class() == "Normalize");
        ("embedding.weight", Tradition::SentenceTransformers, unit_length)
    } else {
        let config: Option<Model2vecConfig> = folder.json("config.json")?;
        let config = config.unwrap_or(Model2vecConfig { normalize: false, max_length: model2vec_limit() });
        ("embeddings", Tradition::Model2vec(config.max_length), config.normalize)
    };
    Ok(Layout { weights, tokenizer: place("tokenizer.json"), table, tradition, unit_length })
}

fn modules(folder: &ModelFolder) -> Result<Option<Vec<Module>>, EncodeError> {
    folder.json("modules.json")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statics::testing::safetensors;

    const PLAIN: &str = r#"[{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}]"#;
    const STATIC: &str = r#"[{"idx": 0, "name": "0", "path": "0_StaticEmbedding", "type": "sentence_transformers.models.StaticEmbedding"},
        {"idx": 1, "name": "1", "path": "1_Normalize", "type": "sentence_transformers.models.Normalize"}]"#;

    fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, ModelFolder) {
        let dir = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let folder = ModelFolder::open(dir.path()).unwrap();
        (dir, folder)
    }

    #[test]
    fn told_apart_by_what_is_in_them() {
        let is = |files: &[(&str, &[u8])]| is_static(&folder(files).1).unwrap();
        assert!(is(&[("modules.json", STATIC.as_bytes())]));
        assert!(!is(&[("modules.json", PLAIN.as_bytes()), ("config.json", br#"{"model_type": "bert"}"#)]));
        assert!(is(&[("config.json", br#"{"model_type": "model2vec"}"#)]));
        assert!(is(&[("config.json", br#"{"normalize": true, "embedding_dtype": "float16"}"#)]));
        assert!(!is(&[("config.json", br#"{"model_type": "bert", "normalize": true}"#)]));
        assert!(!is(&[("config.json", b"{}")]) && !is(&[]));
    }

    #[test]
    fn the_tensor_decides_whose_rules_hold() {
        let of = |table: &str, config: &[u8]| {
            let weights = safetensors(&[(table, "F32", &[1, 1], vec![0; 4])]);
            let files: &[(&str, &[u8])] = &[
                ("modules.json", STATIC.as_bytes()),
                ("config.json", config),
                ("0_StaticEmbedding/model.safetensors", &weights),
            ];
            let layout = read(&folder(files).1).unwrap();
            assert_eq!(layout.tokenizer, "0_StaticEmbedding/tokenizer.json");
            (layout.table, layout.tradition, layout.unit_length)
        };
        assert_eq!(of("embedding.weight", b"{}"), ("embedding.weight", Tradition::SentenceTransformers, true));
        assert_eq!(of("embeddings", b"{}"), ("embeddings", Tradition::Model2vec(Some(512)), false));
        let config = br#"{"normalize": true, "max_length": null}"#;
        assert_eq!(of("embeddings", config), ("embeddings", Tradition::Model2vec(None), true));
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        for path in ["../elsewhere", "/elsewhere", "a/../../elsewhere"] {
            let modules = STATIC.replace("0_StaticEmbedding\"", &format!("{path}\""));
            let error = read(&folder(&[("modules.json", modules.as_bytes())]).1).unwrap_err();
            assert!(error.to_string().contains("not in this one"), "{error}");
        }
    }
}
