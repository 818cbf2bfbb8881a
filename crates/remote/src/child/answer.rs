//! What a child process may answer.

use eightk_core::{CharIndex, CharSpan, Span};
use eightk_encode::{EncodeError, EncodedChunk, Similarity, Vector};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::settings::similarity;

/// An answer line may have so many bytes, whatever was asked …
const LINE: usize = 1 << 16;
/// … and so many more for each vector: 16,384 numbers of 32 digits.
const PER_VECTOR: usize = 1 << 19;

/// How long the answer to a request for `vectors` may be.
pub(super) const fn longest(vectors: usize) -> usize {
    LINE.saturating_add(vectors.saturating_mul(PER_VECTOR))
}

/// The beginning of a line, for an error message.
pub(super) fn beginning(line: &[u8]) -> String {
    const SHOWN: usize = 120;
    let text = String::from_utf8_lossy(line.get(..SHOWN * 4).unwrap_or(line));
    let short: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SHOWN).collect();
    if short.len() < line.len() { format!("{short}…") } else { short }
}

/// One number; `null` is what careful writers make of NaN.
struct Number(f32);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::<f32>::deserialize(deserializer).map(|n| Self(n.unwrap_or(f32::NAN)))
    }
}

/// An answer with vectors, as it stands there.
#[derive(Deserialize)]
struct Vectors {
    vectors: Option<Vec<Vec<Number>>>,
    truncated: Option<Vec<bool>>,
    seen: Option<Vec<Option<(usize, usize)>>>,
    error: Option<Value>,
}

/// An answer to the question who it is.
#[derive(Debug, Default, PartialEq)]
pub(super) struct About {
    pub(super) model: Option<String>,
    pub(super) revision: Option<String>,
    pub(super) dims: Option<usize>,
    pub(super) similarity: Option<Similarity>,
    pub(super) context: Option<bool>,
}

/// As JSON. Python writes `NaN` and `Infinity` where JSON has no word; that is a fault in a vector, not in the line.
fn parsed<T: for<'de> Deserialize<'de>>(line: &[u8]) -> Result<T, String> {
    serde_json::from_slice(line).or_else(|e| {
        let repaired = with_numbers_of_python(line).ok_or_else(|| e.to_string())?;
        serde_json::from_slice(&repaired).map_err(|_| e.to_string())
    })
}

/// `NaN` as null and `Infinity` as a number too large for f32; none where neither stands outside of strings.
fn with_numbers_of_python(line: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut rest) = (Vec::with_capacity(line.len()), line);
    let (mut in_string, mut escaped, mut changed) = (false, false, false);
    while let Some((byte, tail)) = rest.split_first() {
        if !in_string && let Some(tail) = rest.strip_prefix(b"NaN") {
            out.extend_from_slice(b"null");
            (rest, changed) = (tail, true);
        } else if !in_string && let Some(tail) = rest.strip_prefix(b"Infinity") {
            out.extend_from_slice(b"1e300");
            (rest, changed) = (tail, true);
        } else {
            (in_string, escaped) = match (byte, in_string, escaped) {
                (b'"', _, false) => (!in_string, false),
                (b'\\', true, false) => (true, true),
                _ => (in_string, false),
            };
            out.push(*byte);
            rest = tail;
        }
    }
    changed.then_some(out)
}

/// What a message says in `{"error": …}`.
fn said(error: &Value) -> String {
    let text = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
    beginning(text.as_bytes())
}

