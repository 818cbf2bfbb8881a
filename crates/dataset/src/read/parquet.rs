//! Parquet files, batch by batch.
//!
//! Only the columns we know are decoded. The decoder is foreign code fed with foreign bytes: should a damaged file make it
//! panic, that becomes an error about the file.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::basic::Compression;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use super::columns::Columns;
use super::rows::RawRow;
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
    let mut reader = guarded(path, || open(file, R::COLUMNS))?;
    let mut number = 0;
    while let Some(batch) = guarded(path, || reader.next().transpose().map_err(|e| e.to_string()))? {
        let rows = guarded(path, || Ok(R::from_batch(&Columns::new(&batch))))?;
        let rows = rows.map_err(|bad| DatasetError::File {
            file: path.to_owned(),
            problem: format!("column `{}` {}", bad.column, bad.problem),
            hint: "Convert the column to that type",
        })?;
        for row in rows {
            number += 1;
            each(Place { file: path.to_owned(), number, is_line: false }, row)?;
        }
    }
    Ok(())
}

fn open(file: File, columns: &[&str]) -> Result<ParquetRecordBatchReader, String> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).map_err(|e| e.to_string())?;
    if let Some(name) = unread_codec(builder.metadata()) {
        return Err(format!("{name} compression is not read here; write it with zstd or snappy"));
    }
    let roots = builder.parquet_schema().root_schema().get_fields();
    let known = roots.iter().enumerate().filter(|(_, field)| columns.contains(&field.name())).map(|(i, _)| i);
    let mask = ProjectionMask::roots(builder.parquet_schema(), known);
    // Without one known column batches would have rows but no cells; the caller then reports what is missing.
    let rows = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(0);
    builder.with_projection(mask).with_batch_size(BATCH.min(rows.max(1))).build().map_err(|e| e.to_string())
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
