//! What an answer other than success means.

use std::time::Duration;

use eightk_encode::EncodeError;
use jiff::Timestamp;

use super::foreign::{Said, said};
use super::wire::Answer;
use super::{Endpoint, Secret, pause};

/// Statuses that may pass.
const PASSING: [u16; 9] = [408, 409, 425, 429, 500, 502, 503, 504, 529];

/// Longest pause that a service may ask for.
const LONGEST_ASKED: Duration = Duration::from_secs(600);

/// A refusal, judged.
#[derive(Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) error: EncodeError,
    pub(crate) then: Then,
    /// In a few words, for whoever watches.
    pub(crate) reason: String,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// Give up.
    Stop,
    /// Send less at once.
    Halve,
    /// Send it again after this pause, or after one that is drawn.
    Again(Option<Duration>),
}

/// Judges an answer whose status is no success.
pub(crate) fn judge(who: &str, to: &Endpoint, key: Option<&Secret>, answer: &Answer, wall: Timestamp) -> Refusal {
    let redact = |text: &str| key.map_or_else(|| text.to_owned(), |k| k.redact(text));
    let Said { codes, message } = said(&answer.body, &redact);
    let status = answer.status;
    let quoted = if message.is_empty() { String::new() } else { format!(": \"{message}\"") };
    let head = format!("{who}: {} answered {status}{quoted}", to.as_str());
    let usage = |hint: String| (EncodeError::Usage(format!("{head}; {hint}")), Then::Stop);
    let unavailable = |hint: &str, then| (EncodeError::Unavailable(format!("{head}; {hint}")), then);
    let (error, then) = match status {
        429 if codes.contains("insufficient_quota") => {
            unavailable("the account's quota is used up, and waiting does not help: see its billing page", Then::Stop)
        }
        status if PASSING.contains(&status) => match pause::asked(&answer.headers, wall) {
            Some(wait) if wait > LONGEST_ASKED => {
                let hint =
                    format!("it asks to wait for {} s: run again after that; what is finished is kept", wait.as_secs());
                unavailable(&hint, Then::Stop)
            }
            asked if status == 429 => unavailable(
                "run again later, or ask less at once (parallel=1); what is finished is kept",
                Then::Again(asked),
            ),
            asked => unavailable("it may be well again later: run again; what is finished is kept", Then::Again(asked)),
        },
        413 => unavailable("the request is too large for it: set batch= or max-tokens= lower", Then::Halve),
        422 if message.to_lowercase().contains("batch size") => {
            unavailable("it takes fewer texts at once: set batch= lower", Then::Halve)
        }
        401 | 403 => usage(match key {
            Some(key) => format!("the key from {} is not accepted, or may not use this model", key.origin()),
            None => "it wants a key: set its environment variable, or name one by key-env=".to_owned(),
        }),
        404 | 405 => usage("is the model's name right, and the address (url=)?".to_owned()),
        300..=399 => {
            let target = answer.headers.get("location").and_then(|l| l.to_str().ok()).map(|l| redact(shown(l)));
            let target = target.map_or_else(String::new, |t| format!(" to {t}"));
            usage(format!("it redirects{target}, which is not followed: give the address (url=) that answers itself"))
        }
        _ => unavailable("asking again does not help", Then::Stop),
    };
    Refusal { error, then, reason: format!("answered {status}") }
}

/// Of a redirect's target what can be shown: neither a query nor anything before an `@`.
fn shown(target: &str) -> &str {
    let plain = target.split(['?', '#']).next().unwrap_or_default();
    if plain.contains('@') || plain.len() > 200 { "another address" } else { plain }
}

#[cfg(test)]
mod tests {
    use ureq::http::HeaderMap;

    use super::*;

    fn judged(status: u16, headers: &[(&'static str, &str)], body: &str) -> Refusal {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        let key = Secret::new("kiln-key-1", "KILN_KEY").unwrap();
        let answer = Answer { status, headers: map, body: body.into() };
        let to = Endpoint::parse("http://kiln.test/v1", None).unwrap();
        judge("kiln:clay", &to, key.as_ref(), &answer, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn what_passes_is_tried_again_and_nothing_else() {
        for status in [408, 409, 425, 429, 500, 502, 503, 504, 529] {
            assert_eq!(judged(status, &[], "").then, Then::Again(None), "{status}");
        }
        for status in [301, 307, 400, 401, 402, 403, 404, 405, 410, 422, 424, 501, 505] {
            assert_eq!(judged(status, &[], "").then, Then::Stop, "{status}");
        }
        let asked = judged(503, &[("retry-after", "9")], "").then;
        assert_eq!(asked, Then::Again(Some(Duration::from_secs(9))));
        let long = judged(429, &[("retry-after", "86400")], "");
        assert!(long.then == Then::Stop && long.error.to_string().contains("86400 s"), "{long:?}");
    }

    #[test]
    fn an_empty_account_is_final() {
        let quota = judged(429, &[("retry-after", "1")], r#"{"error":{"message":"m","code":"insufficient_quota"}}"#);
        assert!(quota.then == Then::Stop && quota.error.to_string().contains("billing"), "{quota:?}");
    }

    #[test]
    fn too_much_at_once_is_halved() {
        assert_eq!(judged(413, &[], "").then, Then::Halve);
        let tei = r#"{"error":"batch size 64 > maximum allowed batch size 32","error_type":"Validation"}"#;
        assert_eq!(judged(422, &[], tei).then, Then::Halve);
        assert_eq!(judged(422, &[], r#"{"error":"must have less than 512 tokens"}"#).then, Then::Stop);
    }

    #[test]
    fn messages_say_what_to_do_and_hold_no_key() {
        let said = judged(401, &[], r#"{"detail":"kiln-key-1 is unknown"}"#).error.to_string();
        assert!(
            said.contains("\"*** is unknown\"") && said.contains("KILN_KEY") && !said.contains("kiln-key-1"),
            "{said}"
        );
        let moved = judged(308, &[("location", "https://other.test/v1?key=kiln-key-1")], "").error.to_string();
        assert!(moved.contains("https://other.test/v1,") && !moved.contains("kiln-key-1"), "{moved}");
        assert!(matches!(judged(404, &[], "").error, EncodeError::Usage(_)));
        assert!(matches!(judged(400, &[], "").error, EncodeError::Unavailable(_)));
    }
}
