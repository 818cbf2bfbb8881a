//! A data set in the shapes that other tools read.
//!
//! | format | made for | files |
//! |---|---|---|
//! | `beir` | BEIR and everything that reads its folders | `corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv` (graded), `qrels/answer.tsv` |
//! | `mteb` | MTEB's retrieval loader, `datasets` | Parquet configs `corpus`, `queries`, `default` (answers), `graded-qrels` |
//! | `trec` | `trec_eval`, `ir_measures`, Anserini and Pyserini | `topics.tsv`, `qrels.graded.trec`, `qrels.answer.trec`, `collection/documents.jsonl` |
//! | `jsonl` | plain programs, and this one | `documents.jsonl`, `queries.jsonl`, `filings.jsonl`, `audit/rivals.jsonl` |
//!
//! Other tools know two ways to read grades: gains in nDCG, and "above 0" everywhere else. Their recall over the graded qrels is
//! therefore `evidence_recall`, never `standard_recall`. So judgements are written twice: graded as published, and the
//! answers alone, each with grade 1. What a format has no place for is counted ([`Exported::not_carried`]), never dropped in
//! silence; what a format cannot hold (an id with blanks between TREC columns) is an error, for a changed id would match no run.
//! Ids are written as they are, queries under [`query_id`](eightk_core::query_id).
//!
//! The folder appears whole or not at all, with a README of its own and a `manifest.json` that names the fingerprint.

mod beir;
mod exported;
mod format;
mod ids;
mod jsonl;
mod lines;
mod mteb;
mod outgoing;
mod readme;
#[cfg(test)]
mod tests;
mod trec;

use std::path::Path;

use serde::Serialize;

pub use exported::{ExportCounts, ExportOptions, Exported};
pub use format::Format;
use outgoing::Outgoing;

use crate::write::{Staging, pretty};
use crate::{DataSet, DatasetError, fingerprint, judge};

/// Writes a data set to a folder in another shape. The same data set and options give the same bytes.
///
/// # Errors
/// An id or a grade that the format cannot hold; a folder that is in use; the file system.
pub fn export(
    dataset: &DataSet,
    format: Format,
    target: &Path,
    options: ExportOptions,
) -> Result<Exported, DatasetError> {
    let judged = judge(dataset);
    let set = Outgoing::new(dataset, &judged, options.bare && format.prepends_titles());
    // Before a folder is made: what cannot be written need not be begun.
    ids::check(&set, format)?;
    let folder = Staging::create(target, options.force)?;
    let files = match format {
        Format::Beir => beir::write(&set, &folder),
        Format::Mteb => mteb::write(&set, &folder),
        Format::Trec => trec::write(&set, &folder),
        Format::Jsonl => jsonl::write(&set, &folder),
    }?;
    let mut exported = Exported {
        format,
        out: target.to_owned(),
        bare: set.bare,
        fingerprint: fingerprint(dataset),
        counts: set.counts(),
        not_carried: set.not_carried(format),
        files,
    };
    folder.file("README.md", readme::render(&exported).as_bytes())?;
    exported.files.extend(["README.md", "manifest.json"].map(str::to_owned));
    exported.files.sort();
    folder.file("manifest.json", &pretty(&Manifest::new(&exported), "manifest.json")?)?;
    exported.out = folder.commit()?;
    Ok(exported)
}

/// `manifest.json`: says that the folder is ours to replace, and of which data set it is. No path of this machine.
#[derive(Serialize)]
struct Manifest<'a> {
    tool: &'static str,
    version: &'static str,
    format: Format,
    bare: bool,
    fingerprint: &'a str,
    counts: &'a ExportCounts,
    not_carried: &'a std::collections::BTreeMap<&'static str, usize>,
    files: &'a [String],
}

impl<'a> Manifest<'a> {
    fn new(exported: &'a Exported) -> Self {
        Self {
            tool: "eightk",
            version: env!("CARGO_PKG_VERSION"),
            format: exported.format,
            bare: exported.bare,
            fingerprint: &exported.fingerprint,
            counts: &exported.counts,
            not_carried: &exported.not_carried,
            files: &exported.files,
        }
    }
}
