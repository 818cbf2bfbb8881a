//! The order of things: batches, waves, windows, halves, budgets.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use eightk_encode::{ChunkInput, Context, EncodeError, Encoder, Estimate, FilingInput};
use eightk_remote::{Budget, RemoteKind, Used};
use serde_json::Value;

use crate::encoding::{bare_answer, bench, bench_with, expected, filing, flat_answer, late_answer, nested_answer};
use crate::support::{Reply, Server};

const TEXTS: [&str; 9] = ["a1", "b22", "c333", "d4444", "e55555", "f666666", "g7", "h88", "i999"];

fn single_filings() -> Vec<FilingInput<'static>> {
    TEXTS.iter().map(|t| filing(t, &[t], None)).collect()
}

fn inputs(body: &Value) -> usize {
    body["input"].as_array().unwrap().len()
}

#[test]
fn what_is_finished_is_told_before_more_is_asked() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let server = Server::start(|asked| Reply::json(&flat_answer(asked)));
    let bench = bench(RemoteKind::OpenAi, &server.url, &[("batch", "1"), ("parallel", "2")]);
    let end = bench.encoder.encode_filings(&single_filings(), &mut |at, chunks| {
        assert_eq!(chunks[0].vector.to_f32(), expected(TEXTS[at], &[TEXTS[at]]));
        seen.lock().unwrap().push((at, server.asked().len()));
        Ok(())
    });
    end.unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.iter().map(|(at, _)| *at).collect::<Vec<_>>(), (0..9).collect::<Vec<_>>());
    for (at, asked) in seen.iter() {
        assert!(*asked <= (at / 2 + 1) * 2, "filing {at} was told after {asked} requests");
    }
}

#[test]
fn whoever_takes_no_more_ends_it() {
    let server = Server::start(|asked| Reply::json(&flat_answer(asked)));
    let bench = bench(RemoteKind::OpenAi, &server.url, &[("batch", "2"), ("parallel", "1")]);
    let mut told = Vec::new();
    let end = bench.encoder.encode_filings(&single_filings(), &mut |at, _| {
        told.push(at);
        if at == 2 { Err(EncodeError::Unavailable("the disk is full".into())) } else { Ok(()) }
    });
    assert_eq!(end, Err(EncodeError::Unavailable("the disk is full".into())));
    assert_eq!((told, server.asked().len()), (vec![0, 1, 2], 2));
}

#[test]
fn a_failed_request_takes_no_paid_one_with_it() {
    let server = Server::start(|asked| {
        let bad = asked.body["input"][0] == "b22";
        if bad { Reply::text(400, "{\"error\":\"no\"}") } else { Reply::json(&flat_answer(asked)) }
    });
    let bench = bench(RemoteKind::OpenAi, &server.url, &[("batch", "1"), ("parallel", "4")]);
    let (came, end) = bench.filings(&single_filings());
    assert!(matches!(end, Err(EncodeError::Unavailable(_))));
    assert_eq!(came.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 2, 3], "the rest of its wave");
    assert_eq!(server.asked().len(), 4);
    // The same where its vectors are bad.
    let server = Server::start(|asked| {
        let mut answer = flat_answer(asked);
        if asked.body["input"][0] == "b22" {
            answer["data"][0]["embedding"] = serde_json::json!([0, 0, 0]);
        }
        Reply::json(&answer)
    });
    let bench = crate::encoding::bench(RemoteKind::OpenAi, &server.url, &[("batch", "1"), ("parallel", "4")]);
    let (came, end) = bench.filings(&single_filings());
    assert!(matches!(end, Err(EncodeError::Zero { .. })));
    assert_eq!(came.len(), 3);
}

