//! What reading a file yields beside its contents: things that are odd, counted by kind.
//!
//! Half of what is strange in real files changes nothing that can be scored. Refusing it would make people edit files by
//! hand, and passing over it would hide the few cases that matter, so it is counted and named once per kind.

use std::collections::BTreeMap;
use std::fmt;

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
    /// An id that is empty or holds white space, which text formats cannot hold.
    UnwritableId,
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
            Oddity::Empty => f.write_str("no data in it"),
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
            Oddity::UnwritableId => write!(
                f,
                "{n} ids (the first here) are empty or hold white space: they are scored, but no TREC file can hold them"
            ),
            Oddity::OtherSystem => write!(f, "{n} lines (the first here) name another system; the first name is taken"),
        }
    }
}

/// Counts oddities by kind.
#[derive(Debug, Default)]
pub(super) struct Oddities(BTreeMap<Oddity, (usize, usize)>);

impl Oddities {
    pub(super) fn note(&mut self, oddity: Oddity, line: usize) {
        self.note_at(oddity, || line);
    }

    /// The same where finding out the line costs something: it is asked for once per kind.
    pub(super) fn note_at(&mut self, oddity: Oddity, line: impl FnOnce() -> usize) {
        self.0.entry(oddity).or_insert_with(|| (line(), 0)).1 += 1;
    }

    pub(super) fn into_warnings(self, origin: &str) -> Vec<Warning> {
        let warning = |(oddity, (line, count))| Warning { origin: origin.to_owned(), line, count, oddity };
        self.0.into_iter().map(warning).collect()
    }
}
