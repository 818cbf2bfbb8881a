//! Files of lines in the folder being made.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::outgoing::{Judgement, Outgoing};
use crate::DatasetError;
use crate::write::{Staging, line};

/// A file under way.
pub(super) struct Lines {
    name: String,
    path: PathBuf,
    out: BufWriter<File>,
}

impl Lines {
    pub(super) fn create(folder: &Staging, name: &str) -> Result<Self, DatasetError> {
        let path = folder.path().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(DatasetError::io("create", parent))?;
        }
        let file = File::create(&path).map_err(DatasetError::io("create", &path))?;
        Ok(Self { name: name.to_owned(), out: BufWriter::with_capacity(1 << 16, file), path })
    }

    /// A row as one line of JSON, keys in the order of the struct's fields.
    pub(super) fn json(&mut self, row: &impl Serialize) -> Result<(), DatasetError> {
        line(&mut self.out, &self.name, row)
    }

    pub(super) fn text(&mut self, line: std::fmt::Arguments<'_>) -> Result<(), DatasetError> {
        self.out.write_fmt(line).and_then(|()| self.out.write_all(b"\n")).map_err(DatasetError::io("write", &self.path))
    }

    /// Completes the file; returns its name.
    pub(super) fn finish(mut self) -> Result<String, DatasetError> {
        self.out.flush().map_err(DatasetError::io("write", &self.path))?;
        Ok(self.name)
    }
}

/// Rows as a file of JSON lines; returns its name.
pub(super) fn json_file<T: Serialize>(
    folder: &Staging,
    name: &str,
    rows: impl IntoIterator<Item = T>,
) -> Result<String, DatasetError> {
    let mut lines = Lines::create(folder, name)?;
    rows.into_iter().try_for_each(|row| lines.json(&row))?;
    lines.finish()
}

/// Judgements as a file of text lines, after a header if there is one; returns its name.
pub(super) fn judgement_file(
    folder: &Staging,
    name: &str,
    header: Option<&str>,
    judgements: &[Judgement<'_>],
    write: fn(&mut Lines, &Judgement<'_>) -> Result<(), DatasetError>,
) -> Result<String, DatasetError> {
    let mut lines = Lines::create(folder, name)?;
    header.map_or(Ok(()), |h| lines.text(format_args!("{h}")))?;
    judgements.iter().try_for_each(|j| write(&mut lines, j))?;
    lines.finish()
}

/// `rivals.jsonl`, as `eightk score --rivals` reads it, where the data set has rivals; returns its name.
pub(super) fn rivals(set: &Outgoing<'_>, folder: &Staging, name: &str) -> Result<Option<String>, DatasetError> {
    set.dataset.rivals.as_ref().map(|sets| json_file(folder, name, sets)).transpose()
}
