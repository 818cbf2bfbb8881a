//! What stands for a model on the command line, made a folder that can be loaded.
//!
//! A folder is taken as it is. Anything else is a name on the Hub, of which only the files are fetched that a model is loaded
//! from: a repository often holds the same weights in four formats.

use std::path::{Path, PathBuf};

use eightk_hub::{Hub, Listing, Options, RepoKind, RepoName};

use crate::failure::{Failure, Outcome};
use crate::output::Downloading;

/// A model where it can be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedModel {
    pub(crate) folder: PathBuf,
    /// What results call it: the name on the Hub, or what the folder is called. No path of this machine.
    pub(crate) name: String,
    /// On the Hub.
    pub(crate) commit: Option<String>,
}

impl NamedModel {
    /// Finds the folder, or fetches it.
    pub(crate) fn find(given: &str, revision: Option<&str>) -> Outcome<Self> {
        let folder = Path::new(given);
        if folder.is_dir() && !RepoName::is_meant(given) {
            return Ok(Self { folder: folder.to_owned(), name: called(folder), commit: None });
        }
        let looks_like_a_path = given.starts_with(['.', '/', '~']) || given.matches('/').count() > 1;
        if !RepoName::is_meant(given) && (looks_like_a_path || folder.exists()) {
            return Err(Failure::usage(format!("{given}: no folder of a model is there")));
        }
        let mut name = RepoName::parse(given, RepoKind::Model)?;
        if let Some(revision) = revision {
            name = name.at(revision);
        }
        let hub = Hub::new(Options::from_environment()?)?;
        let mut watch = Downloading::default();
        let listing = hub.list(&name, &mut watch)?;
        let wanted = files_of(given, &listing)?;
        let folder = hub.fetch(&listing, &wanted, &mut watch)?;
        Ok(Self { folder, name: name.id().to_owned(), commit: Some(listing.commit().to_owned()) })
    }
}

/// The last part of a path that says something: `model` and the like do not.
fn called(folder: &Path) -> String {
    let path = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let parts: Vec<_> = path.iter().map(|p| p.to_string_lossy().into_owned()).collect();
    let says_nothing = |p: &&String| matches!(p.as_str(), "model" | "models" | "." | ".." | "/" | "snapshots");
    parts.iter().rev().find(|p| !says_nothing(p)).cloned().unwrap_or_else(|| "model".to_owned())
}

/// What a model is loaded from: its configuration, its tokenizer, its weights as safetensors, and the modules on top.
fn files_of(given: &str, listing: &Listing) -> Outcome<Vec<String>> {
    let paths: Vec<&str> = listing.paths().collect();
    let wanted: Vec<String> = paths.iter().filter(|p| is_wanted(p)).map(|p| (*p).to_owned()).collect();
    if !wanted.iter().any(|p| p.ends_with(".safetensors")) {
        return Err(Failure::usage(format!(
            "{given}: that repository has no weights as safetensors, and nothing else can be loaded; convert it, or run it yourself \
             and give its vectors (vectors:FOLDER) or a program (cmd:PROGRAM)"
        )));
    }
    Ok(wanted)
}

/// At the top or one folder down (`1_Pooling`): nothing of `onnx`, `openvino` and their like.
fn is_wanted(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let module = folder.split_once('_').is_some_and(|(n, _)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let deep = folder.contains('/');
    match name {
        "config.json" | "tokenizer.json" => !deep && (folder.is_empty() || module),
        "modules.json"
        | "tokenizer_config.json"
        | "special_tokens_map.json"
        | "config_sentence_transformers.json"
        | "sentence_bert_config.json"
        | "sentence_roberta_config.json"
        | "sentence_xlm-roberta_config.json"
        | "model.safetensors.index.json"
        | "vocab.txt" => !deep && (folder.is_empty() || module),
        _ => !deep && name.ends_with(".safetensors") && (folder.is_empty() || module),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_called_by_what_says_something() {
        assert_eq!(called(Path::new("/x/gt_minilm/model")), "gt_minilm");
        assert_eq!(called(Path::new("/x/bge-small")), "bge-small");
        assert_eq!(called(Path::new("/")), "model");
    }

    #[test]
    fn weights_are_fetched_once() {
        let wanted = [
            "config.json",
            "model.safetensors",
            "tokenizer.json",
            "1_Pooling/config.json",
            "2_Dense/model.safetensors",
            "modules.json",
            "sentence_roberta_config.json",
        ];
        assert!(wanted.iter().all(|p| is_wanted(p)));
        let not = [
            "onnx/model.onnx",
            "pytorch_model.bin",
            "README.md",
            "openvino/config.json",
            "onnx/config.json",
            "tf_model.h5",
            "a/1_Pooling/config.json",
        ];
        assert!(!not.iter().any(|p| is_wanted(p)));
    }
}
