//! A real model against the vectors that sentence-transformers makes of the same texts.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

use std::path::PathBuf;

use eightk_core::{CharIndex, CharSpan};
use eightk_encode::{ChunkInput, Context, EncodedChunk, Encoder, FilingInput, Vector};
use eightk_models::{LocalModel, LocalSettings};
use serde_json::Value;

/// A folder that a variable names, or its usual place; none (with a notice) where the data are not there at all.
#[allow(clippy::disallowed_methods)]
fn folder(variable: &str, usual: Option<&str>) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from);
    if let Some(named) = &named {
        assert!(named.is_dir(), "{variable} is set to {}, which is no folder", named.display());
    }
    let found = named.or_else(|| usual.map(PathBuf::from)).filter(|f| f.is_dir());
    if found.is_none() {
        eprintln!("{variable} is not set: not compared with reference vectors");
    }
    found
}

fn given() -> Option<(PathBuf, LocalModel)> {
    let shared = folder("EIGHTK_SHARED", Some(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")))?;
    let model = folder("EIGHTK_MINILM", None)?;
    Some((shared.join("data/embeddings"), LocalModel::open(&model, &LocalSettings::default()).unwrap()))
}

fn json(path: PathBuf) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The rows of a two-dimensional `.npy` file of little-endian f32.
fn rows(path: PathBuf) -> Vec<Vec<f32>> {
    let bytes = std::fs::read(path).unwrap();
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let text = std::str::from_utf8(&bytes[10..10 + header]).unwrap();
    assert!(text.contains("'<f4'") && text.contains("False"), "{text}");
    let shape = text.split_once("'shape': (").unwrap().1.split_once(')').unwrap().0;
    let width: usize = shape.split(',').nth(1).unwrap().trim().parse().unwrap();
    let numbers: Vec<f32> = bytes[10 + header..].as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    numbers.chunks_exact(width).map(<[f32]>::to_vec).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

fn floats(chunk: &EncodedChunk) -> &[f32] {
    let Vector::F32(floats) = &chunk.vector else { panic!("{chunk:?}") };
    floats
}

fn encode(model: &LocalModel, filings: &[FilingInput<'_>]) -> Vec<EncodedChunk> {
    let mut all = Vec::new();
    let mut keep = |i: usize, chunks: Vec<EncodedChunk>| {
        all.resize(all.len().max(i + 1), Vec::new());
        all[i] = chunks;
        Ok(())
    };
    model.encode_filings(filings, &mut keep).unwrap();
    all.into_iter().flatten().collect()
}

/// Asserts that each vector points where its reference points, and returns the least cosine.
fn compare(ours: &[EncodedChunk], reference: &[Vec<f32>]) -> f64 {
    assert_eq!(ours.len(), reference.len());
    let mut least = 1f64;
    for (i, (ours, reference)) in ours.iter().zip(reference).enumerate() {
        let ours = floats(ours);
        let similarity = cosine(ours, reference);
        assert!(similarity >= 0.999_99, "text {i}: cosine {similarity}");
        assert!((cosine(ours, ours) - 1.0).abs() < 1e-6);
        let length = ours.iter().map(|x| x * x).sum::<f32>();
        assert!((length - 1.0).abs() < 1e-5, "text {i} has length {length}");
        least = least.min(similarity);
    }
    least
}

#[test]
fn texts_alone() {
    let Some((data, model)) = given() else { return };
    let texts = json(data.join("texts.json"));
    let texts: Vec<&str> = texts.as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
    let reference = rows(data.join("texts.npy"));
    let chunks = texts.iter().map(|t| ChunkInput { id: "", text: (*t).into() }).collect();
    let filing = FilingInput { source_url: "f", title: "", chunks, context: None };
    let ours = encode(&model, std::slice::from_ref(&filing));
    let least = compare(&ours, &reference);
    eprintln!("{} texts, least cosine {least:.9}, {} cut", ours.len(), ours.iter().filter(|c| c.truncated).count());
    let mut queries = Vec::new();
    let mut keep = |i: usize, chunk: EncodedChunk| {
        assert_eq!(i, queries.len());
        queries.push(chunk);
        Ok(())
    };
    model.encode_queries(&texts, &mut keep).unwrap();
    assert_eq!(queries, ours, "this model has no prompts, so a query is what a passage is");
}

#[test]
fn chunks_in_their_context() {
    let Some((data, model)) = given() else { return };
    let documents = json(data.join("late.json"));
    let reference = rows(data.join("late.npy"));
    let filings: Vec<FilingInput<'_>> = documents
        .as_array()
        .unwrap()
        .iter()
        .map(|document| {
            let text = document["text"].as_str().unwrap();
            let index = CharIndex::new(text);
            let number = |v: &Value| usize::try_from(v.as_u64().unwrap()).unwrap();
            let spans = document["spans"].as_array().unwrap().iter();
            let spans: Vec<_> = spans.map(|s| index.to_bytes(CharSpan::new(number(&s[0]), number(&s[1])))).collect();
            let chunks = spans.iter().map(|s| ChunkInput { id: "", text: text[s.start..s.end].into() }).collect();
            let context = Context::of_text(text, &spans);
            assert!(context.is_some());
            FilingInput { source_url: "f", title: "", chunks, context }
        })
        .collect();
    let ours = encode(&model, &filings);
    let least = compare(&ours, &reference);
    eprintln!("{} chunks of {} documents, least cosine {least:.9}", ours.len(), filings.len());
    assert!(ours.iter().all(|c| !c.truncated && c.seen.is_none()), "each document fits");
}
