//! Contexts that were made elsewhere, one per chunk, as JSON lines.
//!
//! Reading the file is left to whoever may read files.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::RetrieveError;

#[derive(Deserialize)]
struct Line {
    chunk_id: String,
    prefix: Option<String>,
    context: Option<String>,
}

/// Reads lines like `{"chunk_id": "0000000000-25-000001#s65", "prefix": "This is from Brackwater's report of May."}` into a map
/// from chunk id to context. The context may be called `context` too; other fields and empty lines are passed over.
///
/// # Errors
///
/// [`RetrieveError::Prefix`] with the number of the first line that is no such object, has neither context or both, or repeats a chunk id.
pub fn parse_prefixes(text: &str) -> Result<BTreeMap<String, String>, RetrieveError> {
    let mut prefixes = BTreeMap::new();
    for (line, json) in (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
        if json.trim().is_empty() {
            continue;
        }
        let wrong = |why: String| RetrieveError::Prefix { line, why };
        let Line { chunk_id, prefix, context } =
            serde_json::from_str(json).map_err(|e| wrong(format!("cannot be read ({e})")))?;
        let prefix = match (prefix, context) {
            (Some(prefix), None) | (None, Some(prefix)) => prefix,
            (None, None) => return Err(wrong("has neither `prefix` nor `context`".to_owned())),
            (Some(_), Some(_)) => return Err(wrong("has both `prefix` and `context`".to_owned())),
        };
        if prefixes.contains_key(&chunk_id) {
            return Err(wrong(format!("gives chunk `{chunk_id}` a second context")));
        }
        prefixes.insert(chunk_id, prefix.trim().to_owned());
    }
    Ok(prefixes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_names_of_the_field_are_read() {
        let text = "\u{feff}{\"chunk_id\": \"a#s0\", \"prefix\": \" Of Alder. \", \"model\": \"x\"}\r\n\n{\"chunk_id\":\"a#s1\",\"context\":\"\"}";
        let read = parse_prefixes(text).unwrap();
        assert_eq!(read, BTreeMap::from([("a#s0".into(), "Of Alder.".into()), ("a#s1".into(), String::new())]));
        assert!(parse_prefixes("").unwrap().is_empty());
    }

    #[test]
    fn a_bad_line_is_named() {
        let good = "{\"chunk_id\": \"a\", \"prefix\": \"x\"}\n\n";
        for (bad, says) in [
            ("{", "cannot be read"),
            ("[]", "cannot be read"),
            ("{\"prefix\": \"x\"}", "chunk_id"),
            ("{\"chunk_id\": \"b\"}", "neither"),
            ("{\"chunk_id\": \"b\", \"prefix\": 7}", "cannot be read"),
            ("{\"chunk_id\": \"b\", \"prefix\": \"x\", \"context\": \"y\"}", "both"),
            ("{\"chunk_id\": \"a\", \"context\": \"y\"}", "second context"),
        ] {
            let error = parse_prefixes(&format!("{good}{bad}")).unwrap_err().to_string();
            assert!(error.starts_with("line 3 ") && error.contains(says), "{bad}: {error}");
        }
    }
}
