//! One file of rows that is read in parts.
//!
//! It is opened anew for every look: handles that are kept share one position between threads, and a set of a thousand shards would
//! use up what a process may hold. What was seen of the file at first is compared at every look, so that a file that was replaced
//! or written to is an error and never a wrong text. Gzipped lines cannot be entered in the middle: they are unpacked
//! once, into a temporary file that goes with the shelf.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use flate2::bufread::MultiGzDecoder;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;

use super::runs::Run;
use crate::DatasetError;
use crate::error::Place;
use crate::read::jsonl::{self, Line};
use crate::read::parquet::{Table, in_column};
use crate::read::rows::{RawHead, RawRow};
use crate::read::{Kind, kind, open};

/// Bytes read at a time when a whole file is looked through.
const WHOLE: usize = 1 << 18;
/// Bytes read at a time when a part of one is.
const PART: u64 = 1 << 14;

/// A file of rows.
pub(super) struct RowFile {
    path: PathBuf,
    /// Where its lines lie unpacked.
    unpacked: Option<NamedTempFile>,
    seen: Seen,
    /// What the end of a parquet file says of it; `None`: lines.
    table: Option<Table>,
}

/// What a file was when it was first looked at.
#[derive(PartialEq, Eq)]
struct Seen {
    length: u64,
    modified: Option<SystemTime>,
    /// Which file it is, whatever its name.
    #[cfg(unix)]
    identity: (u64, u64),
}

impl Seen {
    fn new(metadata: &Metadata) -> Self {
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            identity: {
                use std::os::unix::fs::MetadataExt;
                (metadata.dev(), metadata.ino())
            },
        }
    }
}

/// Where a row lies and which filing it belongs to.
pub(super) struct Head<'a> {
    pub(super) place: &'a dyn Fn() -> Place,
    pub(super) at: At,
    pub(super) source_url: Option<&'a str>,
    pub(super) title: Option<&'a str>,
    pub(super) chunk_id: Option<&'a str>,
    pub(super) has_idx: bool,
}

/// Where a row lies in its file.
#[derive(Clone, Copy)]
pub(super) struct At {
    /// Its 1-based number, counted in lines where the file has lines.
    pub(super) number: usize,
    /// Of a line: where it begins and how long it is.
    pub(super) offset: u64,
    pub(super) bytes: u64,
}

impl RowFile {
    /// Looks at a file, parquet or lines.
    pub(super) fn open(path: &Path) -> Result<Self, DatasetError> {
        let mut file = open(path)?;
        let kind = kind(path, &mut file)?;
        let table = match kind {
            Kind::Parquet => Some(Table::open(path, &file)?),
            Kind::Lines | Kind::PackedLines => None,
        };
        Self::new(path, file, table, kind == Kind::PackedLines)
    }

    /// Looks at a file of lines.
    pub(super) fn open_lines(path: &Path) -> Result<Self, DatasetError> {
        let mut file = open(path)?;
        let packed = kind(path, &mut file)? == Kind::PackedLines;
        Self::new(path, file, None, packed)
    }

