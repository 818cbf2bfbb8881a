//! Files into a data set.
//!
//! Files → raw rows ([`rows`]) → chunks and queries, with a report of everything that was filled in or does not fit. The
//! reader is tolerant about form (which columns, which integer width, which layout) and strict about meaning: ids are unique,
//! lists that belong together have one length, required cells are there.

mod cells;
mod columns;
mod documents;
pub(crate) mod jsonl;
mod layout;
pub(crate) mod parquet;
mod queries;
mod report;
pub(crate) mod rows;
mod tree;

use std::fs::File;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

use eightk_core::RivalSet;

pub use layout::Source;
pub use report::{MissingColumn, ReadReport};

use crate::error::Place;
use crate::shelf::DROPPED;
use crate::write::RESULT;
use crate::{DataSet, DatasetError, FilingRow};
pub(crate) use cells::{lenient, need_position, need_text};
pub(crate) use documents::{Documents, SOME_WITHOUT_IDX};
pub(crate) use queries::Queries;
use rows::{RawDocument, RawFiling, RawQuery, RawRow};

/// Where the rivals of a data set folder lie.
pub(crate) const RIVALS: &str = "audit/rivals.jsonl";

/// What a data set folder was made from.
pub(crate) const MANIFEST: &str = "manifest.json";

/// Reads a data set, parquet or JSONL, with or without our extras.
///
/// Spans that do not fit are reported and left as they are; see [`crate::repair_spans`].
pub fn read(source: &Source) -> Result<(DataSet, ReadReport), DatasetError> {
    let mut report = ReadReport::default();
    let Files { documents, queries, filings, root } = Files::of(source, &mut report)?;
    if let Some(root) = root {
        read_manifest(root, &mut report);
    }
    let rivals = root.map(|root| root.join(RIVALS)).filter(|p| p.is_file());
    let mut chunks = documents::Documents::default();
    each::<RawDocument>(&documents, &mut |place, row| chunks.push(&place, row))?;
    let mut asked = queries::Queries::default();
    each::<RawQuery>(&queries, &mut |place, row| asked.push(&place, row))?;
    let mut rows = Vec::new();
    each::<RawFiling>(&filings, &mut |place, row| {
        rows.push(filing(&place, row)?);
        Ok(())
    })?;
    let rivals = rivals.map(|path| {
        let mut sets: Vec<RivalSet> = Vec::new();
        let mut push = |_, set| {
            sets.push(set);
            Ok(())
        };
        jsonl::visit(&path, open(&path)?, &mut push)?;
        Ok(sets)
    });
    let dataset = DataSet {
        chunks: chunks.finish(&mut report),
        queries: asked.finish(&mut report),
        filings: (!filings.is_empty()).then_some(rows),
        rivals: rivals.transpose()?,
    };
    Ok((dataset, report))
}

/// The texts of the chunks with these ids, read from a data set folder shard by shard without holding the rest.
pub(crate) fn chunk_rows(root: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<Vec<eightk_core::Chunk>, DatasetError> {
    let mut found = documents::Documents::default();
    each::<RawDocument>(&layout::find(root, "documents")?.files, &mut |place, row| {
        if row.chunk_id.0.as_deref().is_some_and(wanted) { found.push(&place, row) } else { Ok(()) }
    })?;
    Ok(found.finish(&mut ReadReport::default()))
}

/// The files of a data set, config by config, in the order of their shards.
pub(crate) struct Files<'s> {
    pub(crate) documents: Vec<PathBuf>,
    pub(crate) queries: Vec<PathBuf>,
    pub(crate) filings: Vec<PathBuf>,
    /// The folder, where further files may lie beside them.
    pub(crate) root: Option<&'s Path>,
}

impl<'s> Files<'s> {
    pub(crate) fn of(source: &'s Source, report: &mut ReadReport) -> Result<Self, DatasetError> {
        let root = match source {
            Source::Folder(root) => root,
            Source::Files { documents, queries } => {
                let (documents, queries) = (documents.clone(), queries.clone());
                return Ok(Self { documents, queries, filings: Vec::new(), root: None });
            }
        };
        let mut config = |name: &str, needed: bool| {
            let found = layout::find(root, name)?;
            report.notes.extend(found.note);
            if needed && found.files.is_empty() {
                return Err(no_config(&root.display().to_string(), name));
            }
            Ok(found.files)
        };
        let (documents, queries, filings) =
            (config("documents", true)?, config("queries", true)?, config("filings", false)?);
        Ok(Self { documents, queries, filings, root: Some(root) })
    }
}

fn no_config(root: &str, name: &str) -> DatasetError {
    DatasetError::NotADataset {
        path: root.to_owned(),
        problem: format!("it has no `{name}` config"),
        hint: format!(
            "Looked for {name}/*.parquet, {name}/SPLIT/*.parquet, {name}.parquet, {name}-*.parquet and the same as .jsonl, here and in data/"
        ),
    }
}

