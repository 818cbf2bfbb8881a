//! What sentence-transformers wrote about a model: its modules, how states become one vector, its prompts, its similarity.
//!
//! All of it changes vectors, and leaving any of it out gives vectors that look right: a model that wants `query: ` before each
//! query still answers without it, only worse. So a module that we cannot run is an error, never skipped.

use std::collections::BTreeMap;

use eightk_encode::{EncodeError, Similarity};
use serde::Deserialize;
use serde_json::Value;

use super::ModelFolder;

/// How the states of a text's tokens become one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolingMode {
    /// The first token's.
    Cls,
    /// The largest of each number.
    Max,
    /// Their mean.
    Mean,
    /// Their sum over the root of their count.
    MeanSqrtLength,
    /// Their mean, each weighted by its position from 1.
    WeightedMean,
    /// The last token's.
    LastToken,
}

impl PoolingMode {
    /// Every one, in the order in which several are put side by side.
    const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Cls, "cls", "pooling_mode_cls_token"),
        (Self::Max, "max", "pooling_mode_max_tokens"),
        (Self::Mean, "mean", "pooling_mode_mean_tokens"),
        (Self::MeanSqrtLength, "mean_sqrt_len_tokens", "pooling_mode_mean_sqrt_len_tokens"),
        (Self::WeightedMean, "weightedmean", "pooling_mode_weightedmean_tokens"),
        (Self::LastToken, "lasttoken", "pooling_mode_lasttoken"),
    ];

    /// By its name in configurations and settings.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, n, _)| *n == name).map(|(mode, _, _)| *mode)
    }

    /// Its name in configurations and settings.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(mode, _, _)| *mode == self).map_or("", |(_, name, _)| name)
    }

    /// All names, for messages.
    pub(crate) fn names() -> String {
        Self::ALL.map(|(_, name, _)| name).join(", ")
    }
}

/// A pooling module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pooling {
    /// Their vectors are put side by side.
    pub(crate) modes: Vec<PoolingMode>,
    /// Whether the tokens of a prompt count.
    pub(crate) include_prompt: bool,
}

/// A linear map after pooling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dense {
    /// Its folder in the model's.
    pub(crate) path: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The last part of the activation's class name, e.g. `Tanh`.
    pub(crate) activation: String,
}

/// What follows pooling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// A linear map and an activation.
    Dense(Dense),
    /// To length 1.
    Normalize,
}

/// All that is known beside the transformer itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SentenceConfig {
    /// Most tokens of a text, marks included, as the model's makers want it.
    pub(crate) max_tokens: Option<usize>,
    /// Texts are lowercased before the tokenizer sees them.
    pub(crate) lowercase: bool,
    pub(crate) pooling: Pooling,
    pub(crate) steps: Vec<Step>,
    pub(crate) query_prompt: String,
    pub(crate) passage_prompt: String,
    pub(crate) similarity: Similarity,
    /// The model is a table of token vectors, not a transformer.
    pub(crate) is_static: bool,
    /// Folder of the first module's files within the model's; empty for the folder itself, else with a slash at its end.
    pub(crate) first: String,
    /// The files that were read.
    pub(crate) files: Vec<String>,
}

#[derive(Deserialize)]
struct Module {
    #[serde(default)]
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize, Default)]
struct BertConfig {
    #[serde(default)]
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: Option<bool>,
}

#[derive(Deserialize)]
struct DenseConfig {
    in_features: usize,
    out_features: usize,
    #[serde(default)]
    activation_function: Option<String>,
}

#[derive(Deserialize, Default)]
struct OwnConfig {
    #[serde(default)]
    prompts: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    default_prompt_name: Option<String>,
    #[serde(default)]
    similarity_fn_name: Option<String>,
}

#[derive(Deserialize)]
struct TokenizerConfig {
    #[serde(default)]
    model_max_length: Option<f64>,
}

/// Names under which the prompt of a role may stand, the first that is there wins.
const QUERY_NAMES: [&str; 1] = ["query"];
const PASSAGE_NAMES: [&str; 3] = ["document", "passage", "corpus"];

impl SentenceConfig {
    /// Reads what there is; a folder without any of it is pooled by its mean, as sentence-transformers does.
    pub(crate) fn read(folder: &ModelFolder) -> Result<Self, EncodeError> {
        let mut files = Vec::new();
        let mut config = Self {
            max_tokens: None,
            lowercase: false,
            pooling: Pooling { modes: vec![PoolingMode::Mean], include_prompt: true },
            steps: Vec::new(),
            query_prompt: String::new(),
            passage_prompt: String::new(),
            similarity: Similarity::Cosine,
            is_static: false,
            first: String::new(),
            files: Vec::new(),
        };
        if let Some(modules) = folder.json::<Vec<Module>>("modules.json")? {
            files.push("modules.json".to_owned());
            for (number, module) in modules.iter().enumerate() {
                config.module(folder, number, module, &mut files)?;
            }
        }
        for name in ["sentence_bert_config.json", "sentence_roberta_config.json", "sentence_xlm-roberta_config.json"] {
            let name = format!("{}{name}", config.first);
            if let Some(bert) = folder.json::<BertConfig>(&name)? {
                config.max_tokens = bert.max_seq_length;
                config.lowercase = bert.do_lower_case.unwrap_or(false);
                files.push(name);
                break;
            }
        }
        let tokenizer = format!("{}tokenizer_config.json", config.first);
        if config.max_tokens.is_none()
            && let Some(tokenizer_config) = folder.json::<TokenizerConfig>(&tokenizer)?
        {
            // "No limit" is written there as 10³⁰.
            let stated = tokenizer_config.model_max_length.filter(|n| *n >= 1.0 && *n < 1e9);
            config.max_tokens = stated.map(|n| n as usize);
            files.push(tokenizer);
        }
        if let Some(own) = folder.json::<OwnConfig>("config_sentence_transformers.json")? {
            config.own(folder, own)?;
            files.push("config_sentence_transformers.json".to_owned());
        }
        config.files = files;
        Ok(config)
    }

