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

use std::fmt;

pub use qrels::{parse_qrels, write_qrels};
pub use run::{parse_run, write_run};

/// What was read, and what was odd about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Parsed<T> {
    /// What was read.
    pub value: T,
    /// What was odd, each kind once.
    pub warnings: Vec<Warning>,
}

/// Something odd that does not change what can be scored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Name of the file.
    pub origin: String,
    /// 1-based line where it happens first; 0 where it is about the file as a whole.
    pub line: usize,
    /// How often it happens.
    pub count: usize,
    /// What it is.
    pub oddity: Oddity,
}

/// What can be odd about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oddity {
    /// Nothing in it but blank lines and comments.
    Empty,
    /// A grade below 0.
    NegativeGrade,
    /// The same judgement twice.
    RepeatedJudgement,
    /// A line that reads like data but begins with `#`.
    CommentedData,
    /// A score that is infinite.
    InfiniteScore,
    /// A system name other than that of the first line.
    OtherSystem,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: ", self.origin)?;
        } else {
            write!(f, "{}:{}: ", self.origin, self.line)?;
        }
        let n = self.count;
        match self.oddity {
            Oddity::Empty => f.write_str("no line with data in it"),
            Oddity::NegativeGrade => write!(f, "{n} grades below 0 (the first here) count as not relevant"),
            Oddity::RepeatedJudgement => write!(f, "{n} judgements (the first here) stand there twice and count once"),
            Oddity::CommentedData => {
                write!(
                    f,
                    "{n} lines (the first here) begin with `#` and are taken for comments though they read like data"
                )
            }
            Oddity::InfiniteScore => {
                write!(f, "{n} infinite scores (the first here) rank at the end and tie with their like")
            }
            Oddity::OtherSystem => write!(f, "{n} lines (the first here) name another system; the first name is taken"),
        }
    }
}

/// Counts oddities by kind.
#[derive(Debug, Default)]
struct Oddities(std::collections::BTreeMap<Oddity, (usize, usize)>);

impl Oddities {
    fn note(&mut self, oddity: Oddity, line: usize) {
        self.0.entry(oddity).or_insert((line, 0)).1 += 1;
    }

    fn into_warnings(self, origin: &str) -> Vec<Warning> {
        let warning = |(oddity, (line, count))| Warning { origin: origin.to_owned(), line, count, oddity };
        self.0.into_iter().map(warning).collect()
    }
}

/// Whether an id fits between blanks.
fn writable<'i>(what: &'static str, id: &'i str) -> Result<&'i str, crate::MeasureError> {
    if id.is_empty() || id.starts_with('#') && what == "query" || id.contains(|c: char| c.is_ascii_whitespace()) {
        return Err(crate::MeasureError::UnwritableId { what, id: id.to_owned() });
    }
    Ok(id)
}
