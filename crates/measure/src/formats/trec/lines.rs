//! Lines and columns of a text file, by number.

use crate::MeasureError;

/// The text without a byte order mark.
///
/// # Errors
/// Not UTF-8; names the first line that is not.
pub(in crate::formats) fn text<'b>(bytes: &'b [u8], origin: &str) -> Result<&'b str, MeasureError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = 1 + memchr::memchr_iter(b'\n', good).count();
        MeasureError::NotUtf8 { origin: origin.to_owned(), line }
    })
}

/// Lines with their 1-based numbers, without line ends and leading blanks; blank lines left out.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = text;
    let mut number = 0;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let line = rest.get(..end).unwrap_or_default();
            rest = rest.get(end + 1..).unwrap_or_default();
            number += 1;
            let line = line.trim_ascii();
            if !line.is_empty() {
                return Some((number, line));
            }
        }
        None
    })
}

/// The first `N` columns, split at blanks and tabs, and how many there are in all.
pub(super) fn columns<const N: usize>(line: &str) -> ([&str; N], usize) {
    let mut columns = [""; N];
    let mut count = 0;
    for column in line.split_ascii_whitespace() {
        if let Some(slot) = columns.get_mut(count) {
            *slot = column;
        }
        count += 1;
    }
    (columns, count)
}

/// What to say of a line that is one column, though it may be meant as several.
pub(super) fn separator_hint(line: &str) -> &'static str {
    if line.contains(',') {
        "; columns are separated by blanks or tabs, not by commas"
    } else if line.contains(';') {
        "; columns are separated by blanks or tabs, not by semicolons"
    } else if line.contains('|') {
        "; columns are separated by blanks or tabs, not by bars"
    } else {
        ""
    }
}
