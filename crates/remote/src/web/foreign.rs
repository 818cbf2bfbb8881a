//! Bytes that a service sent, read as JSON and quoted for people.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

/// Most characters of an answer that a message quotes.
const LONGEST_QUOTE: usize = 300;

/// Longest answer that is searched for what it says of an error: vectors, read as JSON of any shape, would take many times their size.
const LONGEST_ERROR: usize = 64 << 10;

/// Characters quoted before and after the place where JSON is wrong.
const NEAR: usize = 24;

/// Why an answer could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It ends too soon; asking again may help.
    BrokenOff(String),
    /// It is something else than was asked for: what is wrong, as the end of a sentence about the answer ("holds two vectors …").
    Wrong(String),
}

/// Reads JSON of the expected shape.
pub(crate) fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Unread> {
    serde_json::from_slice(body).map_err(|e| {
        if is_page(body) {
            return Unread::Wrong("is a web page, not JSON; is the address (url=) right?".to_owned());
        }
        if body.trim_ascii().is_empty() {
            return Unread::BrokenOff("is empty".to_owned());
        }
        if e.is_eof() {
            return Unread::BrokenOff(format!("breaks off after {} bytes", body.len()));
        }
        // An error that comes with status 200: what it says is worth more than where its shape is wrong.
        if let Some(message) = Some(body).filter(|b| b.len() <= LONGEST_ERROR).and_then(message) {
            return Unread::Wrong(format!("is an error: \"{message}\""));
        }
        let near = near(body, e.line(), e.column());
        Unread::Wrong(format!("is not the JSON that was expected ({e}; near {near})"))
    })
}

fn is_page(body: &[u8]) -> bool {
    body.trim_ascii_start().first() == Some(&b'<')
}

/// What stands around a place (line and column from 1, columns in bytes), in quotes.
fn near(body: &[u8], line: usize, column: usize) -> String {
    let start = match line.checked_sub(2) {
        Some(newline) => memchr::memchr_iter(b'\n', body).nth(newline).map_or(0, |at| at + 1),
        None => 0,
    };
    let at = start.saturating_add(column).min(body.len());
    let around = body.get(at.saturating_sub(NEAR)..at.saturating_add(NEAR).min(body.len())).unwrap_or_default();
    format!("`{}`", printable(&String::from_utf8_lossy(around), 2 * NEAR))
}

/// One line of at most so many characters.
fn printable(text: &str, most: usize) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(most).collect();
    line.trim().to_owned()
}

/// What an error answer says of itself: the code for programs, and the message.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    /// Codes and types, in lower case, joined by spaces.
    pub(crate) codes: String,
    /// For people; empty where nothing sensible came.
    pub(crate) message: String,
}

/// Reads an error answer in any of the shapes that services use. Quotes are made from what `redact` leaves.
pub(crate) fn said(body: &[u8], redact: &dyn Fn(&str) -> String) -> Said {
    let text = redact(&String::from_utf8_lossy(body));
    if is_page(text.as_bytes()) {
        return Said { message: "a web page".to_owned(), ..Said::default() };
    }
    match message_and_codes(text.as_bytes()) {
        Some((message, codes)) => Said { codes, message },
        None => Said { message: printable(&text, LONGEST_QUOTE), ..Said::default() },
    }
}

fn message(body: &[u8]) -> Option<String> {
    message_and_codes(body).map(|(message, _)| message).filter(|m| !m.is_empty())
}

