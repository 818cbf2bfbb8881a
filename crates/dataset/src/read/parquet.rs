//! Parquet files, batch by batch.
//!
//! Only the columns we know are decoded. The decoder is foreign code fed with foreign bytes: should a damaged file make it
//! panic, that becomes an error about the file.

use std::fs::File;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection,
};
use parquet::basic::Compression;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use super::columns::Columns;
use super::rows::{ColumnProblem, RawRow};
use crate::DatasetError;
use crate::error::Place;

/// Rows decoded at a time.
const BATCH: usize = 8192;

const HINT: &str = "Write or download the file again";

/// Calls `each` with every row of a parquet file and its 1-based number.
pub(crate) fn visit<R: RawRow>(
    path: &Path,
    file: File,
    each: &mut dyn FnMut(Place, R) -> Result<(), DatasetError>,
) -> Result<(), DatasetError> {
    let table = Table::open(path, &file)?;
    table.batches(path, file, R::COLUMNS, None, &mut |numbers, columns| {
        for (number, row) in numbers.zip(in_column(path, R::from_batch(columns))?) {
            each(Place { file: path.to_owned(), number, is_line: false }, row)?;
        }
        Ok(())
    })
}

/// What a column holds, or an error about the file.
pub(crate) fn in_column<T>(path: &Path, cells: Result<T, ColumnProblem>) -> Result<T, DatasetError> {
    cells.map_err(|bad| DatasetError::File {
        file: path.to_owned(),
        problem: format!("column `{}` {}", bad.column, bad.problem),
        hint: "Convert the column to that type",
    })
}

/// What is done with a batch: the numbers of its rows, and its columns.
type EachBatch<'a> = dyn FnMut(&mut dyn Iterator<Item = usize>, &Columns<'_>) -> Result<(), DatasetError> + 'a;

/// What the end of a parquet file says of it: where which column of which rows lies. Cheap to copy.
#[derive(Clone)]
pub(crate) struct Table(ArrowReaderMetadata);

impl Table {
    /// Reads the end of a file.
    ///
    /// The index of pages is left alone: the heads of pages lead to a row as fast, and lead nowhere else than reading
    /// everything does.
    pub(crate) fn open(path: &Path, file: &File) -> Result<Self, DatasetError> {
        guarded(path, || {
            let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
            let metadata = ArrowReaderMetadata::load(file, options).map_err(|e| e.to_string())?;
            match unread_codec(metadata.metadata()) {
                Some(name) => Err(format!("{name} compression is not read here; write it with zstd or snappy")),
                None => Ok(Self(metadata)),
            }
        })
    }

    /// Calls `each` with batch after batch, and the 1-based numbers of its rows: of all rows, or of those in `wanted`, ascending
    /// ranges that count from 0. Of the columns those named are decoded.
    pub(crate) fn batches(
        &self,
        path: &Path,
        file: File,
        columns: &[&str],
        wanted: Option<&[Range<usize>]>,
        each: &mut EachBatch<'_>,
    ) -> Result<(), DatasetError> {
        let mut reader = guarded(path, || {
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.0.clone());
            let roots = builder.parquet_schema().root_schema().get_fields();
            let known = roots.iter().enumerate().filter(|(_, field)| columns.contains(&field.name())).map(|(i, _)| i);
            let mask = ProjectionMask::roots(builder.parquet_schema(), known);
            // Without one known column batches would have rows but no cells; the caller then reports what is missing.
            let rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
            let rows = wanted.map_or(rows, |ranges| ranges.iter().map(Range::len).sum());
            let builder = builder.with_projection(mask).with_batch_size(BATCH.min(rows.max(1)));
            let builder = match wanted {
                None => builder,
                Some(ranges) => {
                    let (groups, selection) = select(self.0.metadata(), ranges);
                    builder.with_row_groups(groups).with_row_selection(selection)
                }
            };
            builder.build().map_err(|e| e.to_string())
        })?;
        let all = wanted.is_none().then_some(0..usize::MAX);
        let ranges = wanted.unwrap_or_default().iter().cloned().chain(all);
        let mut numbers = ranges.flatten().map(|row| row + 1);
        while let Some(batch) = guarded(path, || reader.next().transpose().map_err(|e| e.to_string()))? {
            let batch: RecordBatch = batch;
            each(&mut numbers.by_ref().take(batch.num_rows()), &Columns::new(&batch))?;
        }
        Ok(())
    }
}

/// The row groups that hold these rows, and which rows of theirs they are.
fn select(metadata: &ParquetMetaData, wanted: &[Range<usize>]) -> (Vec<usize>, RowSelection) {
    let (mut groups, mut ranges) = (Vec::new(), Vec::new());
    // Where a group begins in the file, and where it begins among the groups taken.
    let (mut first, mut taken) = (0_usize, 0_usize);
    let mut left = wanted.iter().cloned().peekable();
    for (number, group) in metadata.row_groups().iter().enumerate() {
        let length = usize::try_from(group.num_rows()).unwrap_or(0);
        let end: usize = first.saturating_add(length);
        let mut is_taken = false;
        while let Some(range) = left.peek_mut() {
            let part = range.start.max(first)..range.end.min(end);
            if part.start < part.end {
                is_taken = true;
                ranges.push(part.start - first + taken..part.end - first + taken);
            }
            if range.end > end {
                break;
            }
            left.next();
        }
        if is_taken {
            groups.push(number);
            taken = taken.saturating_add(length);
        }
        first = end;
    }
    (groups, RowSelection::from_consecutive_ranges(ranges.into_iter(), taken))
}

/// A compression in use that this build has no decoder for: rare, and each would be one more C or Rust library.
fn unread_codec(metadata: &ParquetMetaData) -> Option<&'static str> {
    let mut columns = metadata.row_groups().iter().flat_map(RowGroupMetaData::columns);
    columns.find_map(|column| match column.compression() {
        Compression::BROTLI(_) => Some("brotli"),
        Compression::LZ4 | Compression::LZ4_RAW => Some("lz4"),
        Compression::LZO => Some("lzo"),
        _ => None,
    })
}

/// Runs the decoder; its errors and its panics become errors about the file.
fn guarded<T>(path: &Path, decode: impl FnOnce() -> Result<T, String>) -> Result<T, DatasetError> {
    let outcome = catch_unwind(AssertUnwindSafe(decode));
    let problem = match outcome {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(said)) => format!("cannot be read as parquet ({said})"),
        Err(_) => "is damaged: the parquet decoder gave up on it".to_owned(),
    };
    Err(DatasetError::File { file: path.to_owned(), problem, hint: HINT })
}
