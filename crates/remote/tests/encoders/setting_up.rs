//! From specs to encoders: settings, addresses, identities.

use eightk_encode::{EncodeError, Encoder, Similarity};
use eightk_remote::{Budget, RemoteKind};
use serde_json::json;

use crate::encoding::{bare_answer, bench, bench_with};
use crate::support::{Reply, Server};

fn built(kind: RemoteKind, name: &str, pairs: &[(&str, &str)]) -> Result<crate::encoding::Bench, EncodeError> {
    bench_with(kind, name, pairs, Budget::default())
}

fn refused(kind: RemoteKind, name: &str, pairs: &[(&str, &str)], part: &str) {
    match built(kind, name, pairs) {
        Err(EncodeError::Usage(said)) => assert!(said.contains(part), "{said}"),
        Err(other) => panic!("{other:?}"),
        Ok(_) => panic!("{name} {pairs:?} should be refused"),
    }
}

#[test]
fn what_cannot_be_is_said() {
    refused(RemoteKind::OpenAi, " ", &[], "no name of a model");
    refused(
        RemoteKind::OpenAi,
        "clay",
        &[("pooling", "mean")],
        "openai:clay knows no setting `pooling=`; it knows url=",
    );
    refused(RemoteKind::OpenAi, "clay", &[("dtype", "int8")], "is not float");
    refused(RemoteKind::Voyage, "clay", &[("dtype", "uint8")], "float or int8 or binary or ubinary");
    refused(RemoteKind::Perplexity, "clay", &[("dtype", "float")], "int8 or binary");
    refused(RemoteKind::Jina, "clay", &[("dims", "many")], "dims=many");
    refused(RemoteKind::OpenAi, "clay", &[("url", "kiln")], "no http or https address");
    refused(RemoteKind::OpenAi, "clay", &[("parallel", "1000")], "parallel=1000");
    refused(RemoteKind::Tei, "", &[], "tei:http://host:port");
    refused(RemoteKind::Tei, "http://localhost:1", &[("url", "http://localhost:2")], "url= is not needed");
    refused(RemoteKind::Tei, "http://localhost:1", &[("truncate", "true")], "needs max-tokens=");
}

#[test]
fn whatever_changes_a_vector_is_in_the_identity() {
    let identity = |pairs: &[(&str, &str)]| {
        built(RemoteKind::Voyage, "voyage-context-3", pairs).unwrap().encoder.identity().clone()
    };
    let base = identity(&[]);
    assert_eq!(base.settings["endpoint"], "https://api.voyageai.com/v1/contextualizedembeddings");
    for pairs in [
        ("dims", "256"),
        ("dtype", "int8"),
        ("query-prompt", "q"),
        ("passage_prompt", "p"),
        ("revision", "2"),
        ("max-tokens", "99"),
        ("truncate", "true"),
        ("url", "http://kiln.test"),
    ] {
        assert_ne!(identity(&[pairs]).hash(), base.hash(), "{pairs:?}");
    }
    for pairs in [("batch", "7"), ("parallel", "2"), ("timeout", "9"), ("price", "1"), ("key-env", "X")] {
        assert_eq!(identity(&[pairs]).hash(), base.hash(), "{pairs:?}");
    }
    let dot = built(RemoteKind::OpenAi, "clay", &[("similarity", "dot")]).unwrap();
    assert_eq!(dot.encoder.identity().similarity, Similarity::Dot);
}

#[test]
fn a_tei_server_says_whom_it_serves() {
    let server = Server::start(|asked| match asked.path.as_str() {
        "/info" => Reply::json(
            &json!({"model_id": "acme/clay-small", "model_sha": "c0ffee", "max_client_batch_size": 2, "max_input_length": 512}),
        ),
        _ => Reply::json(&bare_answer(asked)),
    });
    let mut bench = bench(RemoteKind::Tei, &server.url, &[("parallel", "1")]);
    let before = bench.encoder.identity().hash();
    bench.encoder.introduce().unwrap();
    let identity = bench.encoder.identity();
    assert_eq!((identity.model.as_str(), identity.revision.as_str()), ("acme/clay-small", "c0ffee"));
    assert_ne!(identity.hash(), before);
    bench.encoder.introduce().unwrap();
    bench.queries(&["a", "b", "c"]).unwrap();
    let asked: Vec<_> = server.asked().into_iter().map(|a| (a.method, a.path)).collect();
    let pair = |m: &str, p: &str| (m.to_owned(), p.to_owned());
    assert_eq!(
        asked,
        [pair("GET", "/info"), pair("POST", "/embed"), pair("POST", "/embed")],
        "asked once, batches of two"
    );
}

#[test]
fn a_server_that_does_not_say_must_be_named() {
    let server = Server::start(|_| Reply::text(404, ""));
    let mut silent = bench(RemoteKind::Tei, &server.url, &[]);
    let error = silent.encoder.introduce().unwrap_err();
    assert!(error.to_string().contains("model="), "{error}");
    let mut named = bench(RemoteKind::Tei, &server.url, &[("model", "acme/clay")]);
    named.encoder.introduce().unwrap();
    assert_eq!(named.encoder.identity().model, "acme/clay");
    let mut local = built(RemoteKind::Tei, "localhost:1", &[("model", "x")]).unwrap();
    local.encoder.introduce().unwrap();
    assert_eq!(local.encoder.identity().settings["endpoint"], "http://localhost:1/embed");
    let path = Server::start(|_| Reply::json(&json!({"model_id": "/data/models/clay/"})));
    let mut lying = bench(RemoteKind::Tei, &path.url, &[]);
    lying.encoder.introduce().unwrap();
    assert_eq!(lying.encoder.identity().model, "clay", "no path of somebody's machine");
}