    fn module(
        &mut self,
        folder: &ModelFolder,
        number: usize,
        module: &Module,
        files: &mut Vec<String>,
    ) -> Result<(), EncodeError> {
        let bad = |why: String| folder.bad("modules.json", why);
        let outside = |path: &str| path.starts_with(['/', '\\']) || path.split(['/', '\\']).any(|p| p == "..");
        if outside(&module.path) {
            return Err(bad(format!("names the path {:?}, which is not in this folder", module.path)));
        }
        let path = module.path.trim_end_matches('/');
        let class = module.kind.rsplit('.').next().unwrap_or_default();
        let config_file = format!("{path}/config.json");
        match (number, class) {
            (0, "Transformer") => self.first = if path.is_empty() { String::new() } else { format!("{path}/") },
            (0, "StaticEmbedding") => {
                self.is_static = true;
                self.first = if path.is_empty() { String::new() } else { format!("{path}/") };
            }
            (_, "Pooling") => {
                self.pooling = pooling(folder, &config_file)?;
                files.push(config_file);
            }
            (_, "Dense") => {
                let dense: DenseConfig = folder.needed_json(&config_file, "the dense module")?;
                files.push(config_file);
                let activation =
                    dense.activation_function.unwrap_or_else(|| "torch.nn.modules.activation.Tanh".to_owned());
                let activation = activation.rsplit('.').next().unwrap_or_default().to_owned();
                let (from, to) = (dense.in_features, dense.out_features);
                self.steps.push(Step::Dense(Dense { path: path.to_owned(), from, to, activation }));
            }
            (_, "Normalize") => self.steps.push(Step::Normalize),
            (_, "Dropout") => {}
            (_, other) => {
                return Err(bad(format!(
                    "module {number} is a {other:?}, which cannot be run here; use the model through cmd: or a server"
                )));
            }
        }
        Ok(())
    }

    fn own(&mut self, folder: &ModelFolder, own: OwnConfig) -> Result<(), EncodeError> {
        const FILE: &str = "config_sentence_transformers.json";
        let mut prompts = BTreeMap::new();
        for (name, prompt) in own.prompts.unwrap_or_default() {
            match prompt {
                Value::String(prompt) => _ = prompts.insert(name, prompt),
                Value::Null => {}
                other => return Err(folder.bad(FILE, format_args!("the prompt {name:?} is {other}, which is no text"))),
            }
        }
        let default = match own.default_prompt_name {
            Some(name) => prompts
                .get(&name)
                .cloned()
                .ok_or_else(|| folder.bad(FILE, format_args!("default_prompt_name {name:?} is none of the prompts")))?,
            None => String::new(),
        };
        let of = |names: &[&str]| names.iter().find_map(|n| prompts.get(*n)).unwrap_or(&default).clone();
        (self.query_prompt, self.passage_prompt) = (of(&QUERY_NAMES), of(&PASSAGE_NAMES));
        self.similarity = match own.similarity_fn_name.as_deref() {
            None | Some("cosine") => Similarity::Cosine,
            Some("dot" | "dot_score") => Similarity::Dot,
            Some(other) => {
                let why = format!("similarity_fn_name {other:?} cannot be searched with here; cosine and dot can");
                return Err(folder.bad(FILE, why));
            }
        };
        Ok(())
    }
}

