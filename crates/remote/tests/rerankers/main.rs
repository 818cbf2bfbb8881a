//! Rerankers against servers on this machine: what they are sent, what is made of their answers, and what of their faults.

#![allow(clippy::unwrap_used, clippy::panic)]

// What the shared server module takes from its root.
use eightk_remote::Clock;

#[path = "../support/mod.rs"]
mod support;

mod dialects;
mod faults;
mod flow;
mod setting_up;

use std::collections::BTreeMap;
use std::sync::Arc;

use eightk_encode::{EncodeError, Reranker};
use eightk_remote::{Access, Budget, RemoteReranker, RerankKind, Secret};
use serde_json::{Value, json};
use support::{Asked, Server, TestClock};

/// A key as no text of these tests holds it.
const KEY: &str = "kiln-key-7f3a9c55";

fn settings(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
}

fn reranker_with(
    kind: RerankKind,
    name: &str,
    pairs: &[(&str, &str)],
    budget: Budget,
) -> Result<RemoteReranker, EncodeError> {
    let key = Secret::new(KEY, "KILN_KEY").unwrap();
    let access = Access::new(key, Arc::new(budget)).with_clock(TestClock::new());
    RemoteReranker::new(kind, name, &settings(pairs), access)
}

/// One that asks a server; for TEI that is its name.
fn reranker(kind: RerankKind, server: &Server, pairs: &[(&str, &str)]) -> RemoteReranker {
    let mut pairs = pairs.to_vec();
    let name = if kind == RerankKind::Tei { server.url.as_str() } else { "clay-rank-1" };
    if kind != RerankKind::Tei {
        pairs.push(("url", &server.url));
    }
    reranker_with(kind, name, &pairs, Budget::default()).unwrap()
}

/// The passages that a request of any dialect holds.
fn passages(asked: &Asked) -> Vec<String> {
    let list = asked.body.get("documents").or_else(|| asked.body.get("texts")).unwrap();
    list.as_array().unwrap().iter().map(|t| t.as_str().unwrap().to_owned()).collect()
}

/// A passage's score: its length.
fn score(passage: &str) -> f64 {
    passage.len() as f64 / 8.0
}

/// A good answer, sorted by score as services sort it.
fn answer(kind: RerankKind, asked: &Asked) -> Value {
    let name = if kind == RerankKind::Tei { "score" } else { "relevance_score" };
    let mut results: Vec<(usize, f64)> = passages(asked).iter().map(|p| score(p)).enumerate().collect();
    results.sort_by(|a, b| b.1.total_cmp(&a.1));
    let results: Vec<Value> = results.into_iter().map(|(index, score)| json!({"index": index, name: score})).collect();
    match kind {
        RerankKind::Tei => json!(results),
        RerankKind::Voyage => json!({"object": "list", "data": results, "model": "m", "usage": {"total_tokens": 21}}),
        RerankKind::Cohere => {
            json!({"id": "x", "results": results, "meta": {"api_version": {"version": "2"}, "billed_units": {"search_units": 1}}})
        }
        RerankKind::Jina | RerankKind::Vllm => json!({"model": "m", "results": results, "usage": {"total_tokens": 21}}),
    }
}

fn scores(reranker: &RemoteReranker, passages: &[&str]) -> Result<Vec<Option<f64>>, EncodeError> {
    reranker.rerank("who closes the kiln?", passages)
}
