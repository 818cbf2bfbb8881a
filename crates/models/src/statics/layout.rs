//! Which folders hold a static model, and where in them what lies.
//!
//! Model2vec writes `config.json`, `model.safetensors` with `embeddings` and `tokenizer.json` side by side, and has never agreed with
//! itself on a `model_type`; sentence-transformers writes `modules.json` that names `StaticEmbedding`, with `embedding.weight` in the
//! module's folder. Model2vec also adds such a `modules.json` to its own layout: so the tensor's name decides, not the JSON.

use eightk_encode::EncodeError;
use serde::Deserialize;

use super::words::Tradition;
use crate::folder::{ModelFolder, SentenceConfig, Step, Weights};

const CONFIG: &str = "config.json";

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
    /// What follows the mean, prompts, similarity.
    pub(super) sentence: SentenceConfig,
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

/// The layout of a folder with a static model; none where it holds another. `modules.json` names it, or, without `modules.json`,
/// `config.json` is model2vec's.
pub(super) fn read(folder: &ModelFolder) -> Result<Option<Layout>, EncodeError> {
    let mut sentence = SentenceConfig::read(folder)?;
    if !(sentence.is_static || !folder.has("modules.json") && is_model2vec(folder)?) {
        return Ok(None);
    }
    let place = |file: &str| format!("{}{file}", sentence.first);
    let weights = Weights::of_files(folder, vec![place("model.safetensors")])?;
    let tokenizer = place(crate::tokens::FILE);
    let (table, tradition) = if weights.shape("embedding.weight").is_some() {
        ("embedding.weight", Tradition::SentenceTransformers)
    } else {
        let config: Option<Model2vecConfig> = folder.json(CONFIG)?;
        let config = config.unwrap_or(Model2vecConfig { normalize: false, max_length: model2vec_limit() });
        // The library reads these and not the modules.
        sentence.steps = if config.normalize { vec![Step::Normalize] } else { Vec::new() };
        sentence.files.push(CONFIG.to_owned());
        ("embeddings", Tradition::Model2vec(config.max_length))
    };
    Ok(Some(Layout { weights, tokenizer, table, tradition, sentence }))
}

fn is_model2vec(folder: &ModelFolder) -> Result<bool, EncodeError> {
    let config: serde_json::Value = folder.json(CONFIG)?.unwrap_or_default();
    Ok(match config.get("model_type") {
        Some(kind) => kind == "model2vec",
        None => ["normalize", "embedding_dtype", "apply_pca", "apply_zipf"].iter().any(|key| config.get(key).is_some()),
    })
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

    fn table(name: &str) -> Vec<u8> {
        safetensors(&[(name, "F32", &[1, 1], vec![0; 4])])
    }

    #[test]
    fn told_apart_by_what_is_in_them() {
        let is = |modules: Option<&str>, config: &str| {
            let weights = table("embeddings");
            let mut files: Vec<(&str, &[u8])> = vec![("config.json", config.as_bytes())];
            files.extend(["model.safetensors", "0_StaticEmbedding/model.safetensors"].map(|f| (f, weights.as_slice())));
            files.extend(modules.map(|m| ("modules.json", m.as_bytes())));
            read(&folder(&files).1).unwrap().is_some()
        };
        assert!(is(Some(STATIC), "{}"));
        assert!(!is(Some(PLAIN), r#"{"model_type": "bert"}"#) && !is(Some(PLAIN), r#"{"normalize": true}"#));
        assert!(is(None, r#"{"model_type": "model2vec"}"#));
        assert!(is(None, r#"{"normalize": true, "embedding_dtype": "float16"}"#));
        assert!(!is(None, r#"{"model_type": "bert", "normalize": true}"#) && !is(None, "{}"));
    }

    #[test]
    fn the_tensor_decides_whose_rules_hold() {
        let of = |tensor: &str, config: &[u8]| {
            let files: &[(&str, &[u8])] = &[
                ("modules.json", STATIC.as_bytes()),
                ("config.json", config),
                ("0_StaticEmbedding/model.safetensors", &table(tensor)),
            ];
            let layout = read(&folder(files).1).unwrap().unwrap();
            assert_eq!(layout.tokenizer, "0_StaticEmbedding/tokenizer.json");
            (layout.table, layout.tradition, layout.sentence.steps.len())
        };
        assert_eq!(of("embedding.weight", b"{}"), ("embedding.weight", Tradition::SentenceTransformers, 1));
        assert_eq!(of("embeddings", b"{}"), ("embeddings", Tradition::Model2vec(Some(512)), 0));
        let config = br#"{"normalize": true, "max_length": null}"#;
        assert_eq!(of("embeddings", config), ("embeddings", Tradition::Model2vec(None), 1));
    }
}
