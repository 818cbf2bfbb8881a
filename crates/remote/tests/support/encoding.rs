//! Filings, settings and encoders for tests.

#![allow(unreachable_pub)]

use std::collections::BTreeMap;
use std::sync::Arc;

use eightk_encode::{ChunkInput, Context, EncodeError, EncodedChunk, Encoder, FilingInput};
use eightk_remote::{Access, Budget, Clock, RemoteEncoder, RemoteKind, Secret};
use serde_json::{Value, json};

use crate::support::{Asked, TestClock};

/// A key as no text of these tests holds it.
pub const KEY: &str = "kiln-key-7f3a9c55";

pub fn settings(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

/// A filing with one chunk per text, in a context with a title if `title` is there.
pub fn filing(url: &'static str, texts: &[&'static str], title: Option<&str>) -> FilingInput<'static> {
    let chunks = texts.iter().map(|t| ChunkInput { id: t, text: (*t).into() }).collect();
    let context = title.map(|title| {
        Context::joined(std::iter::once((title, None)).chain(texts.iter().enumerate().map(|(i, t)| (*t, Some(i)))))
    });
    FilingInput { source_url: url, title: "", chunks, context }
}

/// An encoder, its clock and its budget.
pub struct Bench {
    pub encoder: RemoteEncoder,
    pub clock: Arc<TestClock>,
    pub budget: Arc<Budget>,
}

pub fn bench_with(kind: RemoteKind, name: &str, pairs: &[(&str, &str)], budget: Budget) -> Result<Bench, EncodeError> {
    let (clock, budget) = (TestClock::new(), Arc::new(budget));
    let key = Secret::new(KEY, "KILN_KEY").unwrap();
    let access = Access::new(key, Arc::clone(&budget)).with_clock(Arc::clone(&clock) as Arc<dyn Clock>);
    let encoder = RemoteEncoder::new(kind, name, &settings(pairs), access)?;
    Ok(Bench { encoder, clock, budget })
}

/// One that asks `url`; for TEI that is its name.
pub fn bench(kind: RemoteKind, url: &str, pairs: &[(&str, &str)]) -> Bench {
    let name = if kind == RemoteKind::Tei { url } else { "clay-context-1" };
    let mut pairs = pairs.to_vec();
    if kind != RemoteKind::Tei {
        pairs.push(("url", url));
    }
    bench_with(kind, name, &pairs, Budget::default()).unwrap()
}

/// What came home, in order of arrival, and how it ended.
pub type Came = (Vec<(usize, Vec<EncodedChunk>)>, Result<(), EncodeError>);

impl Bench {
    pub fn filings(&self, filings: &[FilingInput<'_>]) -> Came {
        let mut came = Vec::new();
        let end = self.encoder.encode_filings(filings, &mut |at, chunks| {
            came.push((at, chunks));
            Ok(())
        });
        (came, end)
    }

    pub fn queries(&self, queries: &[&str]) -> Result<Vec<(usize, EncodedChunk)>, EncodeError> {
        let mut came = Vec::new();
        self.encoder.encode_queries(queries, &mut |at, chunk| {
            came.push((at, chunk));
            Ok(())
        })?;
        Ok(came)
    }
}

/// The vector that a test's server gives to a text in a document: from it follow both.
pub fn vector(text: &str, document: &[&str]) -> [f64; 3] {
    let sum = |s: &str| s.bytes().enumerate().map(|(i, b)| (i as f64 + 1.0) * f64::from(b)).sum::<f64>();
    [1.0, sum(text) / 64.0, document.iter().map(|t| sum(t)).sum::<f64>() / 64.0]
}

/// The same as floats of a vector.
pub fn expected(text: &str, document: &[&str]) -> Vec<f32> {
    vector(text, document).map(|x| x as f32).to_vec()
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect()
}

/// OpenAI's answer, each text for itself.
pub fn flat_answer(asked: &Asked) -> Value {
    let texts = texts(&asked.body["input"]);
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .map(|(i, t)| json!({"object": "embedding", "index": i, "embedding": vector(t, &[t])}))
        .collect();
    json!({"object": "list", "data": data, "model": "clay", "usage": {"total_tokens": texts.len() * 2}})
}

/// The same, all texts as one document: late chunking.
pub fn late_answer(asked: &Asked) -> Value {
    let texts = texts(&asked.body["input"]);
    let data: Vec<Value> =
        texts.iter().enumerate().map(|(i, t)| json!({"index": i, "embedding": vector(t, &texts)})).collect();
    json!({"data": data, "usage": {"total_tokens": texts.len() * 2}})
}

/// TEI's answer.
pub fn bare_answer(asked: &Asked) -> Value {
    json!(texts(&asked.body["inputs"]).iter().map(|t| vector(t, &[t])).collect::<Vec<_>>())
}

/// Voyage's and Perplexity's answer, last first; `field` holds the documents.
pub fn nested_answer(asked: &Asked, field: &str) -> Value {
    nested_with(asked, field, |vector| json!(vector))
}

/// The same with vectors written by `write`.
pub fn nested_with(asked: &Asked, field: &str, write: impl Fn([f64; 3]) -> Value) -> Value {
    let documents: Vec<Vec<&str>> = asked.body[field].as_array().unwrap().iter().map(texts).collect();
    let document = |(i, document): (usize, &Vec<&str>)| {
        let of = |(j, t): (usize, &&str)| json!({"object": "embedding", "index": j, "embedding": write(vector(t, document)), "text": t});
        let data: Vec<Value> = document.iter().enumerate().map(of).rev().collect();
        json!({"object": "list", "index": i, "data": data})
    };
    let data: Vec<Value> = documents.iter().enumerate().map(document).rev().collect();
    json!({"object": "list", "data": data, "model": "clay", "usage": {"total_tokens": 11, "prompt_tokens": 11}})
}
