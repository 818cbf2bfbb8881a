//! Servers that are not well, or not what they should be.

use eightk_encode::EncodeError;
use eightk_remote::RemoteKind;
use serde_json::{Value, json};

use crate::encoding::{bare_answer, bench, filing, flat_answer, nested_answer};
use crate::support::{Asked, Reply, Server};

/// How encoding ends where the answer is what `change` makes of a good one.
fn ends(change: impl Fn(&mut Value) + Send + Sync + 'static) -> EncodeError {
    ends_with(move |asked| {
        let mut answer = flat_answer(asked);
        change(&mut answer);
        Reply::json(&answer)
    })
}

fn ends_with(reply: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> EncodeError {
    let server = Server::start(reply);
    let (came, end) =
        bench(RemoteKind::OpenAi, &server.url, &[]).filings(&[filing("f", &["One.", "Two.", "Three."], None)]);
    assert!(came.is_empty());
    end.unwrap_err()
}

fn assert_data(error: &EncodeError, part: &str) {
    assert!(matches!(error, EncodeError::Data(m) if m.contains(part)), "{error:?} should say {part:?}");
}

#[test]
fn answers_of_the_wrong_shape() {
    assert_data(&ends(|a| drop(a["data"].as_array_mut().unwrap().pop())), "2 vectors where 3 were asked for");
    assert_data(&ends(|a| a["data"][2]["index"] = 1.into()), "two vectors with index 1");
    assert_data(&ends(|a| a["data"][2]["index"] = 3.into()), "index 3");
    assert_data(&ends(|a| a["data"][2]["index"] = Value::Null), "without index");
    assert_data(&ends(|a| a["data"][1]["embedding"][2] = Value::Null), "null at position 2");
    assert_data(&ends(|a| a["data"][1]["embedding"] = "%%%".into()), "no base64");
    assert_data(&ends(|a| a["data"][1]["embedding"] = json!([[1, 2]])), "not the JSON");
    assert_data(&ends(|a| *a = json!({"error": {"message": "model is loading"}})), "model is loading");
    assert_data(&ends(|a| *a = json!([])), "not the JSON");
}

#[test]
fn vectors_that_are_none() {
    assert!(matches!(ends(|a| a["data"][1]["embedding"] = json!([1, 2])), EncodeError::Dimension { .. }));
    assert!(matches!(ends(|a| a["data"][1]["embedding"] = json!([0, 0, 0])), EncodeError::Zero { .. }));
    assert!(matches!(ends(|a| a["data"][1]["embedding"][1] = json!(1e60)), EncodeError::NotFinite { .. }));
    let nan = ends_with(|asked| Reply::text(200, &flat_answer(asked).to_string().replacen("1.0,", "NaN,", 1)));
    assert_data(&nan, "NaN,");
    // The bytes of a NaN in base64.
    assert!(matches!(ends(|a| a["data"][1]["embedding"] = "AADAfwAAAAAAAAAA".into()), EncodeError::NotFinite { .. }));
}

#[test]
fn dimensions_other_than_asked_for() {
    let server = Server::start(|asked| Reply::json(&flat_answer(asked)));
    let (_, end) = bench(RemoteKind::OpenAi, &server.url, &[("dims", "256")]).filings(&[filing("f", &["One."], None)]);
    assert!(matches!(end, Err(EncodeError::Dimension { .. })), "{end:?}");
    // Of two requests the second has other ones.
    let server = Server::start(|asked| {
        let mut answer = flat_answer(asked);
        if asked.nth > 0 {
            answer["data"][0]["embedding"] = json!([1, 2, 3, 4]);
        }
        Reply::json(&answer)
    });
    let shifting = bench(RemoteKind::OpenAi, &server.url, &[]);
    shifting.filings(&[filing("f", &["One."], None)]).1.unwrap();
    assert!(matches!(shifting.queries(&["Who?"]), Err(EncodeError::Dimension { .. })));
}

#[test]
fn pages_floods_and_silence() {
    assert_data(&ends_with(|_| Reply::text(200, "<!DOCTYPE html><html>Sign in</html>")), "web page");
    let down = ends_with(|_| Reply::text(502, "<html>Bad gateway</html>"));
    assert!(matches!(&down, EncodeError::Unavailable(m) if m.contains("502") && m.contains("tried 7 times")), "{down}");
    let flood = ends_with(|_| Reply::Flood);
    assert!(matches!(&flood, EncodeError::Unavailable(m) if m.contains("sent more than")), "{flood}");
    let server = Server::start(|_| Reply::Hang);
    let hanging = bench(RemoteKind::OpenAi, &server.url, &[("timeout", "0.05")]);
    let end = hanging.queries(&["Who?"]);
    assert!(matches!(&end, Err(EncodeError::Unavailable(m)) if m.contains("timeout=")), "{end:?}");
    assert_eq!(hanging.clock.pauses().len(), 6);
}

#[test]
fn answers_that_break_off_are_asked_for_again() {
    let server = Server::start(|asked| {
        let body = flat_answer(asked).to_string().into_bytes();
        let half = body[..body.len() / 2].to_vec();
        match asked.nth {
            0 => Reply::Cut(half),
            1 => Reply::Unmeasured(half),
            2 => Reply::Close,
            _ => Reply::json(&flat_answer(asked)),
        }
    });
    let bench = bench(RemoteKind::OpenAi, &server.url, &[]);
    assert_eq!(bench.queries(&["Who?"]).unwrap().len(), 1);
    assert_eq!(bench.budget.used().retries, 3);
}

#[test]
fn throttled_and_waited_for() {
    let server = Server::start(|asked| match asked.nth {
        0 => Reply::text(429, "{\"detail\":\"slow down\"}").header("Retry-After", "11"),
        1 => Reply::text(429, "").header("Retry-After", "Sun, 01 Mar 2026 12:01:00 GMT"),
        2 => Reply::text(429, ""),
        _ => Reply::json(&flat_answer(asked)),
    });
    let bench = bench(RemoteKind::OpenAi, &server.url, &[]);
    assert_eq!(bench.queries(&["Who?"]).unwrap().len(), 1);
    // The date is 60 s after the clock's noon; 11 s of them were waited already, but the clock of the day stands still in this test.
    assert_eq!(bench.clock.pauses(), [11.0, 60.0, 4.0 * crate::support::CHANCE]);
}

#[test]
fn documents_that_are_not_those_asked_for() {
    let ends = |change: fn(&mut Value)| {
        let server = Server::start(move |asked| {
            let mut answer = nested_answer(asked, "inputs");
            change(&mut answer);
            Reply::json(&answer)
        });
        let filings = [filing("f", &["One.", "Two."], Some("Title")), filing("g", &["Three."], Some("Title"))];
        bench(RemoteKind::Voyage, &server.url, &[]).filings(&filings).1.unwrap_err()
    };
    // The answer lists the last document first.
    assert_data(&ends(|a| a["data"][0]["index"] = 0.into()), "two documents with index 0");
    assert_data(&ends(|a| drop(a["data"].as_array_mut().unwrap().pop())), "1 documents where 2");
    assert_data(
        &ends(|a| a["data"][1]["data"][0]["index"] = 0.into()),
        "(index 0) that holds two vectors with index 0",
    );
    assert_data(&ends(|a| drop(a["data"][1]["data"].as_array_mut().unwrap().pop())), "2 vectors where 3");
    assert_data(&ends(|a| a["data"][0] = json!({"index": 1, "embedding": [1, 2, 3]})), "not the JSON");
    let server = Server::start(|asked| Reply::json(&json!(bare_answer(asked).as_array().unwrap()[1..])));
    let (_, end) = bench(RemoteKind::Tei, &server.url, &[]).filings(&[filing("f", &["One.", "Two."], None)]);
    assert_data(&end.unwrap_err(), "1 vectors where 2");
}
