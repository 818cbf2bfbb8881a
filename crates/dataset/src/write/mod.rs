//! A data set into a folder.
//!
//! Filings stream through: each is encoded as it comes and forgotten. Queries, rivals and the card come after, when everything is
//! known. The folder appears whole or not at all ([`staging`]).

mod card;
mod distribution;
#[cfg(test)]
mod hub_tests;
mod manifest;
mod plots;
pub(crate) mod shards;
mod staging;
mod statistics;
pub(crate) mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use eightk_core::{CharSpan, Chunk, DropReason, Query, RivalSet};
use serde::Serialize;

pub use card::CardText;
pub use manifest::{InputFiling, Manifest, RecipeUsed, Refused};
pub use shards::ShardFile;
pub use statistics::{Range, Statistics};

use crate::audit::{AuditReport, audit};
use crate::fingerprint::Fingerprint;
use crate::read::{RIVALS, chunk_rows};
use crate::{DataSet, DatasetError, FilingRow, ReadReport};
use shards::Shards;
pub use staging::{Staging, remove_unfinished};

/// How to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// Replace a folder that is in use.
    pub force: bool,
    /// Rows of one shard at most, in every config.
    pub rows_per_shard: usize,
    /// Audit the data set before it is put in place. Costs the memory of the whole data set: rows are kept for it. Without it there
    /// is no `audit/result.json`.
    pub audit: bool,
}

impl Default for WriteOptions {
    /// Nothing replaced, a million rows per shard, audited.
    fn default() -> Self {
        Self { force: false, rows_per_shard: 1_000_000, audit: true }
    }
}

/// A sentence that is no chunk: one line of `audit/dropped.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dropped<'a> {
    /// Its filing.
    pub source_url: &'a str,
    /// First code point in the filing's text.
    pub start: usize,
    /// First code point after.
    pub end: usize,
    /// Why it was dropped.
    pub reason: DropReason,
    /// The sentence.
    pub text: &'a str,
}

impl<'a> Dropped<'a> {
    /// A dropped sentence of a filing.
    pub fn new(source_url: &'a str, span: CharSpan, reason: DropReason, text: &'a str) -> Self {
        Self { source_url, start: span.start, end: span.end, reason, text }
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The folder.
    pub folder: PathBuf,
    /// The data set's fingerprint.
    pub fingerprint: String,
    /// What it holds.
    pub statistics: Statistics,
    /// How the invariants went; `None` when no audit was asked for.
    pub audit: Option<AuditReport>,
}

/// What an audit leaves in the folder.
#[derive(Debug, Clone, PartialEq)]
pub struct Audited {
    /// How the invariants went.
    pub invariants: AuditReport,
    /// `audit/result.json`.
    pub result: serde_json::Value,
    /// What the card says of it below its heading `Audit`, in Markdown; empty: no such section.
    pub card: String,
}

impl Audited {
    /// The invariants and nothing else.
    fn invariants(dataset: &DataSet) -> Result<Self, DatasetError> {
        let invariants = audit(dataset, &ReadReport::default());
        let result = serde_json::to_value(&invariants).map_err(|e| DatasetError::encode(RESULT)(e.to_string()))?;
        Ok(Self { invariants, result, card: String::new() })
    }
}

/// Where the audit's result lies.
pub(crate) const RESULT: &str = "audit/result.json";

/// Writes one data set.
pub struct Writer {
    options: WriteOptions,
    staging: Staging,
    documents: Shards<table::Documents>,
    filings: Shards<table::Filings>,
    asked: Shards<table::Queries>,
    fingerprint: Fingerprint,
    counter: statistics::Counter,
    last: Option<String>,
    /// Queries and rivals; filings and chunks too where they are audited at the end.
    kept: DataSet,
    dropped: BufWriter<File>,
    left_out: BufWriter<File>,
}

impl Writer {
    /// Begins a data set that will stand at `target`; nothing is seen there before [`Writer::finish`].
    pub fn create(target: &Path, options: WriteOptions) -> Result<Self, DatasetError> {
        let staging = Staging::create(target, options.force)?;
        let root = staging.path();
        let audit = root.join("audit");
        fs::create_dir(&audit).map_err(DatasetError::io("create", &audit))?;
        let lines = |name: &str| {
            let path = audit.join(name);
            File::create(&path).map(|f| BufWriter::with_capacity(1 << 16, f)).map_err(DatasetError::io("create", &path))
        };
        Ok(Self {
            documents: Shards::create(root, "documents", options.rows_per_shard)?,
            filings: Shards::create(root, "filings", options.rows_per_shard)?,
            asked: Shards::create(root, "queries", options.rows_per_shard)?,
            dropped: lines("dropped.jsonl")?,
            left_out: lines("left-out.jsonl")?,
            fingerprint: Fingerprint::default(),
            counter: statistics::Counter::default(),
            last: None,
            kept: DataSet { filings: Some(Vec::new()), rivals: Some(Vec::new()), ..DataSet::default() },
            options,
            staging,
        })
    }

