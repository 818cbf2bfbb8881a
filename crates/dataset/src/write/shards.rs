//! One config as parquet shards.
//!
//! How many shards there will be is known only at the end, and each name tells it (`test-00000-of-00002.parquet`), so shards
//! are named when the config is complete. zstd at level 1: on sentences of filings level 3 makes files 8 % smaller and takes longer, and
//! compression is the largest part of writing as it is.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::table::Table;
use crate::DatasetError;

/// Text held before it is encoded.
const BATCH_BYTES: usize = 1 << 20;
/// Rows held before they are encoded.
const BATCH_ROWS: usize = 4096;
/// Text in one shard at most: about what the Hub recommends once compressed.
const SHARD_BYTES: usize = 1 << 30;

/// A shard that is complete.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ShardFile {
    /// Path in the data set folder.
    pub path: String,
    /// Rows in it.
    pub rows: usize,
    /// Its size in bytes.
    pub bytes: u64,
}

/// Writes rows of one config.
pub(crate) struct Shards<T> {
    folder: PathBuf,
    config: &'static str,
    limit: usize,
    table: T,
    open: Option<ArrowWriter<File>>,
    /// Rows and bytes of text in the open shard.
    filled: (usize, usize),
    /// Rows of each closed shard.
    closed: Vec<usize>,
}

impl<T: Table> Shards<T> {
    /// Begins a config below `root`.
    pub(crate) fn create(root: &Path, config: &'static str, rows_per_shard: usize) -> Result<Self, DatasetError> {
        let folder = root.join(config);
        fs::create_dir_all(&folder).map_err(DatasetError::io("create", &folder))?;
        let limit = rows_per_shard.max(1);
        Ok(Self { folder, config, limit, table: T::default(), open: None, filled: (0, 0), closed: Vec::new() })
    }

    pub(crate) fn push(&mut self, row: &T::Row) -> Result<(), DatasetError> {
        self.table.push(row);
        let (rows, bytes) = self.table.held();
        if self.filled.0 + rows >= self.limit || self.filled.1 + bytes >= SHARD_BYTES {
            self.flush()?;
            self.close()
        } else if rows >= BATCH_ROWS || bytes >= BATCH_BYTES {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Completes the config, with at least one shard so that it can be loaded when it is empty.
    pub(crate) fn finish(mut self) -> Result<Vec<ShardFile>, DatasetError> {
        if self.table.held().0 > 0 || (self.closed.is_empty() && self.open.is_none()) {
            self.flush()?;
        }
        self.close()?;
        let total = self.closed.len();
        let mut files = Vec::new();
        for (i, rows) in self.closed.iter().enumerate() {
            let name = format!("test-{i:05}-of-{total:05}.parquet");
            let (from, to) = (self.temporary(i), self.folder.join(&name));
            fs::rename(&from, &to).map_err(DatasetError::io("rename", &from))?;
            let bytes = fs::metadata(&to).map_err(DatasetError::io("look at", &to))?.len();
            files.push(ShardFile { path: format!("{}/{name}", self.config), rows: *rows, bytes });
        }
        Ok(files)
    }

    fn temporary(&self, shard: usize) -> PathBuf {
        self.folder.join(format!("shard-{shard}"))
    }

    fn flush(&mut self) -> Result<(), DatasetError> {
        let (rows, bytes) = self.table.held();
        let batch = self.table.take().map_err(|e| DatasetError::encode(self.config)(e.to_string()))?;
        let path = self.temporary(self.closed.len());
        if self.open.is_none() {
            let file = File::create(&path).map_err(DatasetError::io("create", &path))?;
            let options = ArrowWriterOptions::new().with_properties(properties::<T>()).with_skip_arrow_metadata(true);
            let writer = ArrowWriter::try_new_with_options(file, T::schema(), options);
            self.open = Some(writer.map_err(|e| failed(&path, e))?);
        }
        if let Some(writer) = &mut self.open {
            writer.write(&batch).map_err(|e| failed(&path, e))?;
        }
        self.filled = (self.filled.0 + rows, self.filled.1 + bytes);
        Ok(())
    }

    fn close(&mut self) -> Result<(), DatasetError> {
        let Some(writer) = self.open.take() else { return Ok(()) };
        let path = self.temporary(self.closed.len());
        writer.close().map_err(|e| failed(&path, e))?;
        self.closed.push(self.filled.0);
        self.filled = (0, 0);
        Ok(())
    }
}

/// A full disk arrives as the encoder's error: told apart from a bug.
fn failed(path: &Path, error: ParquetError) -> DatasetError {
    match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(io) => DatasetError::io("write", path)(*io),
            Err(other) => DatasetError::encode("parquet")(other.to_string()),
        },
        other => DatasetError::encode("parquet")(other.to_string()),
    }
}

fn properties<T: Table>() -> WriterProperties {
    let zstd = Compression::ZSTD(ZstdLevel::try_new(1).unwrap_or_default());
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("eightk ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(zstd)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_max_row_group_row_count(Some(T::GROUP))
        // Page limits are looked at once per so many values: filings are large, so often.
        .set_write_batch_size(128);
    for column in T::PLAIN {
        let column = ColumnPath::from(*column);
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_statistics_enabled(column, EnabledStatistics::None);
    }
    properties.build()
}