/// The vectors of an answer to `what`, a request for `expected` of them. `context` is the text that was sent, its first
/// `before` code points being the prompt.
///
/// # Errors
///
/// [`EncodeError::Unavailable`] where the program says it cannot, [`EncodeError::Count`], [`EncodeError::Data`].
pub(super) fn vectors(
    line: &[u8],
    who: &str,
    what: &str,
    expected: usize,
    context: Option<(&str, usize)>,
) -> Result<Vec<EncodedChunk>, EncodeError> {
    let data = |why: String| EncodeError::Data(format!("{who}: {why}"));
    let answer: Vectors = parsed(line).map_err(|e| {
        let begin = beginning(line);
        data(format!(
            "its answer for {what} is no JSON object with \"vectors\" ({e}): {begin}\nEverything but answers belongs on stderr"
        ))
    })?;
    if let Some(error) = answer.error {
        return Err(EncodeError::Unavailable(format!("{who} cannot answer for {what}: {}", said(&error))));
    }
    let Some(vectors) = answer.vectors else {
        return Err(data(format!("its answer for {what} has no \"vectors\": {}", beginning(line))));
    };
    if vectors.len() != expected {
        return Err(EncodeError::Count { encoder: who.into(), what: what.into(), expected, given: vectors.len() });
    }
    let list = |name: &str, given: Option<usize>| match given {
        Some(given) if given != expected => {
            Err(data(format!("its answer for {what} has {given} values in \"{name}\" for {expected} vectors")))
        }
        _ => Ok(()),
    };
    list("truncated", answer.truncated.as_ref().map(Vec::len))?;
    list("seen", answer.seen.as_ref().map(Vec::len))?;
    let mut encoded: Vec<EncodedChunk> =
        vectors.into_iter().map(|v| EncodedChunk::whole(Vector::F32(v.into_iter().map(|n| n.0).collect()))).collect();
    for (chunk, truncated) in encoded.iter_mut().zip(answer.truncated.into_iter().flatten()) {
        chunk.truncated = truncated;
    }
    if let (Some((text, before)), Some(seen)) = (context, answer.seen) {
        let index = CharIndex::new(text);
        for (chunk, seen) in encoded.iter_mut().zip(seen) {
            let Some((start, end)) = seen else { continue };
            if start > end || end > index.char_len() + before {
                return Err(data(format!(
                    "its answer for {what} has seen [{start}, {end}], which is not in the context"
                )));
            }
            let bytes = index.to_bytes(CharSpan::new(start.saturating_sub(before), end.saturating_sub(before)));
            chunk.seen = (bytes != Span::new(0, text.len())).then_some(bytes);
        }
    }
    Ok(encoded)
}

