//! Bodies and answers of each service.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use eightk_encode::{Encoder, Similarity, Vector};
use eightk_remote::RemoteKind;
use serde_json::{Value, json};

use crate::encoding::{
    KEY, bare_answer, bench, bench_with, expected, filing, flat_answer, late_answer, nested_answer, nested_with,
};
use crate::support::{Reply, Server};

fn floats(chunks: &[eightk_encode::EncodedChunk]) -> Vec<Vec<f32>> {
    chunks.iter().map(|c| c.vector.to_f32()).collect()
}

#[test]
fn openai() {
    let server = Server::start(|asked| Reply::json(&flat_answer(asked)));
    let pairs = [("dims", "3"), ("query-prompt", "query: "), ("passage-prompt", "passage: ")];
    let bench = bench(RemoteKind::OpenAi, &format!("{}/v1", server.url), &pairs);
    let (came, end) = bench.filings(&[filing("f", &["One.", "Two."], None), filing("g", &["Three."], None)]);
    end.unwrap();
    assert_eq!(came[0].1[1].vector.to_f32(), expected("passage: Two.", &["passage: Two."]));
    assert_eq!(came.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1]);
    let queries = bench.queries(&["Who?"]).unwrap();
    assert_eq!(queries[0].1.vector.to_f32(), expected("query: Who?", &["query: Who?"]));
    let asked = server.asked();
    assert_eq!(asked[0].path, "/v1/embeddings");
    assert_eq!(asked[0].headers["authorization"], format!("Bearer {KEY}"));
    let input = json!(["passage: One.", "passage: Two.", "passage: Three."]);
    assert_eq!(
        asked[0].body,
        json!({"model": "clay-context-1", "input": input, "encoding_format": "float", "dimensions": 3})
    );
    assert_eq!(asked[1].body["input"], json!(["query: Who?"]));
    assert_eq!(bench.budget.used().tokens, 8);
    let identity = bench.encoder.identity();
    assert_eq!((identity.query_prompt.as_str(), identity.passage_prompt.as_str()), ("query: ", "passage: "));
    assert!(!bench.encoder.sees_context());
    let (_, end) = bench.filings(&[filing("f", &["One."], Some("Title"))]);
    assert!(end.unwrap_err().to_string().contains("contextual model"));
}

#[test]
fn openai_with_base64_where_floats_were_asked_for() {
    let server = Server::start(|asked| {
        let mut answer = flat_answer(asked);
        for item in answer["data"].as_array_mut().unwrap() {
            let numbers: Vec<f64> = serde_json::from_value(item["embedding"].take()).unwrap();
            let bytes: Vec<u8> = numbers.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
            item["embedding"] = BASE64_STANDARD.encode(bytes).into();
        }
        answer["data"].as_array_mut().unwrap().reverse();
        Reply::json(&answer)
    });
    let (came, end) = bench(RemoteKind::OpenAi, &server.url, &[]).filings(&[filing("f", &["One.", "Two."], None)]);
    end.unwrap();
    assert_eq!(floats(&came[0].1), [expected("One.", &["One."]), expected("Two.", &["Two."])]);
}

#[test]
fn tei() {
    let server = Server::start(|asked| Reply::json(&bare_answer(asked)));
    let pairs = [("query-prompt-name", "s2p_query"), ("model", "acme/clay")];
    let bench = bench(RemoteKind::Tei, &server.url, &pairs);
    let texts: Vec<String> = (0..70).map(|i| format!("Sentence {i}.")).collect();
    let queries: Vec<&str> = texts.iter().map(String::as_str).collect();
    let came = bench.queries(&queries).unwrap();
    assert!(
        came.iter().enumerate().all(|(i, (at, c))| i == *at && c.vector.to_f32() == expected(&texts[i], &[&texts[i]]))
    );
    let mut asked = server.asked();
    asked.sort_by_key(|a| std::cmp::Reverse(a.body["inputs"].as_array().unwrap().len()));
    assert_eq!(asked.iter().map(|a| a.body["inputs"].as_array().unwrap().len()).collect::<Vec<_>>(), [32, 32, 6]);
    assert_eq!(asked[0].path, "/embed");
    let mut body = asked[2].body.clone();
    body["inputs"] = Value::Null;
    assert_eq!(body, json!({"inputs": null, "normalize": true, "truncate": false, "prompt_name": "s2p_query"}));
    bench.filings(&[filing("f", &["One."], None)]).1.unwrap();
    assert_eq!(server.bodies()[3], json!({"inputs": ["One."], "normalize": true, "truncate": false}));
    assert_eq!(
        (bench.encoder.identity().model.as_str(), bench.encoder.identity().provider.as_str()),
        ("acme/clay", "tei")
    );
}

