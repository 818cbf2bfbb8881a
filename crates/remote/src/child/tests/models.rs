//! The scripts that are handed out, with the real model.
//!
//! They need sentence-transformers, so they run where `EIGHTK_PYTHON` names a Python that has it and `EIGHTK_MINILM` the
//! folder of all-MiniLM-L6-v2; the reference vectors are those beside the data.

use std::path::PathBuf;

use super::*;

/// Python, model and reference folder.
#[allow(clippy::disallowed_methods)]
fn here() -> Option<(String, String, PathBuf)> {
    let (Ok(python), Ok(model)) = (std::env::var("EIGHTK_PYTHON"), std::env::var("EIGHTK_MINILM")) else {
        eprintln!("EIGHTK_PYTHON or EIGHTK_MINILM is not set: test left out");
        return None;
    };
    let given = std::env::var("EIGHTK_SHARED");
    let shared =
        given.as_ref().map_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared").into(), PathBuf::from);
    let vectors = shared.join("data/embeddings");
    if !vectors.is_dir() {
        assert!(given.is_err(), "EIGHTK_SHARED has no data/embeddings");
        eprintln!("no reference vectors here: test left out");
        return None;
    }
    Some((python, model, vectors))
}

fn script(name: &str) -> String {
    let path = format!("{}/../../integrations/cmd/{name}", env!("CARGO_MANIFEST_DIR"));
    shlex::try_quote(&path).unwrap().into_owned()
}

/// Rows of a version-1 `.npy` of f32.
fn rows(path: PathBuf, dims: usize) -> Vec<Vec<f32>> {
    let bytes = std::fs::read(path).unwrap();
    let start = 10 + u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
    let numbers: Vec<f32> = bytes[start..].as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    numbers.chunks_exact(dims).map(<[f32]>::to_vec).collect()
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

/// The smallest cosine between vectors and their references, after checking that there are as many.
fn worst(what: &str, given: &[Vec<f32>], wanted: &[Vec<f32>]) -> f64 {
    assert_eq!(given.len(), wanted.len());
    let worst = given.iter().zip(wanted).map(|(a, b)| cosine(a, b)).fold(f64::INFINITY, f64::min);
    eprintln!("{what}: {} vectors, smallest cosine {worst:.9}", given.len());
    worst
}

#[test]
fn the_ten_lines_give_the_reference_vectors() {
    let Some((python, model, vectors)) = here() else { return };
    let texts: Vec<String> = serde_json::from_slice(&std::fs::read(vectors.join("texts.json")).unwrap()).unwrap();
    let wanted = rows(vectors.join("texts.npy"), 384);
    let encoder = encoder(&format!("{python} {} {model}", script("sentence_transformers_encoder.py")), &[]);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let asked = ask(&encoder, &texts).unwrap();
    assert!(worst("as queries", &asked, &wanted) >= 0.99999);
    let filings: Vec<_> = texts.chunks(20).map(|chunk| filing("f", chunk)).collect();
    let encoded = encode(&encoder, &filings).unwrap().concat();
    let encoded: Vec<_> = encoded.iter().map(|e| e.vector.to_f32()).collect();
    assert!(worst("as chunks", &encoded, &wanted) >= 0.99999);
}

#[test]
fn the_late_chunking_script_gives_the_reference_vectors() {
    use eightk_core::{CharIndex, CharSpan};

    let Some((python, model, vectors)) = here() else { return };
    let documents: serde_json::Value =
        serde_json::from_slice(&std::fs::read(vectors.join("late.json")).unwrap()).unwrap();
    let wanted = rows(vectors.join("late.npy"), 384);
    let encoder = encoder(&format!("{python} {} {model}", script("late_chunking_encoder.py")), &[]);
    let mut given = Vec::new();
    for document in documents.as_array().unwrap() {
        let text = document["text"].as_str().unwrap();
        let index = CharIndex::new(text);
        let number = |v: &serde_json::Value| v.as_u64().unwrap() as usize;
        let spans = document["spans"].as_array().unwrap().iter();
        let spans: Vec<_> = spans.map(|s| index.to_bytes(CharSpan::new(number(&s[0]), number(&s[1])))).collect();
        let chunks: Vec<&str> = spans.iter().map(|s| s.of(text)).collect();
        let mut input = filing("f", &chunks);
        input.context = Context::of_text(text, &spans);
        assert!(input.context.is_some());
        given.extend(encode(&encoder, &[input]).unwrap().remove(0).iter().map(|e| e.vector.to_f32()));
    }
    assert!(worst("late chunking", &given, &wanted) >= 0.99999);
}