/// A pooling module's configuration, in the old layout (a flag for each mode) or the new one (`pooling_mode`).
fn pooling(folder: &ModelFolder, file: &str) -> Result<Pooling, EncodeError> {
    let config: BTreeMap<String, Value> = folder.needed_json(file, "pooling")?;
    let flag = |key: &str| config.get(key).and_then(Value::as_bool);
    let named = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        PoolingMode::named(name).ok_or_else(|| {
            folder.bad(file, format_args!("pooling_mode {name:?} is not known; {} are", PoolingMode::names()))
        })
    };
    let modes = match config.get("pooling_mode") {
        Some(Value::Array(names)) if !names.is_empty() => names.iter().map(named).collect::<Result<_, _>>()?,
        Some(name) => vec![named(name)?],
        None => {
            let on = PoolingMode::ALL.iter().filter(|(_, _, key)| flag(key) == Some(true)).map(|(mode, _, _)| *mode);
            let on: Vec<_> = on.collect();
            if on.is_empty() { vec![PoolingMode::Mean] } else { on }
        }
    };
    Ok(Pooling { modes, include_prompt: flag("include_prompt").unwrap_or(true) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(files: &[(&str, &str)]) -> Result<SentenceConfig, EncodeError> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        SentenceConfig::read(&ModelFolder::open(dir.path()).unwrap())
    }

    const MODULES: &str = r#"[{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"},
        {"idx":1,"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"},
        {"idx":2,"name":"2","path":"2_Dense","type":"sentence_transformers.models.Dense"},
        {"idx":3,"name":"3","path":"3_Normalize","type":"sentence_transformers.models.Normalize"}]"#;
    const DENSE: &str =
        r#"{"in_features":4,"out_features":2,"activation_function":"torch.nn.modules.linear.Identity"}"#;

    #[test]
    fn old_and_new_layouts_say_the_same() {
        let old = r#"{"word_embedding_dimension":4,"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":false}"#;
        let new = r#"{"embedding_dimension":4,"pooling_mode":"cls"}"#;
        for pooling in [old, new] {
            let config =
                read(&[("modules.json", MODULES), ("1_Pooling/config.json", pooling), ("2_Dense/config.json", DENSE)])
                    .unwrap();
            assert_eq!(config.pooling, Pooling { modes: vec![PoolingMode::Cls], include_prompt: true });
            let dense = Dense { path: "2_Dense".into(), from: 4, to: 2, activation: "Identity".into() };
            assert_eq!(config.steps, [Step::Dense(dense), Step::Normalize]);
        }
    }

    #[test]
    fn prompts_by_role() {
        let prompts = |own: &str| {
            let config = read(&[("config_sentence_transformers.json", own)]).unwrap();
            (config.query_prompt, config.passage_prompt, config.similarity)
        };
        let (query, passage, similarity) =
            prompts(r#"{"prompts":{"query":"q: ","passage":"p: "},"similarity_fn_name":"dot"}"#);
        assert_eq!((query.as_str(), passage.as_str(), similarity), ("q: ", "p: ", Similarity::Dot));
        let (query, passage, _) = prompts(r#"{"prompts":{"any":"a: ","document":""},"default_prompt_name":"any"}"#);
        assert_eq!((query.as_str(), passage.as_str()), ("a: ", ""));
        let (query, passage, similarity) = prompts(r#"{"prompts":null,"default_prompt_name":null}"#);
        assert_eq!((query.as_str(), passage.as_str(), similarity), ("", "", Similarity::Cosine));
        assert!(read(&[("config_sentence_transformers.json", r#"{"default_prompt_name":"x"}"#)]).is_err());
        assert!(read(&[("config_sentence_transformers.json", r#"{"similarity_fn_name":"euclidean"}"#)]).is_err());
    }

    #[test]
    fn limits_from_the_first_file_that_states_one() {
        let bert = ("sentence_bert_config.json", r#"{"max_seq_length":256,"do_lower_case":true}"#);
        let tokenizer = ("tokenizer_config.json", r#"{"model_max_length":512}"#);
        let both = read(&[bert, tokenizer]).unwrap();
        assert_eq!((both.max_tokens, both.lowercase), (Some(256), true));
        assert_eq!(read(&[tokenizer]).unwrap().max_tokens, Some(512));
        let none = ("tokenizer_config.json", r#"{"model_max_length":1000000000000000019884624838656}"#);
        assert_eq!(read(&[none]).unwrap().max_tokens, None);
        assert_eq!(read(&[]).unwrap().pooling.modes, [PoolingMode::Mean]);
    }

    #[test]
    fn what_cannot_be_run_is_an_error() {
        let module = |path: &str, kind: &str| {
            format!(r#"[{{"path":"","type":"a.Transformer"}},{{"path":"{path}","type":"a.{kind}"}}]"#)
        };
        assert!(read(&[("modules.json", &module("1_LSTM", "LSTM"))]).unwrap_err().to_string().contains("LSTM"));
        let escape = read(&[("modules.json", &module("1_X", "\\u001b[31mX"))]).unwrap_err().to_string();
        assert!(escape.contains("31mX") && !escape.contains('\u{1b}'), "{escape}");
        assert!(
            read(&[("modules.json", &module("../x", "Pooling"))])
                .unwrap_err()
                .to_string()
                .contains("not in this folder")
        );
        assert!(
            read(&[("modules.json", &module("1_Pooling", "Pooling"))])
                .unwrap_err()
                .to_string()
                .contains("needed for pooling")
        );
        assert!(read(&[("modules.json", "{")]).is_err());
        let mode = r#"{"pooling_mode":"median"}"#;
        let files = [("modules.json", module("1_P", "Pooling")), ("1_P/config.json", mode.to_owned())];
        let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (*a, b.as_str())).collect();
        assert!(read(&files).unwrap_err().to_string().contains("median"));
    }
}
