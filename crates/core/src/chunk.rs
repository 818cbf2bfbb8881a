//! What is retrieved.

use serde::{Deserialize, Serialize};

use crate::CharSpan;

/// The id of the chunk that begins at code point `start` of a filing: `0000051434-25-000060#s65`.
pub fn chunk_id(source_url: &str, start: usize) -> String {
    format!("{source_url}#s{start}")
}

/// One sentence of one filing: a row of the `documents` config.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Unique in the data set.
    pub id: String,
    /// The sentence.
    pub text: String,
    /// The filing it comes from.
    pub source_url: String,
    /// `{company short name} 8-K {filing date}`; empty in data sets that have no titles.
    pub title: String,
    /// 0-based position among the filing's chunks.
    pub idx: usize,
    /// Where it stands in the filing's narrative.
    pub span: CharSpan,
}
