//! Cells out of Arrow arrays.
//!
//! Only the types that a parquet schema itself can name arrive here: files are read without the Arrow schema some writers
//! embed, so `large_string`, `string_view`, dictionaries and large lists come as plain strings and lists. That is what
//! makes the reader tolerant without a table of every Arrow type.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_schema::DataType;

use super::rows::{ColumnProblem, List, RawSpan, Text, Whole, whole};

/// The columns of one batch by name.
pub(crate) struct Columns<'b> {
    batch: &'b RecordBatch,
}

impl<'b> Columns<'b> {
    pub(crate) fn new(batch: &'b RecordBatch) -> Self {
        Self { batch }
    }

    pub(crate) fn rows(&self) -> usize {
        self.batch.num_rows()
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<Vec<Text>>, ColumnProblem> {
        self.batch.column_by_name(name).map(|a| texts(a, name)).transpose()
    }

    /// The strings of a column, for whoever looks at them without keeping them.
    pub(crate) fn strings(&self, name: &str) -> Result<Option<Strings<'b>>, ColumnProblem> {
        let Some(array) = self.batch.column_by_name(name) else { return Ok(None) };
        match array.as_string_opt::<i32>() {
            Some(strings) => Ok(Some(Strings::Stored(strings))),
            None => Ok(Some(Strings::Made(texts(array, name)?))),
        }
    }

    pub(crate) fn whole(&self, name: &str) -> Result<Option<Vec<Whole>>, ColumnProblem> {
        self.batch.column_by_name(name).map(|a| wholes(a, name)).transpose()
    }

    pub(crate) fn texts(&self, name: &str) -> Result<Option<Vec<List<Text>>>, ColumnProblem> {
        self.batch.column_by_name(name).map(|a| lists(a, name, texts)).transpose()
    }

    pub(crate) fn wholes(&self, name: &str) -> Result<Option<Vec<List<Whole>>>, ColumnProblem> {
        self.batch.column_by_name(name).map(|a| lists(a, name, wholes)).transpose()
    }

    pub(crate) fn spans(&self, name: &str) -> Result<Option<Vec<List<RawSpan>>>, ColumnProblem> {
        self.batch.column_by_name(name).map(|a| lists(a, name, spans)).transpose()
    }
}

/// Strings of one batch.
pub(crate) enum Strings<'b> {
    /// As they lie in the batch.
    Stored(&'b StringArray),
    /// Made from what is no string.
    Made(Vec<Text>),
}

impl Strings<'_> {
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::Stored(strings) => (row < strings.len() && strings.is_valid(row)).then(|| strings.value(row)),
            Self::Made(cells) => cells.get(row)?.0.as_deref(),
        }
    }
}

fn mismatch(array: &dyn Array, name: &str, wanted: &str) -> ColumnProblem {
    ColumnProblem { column: name.to_owned(), problem: format!("holds {}, but {wanted} is needed", array.data_type()) }
}

/// Numbers of any width, each made into a cell.
fn numbers<T: ArrowPrimitiveType, C>(array: &dyn Array, cell: impl Fn(T::Native) -> C) -> Vec<Option<C>> {
    array.as_primitive::<T>().iter().map(|n| n.map(&cell)).collect()
}

fn texts(array: &dyn Array, name: &str) -> Result<Vec<Text>, ColumnProblem> {
    let number = |cells: Vec<Option<String>>| cells.into_iter().map(Text).collect();
    Ok(match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().map(|s| Text(s.map(str::to_owned))).collect(),
        DataType::Binary => {
            let utf8 = |bytes: Option<&[u8]>| match bytes.map(std::str::from_utf8) {
                None => Ok(Text(None)),
                Some(Ok(s)) => Ok(Text(Some(s.to_owned()))),
                Some(Err(_)) => Err(mismatch(array, name, "UTF-8 text")),
            };
            array.as_binary::<i32>().iter().map(utf8).collect::<Result<_, _>>()?
        }
        DataType::Int32 => number(numbers::<Int32Type, _>(array, |n| n.to_string())),
        DataType::Int64 => number(numbers::<Int64Type, _>(array, |n| n.to_string())),
        DataType::UInt32 => number(numbers::<UInt32Type, _>(array, |n| n.to_string())),
        DataType::UInt64 => number(numbers::<UInt64Type, _>(array, |n| n.to_string())),
        DataType::Null => vec![Text(None); array.len()],
        _ => return Err(mismatch(array, name, "a string")),
    })
}

