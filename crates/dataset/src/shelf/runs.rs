//! Which rows belong to what.
//!
//! Rows of one filing mostly stand together, so what is remembered is runs of rows: 40 bytes for each, one run per filing in a set
//! of ours. Where rows are mixed there are more runs, at worst one per row; everything works all the same.

use std::ops::Range;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::file::{At, RowFile};
use crate::DatasetError;
use crate::error::Place;
use crate::read::rows::{RawDocument, RawDropped, RawFiling, RawRow};
use eightk_core::RivalSet;

/// Rows that stand together in one file and belong to one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    /// Number of the filing, or of the query.
    key: u32,
    file: u32,
    /// 1-based number of the first row, or of its line.
    first: u64,
    count: u32,
    offset: u64,
    bytes: u64,
}

impl Run {
    /// Its rows, counted from 0.
    pub(super) fn rows(&self) -> Range<usize> {
        let first = self.number().saturating_sub(1);
        first..first.saturating_add(self.count as usize)
    }

    /// Number of its first row or line.
    pub(super) fn number(&self) -> usize {
        usize::try_from(self.first).unwrap_or(usize::MAX)
    }

    /// Of lines: where they begin, and how many bytes they have.
    pub(super) fn bytes(&self) -> (u64, u64) {
        (self.offset, self.bytes)
    }
}

/// What a row says of where it belongs, for comparing it with what was remembered.
pub(super) trait Belongs {
    /// Whether the row belongs to the filing, or to the query, of this name.
    fn belongs_to(&self, name: &str) -> bool;
}

macro_rules! by_source_url {
    ($($row:ty),*) => {
        $(impl Belongs for $row {
            fn belongs_to(&self, name: &str) -> bool {
                self.source_url.0.as_deref() == Some(name)
            }
        })*
    };
}
by_source_url!(RawDocument, RawFiling, RawDropped);

impl Belongs for RivalSet {
    fn belongs_to(&self, name: &str) -> bool {
        self.query == name
    }
}

/// The runs of the rows of some files.
#[derive(Default)]
pub(super) struct Runs {
    files: Vec<Arc<RowFile>>,
    /// In stored order while they are collected, by key (and within a key in stored order) once [`Runs::sort`] was called.
    runs: Vec<Run>,
}

impl Runs {
    /// Adds a file; `scan` finds the runs of its rows.
    pub(super) fn add(
        &mut self,
        file: Arc<RowFile>,
        scan: impl FnOnce(&RowFile, &mut Found) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        let number = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let mut found = Found { file: number, runs: &mut self.runs, is_open: false };
        scan(&file, &mut found)?;
        self.files.push(file);
        Ok(())
    }

    /// Puts every key's runs together, after the keys were given new numbers by `renumber`.
    pub(super) fn sort(&mut self, renumber: impl Fn(u32) -> u32) {
        self.runs.iter_mut().for_each(|run| run.key = renumber(run.key));
        // Stable: within a key the stored order stays.
        self.runs.sort_by_key(|run| run.key);
        self.runs.shrink_to_fit();
    }

    /// The runs of one key.
    fn of(&self, key: usize) -> &[Run] {
        let from = self.runs.partition_point(|run| (run.key as usize) < key);
        let rest = self.runs.get(from..).unwrap_or_default();
        rest.get(..rest.partition_point(|run| run.key as usize == key)).unwrap_or_default()
    }

    /// Every key that has rows and the number of its rows, ascending.
    pub(super) fn counts(&self) -> impl Iterator<Item = (usize, usize)> {
        let of = |runs: &[Run]| {
            let rows = runs.iter().map(|run| run.count as usize).sum();
            Some((runs.first()?.key as usize, rows))
        };
        self.runs.chunk_by(|a, b| a.key == b.key).filter_map(of)
    }

    /// The files.
    pub(super) fn files(&self) -> impl Iterator<Item = &RowFile> {
        self.files.iter().map(|file| &**file)
    }

    /// Calls `each` with the rows of one key, in stored order; `name` is what they must call it.
    pub(super) fn rows<R: RawRow + Belongs>(
        &self,
        key: usize,
        name: &str,
        each: &mut dyn FnMut(Place, R) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        self.read(key, name, &mut |file, runs, each| file.rows::<R>(runs, each), each)
    }

    /// The same for rows that only lines hold.
    pub(super) fn line_rows<R: DeserializeOwned + Belongs>(
        &self,
        key: usize,
        name: &str,
        each: &mut dyn FnMut(Place, R) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        self.read(key, name, &mut |file, runs, each| file.line_rows::<R>(runs, each), each)
    }

    fn read<R: Belongs>(
        &self,
        key: usize,
        name: &str,
        rows: &mut ReadRows<'_, R>,
        each: &mut dyn FnMut(Place, R) -> Result<(), DatasetError>,
    ) -> Result<(), DatasetError> {
        for runs in self.of(key).chunk_by(|a, b| a.file == b.file) {
            let Some(file) = runs.first().and_then(|run| self.files.get(run.file as usize)) else { continue };
            let mut missing: usize = runs.iter().map(|run| run.count as usize).sum();
            rows(file, runs, &mut |place, row: R| {
                if !row.belongs_to(name) || missing == 0 {
                    return Err(file.changed());
                }
                missing -= 1;
                each(place, row)
            })?;
            if missing > 0 {
                return Err(file.changed());
            }
        }
        Ok(())
    }
}

type ReadRows<'a, R> =
    dyn FnMut(&RowFile, &[Run], &mut dyn FnMut(Place, R) -> Result<(), DatasetError>) -> Result<(), DatasetError> + 'a;

/// Takes down the rows of one file in stored order.
pub(super) struct Found<'r> {
    file: u32,
    runs: &'r mut Vec<Run>,
    /// Whether the next row may belong to the last run.
    is_open: bool,
}

impl Found<'_> {
    /// The next row belongs to this key.
    pub(super) fn push(&mut self, key: u32, at: At) {
        let last = self.runs.last_mut().filter(|run| self.is_open && run.key == key && run.count < u32::MAX);
        match last {
            Some(run) => {
                run.count += 1;
                run.bytes = (at.offset + at.bytes).saturating_sub(run.offset);
            }
            None => {
                let first = at.number as u64;
                let (offset, bytes) = (at.offset, at.bytes);
                self.runs.push(Run { key, file: self.file, first, count: 1, offset, bytes });
            }
        }
        self.is_open = true;
    }

    /// The next row belongs to nothing known.
    pub(super) fn skip(&mut self) {
        self.is_open = false;
    }
}

/// The number of the key that was last asked for: rows of one key mostly stand together.
#[derive(Default)]
pub(super) struct Last(Option<(String, Option<u32>)>);

impl Last {
    pub(super) fn number(&mut self, key: &str, number: impl FnOnce(&str) -> Option<u32>) -> Option<u32> {
        match &mut self.0 {
            Some((last, known)) => {
                if last != key {
                    key.clone_into(last);
                    *known = number(key);
                }
                *known
            }
            None => self.0.insert((key.to_owned(), number(key))).1,
        }
    }
}
