//! A static model as an encoder.

use std::collections::BTreeMap;

use eightk_encode::{
    EncodeError, EncodedChunk, Encoder, FilingInput, Identity, OnFiling, OnQuery, Role, Similarity, Vector,
};
use rayon::prelude::*;

use super::layout;
use super::table::Table;
use super::words::{Tradition, Words};
use crate::folder::ModelFolder;

/// Filings or queries that are encoded before the first of them is told.
const AT_ONCE: usize = 256;

/// A model without attention: the mean of its tokens' rows.
#[derive(Debug)]
pub(crate) struct StaticEncoder {
    identity: Identity,
    words: Words,
    table: Table,
    unit_length: bool,
}

/// What whoever opens it decides.
#[derive(Debug)]
pub(crate) struct StaticOptions {
    pub(crate) similarity: Similarity,
    pub(crate) query_prompt: String,
    pub(crate) passage_prompt: String,
}

impl StaticEncoder {
    /// Whether the folder holds a static model.
    pub(crate) fn is_in(folder: &ModelFolder) -> Result<bool, EncodeError> {
        layout::is_static(folder)
    }

    /// Of a folder that holds one.
    pub(crate) fn open(folder: &ModelFolder, options: StaticOptions) -> Result<Self, EncodeError> {
        let layout = layout::read(folder)?;
        let table = Table::read(&layout.weights, layout.table)?;
        let bytes = folder.bytes(&layout.tokenizer)?.ok_or_else(|| folder.missing(&layout.tokenizer, "the tokens"))?;
        let words = Words::read(&bytes, layout.tradition).map_err(|e| folder.bad(&layout.tokenizer, e))?;
        if !table.covers(words.vocabulary()) {
            let why = format!("has {} tokens, the table fewer rows: they are of different models", words.vocabulary());
            return Err(folder.bad(&layout.tokenizer, why));
        }
        let mut files = layout.weights.files().to_vec();
        files.push(layout.tokenizer);
        let rules = match layout.tradition {
            Tradition::Model2vec(_) => "model2vec",
            Tradition::SentenceTransformers => "sentence-transformers",
        };
        let settings = [
            ("architecture", "static".to_owned()),
            ("dtype", table.dtype().to_owned()),
            ("normalize", layout.unit_length.to_string()),
            ("pooling", "mean".to_owned()),
            ("max_tokens", words.limit().map_or_else(|| "none".to_owned(), |n| n.to_string())),
            ("tokens", rules.to_owned()),
        ];
        let identity = Identity {
            provider: "local".to_owned(),
            model: folder.name(),
            revision: folder.revision(&files)?,
            dims: Some(table.dims()),
            similarity: options.similarity,
            query_prompt: options.query_prompt,
            passage_prompt: options.passage_prompt,
            settings: settings.into_iter().map(|(k, v)| (k.to_owned(), v)).collect::<BTreeMap<_, _>>(),
        };
        Ok(Self { identity, words, table, unit_length: layout.unit_length })
    }

    /// `what` names the text in errors.
    fn encode(&self, role: Role, text: &str, what: &str) -> Result<EncodedChunk, EncodeError> {
        let prompted;
        let text = match self.identity.prompt(role) {
            "" => text,
            prompt => {
                prompted = format!("{prompt}{text}");
                &prompted
            }
        };
        let encoder = || self.identity.model.clone();
        let (tokens, truncated) =
            self.words.of(text).map_err(|e| EncodeError::Data(format!("{}: {what}: {e}", encoder())))?;
        // Of a text without known tokens nothing can be said; a made-up direction would be compared like any other.
        let zero = || EncodeError::Zero { encoder: encoder(), what: what.to_owned() };
        let mean = self.table.mean(&tokens).ok_or_else(zero)?;
        let norm = if self.unit_length { mean.iter().map(|x| x * x).sum::<f64>().sqrt() } else { 1.0 };
        if norm == 0.0 {
            return Err(zero());
        }
        let vector = mean.iter().map(|x| (x / norm) as f32).collect();
        Ok(EncodedChunk { vector: Vector::F32(vector), truncated, seen: None })
    }
}