fn wholes(array: &dyn Array, name: &str) -> Result<Vec<Whole>, ColumnProblem> {
    let known = |cells: Vec<Option<i64>>| cells.into_iter().map(Whole).collect();
    // The inner `None` is a number that is not whole or does not fit: an error, unlike a missing one.
    let checked = |cells: Vec<Option<Option<i64>>>| {
        let cell = |c: Option<Option<i64>>| match c {
            None => Ok(Whole(None)),
            Some(Some(n)) => Ok(Whole(Some(n))),
            Some(None) => Err(mismatch(array, name, "a whole number of 64 bits")),
        };
        cells.into_iter().map(cell).collect::<Result<_, _>>()
    };
    Ok(match array.data_type() {
        DataType::Int8 => known(numbers::<Int8Type, _>(array, i64::from)),
        DataType::Int16 => known(numbers::<Int16Type, _>(array, i64::from)),
        DataType::Int32 => known(numbers::<Int32Type, _>(array, i64::from)),
        DataType::Int64 => known(numbers::<Int64Type, _>(array, |n| n)),
        DataType::UInt8 => known(numbers::<UInt8Type, _>(array, i64::from)),
        DataType::UInt16 => known(numbers::<UInt16Type, _>(array, i64::from)),
        DataType::UInt32 => known(numbers::<UInt32Type, _>(array, i64::from)),
        DataType::UInt64 => checked(numbers::<UInt64Type, _>(array, |n| i64::try_from(n).ok()))?,
        DataType::Float32 => checked(numbers::<Float32Type, _>(array, |f| whole(f.into())))?,
        DataType::Float64 => checked(numbers::<Float64Type, _>(array, whole))?,
        DataType::Null => vec![Whole(None); array.len()],
        _ => return Err(mismatch(array, name, "a whole number")),
    })
}

fn lists<T: Default>(
    array: &dyn Array,
    name: &str,
    items: fn(&dyn Array, &str) -> Result<Vec<T>, ColumnProblem>,
) -> Result<Vec<List<T>>, ColumnProblem> {
    match array.data_type() {
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            let mut cells = items(list.values(), name)?;
            let row = |(i, ends): (usize, &[i32])| {
                let [from, to] = [ends.first(), ends.last()].map(|n| n.and_then(|n| usize::try_from(*n).ok()));
                let cells = cells.get_mut(from.unwrap_or(0)..to.unwrap_or(0)).unwrap_or_default();
                List(list.is_valid(i).then(|| cells.iter_mut().map(std::mem::take).collect()))
            };
            Ok(list.value_offsets().windows(2).enumerate().map(row).collect())
        }
        DataType::Null => Ok(std::iter::repeat_with(List::default).take(array.len()).collect()),
        _ => Err(mismatch(array, name, "a list")),
    }
}

fn spans(array: &dyn Array, name: &str) -> Result<Vec<RawSpan>, ColumnProblem> {
    let mut rows: Vec<RawSpan> = std::iter::repeat_with(RawSpan::default).take(array.len()).collect();
    let Some(fields) = array.as_struct_opt() else {
        return if *array.data_type() == DataType::Null { Ok(rows) } else { Err(mismatch(array, name, "a struct")) };
    };
    if let Some(column) = fields.column_by_name("source_url") {
        rows.iter_mut().zip(texts(column, name)?).for_each(|(row, cell)| row.source_url = cell);
    }
    if let Some(column) = fields.column_by_name("frag_start_char") {
        rows.iter_mut().zip(wholes(column, name)?).for_each(|(row, cell)| row.frag_start_char = cell);
    }
    if let Some(column) = fields.column_by_name("frag_end_char") {
        rows.iter_mut().zip(wholes(column, name)?).for_each(|(row, cell)| row.frag_end_char = cell);
    }
    Ok(rows)
}
