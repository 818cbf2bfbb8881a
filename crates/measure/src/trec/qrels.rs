//! Judgements.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use eightk_core::Qrels;

use super::lines::{columns, lines, text};
use super::{Oddities, Oddity, Parsed, writable};
use crate::MeasureError;

/// Reads judgements: TREC's four columns, or the three tab-separated ones of BEIR with or without their header.
/// `origin` is the file's name for messages.
///
/// A document judged twice with one grade counts once, with a warning; a grade below 0 is kept, with a warning.
///
/// # Errors
/// A line with the wrong number of columns, a grade that is no whole number, a document with two grades, no judgement at
/// all, bytes that are no UTF-8; each names the line.
pub fn parse_qrels(bytes: &[u8], origin: &str) -> Result<Parsed<Qrels>, MeasureError> {
    let text = text(bytes, origin)?;
    let mut queries: BTreeMap<String, BTreeMap<String, i64>> = BTreeMap::new();
    let mut odd = Oddities::default();
    let mut shape = None;
    for (line, content) in lines(text) {
        if content.starts_with('#') {
            let ([.., grade], n) = columns::<4>(content);
            if n == 4 && grade.parse::<f64>().is_ok() {
                odd.note(Oddity::CommentedData, line);
            }
            continue;
        }
        let is_first = shape.is_none();
        let shape = *shape.get_or_insert_with(|| Shape::of(content));
        let Some((query, document, written)) = shape.split(content) else {
            let (_, found) = columns::<0>(content);
            return Err(MeasureError::Columns {
                origin: origin.to_owned(),
                line,
                found,
                wanted: shape.wanted(),
                hint: "; an id must not contain blanks",
            });
        };
        let Some(grade) = whole(written) else {
            if is_first && shape == Shape::Beir && written.parse::<f64>().is_err() {
                continue;
            }
            return Err(MeasureError::Grade {
                origin: origin.to_owned(),
                line,
                query: query.to_owned(),
                document: document.to_owned(),
                grade: written.to_owned(),
            });
        };
        if grade < 0 {
            odd.note(Oddity::NegativeGrade, line);
        }
        if !queries.contains_key(query) {
            queries.insert(query.to_owned(), BTreeMap::new());
        }
        let Some(grades) = queries.get_mut(query) else { continue };
        match grades.get(document) {
            None => {
                grades.insert(document.to_owned(), grade);
            }
            Some(first) if *first == grade => odd.note(Oddity::RepeatedJudgement, line),
            Some(first) => {
                let same = |l: &(usize, &str)| shape.split(l.1).is_some_and(|(q, d, _)| q == query && d == document);
                return Err(MeasureError::ConflictingGrades {
                    origin: origin.to_owned(),
                    line,
                    query: query.to_owned(),
                    document: document.to_owned(),
                    first: *first,
                    second: grade,
                    first_line: lines(text).find(same).map_or(0, |l| l.0),
                });
            }
        }
    }
    if queries.is_empty() {
        return Err(MeasureError::NoJudgements { origin: origin.to_owned() });
    }
    Ok(Parsed { value: Qrels { queries }, warnings: odd.into_warnings(origin) })
}

/// Which columns a file has; its first line decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `query iteration document grade`, blanks between.
    Trec,
    /// `query document grade`, tabs between.
    Beir,
}

impl Shape {
    fn of(line: &str) -> Self {
        if memchr::memchr_iter(b'\t', line.as_bytes()).count() == 2 { Self::Beir } else { Self::Trec }
    }

    const fn wanted(self) -> &'static str {
        match self {
            Self::Trec => "4 (query 0 document grade)",
            Self::Beir => "3 between tabs (query document grade)",
        }
    }

    /// Query, document and grade as written.
    fn split(self, line: &str) -> Option<(&str, &str, &str)> {
        match self {
            Self::Trec => {
                let ([query, _, document, grade], n) = columns::<4>(line);
                (n == 4).then_some((query, document, grade))
            }
            Self::Beir => {
                let mut parts = line.split('\t').map(str::trim_ascii);
                let found = (parts.next()?, parts.next()?, parts.next()?);
                parts.next().is_none().then_some(found).filter(|f| !f.0.is_empty() && !f.1.is_empty())
            }
        }
    }
}

/// A whole number, also one written `2.0`.
fn whole(grade: &str) -> Option<i64> {
    if let Ok(n) = grade.parse() {
        return Some(n);
    }
    // Beyond 2^53 not every whole number is a float, and no grade is that large.
    grade.parse::<f64>().ok().filter(|g| g.fract() == 0.0 && g.abs() < 9e15).map(|g| g as i64)
}

/// Writes judgements in TREC's four columns, sorted by query and document.
///
/// # Errors
/// An id that contains white space, or a query id that would read as a comment.
pub fn write_qrels(qrels: &Qrels) -> Result<String, MeasureError> {
    let mut out = String::new();
    for (query, grades) in &qrels.queries {
        for (document, grade) in grades {
            let (query, document) = (writable("query", query)?, writable("document", document)?);
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{query} 0 {document} {grade}");
        }
    }
    Ok(out)
}