    fn new(path: &Path, file: File, table: Option<Table>, packed: bool) -> Result<Self, DatasetError> {
        let mut seen = Seen::new(&file.metadata().map_err(DatasetError::io("look at", path))?);
        let mut unpacked = None;
        if packed {
            let mut plain = NamedTempFile::new().map_err(DatasetError::io("unpack", path))?;
            io::copy(&mut MultiGzDecoder::new(BufReader::with_capacity(WHOLE, file)), &mut plain)
                .map_err(DatasetError::io("unpack", path))?;
            seen = Seen::new(&plain.as_file().metadata().map_err(DatasetError::io("look at", path))?);
            unpacked = Some(plain);
        }
        Ok(Self { path: path.to_owned(), unpacked, seen, table })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What to say when it is no longer the file it was.
    pub(super) fn changed(&self) -> DatasetError {
        DatasetError::File {
            file: self.path.clone(),
            problem: "it has changed since the data set was opened".to_owned(),
            hint: "Open the data set again",
        }
    }

    /// Runs `look` with the file; an error where it is, or in the meantime became, another than at first.
    fn look<T>(&self, look: impl FnOnce(File) -> Result<T, DatasetError>) -> Result<T, DatasetError> {
        let path = self.unpacked.as_ref().map_or(self.path.as_path(), |plain| plain.path());
        let file = File::open(path).map_err(DatasetError::io("open", &self.path))?;
        let again = file.try_clone().map_err(DatasetError::io("open", &self.path))?;
        let check = || match again.metadata() {
            Ok(metadata) if Seen::new(&metadata) == self.seen => Ok(()),
            Ok(_) => Err(self.changed()),
            Err(error) => Err(DatasetError::io("look at", &self.path)(error)),
        };
        check()?;
        let found = look(file);
        // What a file that changes under the reader gives is of no interest, be it rows or an error.
        check()?;
        found
    }

    /// Calls `each` with the head of every row, of which the columns named are read.
    pub(super) fn heads(
        &self,
        columns: &[&str],
        each: &mut dyn FnMut(Head<'_>) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        let Some(table) = &self.table else {
            return self.lines(&mut |line| {
                let place = || line.place(&self.path);
                let raw: RawHead = jsonl::row(&place(), line.text)?;
                each(Head {
                    place: &place,
                    at: At { number: line.number, offset: line.offset, bytes: line.bytes },
                    source_url: raw.source_url.0.as_deref(),
                    title: raw.title.0.as_deref(),
                    chunk_id: raw.chunk_id.0.as_deref(),
                    has_idx: raw.chunk_idx.0.is_some(),
                })
            });
        };
        self.look(|file| {
            table.batches(&self.path, file, columns, None, &mut |numbers, batch| {
                let source_urls = in_column(&self.path, batch.strings("source_url"))?;
                let titles = in_column(&self.path, batch.strings("title"))?;
                let ids = in_column(&self.path, batch.strings("chunk_id"))?;
                let idx = in_column(&self.path, batch.whole("chunk_idx"))?.unwrap_or_default();
                for (row, number) in numbers.enumerate() {
                    let place = || Place { file: self.path.clone(), number, is_line: false };
                    each(Head {
                        place: &place,
                        at: At { number, offset: 0, bytes: 0 },
                        source_url: source_urls.as_ref().and_then(|cells| cells.get(row)),
                        chunk_id: ids.as_ref().and_then(|cells| cells.get(row)),
                        title: titles.as_ref().and_then(|cells| cells.get(row)),
                        has_idx: idx.get(row).is_some_and(|cell| cell.0.is_some()),
                    })?;
                }
                Ok(())
            })
        })
    }

    /// Calls `each` with every line that is not blank.
    pub(super) fn lines(&self, each: &mut dyn FnMut(Line<'_>) -> Result<(), DatasetError>) -> Result<(), DatasetError> {
        self.look(|file| jsonl::lines(&self.path, 1, BufReader::with_capacity(WHOLE, file), each))
    }

    /// Calls `each` with the rows of some runs of this file, which come in the order of the file.
    pub(super) fn rows<R: RawRow>(
        &self,
        runs: &[Run],
        each: &mut dyn FnMut(Place, R) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        let Some(table) = &self.table else { return self.line_rows(runs, each) };
        let ranges: Vec<_> = runs.iter().map(Run::rows).collect();
        self.look(|file| {
            table.batches(&self.path, file, R::COLUMNS, Some(&ranges), &mut |numbers, batch| {
                for (number, row) in numbers.zip(in_column(&self.path, R::from_batch(batch))?) {
                    each(Place { file: self.path.clone(), number, is_line: false }, row)?;
                }
                Ok(())
            })
        })
    }

    /// The same for rows that only lines hold.
    pub(super) fn line_rows<R: DeserializeOwned>(
        &self,
        runs: &[Run],
        each: &mut dyn FnMut(Place, R) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        self.look(|mut file| {
            for run in runs {
                let (offset, bytes) = run.bytes();
                file.seek(SeekFrom::Start(offset)).map_err(DatasetError::io("read", &self.path))?;
                let capacity = usize::try_from(bytes.clamp(1, PART)).unwrap_or(1);
                let part = BufReader::with_capacity(capacity, (&file).take(bytes));
                jsonl::rows(&self.path, run.number(), part, each)?;
            }
            Ok(())
        })
    }
}