    /// Writes a filing and its chunks. Filings come in the order of `source_url`, once each, chunks in the order of `idx`.
    pub fn push_filing(&mut self, filing: &FilingRow, chunks: &[Chunk]) -> Result<(), DatasetError> {
        let wrong = |problem: &str| {
            Err(DatasetError::Inconsistent { source_url: filing.source_url.clone(), problem: problem.to_owned() })
        };
        if let Some(last) = self.last.as_ref().filter(|last| **last >= filing.source_url) {
            return Err(DatasetError::FilingOrder { before: last.clone(), next: filing.source_url.clone() });
        }
        // Columns hold at most 2 GiB between two batches.
        if filing.text.len() > 1 << 30 {
            return wrong("its text is over 1 GiB, which no column of a batch can hold");
        }
        if chunks.iter().any(|c| c.source_url != filing.source_url) {
            return wrong("one of its chunks belongs to another filing");
        }
        if chunks.iter().enumerate().any(|(i, c)| c.idx != i) {
            return wrong("its chunks are not numbered from 0 in order");
        }
        self.last = Some(filing.source_url.clone());
        self.filings.push(filing)?;
        self.counter.filing(filing);
        self.counter.chunks(chunks.iter());
        for chunk in chunks {
            self.fingerprint.document(chunk);
            self.documents.push(chunk)?;
        }
        if self.options.audit {
            self.kept.chunks.extend_from_slice(chunks);
            self.kept.filings.get_or_insert_default().push(filing.clone());
        }
        Ok(())
    }

    /// Writes a dropped sentence to `audit/dropped.jsonl`.
    pub fn push_dropped(&mut self, dropped: &Dropped<'_>) -> Result<(), DatasetError> {
        line(&mut self.dropped, "audit/dropped.jsonl", dropped)
    }

    /// Writes something that was left out, and why, to `audit/left-out.jsonl`.
    pub fn push_left_out(&mut self, row: &impl Serialize) -> Result<(), DatasetError> {
        line(&mut self.left_out, "audit/left-out.jsonl", row)
    }

    /// Adds queries; their rows, and so their ids, follow the order of the calls.
    pub fn push_queries(&mut self, queries: &[Query]) -> Result<(), DatasetError> {
        for query in queries {
            self.asked.push(query)?;
        }
        self.kept.queries.extend_from_slice(queries);
        Ok(())
    }

    /// Adds the rivals of queries, one set each.
    pub fn push_rivals(&mut self, rivals: Vec<RivalSet>) {
        self.kept.rivals.get_or_insert_default().extend(rivals);
    }

    /// Completes the data set, holds it against its invariants and puts it in place.
    pub fn finish(self, manifest: &Manifest, text: &CardText) -> Result<Written, DatasetError> {
        self.finish_with(manifest, text, Audited::invariants)
    }

