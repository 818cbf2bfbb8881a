//! The key is sent in one header, and is nowhere else.

use std::sync::Arc;

use eightk_encode::Encoder;
use eightk_remote::{Access, Budget, RemoteEncoder, RemoteKind, Secret};

use crate::encoding::{KEY, bench, filing, settings};
use crate::support::{Reply, Server};

#[test]
fn no_output_holds_the_key() {
    let replies: Vec<(u16, String)> = vec![
        (401, format!("{{\"error\":{{\"message\":\"Incorrect API key provided: {KEY}\"}}}}")),
        (403, format!("{{\"detail\":\"{KEY}\"}}")),
        (400, format!("your header was Authorization: Bearer {KEY}")),
        (200, format!("{{\"data\":[{{\"index\":0,\"embedding\":\"{KEY}\"}}]}}")),
        (200, format!("{{\"data\":{KEY}}}")),
        (200, format!("{{\"error\":\"{KEY}\"}}")),
        (302, String::new()),
        (200, format!("{{\"data\":[{{\"index\":0,\"embedding\":[1,2]}}],\"model\":\"{KEY}\"}}")),
    ];
    for kind in RemoteKind::ALL {
        for (status, body) in replies.clone() {
            let server = Server::start(move |_| {
                Reply::text(status, &body).header("Location", &format!("http://127.0.0.1:9/{KEY}"))
            });
            let bench = bench(kind, &server.url, &[("timeout", "5")]);
            let (came, end) = bench.filings(&[filing("f", &["One."], None)]);
            let queries = bench.queries(&["Who?"]);
            let said = [&end.as_ref().err(), &queries.as_ref().err()].map(|e| e.map(ToString::to_string));
            let all = format!(
                "{came:?} {end:?} {queries:?} {said:?} {:?} {:?}",
                bench.encoder,
                bench.encoder.identity().pairs()
            );
            // No part of it either.
            assert!(
                !all.contains(KEY) && !all.contains("7f3a9c") && !all.contains("kiln-key-"),
                "{kind} {status}: {all}"
            );
            assert!(server.asked().iter().all(|a| a.headers["authorization"] == format!("Bearer {KEY}")
                && !a.path.contains(KEY)
                && !a.body.to_string().contains(KEY)));
        }
    }
}

#[test]
fn a_key_in_a_spec_is_refused_and_not_repeated() {
    for (name, pairs) in [
        (KEY, vec![]),
        ("clay", vec![("url", "https://kiln-key-7f3a9c55@kiln.test/v1")]),
        ("clay", vec![("url", "https://kiln.test/v1?key=kiln-key-7f3a9c55")]),
        ("clay", vec![("query-prompt", KEY)]),
        ("clay", vec![("kiln-key", KEY)]),
    ] {
        let access = || Access::new(Secret::new(KEY, "KILN_KEY").unwrap(), Arc::default());
        let error = RemoteEncoder::new(RemoteKind::OpenAi, name, &settings(&pairs), access()).unwrap_err();
        assert!(!error.to_string().contains("7f3a9c"), "{error}");
    }
    // Without the key at hand addresses are judged by their form.
    let access = Access::new(None, Arc::new(Budget::default()));
    let url = settings(&[("url", "https://user:hunter2@kiln.test/")]);
    let error = RemoteEncoder::new(RemoteKind::OpenAi, "clay", &url, access).unwrap_err();
    assert!(!error.to_string().contains("hunter2"), "{error}");
}

#[test]
fn a_service_that_needs_a_key_is_not_asked_without() {
    for (kind, variable) in [
        (RemoteKind::OpenAi, "OPENAI_API_KEY"),
        (RemoteKind::Voyage, "VOYAGE_API_KEY"),
        (RemoteKind::Perplexity, "PERPLEXITY_API_KEY"),
        (RemoteKind::Jina, "JINA_API_KEY"),
    ] {
        let budget = Arc::new(Budget::default());
        let encoder =
            RemoteEncoder::new(kind, "clay-context", &settings(&[]), Access::new(None, Arc::clone(&budget))).unwrap();
        let error = encoder.encode_queries(&["Who?"], &mut |_, _| Ok(())).unwrap_err();
        assert!(error.to_string().contains(variable), "{error}");
        assert_eq!(budget.used().requests, 0);
        // An estimate needs none.
        assert_eq!(encoder.estimate(&[], &["Who?"]).requests, 1);
    }
}
