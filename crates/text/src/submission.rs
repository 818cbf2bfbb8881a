//! The full submission: an SGML header and all documents of a filing in one file.
//!
//! Only the primary document is read. Attachments are not even looked at: an 8-K of one page may carry exhibits of a hundred.

use eightk_core::Span;
use memchr::memmem;

use crate::TextError;

/// Where the parts stand in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Submission {
    /// The header, before the first document. Empty for a bare `<DOCUMENT>`.
    pub(crate) header: Span,
    /// The lines between `<DOCUMENT>` and `<TEXT>` of the primary document.
    pub(crate) lines: Span,
    /// What stands between `<TEXT>` and `</TEXT>`.
    pub(crate) text: Span,
}

/// How far into a file a submission may begin (PEM envelopes stand before it).
const HEAD: usize = 8 * 1024;

/// Finds the primary 8-K document of a submission; `None` where the file is no submission.
///
/// # Errors
///
/// [`TextError::Truncated`] where the file ends inside that document or before any, [`TextError::NoPrimaryDocument`] where no
/// document is an 8-K or 8-K/A.
pub(crate) fn find(bytes: &[u8]) -> Result<Option<Submission>, TextError> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let first = |tag: &[u8]| memmem::find(head, tag);
    let envelope = first(b"<SEC-DOCUMENT>").or_else(|| first(b"<IMS-DOCUMENT>"));
    let header = first(b"<SEC-HEADER>").or_else(|| first(b"<IMS-HEADER>"));
    let bare = head.trim_ascii_start().starts_with(b"<DOCUMENT>");
    let dissemination = head.trim_ascii_start().starts_with(b"<SUBMISSION>");
    if envelope.is_none() && header.is_none() && !bare && !dissemination {
        return Ok(None);
    }
    let start = header.or(envelope).unwrap_or(0);
    let Some(first_document) = find_from(bytes, b"<DOCUMENT>", start) else { return Err(TextError::Truncated) };
    let header = if bare { Span::default() } else { Span::new(start, first_document) };
    let mut at = first_document;
    let mut incomplete = false;
    while let Some(document) = find_from(bytes, b"<DOCUMENT>", at) {
        let lines_start = document + b"<DOCUMENT>".len();
        let Some(text) = find_from(bytes, b"<TEXT>", lines_start) else {
            incomplete = true;
            break;
        };
        let lines = Span::new(lines_start, text);
        let body = text + b"<TEXT>".len();
        if is_eight_k(slice(bytes, lines)) {
            let end = find_from(bytes, b"</TEXT>", body).ok_or(TextError::Truncated)?;
            return Ok(Some(Submission { header, lines, text: Span::new(body, end) }));
        }
        let Some(next) = find_from(bytes, b"</DOCUMENT>", body) else {
            incomplete = true;
            break;
        };
        at = next;
    }
    Err(if incomplete { TextError::Truncated } else { TextError::NoPrimaryDocument })
}

fn slice(bytes: &[u8], span: Span) -> &[u8] {
    bytes.get(span.start..span.end).unwrap_or_default()
}

fn find_from(bytes: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    bytes.get(from..).and_then(|rest| memmem::find(rest, needle)).map(|i| from + i)
}

/// Whether the lines of a document say `<TYPE>8-K` or `<TYPE>8-K/A`.
fn is_eight_k(lines: &[u8]) -> bool {
    let Some(at) = memmem::find(lines, b"<TYPE>") else { return false };
    let rest = lines.get(at + b"<TYPE>".len()..).unwrap_or_default();
    let end = memchr::memchr3(b'\n', b'\r', b'<', rest).unwrap_or(rest.len());
    let form = rest.get(..end).unwrap_or_default().trim_ascii();
    form.eq_ignore_ascii_case(b"8-K") || form.eq_ignore_ascii_case(b"8-K/A")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "<SEC-DOCUMENT>x.txt : 20260101\n<SEC-HEADER>x\nFORM TYPE: 8-K\n</SEC-HEADER>\n";

    fn document(form: &str, text: &str) -> String {
        format!("<DOCUMENT>\n<TYPE>{form}\n<SEQUENCE>1\n<TEXT>{text}</TEXT>\n</DOCUMENT>\n")
    }

    #[test]
    fn the_primary_document_is_found_behind_others() {
        let file =
            format!("{HEADER}{}{}{}", document("EX-1", "one"), document("8-K/A", "two"), document("8-K", "three"));
        let found = find(file.as_bytes()).unwrap().unwrap();
        assert_eq!(found.text.of(&file), "two");
        assert!(found.header.of(&file).starts_with("<SEC-HEADER>"));
        assert!(found.lines.of(&file).contains("<TYPE>8-K/A"));
    }

    #[test]
    fn cut_submissions_are_told() {
        let file = format!("{HEADER}{}", document("8-K", "some words"));
        let end = file.find("</TEXT>").unwrap();
        for cut in [HEADER.len(), HEADER.len() + 12, end - 3, end + 3] {
            assert_eq!(find(&file.as_bytes()[..cut]), Err(TextError::Truncated), "{cut}");
        }
        assert!(find(&file.as_bytes()[..end + 7]).unwrap().is_some());
    }

    #[test]
    fn other_forms_have_no_primary_document() {
        let file = format!("{HEADER}{}", document("10-Q", "x"));
        assert_eq!(find(file.as_bytes()), Err(TextError::NoPrimaryDocument));
        assert_eq!(find(b"just a text about <DOCUMENT>"), Ok(None));
    }
}
