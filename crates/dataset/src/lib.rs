//! Data sets in the Hugging Face shape: write, read back, describe, audit.
//!
//! A data set is a folder of three configs — `documents`, `queries`, and our own `filings` — with a card, a manifest and an
//! audit beside them. [`read()`] takes any set of that shape, ours or not, and reports what it had to fill in; [`Shelf`] opens one
//! without loading it; [`judge()`] turns golds into qrels; [`fingerprint()`] names the rows; [`Writer`] writes a folder whole or
//! not at all; [`audit()`] holds a set against its own rules; [`export()`] writes it in the shapes of BEIR, MTEB and TREC tools.
#![deny(missing_docs)]

mod audit;
mod error;
mod export;
mod fingerprint;
mod judge;
mod model;
mod read;
mod shelf;
mod spans;
#[cfg(test)]
mod testing;
mod write;

pub use audit::{AuditReport, Check, Outcome as CheckOutcome, audit};
pub use eightk_core::short_name;
pub use error::{DatasetError, ErrorKind, Place};
pub use export::{ExportCounts, ExportOptions, Exported, Format, export};
pub use fingerprint::{fingerprint, hex};
pub use judge::{GoldRef, Judged, SpanIndex, judge};
pub use model::{DataSet, FilingRow};
pub use read::{MissingColumn, Purpose, ReadReport, Source, files_of, fuzz_jsonl, read};
pub use shelf::{
    AuditFacts, ChunkMarks, DroppedSentence, FoundFilings, GoldMark, Shelf, ShelfFacts, ShelfFiling, ShelfOptions,
};
pub use spans::{Repaired, UnfitSpan, repair_spans};
pub use write::{
    Audited, CardText, Dropped, InputFiling, Manifest, Range, RecipeUsed, Refused, ShardFile, Staging, Statistics,
    WriteOptions, Writer, Written, remove_unfinished,
};
