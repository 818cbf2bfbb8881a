//! Cleaning as a whole: crafted documents, bad input, invariants.

mod bad_input;
mod markup;
mod plain_text;
mod properties;
mod sources;
mod tables;

use super::clean;
use crate::{Cleaned, ParagraphKind};

/// Cleans a document that must clean.
fn cleaned(source: &str) -> Cleaned {
    clean(source.as_bytes()).unwrap()
}

/// The paragraphs of an HTML body; table rows with `|` for their tabs.
fn body(markup: &str) -> Vec<String> {
    paragraphs(&cleaned(&format!("<html><body>{markup}</body></html>")))
}

/// The paragraphs of a plain-text document.
fn plain(text: &str) -> Vec<String> {
    paragraphs(&cleaned(text))
}

fn paragraphs(c: &Cleaned) -> Vec<String> {
    c.paragraphs
        .iter()
        .map(|p| {
            let text = p.span.of(&c.text);
            match p.kind {
                ParagraphKind::Prose => text.to_owned(),
                ParagraphKind::TableRow => format!("[{}]", text.replace('\t', "|")),
            }
        })
        .collect()
}

/// What must hold of every result.
fn check(source: &[u8], c: &Cleaned) {
    let mut at = 0;
    for (i, p) in c.paragraphs.iter().enumerate() {
        let text = p.span.of(&c.text);
        assert!(!text.is_empty() && text.trim() == text, "paragraph {i}: {text:?}");
        assert!(!text.contains('\n'), "paragraph {i}: {text:?}");
        assert!(!text.contains("  "), "paragraph {i}: {text:?}");
        assert_eq!(p.span.start, if i == 0 { 0 } else { at + 1 }, "paragraph {i}");
        at = p.span.end;
    }
    assert_eq!(at, c.text.len());
    let (mut out, mut from) = (0, 0);
    for s in c.map.segments() {
        assert_eq!(s.out, out, "{s:?}");
        assert!(s.source >= from, "{s:?} after {from}");
        out += s.out_len;
        from = s.source + s.source_len;
    }
    assert_eq!(out, c.text.len());
    assert!(from <= source.len());
}
