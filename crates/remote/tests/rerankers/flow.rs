//! Several requests for one query, blank passages, and what is asked of the budget.

use super::*;
use crate::support::Reply;

fn good(kind: RerankKind) -> Server {
    Server::start(move |asked| Reply::json(&answer(kind, asked)))
}

fn sizes(server: &Server) -> Vec<usize> {
    server.asked().iter().map(|a| passages(a).len()).collect()
}

fn texts(n: usize) -> Vec<String> {
    (0..n).map(|i| "x".repeat(i * 7 % 31 + 1)).collect()
}

/// Scores so many passages and checks each.
fn all_right(reranker: &RemoteReranker, n: usize) {
    let texts = texts(n);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let wanted: Vec<_> = texts.iter().map(|t| Some(score(t))).collect();
    assert_eq!(scores(reranker, &texts).unwrap(), wanted);
}

#[test]
fn a_request_holds_no_more_than_the_service_takes() {
    let server = good(RerankKind::Tei);
    all_right(&reranker(RerankKind::Tei, &server, &[]), 70);
    assert_eq!(sizes(&server), [32, 32, 6]);
    let server = good(RerankKind::Cohere);
    all_right(&reranker(RerankKind::Cohere, &server, &[]), 1001);
    assert_eq!(sizes(&server), [1000, 1]);
    let server = good(RerankKind::Jina);
    all_right(&reranker(RerankKind::Jina, &server, &[("batch", "4")]), 10);
    assert_eq!(sizes(&server), [4, 4, 2]);
    let server = good(RerankKind::Voyage);
    let reranker = reranker(RerankKind::Voyage, &server, &[("max-tokens", "40")]);
    assert_eq!(scores(&reranker, &["One one one one.", "Two.", "Three."]).unwrap().len(), 3);
    assert_eq!(sizes(&server), [2, 1]);
}

#[test]
fn too_large_is_halved_and_remembered() {
    for (status, body) in [
        (413, r#"{"error":"Payload too large"}"#),
        (422, r#"{"error":"batch size 32 > maximum allowed batch size 10","error_type":"Validation"}"#),
    ] {
        let server = Server::start(move |asked| match passages(asked).len() {
            n if n > 10 => Reply::text(status, body),
            _ => Reply::json(&answer(RerankKind::Tei, asked)),
        });
        let reranker = reranker(RerankKind::Tei, &server, &[]);
        all_right(&reranker, 40);
        assert_eq!(sizes(&server), [32, 16, 8, 8, 16, 8, 8, 8]);
        all_right(&reranker, 12);
        assert_eq!(sizes(&server)[8..], [8, 4]);
    }
    let server = Server::start(|_| Reply::text(413, ""));
    let end = scores(&reranker(RerankKind::Tei, &server, &[]), &["One."]);
    assert!(matches!(&end, Err(EncodeError::Unavailable(m)) if m.contains("too large")), "{end:?}");
}

#[test]
fn a_listwise_model_gets_one_request_or_none() {
    let server = good(RerankKind::Jina);
    let make = |pairs: &[(&str, &str)]| {
        let mut pairs = pairs.to_vec();
        pairs.push(("url", &server.url));
        reranker_with(RerankKind::Jina, "jina-reranker-v3", &pairs, Budget::default()).unwrap()
    };
    all_right(&make(&[]), 100);
    let end = scores(&make(&[("batch", "2")]), &["a", "b", "c"]);
    assert!(matches!(&end, Err(EncodeError::Usage(m)) if m.contains("side by side") && m.contains("n=")), "{end:?}");
    assert_eq!(sizes(&server), [100]);
    let server = Server::start(|_| Reply::text(413, ""));
    let pairs = [("url", server.url.as_str())];
    let listwise = reranker_with(RerankKind::Jina, "jina-reranker-v3", &pairs, Budget::default()).unwrap();
    assert!(matches!(scores(&listwise, &["a", "b"]), Err(EncodeError::Unavailable(_))));
    assert_eq!(server.asked().len(), 1, "halves would be two scales");
}

#[test]
fn blank_passages_are_not_sent_and_have_no_score() {
    for kind in RerankKind::ALL {
        let server = good(kind);
        let reranker = reranker(kind, &server, &[]);
        let end = scores(&reranker, &["", "One.", " \n", "Two two.", "\u{a0}"]).unwrap();
        assert_eq!(end, [None, Some(score("One.")), None, Some(score("Two two.")), None]);
        assert_eq!(passages(&server.asked()[0]), ["One.", "Two two."]);
        assert_eq!(scores(&reranker, &["", " "]).unwrap(), [None, None]);
        assert_eq!(scores(&reranker, &[]).unwrap(), []);
        assert!(matches!(reranker.rerank(" ", &["One."]), Err(EncodeError::Usage(_))));
        assert_eq!(server.asked().len(), 1);
    }
}

#[test]
fn the_budget_is_kept_and_says_what_is_missing() {
    let server = good(RerankKind::Tei);
    let reranker = reranker_with(RerankKind::Tei, &server.url, &[], Budget::new(Some(2), None)).unwrap();
    let texts = texts(100);
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let end = scores(&reranker, &texts);
    assert!(
        matches!(&end, Err(EncodeError::Budget(m)) if m.contains("--max-requests") && m.contains("needs 2 more requests")),
        "{end:?}"
    );
    assert_eq!(server.asked().len(), 2);
    let reranker = reranker_with(RerankKind::Tei, &server.url, &[], Budget::new(None, Some(10))).unwrap();
    assert!(matches!(scores(&reranker, &texts), Err(EncodeError::Budget(m)) if m.contains("--max-tokens")));
    assert_eq!(server.asked().len(), 2);
}
