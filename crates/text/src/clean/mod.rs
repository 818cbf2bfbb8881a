//! From bytes to visible text.
//!
//! ```text
//! gunzip ──▶ sniff ──▶ submission ──▶ decode ──▶ html ──┐
//!            (refuse)  (primary doc)              plain ─┴▶ output (paragraphs + map)
//! ```

mod facts;
mod flat;
mod gunzip;
mod heading;
mod html;
mod lexer;
mod output;
mod pages;
mod plain;
mod references;
mod row;
mod segment_map;
mod sgml_tags;
mod style;
mod tags;
#[cfg(test)]
mod tests;

pub use flat::flat_text;
pub use segment_map::{Segment, SegmentMap};

use eightk_core::Span;

use crate::decode::decode;
use crate::document::{Cleaned, Declared, DocumentKind};
use crate::{TextError, sniff, submission};

/// Turns a file into its visible text.
///
/// `raw` is a primary document (HTML, XHTML with inline XBRL, plain text), a full submission, or either of them in gzip. The
/// map of the result leads to bytes of the whole file, after gunzip. [`Cleaned::declared`] is left empty.
///
/// # Errors
///
/// Every [`TextError`]: the file is no filing, or shows no text.
pub fn clean(raw: &[u8]) -> Result<Cleaned, TextError> {
    let bytes = gunzip::unpacked(raw)?;
    sniff::refuse_strangers(&bytes)?;
    let (header_text, body) = match submission::find(&bytes)? {
        Some(found) => (header_text(&bytes, &found), found.text),
        None => (String::new(), Span::new(0, bytes.len())),
    };
    let slice = bytes.get(body.start..body.end).unwrap_or_default();
    let decoded = decode(slice)?;
    let text = decoded.text.as_ref();

    let (output, kind, inline_facts) = if sniff::is_html(text) {
        let rendered = html::render(text);
        let kind = match () {
            () if rendered.all_pre => DocumentKind::Plain,
            () if sniff::is_xhtml(text) => DocumentKind::Xhtml,
            () => DocumentKind::Html,
        };
        (rendered.output, kind, rendered.facts)
    } else {
        (plain::document(text), DocumentKind::Plain, Vec::new())
    };
    let (text, paragraphs, map) = output.finish();
    if paragraphs.is_empty() {
        return Err(TextError::NoText);
    }
    let map = match &decoded.map {
        Some(inner) => map.through(inner),
        None => map,
    };
    Ok(Cleaned {
        text,
        paragraphs,
        map: map.shifted(body.start + decoded.skipped),
        kind,
        declared: Declared::default(),
        header_text,
        inline_facts,
    })
}

/// The header and the document's own lines, one after the other.
fn header_text(bytes: &[u8], found: &submission::Submission) -> String {
    let part = |span: Span| String::from_utf8_lossy(bytes.get(span.start..span.end).unwrap_or_default()).into_owned();
    let mut text = part(found.header);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&part(found.lines));
    text
}