/// Who it says it is. One that does not know the question says nothing about itself.
///
/// # Errors
///
/// [`EncodeError::Data`] for a line that is no JSON object, or one of the fields as it cannot be.
pub(super) fn about(line: &[u8], who: &str) -> Result<About, EncodeError> {
    let wrong = |why: &str| EncodeError::Data(format!("{who}: its answer to about {why}: {}", beginning(line)));
    let Ok(Value::Object(fields)) = parsed::<Value>(line) else { return Err(wrong("is no JSON object")) };
    let field = |name: &str| fields.get(name).filter(|v| !v.is_null());
    if field("error").is_some() {
        return Ok(About::default());
    }
    let text = |name: &'static str| match field(name) {
        None => Ok(None),
        Some(v) => {
            v.as_str().map(|s| Some(s.to_owned())).ok_or_else(|| wrong(&format!("has a {name} that is no string")))
        }
    };
    let dims = field("dims").map(|v| v.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0));
    let compared =
        text("similarity")?.map(|s| similarity(&s).ok_or_else(|| wrong("has a similarity other than cosine and dot")));
    Ok(About {
        model: text("model")?,
        revision: text("revision")?,
        dims: dims.map(|n| n.ok_or_else(|| wrong("has dims that are no positive number"))).transpose()?,
        similarity: compared.transpose()?,
        context: field("context")
            .map(|v| v.as_bool().ok_or_else(|| wrong("has a context that is neither true nor false")))
            .transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(line: &str, expected: usize) -> Result<Vec<EncodedChunk>, EncodeError> {
        vectors(line.as_bytes(), "enc", "f1", expected, None)
    }

    fn numbers(chunk: &EncodedChunk) -> Vec<f32> {
        chunk.vector.to_f32()
    }

    #[test]
    fn vectors_are_read_and_other_fields_ignored() {
        let read =
            read(r#" {"vectors": [[1, -2.5e0], [0.1, 0]], "took": {"ms": [3]}, "truncated": [false, true]} "#, 2)
                .unwrap();
        assert_eq!(numbers(&read[0]), [1.0, -2.5]);
        assert_eq!(numbers(&read[1]), [0.1, 0.0]);
        assert_eq!((read[0].truncated, read[1].truncated), (false, true));
    }

    #[test]
    fn numbers_python_has_and_json_has_not_are_numbers() {
        let read = read(r#"{"vectors": [[1, NaN, -Infinity, Infinity, null]], "note": "a \"NaN\" \\"}"#, 1).unwrap();
        let numbers = numbers(&read[0]);
        assert!(numbers[1].is_nan() && numbers[4].is_nan());
        assert_eq!((numbers[2], numbers[3]), (f32::NEG_INFINITY, f32::INFINITY));
    }

    #[test]
    fn each_fault_has_its_name() {
        for (line, wanted) in [
            ("Loading model…", "no JSON object"),
            ("[[1.0]]", "no JSON object"),
            (r#"{"vector": [[1.0]]}"#, "has no \"vectors\""),
            (r#"{"vectors": [[1.0]], "truncated": []}"#, "0 values in \"truncated\" for 1"),
            (r#"{"vectors": [["1.0"]]}"#, "no JSON object with \"vectors\""),
            (r#"{"vectors": [[1.0]]} {"vectors": [[1.0]]}"#, "trailing characters"),
            ("", "no JSON object"),
        ] {
            let error = read(line, 1).unwrap_err();
            assert!(
                matches!(&error, EncodeError::Data(m) if m.contains(wanted) && m.contains("f1")),
                "{line}: {error}"
            );
        }
        assert!(matches!(read(r#"{"vectors": [[1.0]]}"#, 2), Err(EncodeError::Count { expected: 2, given: 1, .. })));
        let error = read(r#"{"error": "out of memory"}"#, 1).unwrap_err();
        assert_eq!(error, EncodeError::Unavailable("enc cannot answer for f1: out of memory".into()));
        assert!(read(r#"{"vectors": [[1.0]], "error": null}"#, 1).is_ok());
    }

    #[test]
    fn what_was_seen_is_in_bytes_of_the_context_without_the_prompt() {
        let seen = |spans: &str| {
            let line = format!(r#"{{"vectors": [[1.0]], "seen": [{spans}]}}"#);
            vectors(line.as_bytes(), "enc", "f1", 1, Some(("éa b", 3))).map(|v| v[0].seen)
        };
        assert_eq!(seen("[0, 5]"), Ok(Some(Span::new(0, 3))));
        assert_eq!(seen("[4, 6]"), Ok(Some(Span::new(2, 4))));
        assert_eq!(seen("[0, 7]"), Ok(None), "all of it");
        assert_eq!(seen("null"), Ok(None));
        assert!(seen("[0, 8]").is_err());
        assert!(seen("[5, 4]").is_err());
    }

    #[test]
    fn a_program_may_say_who_it_is_or_not() {
        let read = |line: &str| about(line.as_bytes(), "enc");
        let full = r#"{"model": "tiny", "revision": "r", "dims": 4, "similarity": "dot", "context": false}"#;
        let wanted = About {
            model: Some("tiny".into()),
            revision: Some("r".into()),
            dims: Some(4),
            similarity: Some(Similarity::Dot),
            context: Some(false),
        };
        assert_eq!(read(full), Ok(wanted));
        for nothing in ["{}", r#"{"error": "what?"}"#, r#"{"vectors": []}"#, r#"{"dims": null}"#] {
            assert_eq!(read(nothing), Ok(About::default()), "{nothing}");
        }
        for wrong in [
            "no",
            "[]",
            r#"{"dims": 0}"#,
            r#"{"dims": "4"}"#,
            r#"{"similarity": "l2"}"#,
            r#"{"context": 1}"#,
            r#"{"model": 1}"#,
        ] {
            assert!(matches!(read(wrong), Err(EncodeError::Data(_))), "{wrong}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let line = format!("{{\"x\": {}", "[".repeat(1_000_000));
        assert!(read(&line, 1).is_err());
    }

    proptest! {
        #[test]
        fn no_line_is_a_panic(line in "(\\{|\\}|\\[|\\]|\"|\\\\|,|:|NaN|Infinity|vectors|seen|error|1|null|é| ){0,30}") {
            let _ = read(&line, 1);
            let _ = about(line.as_bytes(), "enc");
        }

        #[test]
        fn whatever_json_writes_is_not_repaired(texts in prop::collection::vec("(NaN|Infinity|\"|\\\\|x){0,6}", 0..4)) {
            let json = serde_json::to_vec(&texts).unwrap();
            prop_assert_eq!(with_numbers_of_python(&json), None);
        }
    }
}