#[test]
fn a_run_goes_on_where_one_was_killed() {
    let server = Server::start(|asked| Reply::json(&flat_answer(asked)));
    let budget = Budget::new(Some(3), None);
    let pairs = [("url", server.url.as_str()), ("batch", "2"), ("parallel", "2")];
    let bench = bench_with(RemoteKind::OpenAi, "clay", &pairs, budget).unwrap();
    let (came, end) = bench.filings(&single_filings());
    let Err(EncodeError::Budget(said)) = end else { panic!("{end:?}") };
    // Two batches, then one: what fits is still done.
    assert_eq!(came.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert!(said.contains("3 requests") && said.contains("needs 2 more requests"), "{said}");
    assert_eq!(bench.encoder.used(), Used { requests: 3, tokens: 12, retries: 0 });
    assert_eq!(bench.encoder.usage().requests, 3);
}

#[test]
fn a_filing_is_told_when_its_last_batch_is_there() {
    let server = Server::start(|asked| Reply::json(&flat_answer(asked)));
    let bench = bench(RemoteKind::OpenAi, &server.url, &[("batch", "2"), ("parallel", "1")]);
    let filings =
        [filing("f", &["a1", "b22", "c333"], None), filing("g", &[], None), filing("h", &["d4444", "e55555"], None)];
    let (came, end) = bench.filings(&filings);
    end.unwrap();
    assert_eq!(came.iter().map(|(at, chunks)| (*at, chunks.len())).collect::<Vec<_>>(), [(1, 0), (0, 3), (2, 2)]);
    assert_eq!(came[1].1[2].vector.to_f32(), expected("c333", &["c333"]));
    assert_eq!(server.bodies().iter().map(inputs).collect::<Vec<_>>(), [2, 2, 1]);
}

#[test]
fn too_large_batches_are_halved_and_remembered() {
    for (status, said) in
        [(413, ""), (422, "{\"error\":\"batch size 6 > maximum allowed batch size 2\",\"error_type\":\"Validation\"}")]
    {
        let server = Server::start(move |asked| {
            if asked.body["inputs"].as_array().unwrap().len() > 2 {
                Reply::text(status, said)
            } else {
                Reply::json(&bare_answer(asked))
            }
        });
        let bench = bench(RemoteKind::Tei, &server.url, &[("batch", "6"), ("parallel", "1")]);
        let (came, end) = bench.filings(&single_filings());
        end.unwrap();
        assert!(
            came.iter()
                .enumerate()
                .all(|(i, (at, c))| i == *at && c[0].vector.to_f32() == expected(TEXTS[i], &[TEXTS[i]]))
        );
        let sizes: Vec<usize> = server.bodies().iter().map(|b| b["inputs"].as_array().unwrap().len()).collect();
        // Six, halved to three, halved to two; from then on two.
        assert_eq!(sizes, [6, 3, 2, 1, 2, 1, 2, 1]);
        bench.queries(&["q1", "q2", "q3"]).unwrap();
        assert_eq!(server.asked().len(), 10);
    }
    // One that is refused alone is an error.
    let server = Server::start(|_| Reply::text(413, "too large"));
    let (_, end) = bench(RemoteKind::Tei, &server.url, &[]).filings(&[filing("f", &["a1", "b22"], None)]);
    assert!(
        matches!(&end, Err(EncodeError::Unavailable(m)) if m.contains("413") && m.contains("too large")),
        "{end:?}"
    );
}

fn long_filing(sentences: &[String]) -> FilingInput<'_> {
    let pieces =
        std::iter::once(("Title", None)).chain(sentences.iter().enumerate().map(|(i, t)| (t.as_str(), Some(i))));
    let context = Some(Context::joined(pieces));
    let chunks = sentences.iter().map(|t| ChunkInput { id: t, text: t.into() }).collect();
    FilingInput { source_url: "f", title: "", chunks, context }
}

#[test]
fn a_filing_too_long_goes_in_windows_that_are_recorded() {
    let server = Server::start(|asked| Reply::json(&late_answer(asked)));
    let bench = bench(RemoteKind::Jina, &server.url, &[("max-tokens", "60")]);
    assert_eq!(bench.encoder.identity().settings["max_tokens"], "60");
    let sentences: Vec<String> = (0..25).map(|i| format!("Sentence {i:02}.")).collect();
    let long = long_filing(&sentences);
    let (came, end) = bench.filings(std::slice::from_ref(&long));
    end.unwrap();
    assert_eq!(came.len(), 1);
    let text = long.context.as_ref().unwrap().text();
    for (chunk, sentence) in came[0].1.iter().zip(&sentences) {
        let seen = chunk.seen.unwrap();
        let seen = text.get(seen.start..seen.end).unwrap();
        // The texts of the window, as the server saw them.
        let window: Vec<Value> = server
            .bodies()
            .iter()
            .map(|b| b["input"].clone())
            .filter(|input| {
                input.as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect::<Vec<_>>().join(" ") == seen
            })
            .collect();
        assert_eq!(window.len(), 1, "{seen:?}");
        let texts: Vec<&str> = window[0].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect();
        assert_eq!(chunk.vector.to_f32(), expected(sentence, &texts));
        assert!(!chunk.truncated);
    }
    assert_eq!(bench.encoder.estimate(std::slice::from_ref(&long), &[]).requests as usize, server.asked().len());
}

