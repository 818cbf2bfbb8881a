//! Single cells of a row: taken when there, an error that names the row when they must be.

use super::rows::{List, Text, Whole};
use crate::DatasetError;
use crate::error::Place;

/// An error about one cell.
pub(super) fn bad(place: &Place, column: &str, problem: impl Into<String>) -> DatasetError {
    DatasetError::Row { place: place.clone(), column: column.to_owned(), problem: problem.into() }
}

/// A string that must be there.
pub(crate) fn need_text(place: &Place, column: &str, cell: Text) -> Result<String, DatasetError> {
    cell.0.ok_or_else(|| bad(place, column, "missing or null; every row needs a string here"))
}

/// A position that must be there and cannot be negative.
pub(crate) fn need_position(place: &Place, column: &str, cell: Whole) -> Result<usize, DatasetError> {
    let n = cell.0.ok_or_else(|| bad(place, column, "missing or null; every row needs a number here"))?;
    usize::try_from(n).map_err(|_| bad(place, column, format!("{n} is no position; it must be 0 or more")))
}

/// A position that may be anything: what lies before the text becomes 0, and shows as a span that does not fit.
pub(crate) fn lenient(n: i64) -> usize {
    usize::try_from(n).unwrap_or(0)
}

/// A list that must be there, without gaps, of the length all lists of the row have.
pub(super) fn need_list<C, T>(
    place: &Place,
    column: &str,
    cells: List<C>,
    length: usize,
    item: impl Fn(C) -> Option<T>,
) -> Result<Vec<T>, DatasetError> {
    let cells = cells.0.ok_or_else(|| bad(place, column, "missing or null; every row needs a list here"))?;
    if cells.len() != length {
        let problem = format!("{} entries, but source_url has {length}; the lists of a row go together", cells.len());
        return Err(bad(place, column, problem));
    }
    let items: Option<Vec<T>> = cells.into_iter().map(item).collect();
    items.ok_or_else(|| bad(place, column, "an entry is null; remove it from every list of the row"))
}
