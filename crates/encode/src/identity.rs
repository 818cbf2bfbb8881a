//! Who made a vector: everything that can change it, but the text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How two vectors of an encoder are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Similarity {
    /// The angle between them.
    Cosine,
    /// The inner product, lengths included.
    Dot,
    /// For bits: how many agree less how many differ, over all (the inner product of the ±1 vectors, scaled to [−1, 1]).
    Hamming,
}

/// Which side of the comparison a text is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// What is asked.
    Query,
    /// What is searched.
    Passage,
}

/// An encoder or reranker, in full. Equal identities and equal inputs give equal vectors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Identity {
    /// `local`, `openai`, `tei`, `voyage`, `perplexity`, `jina`, `cmd`, `vectors`, …
    pub provider: String,
    /// The model as people call it. Never an absolute path: a name, or a folder's last part.
    pub model: String,
    /// What pins it: a hash of the weights and their configuration for files, the service's revision where it states one.
    pub revision: String,
    /// Number of dimensions, where known before the first vector.
    pub dims: Option<usize>,
    /// How its vectors are compared.
    pub similarity: Similarity,
    /// What stands before each query; empty for nothing.
    pub query_prompt: String,
    /// What stands before each passage; empty for nothing.
    pub passage_prompt: String,
    /// All else that can change a vector: dtype, pooling, normalisation, most tokens, task, endpoint without its secrets.
    pub settings: BTreeMap<String, String>,
}

impl Identity {
    /// SHA-256 of the canonical JSON.
    pub fn hash(&self) -> [u8; 32] {
        // Fields in declared order, maps sorted: serde_json writes the same bytes for equal values.
        let json = serde_json::to_vec(self).unwrap_or_default();
        Sha256::digest(json).into()
    }

    /// The prompt of a role.
    pub fn prompt(&self, role: Role) -> &str {
        match role {
            Role::Query => &self.query_prompt,
            Role::Passage => &self.passage_prompt,
        }
    }

    /// Everything as pairs for people and results: `provider`, `model`, `revision`, `similarity`, prompts, then the settings.
    pub fn pairs(&self) -> BTreeMap<String, String> {
        let similarity = match self.similarity {
            Similarity::Cosine => "cosine",
            Similarity::Dot => "dot",
            Similarity::Hamming => "hamming",
        };
        let own = [
            ("provider", self.provider.as_str()),
            ("model", &self.model),
            ("revision", &self.revision),
            ("similarity", similarity),
            ("query_prompt", &self.query_prompt),
            ("passage_prompt", &self.passage_prompt),
        ];
        let own = own.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned()));
        let mut pairs: BTreeMap<String, String> = self.settings.clone();
        pairs.extend(own);
        if let Some(dims) = self.dims {
            pairs.insert("dims".to_owned(), dims.to_string());
        }
        pairs
    }
}

#[cfg(test)]
pub(crate) fn example() -> Identity {
    Identity {
        provider: "local".into(),
        model: "tiny".into(),
        revision: "r1".into(),
        dims: Some(3),
        similarity: Similarity::Cosine,
        query_prompt: "query: ".into(),
        passage_prompt: String::new(),
        settings: BTreeMap::from([("pooling".into(), "mean".into())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_changes_a_vector_changes_the_hash() {
        let base = example();
        let changed: Vec<Identity> = vec![
            Identity { provider: "cmd".into(), ..base.clone() },
            Identity { model: "small".into(), ..base.clone() },
            Identity { revision: "r2".into(), ..base.clone() },
            Identity { dims: None, ..base.clone() },
            Identity { similarity: Similarity::Dot, ..base.clone() },
            Identity { query_prompt: String::new(), ..base.clone() },
            Identity { passage_prompt: "passage: ".into(), ..base.clone() },
            Identity { settings: BTreeMap::new(), ..base.clone() },
        ];
        for other in changed {
            assert_ne!(other.hash(), base.hash(), "{other:?}");
        }
        assert_eq!(base.clone().hash(), base.hash());
        assert_eq!((base.prompt(Role::Query), base.prompt(Role::Passage)), ("query: ", ""));
        assert_eq!(base.pairs()["query_prompt"], "query: ");
    }
}
