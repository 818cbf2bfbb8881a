//! Parquet: a column of ids and a column of lists.
//!
//! Read without the Arrow schema that some writers embed, so that large and fixed-size lists, string views and dictionaries all come as
//! plain lists and texts. The decoder is foreign code fed with foreign bytes: should a damaged file make it panic, that becomes an error.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, Float32Type, Float64Type, Int8Type, Int32Type, Int64Type, UInt8Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::matrix::{Element, Gathered, Matrix};

/// Rows decoded at a time.
const BATCH: usize = 1024;

/// What a column of vectors may be called; a list column of any other name will do where it is the only one.
const VECTOR_NAMES: [&str; 4] = ["vector", "embedding", "vectors", "embeddings"];

/// Reads ids and vectors; `id_names` are what the column of ids may be called, the first that is there wins.
pub(super) fn read(file: File, id_names: &[&str]) -> Result<(Matrix, Vec<String>), String> {
    let (mut reader, id, vector) = guarded(|| open(file, id_names))?;
    let mut rows = Rows::default();
    while let Some(batch) =
        guarded(|| reader.next().transpose().map_err(|e| format!("it cannot be read as parquet ({e})")))?
    {
        guarded(|| rows.add(&batch, &id, &vector))?;
    }
    rows.finish()
}

fn guarded<T>(decode: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let outcome = catch_unwind(AssertUnwindSafe(decode));
    outcome.unwrap_or_else(|_| Err("it is damaged: the parquet decoder gave up on it".to_owned()))
}

fn open(file: File, id_names: &[&str]) -> Result<(ParquetRecordBatchReader, String, String), String> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options)
        .map_err(|e| format!("it cannot be read as parquet ({e})"))?;
    let fields = builder.schema().fields().clone();
    let there = |name: &&&str| fields.iter().any(|f| f.name() == *name);
    let id = id_names.iter().find(there).map(ToString::to_string);
    let id = id.ok_or_else(|| format!("it has no column `{}` of ids", id_names.join("` or `")))?;
    let lists: Vec<&String> =
        fields.iter().filter(|f| matches!(f.data_type(), DataType::List(_))).map(|f| f.name()).collect();
    let named = VECTOR_NAMES.iter().find(there).map(ToString::to_string);
    let only = || if let [one] = lists[..] { Some(one.clone()) } else { None };
    let vector = named.or_else(only).ok_or_else(|| "it has no column `vector` of lists of numbers".to_owned())?;
    let roots = builder.parquet_schema().root_schema().get_fields();
    let wanted = roots.iter().enumerate().filter(|(_, f)| f.name() == id || f.name() == vector).map(|(i, _)| i);
    let mask = ProjectionMask::roots(builder.parquet_schema(), wanted);
    let reader = builder.with_projection(mask).with_batch_size(BATCH).build();
    Ok((reader.map_err(|e| format!("it cannot be read as parquet ({e})"))?, id, vector))
}

/// What was read so far.
#[derive(Default)]
struct Rows {
    ids: Vec<String>,
    width: usize,
    numbers: Option<(Element, Gathered)>,
}

impl Rows {
    fn add(&mut self, batch: &RecordBatch, id: &str, vector: &str) -> Result<(), String> {
        let first = self.ids.len();
        let column =
            |name: &str| batch.column_by_name(name).ok_or_else(|| format!("a part of it has no column `{name}`"));
        let (ids, vectors) = (column(id)?, column(vector)?);
        if ids.null_count() > 0 || vectors.null_count() > 0 {
            let row = (0..ids.len()).find(|r| ids.is_null(*r) || vectors.is_null(*r)).unwrap_or(0);
            return Err(format!("row {} has no id or no vector", first + row + 1));
        }
        match ids.data_type() {
            DataType::Utf8 => self.ids.extend(ids.as_string::<i32>().iter().flatten().map(str::to_owned)),
            DataType::Int64 => {
                self.ids.extend(ids.as_primitive::<Int64Type>().values().iter().map(ToString::to_string));
            }
            DataType::Int32 => {
                self.ids.extend(ids.as_primitive::<Int32Type>().values().iter().map(ToString::to_string));
            }
            other => return Err(format!("column `{id}` holds {other}, which is no id; write it as text")),
        }
        let lists = vectors.as_list_opt::<i32>().ok_or_else(|| {
            format!("column `{vector}` holds {}, but a list of numbers is needed", vectors.data_type())
        })?;
        for (row, list) in lists.iter().enumerate() {
            let Some(list) = list else { continue };
            let at = || format!("row {}", first + row + 1);
            if self.width == 0 {
                self.width = list.len();
            }
            if list.len() != self.width || self.width == 0 {
                return Err(format!("{} has {} numbers, the first has {}", at(), list.len(), self.width));
            }
            if list.null_count() > 0 {
                return Err(format!("the vector of {} has gaps (null)", at()));
            }
            self.extend(&list, vector)?;
        }
        Ok(())
    }

    fn extend(&mut self, list: &dyn Array, column: &str) -> Result<(), String> {
        let fresh = match list.data_type() {
            DataType::Float16 => (Element::F16, Gathered::F32(Vec::new())),
            DataType::Float32 => (Element::F32, Gathered::F32(Vec::new())),
            DataType::Float64 => (Element::F64, Gathered::F32(Vec::new())),
            DataType::Int8 => (Element::I8, Gathered::I8(Vec::new())),
            DataType::UInt8 => (Element::U8, Gathered::Packed(Vec::new())),
            other => {
                return Err(format!(
                    "column `{column}` holds lists of {other}; write floats, int8, or bits packed in uint8"
                ));
            }
        };
        match (&mut self.numbers.get_or_insert(fresh).1, list.data_type()) {
            (Gathered::F32(all), DataType::Float16) => {
                all.extend(list.as_primitive::<Float16Type>().values().iter().map(|x| x.to_f32()));
            }
            (Gathered::F32(all), DataType::Float32) => all.extend(list.as_primitive::<Float32Type>().values()),
            (Gathered::F32(all), DataType::Float64) => {
                all.extend(list.as_primitive::<Float64Type>().values().iter().map(|x| *x as f32));
            }
            (Gathered::I8(all), DataType::Int8) => all.extend(list.as_primitive::<Int8Type>().values()),
            (Gathered::Packed(all), DataType::UInt8) => all.extend(list.as_primitive::<UInt8Type>().values()),
            (_, other) => return Err(format!("column `{column}` changes its type to {other}")),
        }
        Ok(())
    }

    fn finish(self) -> Result<(Matrix, Vec<String>), String> {
        let Some((element, numbers)) = self.numbers else { return Err("it holds no vectors".to_owned()) };
        let matrix = Matrix::of_rows(element, self.ids.len(), self.width, numbers);
        Ok((matrix.ok_or_else(|| "it has not as many vectors as ids".to_owned())?, self.ids))
    }
}