#[test]
fn voyage_in_context() {
    let server = Server::start(|asked| Reply::json(&nested_answer(asked, "inputs")));
    let bench = bench(RemoteKind::Voyage, &server.url, &[("dims", "3"), ("parallel", "1")]);
    assert!(bench.encoder.sees_context());
    let filings = [filing("f", &["One.", "Same."], Some("Title")), filing("g", &["Same."], Some("Other"))];
    let (came, end) = bench.filings(&filings);
    end.unwrap();
    let (first, second) = (["Title", "One.", "Same."], ["Other", "Same."]);
    assert_eq!(floats(&came[0].1), [expected("One.", &first), expected("Same.", &first)]);
    assert_eq!(floats(&came[1].1), [expected("Same.", &second)]);
    assert_ne!(came[0].1[1].vector, came[1].1[0].vector, "one sentence in two filings");
    // Without a context each chunk is a document of its own; so is each query.
    let (alone, end) = bench.filings(&[filing("f", &["One.", "Same."], None)]);
    end.unwrap();
    assert_eq!(floats(&alone[0].1), [expected("One.", &["One."]), expected("Same.", &["Same."])]);
    bench.queries(&["Who?", "What?"]).unwrap();
    let body = |inputs: Value, kind: &str| json!({"inputs": inputs, "model": "clay-context-1", "input_type": kind, "output_dtype": "float", "output_dimension": 3});
    let bodies = server.bodies();
    assert_eq!(bodies[0], body(json!([first, second]), "document"));
    assert_eq!(bodies[1], body(json!([["One."], ["Same."]]), "document"));
    assert_eq!(bodies[2], body(json!([["Who?"], ["What?"]]), "query"));
    assert_eq!(server.asked()[0].path, "/v1/contextualizedembeddings");
    assert!(bench.encoder.identity().settings["input_type"].contains("query"));
}

#[test]
fn voyage_numbers() {
    let cases: [(&str, Value, Vector); 3] = [
        ("int8", json!([-128, 0, 127, 5, 5, 5, 5, 5]), Vector::I8(vec![-128, 0, 127, 5, 5, 5, 5, 5])),
        ("ubinary", json!([0b1000_0001]), Vector::Bits(vec![0b1000_0001])),
        ("binary", json!([0b0100_0001 - 128]), Vector::Bits(vec![0b1000_0010])),
    ];
    for (dtype, written, vector) in cases {
        let server = Server::start(move |asked| Reply::json(&nested_with(asked, "inputs", |_| written.clone())));
        let bench = bench(RemoteKind::Voyage, &server.url, &[("dtype", dtype), ("dims", "8")]);
        assert_eq!(bench.queries(&["Who?"]).unwrap()[0].1.vector, vector, "{dtype}");
        assert_eq!(server.bodies()[0]["output_dtype"], dtype);
        let similarity = if dtype == "int8" { Similarity::Cosine } else { Similarity::Hamming };
        assert_eq!(bench.encoder.identity().similarity, similarity);
    }
}

#[test]
fn plain_models_of_voyage_and_perplexity() {
    let server = Server::start(|asked| Reply::json(&flat_answer(asked)));
    let pairs = [("url", server.url.as_str())];
    let voyage = bench_with(RemoteKind::Voyage, "voyage-9", &pairs, eightk_remote::Budget::default()).unwrap();
    assert!(!voyage.encoder.sees_context());
    voyage.queries(&["Who?"]).unwrap();
    let body = json!({"input": ["Who?"], "model": "voyage-9", "input_type": "query", "output_dtype": "float", "truncation": false});
    assert_eq!((server.bodies().remove(0), server.asked()[0].path.as_str()), (body, "/v1/embeddings"));

    let server = Server::start(|_| Reply::json(&json!({"data": [{"index": 0, "embedding": "/wE="}], "usage": null})));
    let pairs = [("url", server.url.as_str())];
    let perplexity =
        bench_with(RemoteKind::Perplexity, "pplx-embed-v1-4b", &pairs, eightk_remote::Budget::default()).unwrap();
    assert_eq!(perplexity.queries(&["Who?"]).unwrap()[0].1.vector, Vector::I8(vec![-1, 1]));
    assert_eq!(
        server.bodies()[0],
        json!({"input": ["Who?"], "model": "pplx-embed-v1-4b", "encoding_format": "base64_int8"})
    );
}

