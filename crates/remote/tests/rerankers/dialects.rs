//! What each service is sent, and how its answer is taken.

use super::*;
use crate::support::Reply;

const PASSAGES: [&str; 3] = ["The kiln closes.", "Clay.", "A longer sentence about the kiln."];

/// What a server of this kind was sent by a reranker with these settings, after its scores were checked.
fn sent(kind: RerankKind, pairs: &[(&str, &str)]) -> Asked {
    let server = Server::start(move |asked| Reply::json(&answer(kind, asked)));
    let reranker = reranker(kind, &server, pairs);
    assert_eq!(scores(&reranker, &PASSAGES).unwrap(), PASSAGES.map(|p| Some(score(p))));
    let mut asked = server.asked();
    assert_eq!((asked.len(), asked[0].method.as_str()), (1, "POST"));
    asked.remove(0)
}

#[test]
fn cohere() {
    let asked = sent(RerankKind::Cohere, &[("max-tokens-per-doc", "512")]);
    assert_eq!(asked.path, "/v2/rerank");
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    let wanted = json!({"model": "clay-rank-1", "max_tokens_per_doc": 512, "query": "who closes the kiln?", "documents": PASSAGES});
    assert_eq!(asked.body, wanted);
}

#[test]
fn jina() {
    let asked = sent(RerankKind::Jina, &[]);
    assert_eq!(asked.path, "/v1/rerank");
    let wanted = json!({"model": "clay-rank-1", "return_documents": false, "query": "who closes the kiln?", "documents": PASSAGES});
    assert_eq!(asked.body, wanted);
}

#[test]
fn vllm() {
    let asked = sent(RerankKind::Vllm, &[]);
    assert_eq!(asked.path, "/v1/rerank");
    assert_eq!(asked.body, json!({"model": "clay-rank-1", "query": "who closes the kiln?", "documents": PASSAGES}));
    let asked = sent(RerankKind::Vllm, &[("truncate-prompt-tokens", "512")]);
    assert_eq!(asked.body["truncate_prompt_tokens"], 512);
}

#[test]
fn voyage_cuts_nothing_unless_told() {
    let asked = sent(RerankKind::Voyage, &[]);
    assert_eq!(asked.path, "/v1/rerank");
    let wanted = json!({
        "model": "clay-rank-1", "truncation": false, "return_documents": false, "query": "who closes the kiln?", "documents": PASSAGES
    });
    assert_eq!(asked.body, wanted);
    assert_eq!(sent(RerankKind::Voyage, &[("truncate", "true")]).body["truncation"], true);
}

#[test]
fn tei_has_other_names_and_cuts_nothing_unless_told() {
    let asked = sent(RerankKind::Tei, &[]);
    assert_eq!(asked.path, "/rerank");
    let wanted = json!({
        "truncate": false, "raw_scores": false, "return_text": false, "query": "who closes the kiln?", "texts": PASSAGES
    });
    assert_eq!(asked.body, wanted);
    let asked = sent(RerankKind::Tei, &[("truncate", "true"), ("raw-scores", "true")]);
    assert_eq!((&asked.body["truncate"], &asked.body["raw_scores"]), (&json!(true), &json!(true)));
}

#[test]
fn tokens_are_those_the_service_counts_and_else_an_estimate() {
    for kind in RerankKind::ALL {
        let server = Server::start(move |asked| Reply::json(&answer(kind, asked)));
        let reranker = reranker(kind, &server, &[("price", "2")]);
        let estimate = reranker.estimate("who closes the kiln?", &PASSAGES);
        assert_eq!((estimate.requests, estimate.dollars), (1, Some(estimate.tokens as f64 * 2e-6)));
        scores(&reranker, &PASSAGES).unwrap();
        let counts = !matches!(kind, RerankKind::Tei | RerankKind::Cohere);
        let wanted = if counts { 21 } else { estimate.tokens };
        assert_eq!((reranker.usage().requests, reranker.usage().tokens), (1, wanted), "{kind}");
    }
}
