//! What goes in beside the data, and what comes out: options and counts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::Format;

/// How to export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExportOptions {
    /// Replace a folder that is in use, if this program wrote it.
    pub force: bool,
    /// Keep titles out of the field that readers of [`Format::Beir`] and [`Format::Mteb`] put before the text: a title names the company
    /// whose sentence it is. The others never have them there.
    pub bare: bool,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// The shape.
    pub format: Format,
    /// The folder.
    pub out: PathBuf,
    /// Whether titles were kept out of the text.
    pub bare: bool,
    /// The fingerprint of the data set, as everywhere.
    pub fingerprint: String,
    /// How many of everything.
    #[serde(flatten)]
    pub counts: ExportCounts,
    /// What the data set has and this format has no place for: what, and how many. Empty for [`Format::Jsonl`].
    pub not_carried: BTreeMap<&'static str, usize>,
    /// Files, sorted, relative to the folder.
    pub files: Vec<String>,
}

/// How many of everything, the same for every format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ExportCounts {
    /// Chunks.
    pub chunks: usize,
    /// Queries, those without gold included.
    pub queries: usize,
    /// Judgements in the graded qrels.
    pub graded_judgements: usize,
    /// Judgements in the answer-only qrels.
    pub answer_judgements: usize,
    /// Queries without any judgement: other tools leave them out of every mean.
    pub queries_without_gold: usize,
    /// Queries without an answer: absent from the answer-only qrels.
    pub queries_without_answer: usize,
    /// Golds that no chunk overlaps: in no qrels.
    pub golds_without_chunk: usize,
    /// Golds that several chunks overlap: each of those is a judgement of its own.
    pub golds_of_several_chunks: usize,
    /// Queries with a list of rivals, in `rivals.jsonl`.
    pub queries_with_rivals: usize,
}