/// What a data set says of itself, for people.
const CARD: &str = "README.md";

/// What is wanted of a data set that lies elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Its rows, and what it says of itself.
    Read,
    /// The sentences too that were left out of it: a [`Shelf`](crate::Shelf) shows them.
    Browse,
}

/// Of the paths that a folder elsewhere holds, those that [`read()`] of that folder would read, its card and its audit: what has to be
/// fetched for this purpose. `root` is what messages call the folder; paths have `/` between their parts.
///
/// # Errors
/// [`DatasetError::NotADataset`] where the paths are no data set, [`DatasetError::File`] where a shard is missing.
pub fn files_of(root: &str, paths: &[&str], purpose: Purpose) -> Result<Vec<String>, DatasetError> {
    let tree = tree::Tree::Names { root, paths };
    let mut files = Vec::new();
    for (config, needed) in [("documents", true), ("queries", true), ("filings", false)] {
        let found = layout::find_in(&tree, config)?.files;
        if needed && found.is_empty() {
            return Err(no_config(root, config));
        }
        files.extend(found);
    }
    let dropped = (purpose == Purpose::Browse).then_some(DROPPED);
    let beside = [CARD, MANIFEST, RIVALS, RESULT].into_iter().chain(dropped);
    files.extend(beside.filter(|f| paths.contains(f)).map(str::to_owned));
    Ok(files)
}

/// What a folder's manifest states. Other tools write a `manifest.json` too: one that has nothing of ours is no error.
fn read_manifest(root: &Path, report: &mut ReadReport) {
    let bytes = std::fs::read(root.join(MANIFEST)).unwrap_or_default();
    let Ok(manifest) = serde_json::from_slice::<serde_json::Value>(&bytes) else { return };
    let text = |value: Option<&serde_json::Value>| Some(value?.as_str()?.to_owned());
    report.stated_fingerprint = text(manifest.get("fingerprint"));
    report.stated_recipe = text(manifest.get("recipe").and_then(|r| r.get("name")));
    report.stated_limits = manifest.get("audit").cloned();
}

pub(crate) fn open(path: &Path) -> Result<File, DatasetError> {
    File::open(path).map_err(DatasetError::io("open", path))
}

/// Calls `each` with every row of the files, whichever format each is in: parquet by its magic number, JSONL otherwise.
pub(crate) fn each<R: RawRow>(
    files: &[PathBuf],
    each: &mut dyn FnMut(Place, R) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    for path in files {
        let mut file = open(path)?;
        match kind(path, &mut file)? {
            Kind::Parquet => parquet::visit(path, file, each)?,
            Kind::Lines | Kind::PackedLines => jsonl::visit(path, file, each)?,
        }
    }
    Ok(())
}

/// What a file of rows is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Parquet,
    Lines,
    /// Lines, gzipped.
    PackedLines,
}

/// What a file is, by how it begins; the file stands at its beginning afterwards.
pub(crate) fn kind(path: &Path, file: &mut File) -> Result<Kind, DatasetError> {
    let mut magic = Vec::with_capacity(4);
    file.take(4).read_to_end(&mut magic).map_err(DatasetError::io("read", path))?;
    file.rewind().map_err(DatasetError::io("read", path))?;
    let named_parquet = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("parquet"));
    Ok(if magic == b"PAR1" || named_parquet {
        Kind::Parquet
    } else if magic.starts_with(&jsonl::GZIP) {
        Kind::PackedLines
    } else {
        Kind::Lines
    })
}

pub(crate) fn filing(place: &Place, raw: RawFiling) -> Result<FilingRow, DatasetError> {
    Ok(FilingRow {
        source_url: need_text(place, "source_url", raw.source_url)?,
        accession: raw.accession.0,
        cik: raw.cik.0,
        company: raw.company.0,
        title: raw.title.0.unwrap_or_default(),
        form: raw.form.0,
        filed: raw.filed.0,
        items: raw.items.0.unwrap_or_default().into_iter().filter_map(|t| t.0).collect(),
        url: raw.url.0,
        sha256: raw.sha256.0,
        text: need_text(place, "text", raw.text)?,
    })
}

/// Reads the rows of a JSONL stream as `documents` and as `queries` and throws them away: what a fuzzer calls.
#[doc(hidden)]
pub fn fuzz_jsonl(bytes: &[u8]) {
    let path = Path::new("fuzz.jsonl");
    let mut chunks = documents::Documents::default();
    let mut asked = queries::Queries::default();
    let _ = jsonl::visit(path, bytes, &mut |place, row| chunks.push(&place, row));
    let _ = jsonl::visit(path, bytes, &mut |place, row| asked.push(&place, row));
    let mut report = ReadReport::default();
    chunks.finish(&mut report);
    asked.finish(&mut report);
}