    /// The same with an audit of the caller's, who may know of more than rows. It is called once, with everything that was
    /// written, and not at all where [`WriteOptions::audit`] is off.
    pub fn finish_with(
        self,
        manifest: &Manifest,
        text: &CardText,
        auditor: impl FnOnce(&DataSet) -> Result<Audited, DatasetError>,
    ) -> Result<Written, DatasetError> {
        let Self { options, staging, documents, filings, asked, mut fingerprint, counter, kept, .. } = self;
        let root = staging.path().to_owned();
        for (mut lines, name) in [(self.dropped, "audit/dropped.jsonl"), (self.left_out, "audit/left-out.jsonl")] {
            lines.flush().map_err(DatasetError::io("write", Path::new(name)))?;
        }
        let mut files = documents.finish()?;
        files.extend(queries_first(asked.finish()?, filings.finish()?));
        let (queries, rivals) = (kept.queries.as_slice(), kept.rivals.as_deref().unwrap_or_default());
        let path = root.join(RIVALS);
        let mut lines = BufWriter::new(File::create(&path).map_err(DatasetError::io("create", &path))?);
        for set in rivals {
            line(&mut lines, RIVALS, set)?;
        }
        lines.flush().map_err(DatasetError::io("write", &path))?;

        queries.iter().for_each(|q| fingerprint.query(q));
        let fingerprint = fingerprint.finish();
        let (statistics, shown_counts) = counter.finish(queries, rivals);
        let example = card::Example::choose(queries, rivals);
        let shown: BTreeSet<&str> = example.iter().flat_map(card::Example::ids).collect();
        let is_shown = |id: &str| shown.contains(id);
        let (chunks, audited) = if options.audit {
            let chunks = kept.chunks.iter().filter(|c| is_shown(&c.id)).cloned().collect();
            (chunks, Some(auditor(&kept)?))
        } else {
            (chunk_rows(&root, &is_shown)?, None)
        };
        if let Some(audited) = &audited {
            staging.file(RESULT, &pretty(&audited.result, RESULT)?)?;
        }
        let stored = manifest::Stored {
            tool: "eightk",
            version: env!("CARGO_PKG_VERSION"),
            fingerprint: &fingerprint,
            manifest,
            statistics: &statistics,
            files: &files,
        };
        staging.file("manifest.json", &pretty(&stored, "manifest.json")?)?;
        let plots = plots::plots(&shown_counts);
        for plot in &plots {
            staging.file(plot.file, plot.svg.as_bytes())?;
        }
        let card = card::Card {
            text,
            manifest,
            statistics: &statistics,
            fingerprint: &fingerprint,
            queries,
            example,
            chunks: &chunks,
            audit: audited.as_ref(),
            cut_rivals: rivals.iter().filter(|r| r.total.is_some_and(|total| total > r.rivals.len())).count(),
            plots: &plots,
        };
        staging.file("README.md", card.render().as_bytes())?;
        let folder = staging.commit()?;
        Ok(Written { folder, fingerprint, statistics, audit: audited.map(|a| a.invariants) })
    }
}

fn queries_first(mut queries: Vec<ShardFile>, filings: Vec<ShardFile>) -> Vec<ShardFile> {
    queries.extend(filings);
    queries
}

pub(crate) fn line(out: &mut impl Write, name: &str, row: &impl Serialize) -> Result<(), DatasetError> {
    serde_json::to_writer(&mut *out, row).map_err(|e| {
        if e.is_io() {
            DatasetError::io("write", Path::new(name))(e.into())
        } else {
            DatasetError::encode(name)(e.to_string())
        }
    })?;
    out.write_all(b"\n").map_err(DatasetError::io("write", Path::new(name)))
}

pub(crate) fn pretty(value: &impl Serialize, name: &str) -> Result<Vec<u8>, DatasetError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|e| DatasetError::encode(name)(e.to_string()))?;
    bytes.push(b'\n');
    Ok(bytes)
}