fn message_and_codes(body: &[u8]) -> Option<(String, String)> {
    use serde_json::Value;
    let value: Value = serde_json::from_slice(body).ok()?;
    let top = value.as_object()?;
    let text = |v: Option<&Value>| v.and_then(Value::as_str).map(str::to_owned);
    let inner = top.get("error").and_then(Value::as_object);
    let detail = top.get("detail").map(|d| match d {
        Value::String(s) => Cow::Borrowed(s.as_str()),
        other => Cow::Owned(other.to_string()),
    });
    let said = text(inner.and_then(|e| e.get("message")))
        .or_else(|| text(top.get("error")))
        .or_else(|| text(top.get("message")))
        .or_else(|| detail.map(Cow::into_owned))?;
    let codes =
        [inner.and_then(|e| e.get("code")), inner.and_then(|e| e.get("type")), top.get("code"), top.get("error_type")];
    let codes: Vec<String> = codes.into_iter().filter_map(text).map(|c| c.to_lowercase()).collect();
    Some((printable(&said, LONGEST_QUOTE), codes.join(" ")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Kiln {
        #[allow(dead_code)]
        heat: Vec<f64>,
    }

    fn wrong(body: &str) -> String {
        match json::<Kiln>(body.as_bytes()).unwrap_err() {
            Unread::Wrong(why) => why,
            other => panic!("{body}: {other:?}"),
        }
    }

    #[test]
    fn what_is_wrong_is_shown_where_it_stands() {
        assert!(wrong("{\"heat\": [0.5, NaN, 1]}").contains("NaN, 1"));
        assert!(wrong("{\n\"heat\":\n[0.5, null, 1]}").contains("null"));
        assert!(wrong("<html><body>Bad gateway</body></html>").contains("web page"));
        assert!(wrong("{\"error\": {\"message\": \"no such model\"}}").contains("is an error: \"no such model\""));
        assert!(wrong("[]").contains("not the JSON"));
        let deep = "[".repeat(100_000);
        assert!(wrong(&format!("{{\"heat\":{deep}")).contains("not the JSON"));
    }

    #[test]
    fn what_breaks_off_is_told_apart() {
        for body in ["", "  \n", "{\"heat\": [0.5,", "{\"heat\": [0.5]"] {
            assert!(matches!(json::<Kiln>(body.as_bytes()), Err(Unread::BrokenOff(_))), "{body}");
        }
        assert!(json::<Kiln>(b"{\"heat\":[1]}").is_ok());
    }

    #[test]
    fn errors_in_all_their_shapes() {
        let plain = |body: &str| said(body.as_bytes(), &str::to_owned);
        let quota = plain(
            r#"{"error":{"message":"You exceeded","type":"insufficient_quota","param":null,"code":"Insufficient_Quota"}}"#,
        );
        assert_eq!(
            (quota.message.as_str(), quota.codes.as_str()),
            ("You exceeded", "insufficient_quota insufficient_quota")
        );
        assert_eq!(plain(r#"{"error":"batch size 64","error_type":"Validation"}"#).codes, "validation");
        assert_eq!(plain(r#"{"detail":"Provided key is invalid"}"#).message, "Provided key is invalid");
        assert_eq!(
            plain(r#"{"detail":[{"loc":["body"],"msg":"field required"}]}"#).message,
            r#"[{"loc":["body"],"msg":"field required"}]"#
        );
        assert_eq!(plain(r#"{"message":"a\nb"}"#).message, "a b");
        assert_eq!(plain("<!doctype html>").message, "a web page");
        assert_eq!(plain("upstream\r\ngone").message, "upstream  gone");
        assert_eq!(plain("").message, "");
        let long = format!("{{\"message\":\"{}\"}}", "é".repeat(5000));
        assert_eq!(plain(&long).message.chars().count(), LONGEST_QUOTE);
    }

    #[test]
    fn a_key_is_gone_before_the_quote_is_cut() {
        let key = crate::web::Secret::new("kiln-key-0123456789", "K").unwrap().unwrap();
        let body = format!("{{\"message\":\"{} kiln-key-0123456789 is wrong\"}}", "x".repeat(LONGEST_QUOTE - 10));
        let said = said(body.as_bytes(), &|t| key.redact(t));
        assert!(!said.message.contains("kiln") && said.message.contains("***"), "{said:?}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(body in prop::collection::vec(prop::sample::select(b"{}[]\",:0NaN\n error\xff".to_vec()), 0..60)) {
            let _ = json::<Kiln>(&body);
            let _ = said(&body, &str::to_owned);
        }
    }
}