#[test]
fn perplexity_in_context() {
    let write = |[_, text, document]: [f64; 3]| {
        let bytes = [1, text as i64 as u8, document as i64 as u8];
        Value::from(BASE64_STANDARD.encode(bytes))
    };
    let server = Server::start(move |asked| Reply::json(&nested_with(asked, "input", write)));
    let bench = bench(RemoteKind::Perplexity, &server.url, &[("dims", "3")]);
    let (came, end) = bench.filings(&[filing("f", &["One.", "Two."], Some("Title"))]);
    end.unwrap();
    let bytes = |text: &str| {
        let [_, a, b] = crate::encoding::vector(text, &["Title", "One.", "Two."]);
        Vector::I8(vec![1, a as i64 as u8 as i8, b as i64 as u8 as i8])
    };
    assert_eq!(came[0].1.iter().map(|c| c.vector.clone()).collect::<Vec<_>>(), [bytes("One."), bytes("Two.")]);
    bench.queries(&["Who?"]).unwrap();
    let body = |input: Value| json!({"input": input, "model": "clay-context-1", "encoding_format": "base64_int8", "dimensions": 3});
    assert_eq!(server.bodies(), [body(json!([["Title", "One.", "Two."]])), body(json!([["Who?"]]))]);
    assert_eq!(bench.encoder.identity().similarity, Similarity::Cosine);

    let server = Server::start(|asked| Reply::json(&nested_with(asked, "input", |_| "gA==".into())));
    let binary = crate::encoding::bench(RemoteKind::Perplexity, &server.url, &[("dtype", "binary")]);
    let vector = binary.queries(&["Who?"]).unwrap().remove(0).1.vector;
    assert_eq!(vector.to_f32(), [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0, 1.0], "the first bit is the lowest");
    assert_eq!(server.bodies()[0]["encoding_format"], "base64_binary");
    assert_eq!(binary.encoder.identity().similarity, Similarity::Hamming);
}

#[test]
fn jina() {
    let server = Server::start(|asked| {
        Reply::json(&if asked.body["late_chunking"] == true { late_answer(asked) } else { flat_answer(asked) })
    });
    let bench = bench(RemoteKind::Jina, &server.url, &[("parallel", "1"), ("batch", "50")]);
    let filings = [
        filing("f", &["One.", "Same."], Some("Title")),
        filing("g", &["Same."], Some("Other")),
        filing("h", &["Three.", "Four."], None),
    ];
    let (came, end) = bench.filings(&filings);
    end.unwrap();
    let of = |at: usize| came.iter().find(|(i, _)| *i == at).map(|(_, chunks)| floats(chunks)).unwrap();
    let first = ["Title", "One.", "Same."];
    assert_eq!(of(0), [expected("One.", &first), expected("Same.", &first)]);
    assert_eq!(of(1), [expected("Same.", &["Other", "Same."])]);
    assert_eq!(of(2), [expected("Three.", &["Three."]), expected("Four.", &["Four."])]);
    bench.queries(&["Who?"]).unwrap();
    let body = |input: Value, late: bool, task: &str| {
        json!({"model": "clay-context-1", "input": input, "late_chunking": late, "embedding_type": "float", "normalized": true,
            "truncate": false, "task": task})
    };
    // Filings never share a request, whatever the batch.
    assert_eq!(
        server.bodies(),
        [
            body(json!(["Three.", "Four."]), false, "retrieval.passage"),
            body(json!(first), true, "retrieval.passage"),
            body(json!(["Other", "Same."]), true, "retrieval.passage"),
            body(json!(["Who?"]), false, "retrieval.query"),
        ]
    );
    assert!(bench.encoder.identity().settings["task"].contains("retrieval.query"));
}

#[test]
fn a_prompt_in_a_context_is_its_first_passage() {
    let server = Server::start(|asked| Reply::json(&nested_answer(asked, "inputs")));
    let bench = bench(RemoteKind::Voyage, &server.url, &[("passage-prompt", "passage:")]);
    let (came, end) = bench.filings(&[filing("f", &["One."], Some("Title"))]);
    end.unwrap();
    assert_eq!(server.bodies()[0]["inputs"], json!([["passage:", "Title", "One."]]));
    assert_eq!(floats(&came[0].1), [expected("One.", &["passage:", "Title", "One."])]);
}