impl Encoder for StaticEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn encode_filings(&self, filings: &[FilingInput<'_>], finished: &mut OnFiling<'_>) -> Result<(), EncodeError> {
        if let Some(filing) = filings.iter().find(|f| f.context.is_some()) {
            return Err(EncodeError::Usage(format!(
                "{} looks at each word for itself and cannot see what is around a chunk (asked for {}); use a view without `filing`, \
                 or a model with attention",
                self.identity.model, filing.source_url
            )));
        }
        let filing = |f: &FilingInput<'_>| -> Result<Vec<EncodedChunk>, EncodeError> {
            f.chunks.iter().map(|c| self.encode(Role::Passage, &c.text, c.id)).collect()
        };
        for (block, first) in filings.chunks(AT_ONCE).zip((0..).step_by(AT_ONCE)) {
            let encoded: Vec<_> = block.par_iter().map(filing).collect();
            for (i, vectors) in encoded.into_iter().enumerate() {
                finished(first + i, vectors?)?;
            }
        }
        Ok(())
    }

    fn encode_queries(&self, queries: &[&str], finished: &mut OnQuery<'_>) -> Result<(), EncodeError> {
        for (block, first) in queries.chunks(AT_ONCE).zip((0..).step_by(AT_ONCE)) {
            let query = |(i, q): (usize, &&str)| self.encode(Role::Query, q, &format!("query {}", first + i + 1));
            let encoded: Vec<_> = block.par_iter().enumerate().map(query).collect();
            for (i, vector) in encoded.into_iter().enumerate() {
                finished(first + i, vector?)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statics::testing::safetensors;
    use eightk_encode::{ChunkInput, Context};

    const WORDS: &str = r#"{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": null, "decoder": null,
        "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "ask": 1, "two": 2, "six": 3}, "unk_token": "[UNK]"}}"#;

    /// Rows 9 9 · 0 4 · 3 0 · -3 0, most tokens 5, so most characters 15.
    fn opened(normalize: bool) -> (tempfile::TempDir, StaticEncoder) {
        let dir = tempfile::tempdir().unwrap();
        let numbers = [9.0f32, 9.0, 0.0, 4.0, 3.0, 0.0, -3.0, 0.0];
        let bytes = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let write = |name: &str, bytes: &[u8]| std::fs::write(dir.path().join(name), bytes).unwrap();
        write("model.safetensors", &safetensors(&[("embeddings", "F32", &[4, 2], bytes)]));
        write("tokenizer.json", WORDS.as_bytes());
        write("config.json", format!(r#"{{"normalize": {normalize}, "max_length": 5}}"#).as_bytes());
        let folder = ModelFolder::open(dir.path()).unwrap();
        assert!(StaticEncoder::is_in(&folder).unwrap());
        let options = StaticOptions {
            similarity: Similarity::Cosine,
            query_prompt: "ask ".to_owned(),
            passage_prompt: String::new(),
        };
        let encoder = StaticEncoder::open(&folder, options).unwrap();
        (dir, encoder)
    }

    fn passages(encoder: &StaticEncoder, texts: &[&'static str]) -> Result<Vec<EncodedChunk>, EncodeError> {
        let filing = |t: &&'static str| FilingInput {
            source_url: "f",
            title: "",
            chunks: vec![ChunkInput { id: t, text: (*t).into() }],
            context: None,
        };
        let filings: Vec<_> = texts.iter().map(filing).collect();
        let mut told = Vec::new();
        encoder.encode_filings(&filings, &mut |i, mut chunks| {
            assert_eq!(i, told.len());
            told.append(&mut chunks);
            Ok(())
        })?;
        Ok(told)
    }

    #[test]
    fn a_text_is_the_mean_of_its_known_words() {
        let (_dir, encoder) = opened(false);
        let told = passages(&encoder, &["ask two", "ask nobody two", "two two two ask six"]).unwrap();
        assert_eq!(told[0], EncodedChunk::whole(Vector::F32(vec![1.5, 2.0])));
        assert_eq!(told[1].vector, told[0].vector);
        let cut = EncodedChunk { truncated: true, ..EncodedChunk::whole(Vector::F32(vec![2.25, 1.0])) };
        assert_eq!(told[2], cut);
        let (_dir, unit) = opened(true);
        let expected = EncodedChunk::whole(Vector::F32(vec![0.6, 0.8]));
        assert_eq!(passages(&unit, &["ask two"]).unwrap(), std::slice::from_ref(&expected));
        let mut query = None;
        unit.encode_queries(&["two"], &mut |_, q| {
            query = Some(q);
            Ok(())
        })
        .unwrap();
        assert_eq!(query, Some(expected), "with the prompt before it");
    }

    #[test]
    fn more_than_are_encoded_at_once_come_in_order() {
        let (_dir, encoder) = opened(false);
        let texts = ["ask", "two"].repeat(AT_ONCE);
        let told = passages(&encoder, &texts).unwrap();
        let expected = [vec![0.0, 4.0], vec![3.0, 0.0]].map(|v| EncodedChunk::whole(Vector::F32(v)));
        assert_eq!(told.len(), 2 * AT_ONCE);
        assert!(told.chunks(2).all(|two| two == expected));
    }

    #[test]
    fn no_direction_no_vector() {
        let (_dir, encoder) = opened(true);
        for text in ["nobody knows", "", "two six"] {
            let error = passages(&encoder, &["ask", text]).unwrap_err();
            assert!(matches!(&error, EncodeError::Zero { what, .. } if what == text), "{text}: {error}");
        }
        let error = encoder.encode_queries(&["six"], &mut |_, _| Ok(())).err();
        assert_eq!(error, None);
    }

    #[test]
    fn a_context_is_refused() {
        let (_dir, encoder) = opened(true);
        let filing = FilingInput {
            source_url: "f",
            title: "",
            chunks: vec![ChunkInput { id: "a", text: "ask".into() }],
            context: Some(Context::joined([("ask", Some(0))])),
        };
        assert!(!encoder.sees_context());
        let error = encoder.encode_filings(&[filing], &mut |_, _| Ok(())).unwrap_err();
        assert!(matches!(error, EncodeError::Usage(_)), "{error}");
    }

    #[test]
    fn who_it_is_says_what_it_does() {
        let (_dir, encoder) = opened(true);
        let settings = &encoder.identity().settings;
        assert_eq!((settings["normalize"].as_str(), settings["max_tokens"].as_str()), ("true", "5"));
        assert_eq!(encoder.identity().dims, Some(2));
        assert_ne!(encoder.identity().hash(), opened(false).1.identity().hash());
    }

    #[test]
    fn tokenizers_of_other_models_are_noticed() {
        let (dir, _encoder) = opened(true);
        let more = WORDS.replace(r#""six": 3"#, r#""six": 3, "ten": 4"#);
        std::fs::write(dir.path().join("tokenizer.json"), more).unwrap();
        let options = StaticOptions {
            similarity: Similarity::Cosine,
            query_prompt: String::new(),
            passage_prompt: String::new(),
        };
        let error = StaticEncoder::open(&ModelFolder::open(dir.path()).unwrap(), options).unwrap_err();
        assert!(error.to_string().contains("has 5 tokens"), "{error}");
    }
}
