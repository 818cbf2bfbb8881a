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
    let Some((start, bare)) = start(bytes) else { return Ok(None) };
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

/// Where the header begins, and whether there is none but a bare document; `None` where the file is no submission.
fn start(bytes: &[u8]) -> Option<(usize, bool)> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    let first = |tag: &[u8]| memmem::find(head, tag);
    let envelope = first(b"<SEC-DOCUMENT>").or_else(|| first(b"<IMS-DOCUMENT>"));
    let header = first(b"<SEC-HEADER>").or_else(|| first(b"<IMS-HEADER>"));
    let bare = head.trim_ascii_start().starts_with(b"<DOCUMENT>");
    let dissemination = head.trim_ascii_start().starts_with(b"<SUBMISSION>");
    if envelope.is_none() && header.is_none() && !bare && !dissemination {
        return None;
    }
    Some((header.or(envelope).unwrap_or(0), bare))
}

/// The parts of a submission's beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    /// The envelope's first line, where there is one, and the header.
    pub(crate) header: Span,
    /// The lines of the primary document before its text, as far as it is reached.
    pub(crate) lines: Option<Span>,
}

/// Finds the header in the beginning of a submission, wherever that was cut off behind the header.
///
/// # Errors
///
/// [`TextError::Truncated`] where it ends inside the header.
pub(crate) fn find_head(bytes: &[u8]) -> Result<Option<Head>, TextError> {
    let Some((start, bare)) = start(bytes) else { return Ok(None) };
    let front = bytes.get(..start).unwrap_or_default();
    let envelope = memmem::find(front, b"<SEC-DOCUMENT>").or_else(|| memmem::find(front, b"<IMS-DOCUMENT>"));
    let begin = envelope.unwrap_or(start);
    let first_document = find_from(bytes, b"<DOCUMENT>", start);
    let closed = || [&b"</SEC-HEADER>"[..], b"</IMS-HEADER>"].iter().find_map(|tag| find_from(bytes, tag, start));
    let end = first_document.or_else(closed).ok_or(TextError::Truncated)?;
    let header = if bare { Span::default() } else { Span::new(begin, end) };
    let mut at = end;
    while let Some(document) = find_from(bytes, b"<DOCUMENT>", at) {
        let lines_start = document + b"<DOCUMENT>".len();
        let text = find_from(bytes, b"<TEXT>", lines_start);
        // Where the text is not reached the last line may be cut.
        let rest = bytes.get(lines_start..).unwrap_or_default();
        let lines_end = text.or_else(|| memchr::memrchr(b'\n', rest).map(|i| lines_start + i)).unwrap_or(lines_start);
        let lines = Span::new(lines_start, lines_end);
        if is_eight_k(slice(bytes, lines)) {
            return Ok(Some(Head { header, lines: Some(lines) }));
        }
        let Some(next) = text.and_then(|text| find_from(bytes, b"</DOCUMENT>", text)) else { break };
        at = next;
    }
    Ok(Some(Head { header, lines: None }))
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
    fn the_head_is_enough_for_the_header() {
        let lines = "<DOCUMENT>\n<TYPE>8-K\n<FILENAME>tarn.htm\n<TEXT>words";
        let file = format!("{HEADER}{}{lines}", document("EX-1", "one"));
        let found = find_head(file.as_bytes()).unwrap().unwrap();
        assert!(found.header.of(&file).starts_with("<SEC-DOCUMENT>x.txt"));
        assert!(found.lines.unwrap().of(&file).contains("<FILENAME>tarn.htm"));
        let cut = file.find("rn.htm").unwrap();
        let found = find_head(&file.as_bytes()[..cut]).unwrap().unwrap();
        assert_eq!(found.lines.unwrap().of(&file).trim(), "<TYPE>8-K");
        let found = find_head(HEADER.as_bytes()).unwrap().unwrap();
        assert_eq!(found.lines, None);
        assert_eq!(find_head(&HEADER.as_bytes()[..HEADER.len() - 4]), Err(TextError::Truncated));
        assert_eq!(find_head(b"a text"), Ok(None));
    }

    #[test]
    fn other_forms_have_no_primary_document() {
        let file = format!("{HEADER}{}", document("10-Q", "x"));
        assert_eq!(find(file.as_bytes()), Err(TextError::NoPrimaryDocument));
        assert_eq!(find(b"just a text about <DOCUMENT>"), Ok(None));
    }
}
