//! A filing from its description to its sentences.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Accession, CharIndex, Chunk, DropReason, FilingDate, Span, chunk_id};

/// Which form was filed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default)]
pub enum Form {
    /// A current report.
    #[default]
    #[serde(rename = "8-K")]
    EightK,
    /// An amendment of one.
    #[serde(rename = "8-K/A")]
    EightKA,
}

impl Form {
    /// The name EDGAR gives it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EightK => "8-K",
            Self::EightKA => "8-K/A",
        }
    }

    /// Reads EDGAR's name; any other form is `None`.
    pub fn parse(s: &str) -> Option<Self> {
        let s = s.trim();
        let name = |n: &str| s.eq_ignore_ascii_case(n);
        if name("8-K") {
            Some(Self::EightK)
        } else if name("8-K/A") {
            Some(Self::EightKA)
        } else {
            None
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is known of a filing besides its text. `None` means not known, never a guess.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FilingMeta {
    /// Groups the chunks of one filing: the accession number, or the file's stem where the filing has none.
    pub source_url: String,
    /// EDGAR's number.
    pub accession: Option<Accession>,
    /// Central Index Key, digits without leading zeros.
    pub cik: Option<String>,
    /// Registrant's name as its source spells it (`Ostwick Paper Company`, `TARWICK SEMICONDUCTOR CORP`).
    pub company: Option<String>,
    /// Names the registrant had before, and further spellings of the present one that its sources use.
    pub other_names: Vec<String>,
    /// Ticker symbols.
    pub tickers: Vec<String>,
    /// Form type; `None` when neither manifest nor document says it.
    pub form: Option<Form>,
    /// Day of filing; the day of the report where only that is known.
    pub filed: Option<FilingDate>,
    /// Item numbers that a header or manifest promises: `2.05`, or `5` in the numbering before August 2004.
    pub expected_items: Vec<String>,
    /// Where the document was published.
    pub url: Option<String>,
    /// SHA-256 of the file as it was read (before gunzip), lower-case hex.
    pub sha256: String,
}

/// One Item of the report, or several whose headings share one text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemSection {
    /// Numbers in heading order: `["2.05"]`, `["1.01", "2.03"]` where headings are stacked, `["5"]` before 2004.
    pub numbers: Vec<String>,
    /// Title as the heading spells it; empty where the heading has none.
    pub title: String,
    /// From the first byte of the heading to the next Item's heading or the end of the narrative.
    pub span: Span,
    /// The number of the Item that this one points to ("incorporated by reference into this Item"), if that is all it does.
    pub redirect: Option<String>,
}

/// One sentence of the narrative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    /// Where it stands in the narrative, in bytes; trimmed of white space.
    pub span: Span,
    /// Why it is no chunk; `None` when it is kept.
    pub dropped: Option<DropReason>,
    /// Index of the Item it stands in; `None` before the first.
    pub item: Option<usize>,
}

impl Sentence {
    /// Whether it becomes a chunk.
    pub const fn kept(&self) -> bool {
        self.dropped.is_none()
    }
}

/// A filing that has been cleaned and split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filing {
    /// What is known of it.
    pub meta: FilingMeta,
    /// The narrative: visible text less cover page, signatures and attached documents.
    pub text: String,
    /// Items in document order; spans do not overlap.
    pub items: Vec<ItemSection>,
    /// Every sentence in document order, kept or dropped; spans do not overlap.
    pub sentences: Vec<Sentence>,
}

impl Filing {
    /// The text of a sentence.
    pub fn sentence_text(&self, sentence: &Sentence) -> &str {
        sentence.span.of(&self.text)
    }

    /// The kept sentences as chunks, in order. Offsets become code points here.
    pub fn chunks(&self, title: &str) -> Vec<Chunk> {
        let index = CharIndex::new(&self.text);
        let kept = self.sentences.iter().filter(|s| s.kept()).enumerate();
        kept.map(|(i, s)| {
            let span = index.to_chars(s.span);
            Chunk {
                id: chunk_id(&self.meta.source_url, span.start),
                text: self.sentence_text(s).to_owned(),
                source_url: self.meta.source_url.clone(),
                title: title.to_owned(),
                idx: i,
                span,
            }
        })
        .collect()
    }
}
