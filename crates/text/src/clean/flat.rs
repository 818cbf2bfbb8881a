//! A document as a search index takes it: every tag a space, references decoded, nothing left out.
//!
//! Not what a reader sees, which is [`super::clean`]'s work: hidden passages stay, a word that tags split falls apart. It serves
//! to answer "would the full-text search have found this" for filings that no search covers.

use crate::TextError;
use crate::decode::decode;

use super::gunzip;
use super::references::{self, Replacement};

/// The text of a file with every tag a space. White space is left as it stands. Of a full submission that is all of it, header and
/// attached documents too: a search that knows only the file finds words anywhere in it.
///
/// # Errors
///
/// As of [`super::clean`], less those about what is visible.
pub fn flat_text(raw: &[u8]) -> Result<String, TextError> {
    let bytes = gunzip::unpacked(raw)?;
    let decoded = decode(&bytes)?;
    Ok(flattened(&decoded.text))
}

fn flattened(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    // Once no bracket closes behind one that opens, none closes behind a later one.
    let mut closing = true;
    while let Some(at) = memchr::memchr2(b'<', b'&', rest.as_bytes()) {
        let (before, here) = rest.split_at(at);
        out.push_str(before);
        let bytes = here.as_bytes();
        let tag = matches!(bytes.get(1), Some(c) if c.is_ascii_alphabetic() || b"/!?".contains(c));
        let len = if bytes.first() == Some(&b'&') {
            match references::decode(bytes) {
                Some((Replacement::Char(c), len)) => {
                    out.push(c);
                    len
                }
                Some((Replacement::Text(s), len)) => {
                    out.push_str(s);
                    len
                }
                None => {
                    out.push('&');
                    1
                }
            }
        } else if tag
            && closing
            && let Some(end) = memchr::memchr(b'>', bytes)
        {
            out.push(' ');
            end + 1
        } else {
            closing &= !tag;
            out.push('<');
            1
        };
        rest = here.get(len..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_spaces_and_references_characters() {
        let text = flat_text(b"<p>the<b>Mill</b> &amp; R&D,&nbsp;3 < 4<br/>x").unwrap();
        assert_eq!(text, " the Mill  & R&D,\u{a0}3 < 4 x");
        let many = flat_text("<a".repeat(100_000).as_bytes()).unwrap();
        assert_eq!(many.len(), 200_000);
    }

    #[test]
    fn of_a_submission_everything() {
        let file = "<SEC-HEADER>x</SEC-HEADER><DOCUMENT><TYPE>8-K\n<TEXT>one</TEXT></DOCUMENT><DOCUMENT><TYPE>EX-99\n<TEXT>two</TEXT>";
        let text = flat_text(file.as_bytes()).unwrap();
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["x", "8-K", "one", "EX-99", "two"]);
    }
}
