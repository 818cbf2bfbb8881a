//! The shapes a document takes between its bytes and its sentences.

use eightk_core::{Accession, FilingDate, Form, ItemSection, Span};

/// What kind of file the text came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// HTML.
    Html,
    /// XHTML, most often with inline XBRL.
    Xhtml,
    /// Plain text, or HTML that is one `<pre>` block.
    Plain,
}

/// What a paragraph was in its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParagraphKind {
    /// Running text, a heading, a list item: anything outside a real table. A table row of at most two non-empty cells is
    /// prose too, its cells joined by a space: that is how filings lay out headings and bullets.
    Prose,
    /// A row of a real table: three or more non-empty cells, joined by tabs.
    TableRow,
}

/// A stretch of text between two breaks. Sentences never cross it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paragraph {
    /// Where it stands in the text; trimmed, never empty. Between two paragraphs stands exactly one `\n`.
    pub span: Span,
    /// What it was.
    pub kind: ParagraphKind,
    /// Whether all its letters are bold, underlined, inside a heading element, or upper case.
    pub emphasis: bool,
    /// Whether a page break (`<hr>`, `page-break-*`, form feed, `<PAGE>`) stands directly before it.
    pub after_page_break: bool,
}

/// What the document says of itself, outside or inside its visible text. Every part may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declared {
    /// SGML header: accession number.
    pub accession: Option<Accession>,
    /// SGML header or dei: CIK of the filer (the first), without leading zeros.
    pub cik: Option<String>,
    /// Names of the registrant, best first: dei:EntityRegistrantName, SGML conformed name, cover page.
    pub companies: Vec<String>,
    /// SGML header: former names.
    pub former_names: Vec<String>,
    /// dei:TradingSymbol, in document order without repeats.
    pub tickers: Vec<String>,
    /// SGML header, `<TYPE>`, dei:DocumentType or cover page.
    pub form: Option<Form>,
    /// SGML header: filed as of date.
    pub filed: Option<FilingDate>,
    /// Date of report: SGML period, dei:DocumentPeriodEndDate, cover page.
    pub reported: Option<FilingDate>,
    /// Item titles of the SGML header's `ITEM INFORMATION` lines, as numbers where the title is known.
    pub items: Vec<String>,
}

/// The text of one inline XBRL fact of the `dei:` taxonomy, visible or hidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineFact {
    /// Its name without the prefix: `EntityRegistrantName`.
    pub name: String,
    /// Its text: markup gone, references decoded, white space collapsed.
    pub text: String,
}

/// A document's visible text.
#[derive(Debug, Clone)]
pub struct Cleaned {
    /// Visible text: paragraphs joined by `\n`.
    pub text: String,
    /// The paragraphs of `text`, in order, covering all but the line breaks between them.
    pub paragraphs: Vec<Paragraph>,
    /// From bytes of `text` to bytes of the source (after gunzip).
    pub map: crate::clean::SegmentMap,
    /// What it came from.
    pub kind: DocumentKind,
    /// What it says of itself.
    pub declared: Declared,
    /// The SGML header of a submission and the lines `<TYPE>`, `<SEQUENCE>`, … of its primary document, as they stand in the
    /// source; empty where the file is no submission.
    pub header_text: String,
    /// Facts about the filer in document order, those in hidden parts of the document included.
    pub inline_facts: Vec<InlineFact>,
}

/// The part of a document that tells the news: visible text less cover page, signatures and attached documents.
#[derive(Debug, Clone)]
pub struct Narrative {
    /// Its text, from the first Item heading on (or the passage before it that is no cover page).
    pub text: String,
    /// Its paragraphs; same rules as in [`Cleaned`].
    pub paragraphs: Vec<Paragraph>,
    /// From bytes of `text` to bytes of the source.
    pub map: crate::clean::SegmentMap,
    /// Items in document order; spans begin at the heading and do not overlap. Empty when no heading was found.
    pub items: Vec<ItemSection>,
    /// For each paragraph, whether it is an Item heading or the title line of one.
    pub headings: Vec<bool>,
}
