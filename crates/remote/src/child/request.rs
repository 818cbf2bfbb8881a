//! What a child process is asked: one JSON line each, in ASCII.

use std::borrow::Cow;
use std::io::{self, Write};

use eightk_core::{CharIndex, Span};
use eightk_encode::{Context, EncodeError, FilingInput};
use serde::Serialize;
use serde_json::ser::Formatter;

/// Of the protocol spoken here.
pub(super) const PROTOCOL: u32 = 1;

/// One request.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(super) enum Request<'a> {
    /// Who are you?
    About { protocol: u32 },
    /// One vector per chunk.
    Filing {
        id: &'a str,
        title: &'a str,
        chunks: Vec<Cow<'a, str>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        context: Option<InContext<'a>>,
    },
    /// One vector per query.
    Queries { queries: Vec<Cow<'a, str>> },
}

/// The text around the chunks and where in it they are, in code points.
#[derive(Debug, Serialize)]
pub(super) struct InContext<'a> {
    text: Cow<'a, str>,
    spans: Vec<(usize, usize)>,
}

/// A text behind its prompt.
fn prompted<'a>(prompt: &str, text: &'a str) -> Cow<'a, str> {
    if prompt.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(format!("{prompt}{text}")) }
}

impl<'a> Request<'a> {
    /// Asks for queries.
    pub(super) fn queries(queries: &[&'a str], prompt: &str) -> Self {
        Self::Queries { queries: queries.iter().map(|q| prompted(prompt, q)).collect() }
    }

    /// Asks for a filing.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Bug`] where a chunk does not stand in the context.
    pub(super) fn filing(filing: &'a FilingInput<'_>, prompt: &str) -> Result<Self, EncodeError> {
        let context = filing.context.as_ref().map(|c| in_context(filing, c, prompt)).transpose()?;
        let chunks = filing.chunks.iter().map(|c| prompted(prompt, &c.text)).collect();
        Ok(Self::Filing { id: filing.source_url, title: filing.title, chunks, context })
    }

    /// As one line, its end included.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Bug`]: nothing of this can fail to be JSON.
    pub(super) fn to_line(&self) -> Result<Vec<u8>, EncodeError> {
        let mut line = Vec::new();
        self.serialize(&mut serde_json::Serializer::with_formatter(&mut line, Ascii))
            .map_err(|e| EncodeError::Bug(format!("a request could not be written as JSON: {e}")))?;
        line.push(b'\n');
        Ok(line)
    }
}

fn in_context<'a>(filing: &FilingInput<'_>, context: &'a Context, prompt: &str) -> Result<InContext<'a>, EncodeError> {
    // Passage by passage, because looking each chunk up would be quadratic.
    let mut spans: Vec<Option<Span>> = vec![None; filing.chunks.len()];
    for passage in context.passages() {
        if let Some(slot) = passage.chunk.and_then(|c| spans.get_mut(c)) {
            slot.get_or_insert(passage.span);
        }
    }
    let index = CharIndex::new(context.text());
    let before = prompt.chars().count();
    let place = |(i, span): (usize, Option<Span>)| {
        let span = index.to_chars(span.ok_or_else(|| {
            EncodeError::Bug(format!(
                "chunk {i} of {} does not stand in the context it is to be seen in",
                filing.source_url
            ))
        })?);
        Ok((span.start + before, span.end + before))
    };
    let spans = spans.into_iter().enumerate().map(place).collect::<Result<_, EncodeError>>()?;
    Ok(InContext { text: prompted(prompt, context.text()), spans })
}

/// Writes JSON whose every character is ASCII.
struct Ascii;

impl Formatter for Ascii {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, char)) = rest.char_indices().find(|(_, c)| !c.is_ascii() || *c == '\u{7f}') {
            let (plain, tail) = rest.split_at(at);
            writer.write_all(plain.as_bytes())?;
            for unit in char.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = tail.get(char.len_utf8()..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eightk_encode::ChunkInput;
    use proptest::prelude::*;

    fn filing<'a>(chunks: &[&'a str], context: Option<Context>) -> FilingInput<'a> {
        let chunks = chunks.iter().map(|t| ChunkInput { id: "", text: (*t).into() }).collect();
        FilingInput { source_url: "f1", title: "Ünal 8-K", chunks, context }
    }

    fn line(request: &Request<'_>) -> String {
        String::from_utf8(request.to_line().unwrap()).unwrap()
    }

    #[test]
    fn the_lines_are_as_documented() {
        assert_eq!(line(&Request::About { protocol: PROTOCOL }), "{\"kind\":\"about\",\"protocol\":1}\n");
        assert_eq!(
            line(&Request::queries(&["who\n?"], "q: ")),
            "{\"kind\":\"queries\",\"queries\":[\"q: who\\n?\"]}\n"
        );
        assert_eq!(
            line(&Request::filing(&filing(&["a", "b"], None), "").unwrap()),
            "{\"kind\":\"filing\",\"id\":\"f1\",\"title\":\"\\u00dcnal 8-K\",\"chunks\":[\"a\",\"b\"]}\n"
        );
    }

    #[test]
    fn spans_count_code_points_and_leave_the_prompt_out() {
        let context = Context::joined([("Ré 𝄞", None), ("One.", Some(0)), ("Two é.", Some(1))]);
        let input = filing(&["One.", "Two é."], Some(context));
        let json: serde_json::Value =
            serde_json::from_slice(&Request::filing(&input, "péç: ").unwrap().to_line().unwrap()).unwrap();
        let text: Vec<char> = json["context"]["text"].as_str().unwrap().chars().collect();
        let spans = json["context"]["spans"].as_array().unwrap().iter();
        let cut: Vec<String> = spans
            .map(|s| text[s[0].as_u64().unwrap() as usize..s[1].as_u64().unwrap() as usize].iter().collect())
            .collect();
        assert_eq!(cut, ["One.", "Two é."]);
        assert_eq!(json["chunks"][1], "péç: Two é.");
        assert_eq!(text.iter().collect::<String>(), "péç: Ré 𝄞 One. Two é.");
    }

    #[test]
    fn a_chunk_outside_its_context_is_our_fault() {
        let input = filing(&["One."], Some(Context::joined([("Two.", None)])));
        assert!(matches!(Request::filing(&input, ""), Err(EncodeError::Bug(_))));
    }

    proptest! {
        #[test]
        fn any_text_is_one_ascii_line_and_comes_back(text in "\\PC{0,20}|[\\x00-\\x7f\u{85}\u{2028}𝄞é]{0,20}") {
            let bytes = Request::queries(&[&text], "").to_line().unwrap();
            prop_assert!(bytes.is_ascii());
            prop_assert_eq!(bytes.iter().position(|b| *b == b'\n'), Some(bytes.len() - 1));
            let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
            prop_assert_eq!(json["queries"][0].as_str(), Some(text.as_str()));
        }
    }
}
