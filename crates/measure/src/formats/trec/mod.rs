//! TREC text: judgements (`query 0 document grade`) and runs (`query Q0 document rank score system`).
//!
//! What `trec_eval` 10 accepts is accepted: any blanks between columns, CRLF, `#` comments, whole grades written `2.0`; the
//! rank column and the order of lines mean nothing. What it silently bends is not: half grades, NaN, conflicting
//! judgements are errors that name line, query and document. Things that are odd but harmless become counted [`Warning`]s.
//!
//! Ids are strings, and never parsed. Reading is one pass over the bytes; unpacking `.gz` is the caller's.

mod lines;
mod qrels;
mod run;

pub use qrels::{parse_qrels, write_qrels};
pub use run::{parse_run, write_run};

pub(super) use lines::text;
pub(super) use qrels::whole;

pub use super::parsed::{Oddity, Parsed, Warning};

/// Whether an id fits between blanks.
fn writable<'i>(what: &'static str, id: &'i str) -> Result<&'i str, crate::MeasureError> {
    if id.is_empty() || id.starts_with('#') && what == "query" || id.contains(|c: char| c.is_ascii_whitespace()) {
        return Err(crate::MeasureError::UnwritableId { what, id: id.to_owned() });
    }
    Ok(id)
}
