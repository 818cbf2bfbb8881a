//! A static model as an encoder.

use eightk_encode::{EncodeError, EncodedChunk, Encoder, FilingInput, Identity, OnFiling, OnQuery, Role, Vector};
use rayon::prelude::*;

use super::layout::{self, Layout};
use super::table::Table;
use super::words::{Tradition, Words};
use crate::folder::{ModelFolder, PoolingMode};
use crate::head::Head;
use crate::settings::LocalSettings;

/// Filings or queries that are encoded before the first of them is told.
const AT_ONCE: usize = 256;

/// A model without attention: the mean of its tokens' rows.
pub(crate) struct StaticEncoder {
    identity: Identity,
    words: Words,
    table: Table,
    head: Head,
}

impl StaticEncoder {
    /// Of a folder that holds one; none of another.
    pub(crate) fn open(folder: &ModelFolder, settings: &LocalSettings) -> Result<Option<Self>, EncodeError> {
        let Some(Layout { weights, tokenizer, table, tradition, sentence }) = layout::read(folder)? else {
            return Ok(None);
        };
        if let Some(other) = settings.pooling.filter(|mode| *mode != PoolingMode::Mean) {
            let why =
                format!("pooling={}: static embeddings have their mean and nothing else; leave it out", other.name());
            return Err(EncodeError::Usage(why));
        }
        let table = Table::read(&weights, table)?;
        let bytes = folder.bytes(&tokenizer)?.ok_or_else(|| folder.missing(&tokenizer, "the tokens"))?;
        let words = Words::read(&bytes, tradition, settings.max_tokens).map_err(|e| folder.bad(&tokenizer, e))?;
        if !table.covers(words.vocabulary()) {
            let why = format!("has {} tokens, the table fewer rows: they are of different models", words.vocabulary());
            return Err(folder.bad(&tokenizer, why));
        }
        let (head, head_files) = Head::load(folder, &sentence, table.dims(), settings.dims)?;
        let mut files = sentence.files;
        files.extend(weights.files().iter().cloned());
        files.push(tokenizer);
        files.extend(head_files);
        let rules = match tradition {
            Tradition::Model2vec(_) => "model2vec",
            Tradition::SentenceTransformers => "sentence-transformers",
        };
        let pairs = [
            ("architecture", "static".to_owned()),
            ("dtype", table.dtype().to_owned()),
            ("max_tokens", words.limit().map_or_else(|| "none".to_owned(), |n| n.to_string())),
            ("normalized", head.normalizes().to_string()),
            ("pooling", PoolingMode::Mean.name().to_owned()),
            ("tokens", rules.to_owned()),
        ];
        let identity = Identity {
            provider: "local".to_owned(),
            model: settings.name.clone().unwrap_or_else(|| folder.name()),
            revision: folder.revision(&files)?,
            dims: Some(head.dims()),
            similarity: sentence.similarity,
            query_prompt: settings.query_prompt.clone().unwrap_or(sentence.query_prompt),
            passage_prompt: settings.passage_prompt.clone().unwrap_or(sentence.passage_prompt),
            settings: pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
        };
        Ok(Some(Self { identity, words, table, head }))
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
        let vector = self.head.apply(mean.iter().map(|x| *x as f32).collect());
        if vector.iter().all(|x| *x == 0.0) {
            return Err(zero());
        }
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

    fn open(path: &std::path::Path, settings: &LocalSettings) -> Result<Option<StaticEncoder>, EncodeError> {
        StaticEncoder::open(&ModelFolder::open(path).unwrap(), settings)
    }

    /// Rows 9 9 · 0 4 · 3 0 · -3 0, most tokens 5, so most characters 15.
    fn opened(normalize: bool) -> (tempfile::TempDir, StaticEncoder) {
        let dir = tempfile::tempdir().unwrap();
        let numbers = [9.0f32, 9.0, 0.0, 4.0, 3.0, 0.0, -3.0, 0.0];
        let bytes = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let write = |name: &str, bytes: &[u8]| std::fs::write(dir.path().join(name), bytes).unwrap();
        write("model.safetensors", &safetensors(&[("embeddings", "F32", &[4, 2], bytes)]));
        write("tokenizer.json", WORDS.as_bytes());
        let own = r#"{"prompts": {"query": "ask "}, "similarity_fn_name": "cosine"}"#;
        write("config_sentence_transformers.json", own.as_bytes());
        write("config.json", format!(r#"{{"normalize": {normalize}, "max_length": 5}}"#).as_bytes());
        let encoder = open(dir.path(), &LocalSettings::default()).unwrap().unwrap();
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
        assert_eq!((settings["normalized"].as_str(), settings["max_tokens"].as_str()), ("true", "5"));
        assert_eq!(encoder.identity().dims, Some(2));
        assert_ne!(encoder.identity().hash(), opened(false).1.identity().hash());
    }

    #[test]
    fn settings_go_before_the_folder() {
        let (dir, _encoder) = opened(true);
        let with = |pairs: &[(&'static str, &'static str)]| {
            open(dir.path(), &LocalSettings::from_pairs(pairs.iter().copied()).unwrap()).map(Option::unwrap)
        };
        let fewer = with(&[("max-tokens", "1"), ("dims", "1"), ("passage-prompt", "two ")]).unwrap();
        let cut = EncodedChunk { truncated: true, ..EncodedChunk::whole(Vector::F32(vec![1.0])) };
        assert_eq!(passages(&fewer, &["ask"]).unwrap(), [cut]);
        assert_eq!(fewer.identity().dims, Some(1));
        let error = with(&[("pooling", "cls")]).err().unwrap();
        assert!(matches!(&error, EncodeError::Usage(why) if why.contains("pooling=cls")), "{error}");
        assert!(with(&[("pooling", "mean")]).is_ok());
    }

    #[test]
    fn tokenizers_of_other_models_are_noticed() {
        let (dir, _encoder) = opened(true);
        let more = WORDS.replace(r#""six": 3"#, r#""six": 3, "ten": 4"#);
        std::fs::write(dir.path().join("tokenizer.json"), more).unwrap();
        let error = open(dir.path(), &LocalSettings::default()).err().unwrap();
        assert!(error.to_string().contains("has 5 tokens"), "{error}");
    }
}
