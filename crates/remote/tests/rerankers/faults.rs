//! Servers that are not well, or not what they should be.

use super::*;
use crate::support::Reply;

/// How scoring three passages ends where the answer is what `change` makes of a good one.
fn ends(
    kind: RerankKind,
    change: impl Fn(&mut Value) + Send + Sync + 'static,
) -> Result<Vec<Option<f64>>, EncodeError> {
    let server = Server::start(move |asked| {
        let mut good = answer(kind, asked);
        change(&mut good);
        Reply::json(&good)
    });
    scores(&reranker(kind, &server, &[]), &["One.", "Two two.", "Three three."])
}

fn assert_data(end: &Result<Vec<Option<f64>>, EncodeError>, part: &str) {
    assert!(matches!(end, Err(EncodeError::Data(m)) if m.contains(part)), "{end:?} should say {part:?}");
}

fn list(answer: &mut Value) -> &mut Vec<Value> {
    if answer.is_array() {
        return answer.as_array_mut().unwrap();
    }
    let name = if answer.get("data").is_some() { "data" } else { "results" };
    answer[name].as_array_mut().unwrap()
}

#[test]
fn what_is_left_out_has_no_score() {
    for kind in RerankKind::ALL {
        let end = ends(kind, |a| list(a).truncate(2)).unwrap();
        assert_eq!(end, [None, Some(score("Two two.")), Some(score("Three three."))], "{kind}");
    }
}

#[test]
fn results_that_are_none() {
    for kind in RerankKind::ALL {
        assert_data(&ends(kind, |a| list(a)[1]["index"] = 2.into()), "two results with index 2");
        assert_data(&ends(kind, |a| list(a)[1]["index"] = 3.into()), "index 3, where 3 passages");
        assert_data(&ends(kind, |a| drop(list(a)[0].as_object_mut().unwrap().shift_remove("index"))), "without index");
        assert_data(&ends(kind, |a| list(a).clear()), "no result for 3 passages");
        let name = if kind == RerankKind::Tei { "score" } else { "relevance_score" };
        assert_data(&ends(kind, move |a| list(a)[0][name] = Value::Null), "no number as the score of index 2");
        assert_data(&ends(kind, move |a| list(a)[0][name] = "high".into()), "not the JSON");
        assert_data(&ends(kind, |a| *a = json!({"error": {"message": "model is loading"}})), "model is loading");
        assert_data(&ends(kind, |a| *a = json!(7)), "not the JSON");
    }
}

#[test]
fn numbers_that_json_does_not_have() {
    for text in ["NaN", "Infinity", "1e999"] {
        let server = Server::start(move |asked| {
            let good = answer(RerankKind::Vllm, asked).to_string();
            Reply::text(200, &good.replacen(&score("One.").to_string(), text, 1))
        });
        let end = scores(&reranker(RerankKind::Vllm, &server, &[]), &["One.", "Two two."]);
        assert_data(&end, text);
        assert_eq!(server.asked().len(), 1, "asking again does not help");
    }
}

#[test]
fn one_that_is_not_well_is_asked_again_and_one_that_refuses_is_not() {
    for (status, times) in [(429, 3), (503, 3), (424, 1), (400, 1), (401, 1), (422, 1)] {
        let server = Server::start(move |asked| match asked.nth {
            0 | 1 => Reply::text(status, r#"{"error":"not now","error_type":"Overloaded"}"#),
            _ => Reply::json(&answer(RerankKind::Tei, asked)),
        });
        let end = scores(&reranker(RerankKind::Tei, &server, &[]), &["One."]);
        assert_eq!((end.is_ok(), server.asked().len()), (times == 3, times), "{status}: {end:?}");
    }
    let server = Server::start(|asked| match asked.nth {
        0 => Reply::Cut(b"{\"results\":[{\"ind".to_vec()),
        1 => Reply::Close,
        _ => Reply::json(&answer(RerankKind::Jina, asked)),
    });
    assert_eq!(scores(&reranker(RerankKind::Jina, &server, &[]), &["One."]).unwrap(), [Some(0.5)]);
}

#[test]
fn silence_and_floods_have_an_end() {
    let server = Server::start(|_| Reply::Flood);
    let end = scores(&reranker(RerankKind::Jina, &server, &[]), &["One."]);
    assert!(matches!(&end, Err(EncodeError::Unavailable(m)) if m.contains("more than the")), "{end:?}");
    let server = Server::start(|_| Reply::Hang);
    let end = scores(&reranker(RerankKind::Jina, &server, &[("timeout", "0.05")]), &["One."]);
    assert!(matches!(&end, Err(EncodeError::Unavailable(m)) if m.contains("timeout=")), "{end:?}");
}

#[test]
fn a_key_that_is_sent_back_is_not_shown() {
    for reply in [
        (400, format!("{{\"message\":\"bad key {KEY}\"}}")),
        (200, format!("{{\"results\":[{{\"index\":0,\"relevance_score\":\"{KEY}\"}}]}}")),
    ] {
        let server = Server::start(move |_| Reply::text(reply.0, &reply.1));
        let reranker = reranker(RerankKind::Cohere, &server, &[]);
        let error = scores(&reranker, &["One."]).unwrap_err();
        assert!(!format!("{error} {error:?} {reranker:?}").contains("kiln-key"), "{error}");
    }
}