#[test]
fn long_texts_are_refused_before_anything_is_sent_or_cut_and_marked() {
    let server = Server::start(|asked| Reply::json(&flat_answer(asked)));
    let long = "word ".repeat(20);
    let chunks =
        vec![ChunkInput { id: "short", text: "a1".into() }, ChunkInput { id: "long", text: long.as_str().into() }];
    let filings = [FilingInput { source_url: "f", title: "", chunks, context: None }];
    let strict = bench(RemoteKind::OpenAi, &server.url, &[("max-tokens", "20")]);
    let (_, end) = strict.filings(&filings);
    assert!(
        matches!(&end, Err(EncodeError::Usage(m)) if m.contains("chunk long of f") && m.contains("truncate=true")),
        "{end:?}"
    );
    assert_eq!(server.asked().len(), 0);
    let cutting = bench(RemoteKind::OpenAi, &server.url, &[("max-tokens", "20"), ("truncate", "true")]);
    let (came, end) = cutting.filings(&filings);
    end.unwrap();
    assert_eq!(came[0].1.iter().map(|c| c.truncated).collect::<Vec<_>>(), [false, true]);
    let sent = server.bodies()[0]["input"][1].as_str().unwrap().to_owned();
    assert!(long.starts_with(&sent) && sent.len() == 54, "{sent}");
    assert!(cutting.queries(&[&long]).unwrap()[0].1.truncated);
}

#[test]
fn empty_texts_are_refused_before_anything_is_sent() {
    let server = Server::start(|asked| Reply::json(&nested_answer(asked, "inputs")));
    let bench = bench(RemoteKind::Voyage, &server.url, &[]);
    for title in [None, Some("Title")] {
        let (_, end) = bench.filings(&[filing("f", &["a1", " "], title)]);
        assert!(matches!(&end, Err(EncodeError::Data(m)) if m.contains("has no text")), "{end:?}");
    }
    assert!(matches!(bench.queries(&["Who?", ""]), Err(EncodeError::Data(m)) if m.contains("query 2")));
    assert_eq!(server.asked().len(), 0);
    // An empty passage around the chunks is nobody's and left out.
    bench.filings(&[filing("f", &["a1"], Some("  "))]).1.unwrap();
    assert_eq!(server.bodies()[0]["inputs"], serde_json::json!([["a1"]]));
}

#[test]
fn estimates_are_what_is_then_sent() {
    let server = Server::start(|asked| Reply::json(&nested_answer(asked, "inputs")));
    let bench = bench(RemoteKind::Voyage, &server.url, &[("batch", "2"), ("price", "0.5")]);
    let filings: Vec<_> = (0..5).map(|_| filing("f", &["a1", "b22"], Some("Title"))).collect();
    let Estimate { requests, tokens, dollars, seconds } = bench.encoder.estimate(&filings, &["Who?", "What?", "When?"]);
    assert_eq!((requests, seconds, server.asked().len()), (5, Some(1.25), 0));
    assert_eq!(dollars, Some(tokens as f64 * 0.5 / 1e6));
    bench.filings(&filings).1.unwrap();
    bench.queries(&["Who?", "What?", "When?"]).unwrap();
    assert_eq!(server.asked().len(), 5);
    let listed = bench_with(RemoteKind::Voyage, "voyage-context-3", &[], Budget::default()).unwrap();
    let estimate = listed.encoder.estimate(&filings, &[]);
    assert_eq!(estimate.dollars, Some(estimate.tokens as f64 * 0.18 / 1e6));
}

#[test]
fn requests_of_a_wave_are_under_way_at_once() {
    let under_way = Arc::new((Mutex::new(0_usize), Condvar::new()));
    let counter = Arc::clone(&under_way);
    let server = Server::start(move |asked| {
        let (count, bell) = &*counter;
        let mut count = count.lock().unwrap();
        *count += 1;
        bell.notify_all();
        // Nobody is answered before three have asked; alone, the first would wait in vain.
        let (count, waited) = bell.wait_timeout_while(count, Duration::from_secs(20), |n| *n < 3).unwrap();
        drop(count);
        if waited.timed_out() { Reply::text(400, "alone") } else { Reply::json(&flat_answer(asked)) }
    });
    let bench = bench(RemoteKind::OpenAi, &server.url, &[("batch", "3"), ("parallel", "3")]);
    bench.filings(&single_filings()).1.unwrap();
    assert_eq!(*under_way.0.lock().unwrap(), 3);
}

#[test]
fn any_number_of_threads_gives_the_same() {
    let run = |parallel: &str| {
        let server = Server::start(|asked| Reply::json(&flat_answer(asked)));
        bench(RemoteKind::OpenAi, &server.url, &[("batch", "1"), ("parallel", parallel)]).filings(&single_filings())
    };
    let one = run("1");
    for parallel in ["2", "4", "16"] {
        assert_eq!(run(parallel), one);
    }
}
