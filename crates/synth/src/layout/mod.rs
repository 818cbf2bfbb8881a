//! The forms in which filings arrive.

mod html;
mod ixbrl;
mod markup;
mod plain;
mod submission;

use std::io::Write;

use crate::rng::Rng;
use crate::scene::{Frame, Scene};

/// The form of one filing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// XHTML with inline XBRL on its cover, since 2019.
    Ixbrl,
    /// HTML of the years after 2004: font elements, tables, no closing paragraph tags.
    OldHtml,
    /// A full submission whose primary document is HTML, with a press release attached.
    HtmlSubmission,
    /// A full submission of plain text, 1990s.
    TextSubmission,
    /// Plain text of the 1990s.
    Text,
    /// As `OldHtml`, compressed.
    GzHtml,
    /// As `Ixbrl`, compressed.
    GzIxbrl,
}

impl Style {
    pub(crate) fn draw(rng: &mut Rng) -> Self {
        match rng.below(100) {
            0..=33 => Self::Ixbrl,
            34..=58 => Self::OldHtml,
            59..=76 => Self::HtmlSubmission,
            77..=83 => Self::TextSubmission,
            84..=93 => Self::Text,
            94..=96 => Self::GzHtml,
            _ => Self::GzIxbrl,
        }
    }

    /// The form in which EDGAR serves such a filing: never compressed, and text only within its submission.
    pub(crate) fn as_served(self) -> Self {
        match self {
            Self::Text => Self::TextSubmission,
            Self::GzHtml => Self::OldHtml,
            Self::GzIxbrl => Self::Ixbrl,
            served => served,
        }
    }

    pub(crate) fn frame(self) -> Frame {
        let (first_year, last_year) = match self {
            Self::Ixbrl | Self::GzIxbrl => (2020, 2026),
            Self::OldHtml | Self::HtmlSubmission | Self::GzHtml => (2005, 2018),
            Self::TextSubmission | Self::Text => (1996, 2003),
        };
        let attaches = matches!(self, Self::HtmlSubmission | Self::TextSubmission);
        Frame { old_items: last_year < 2004, attaches, first_year, last_year }
    }

    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Ixbrl | Self::GzIxbrl => "ixbrl",
            Self::OldHtml | Self::GzHtml => "html",
            Self::HtmlSubmission | Self::TextSubmission => "sgml-txt",
            Self::Text => "extracted-text",
        }
    }

    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Ixbrl | Self::OldHtml => "htm",
            Self::HtmlSubmission | Self::TextSubmission | Self::Text => "txt",
            Self::GzHtml | Self::GzIxbrl => "htm.gz",
        }
    }

    /// Whether the document itself says whose it is and when it was filed.
    pub(crate) fn declares(self) -> bool {
        matches!(self, Self::Ixbrl | Self::GzIxbrl | Self::HtmlSubmission | Self::TextSubmission)
    }

    fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::TextSubmission)
    }

    /// A sentence as it can be read in this form: plain text of the time had no typographic marks.
    pub(crate) fn seen(self, sentence: &str) -> String {
        if self.is_text() { ascii(sentence) } else { sentence.to_owned() }
    }
}

fn ascii(text: &str) -> String {
    text.replace(['“', '”'], "\"").replace(['’', '‘'], "'").replace(['–', '—'], "-")
}

/// The bytes of a filing.
pub(crate) fn render(style: Style, scene: &Scene, rng: &mut Rng) -> Vec<u8> {
    match style {
        Style::Ixbrl => ixbrl::render(scene, rng).into_bytes(),
        Style::OldHtml => html::render(scene, rng).into_bytes(),
        Style::HtmlSubmission => {
            submission::render(scene, &html::render(scene, rng), "d8k.htm", html::exhibit).into_bytes()
        }
        Style::TextSubmission => {
            submission::render(scene, &plain::render(scene, rng), "d8k.txt", plain::exhibit).into_bytes()
        }
        Style::Text => plain::render(scene, rng).into_bytes(),
        Style::GzHtml => gz(html::render(scene, rng).as_bytes()),
        Style::GzIxbrl => gz(ixbrl::render(scene, rng).as_bytes()),
    }
}

/// Compressed without a name or a time, so that equal content gives equal bytes. Writing to memory cannot fail; if it did,
/// the plain bytes are as good.
fn gz(plain: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::GzBuilder::new().mtime(0).write(Vec::new(), flate2::Compression::default());
    match encoder.write_all(plain).and_then(|()| encoder.finish()) {
        Ok(packed) => packed,
        Err(_) => plain.to_vec(),
    }
}
