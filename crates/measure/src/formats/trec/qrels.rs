//! Judgements.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use eightk_core::Qrels;

use super::lines::{columns, lines, separator_hint, text};
use super::writable;
use crate::MeasureError;
use crate::formats::parsed::{Oddities, Oddity, Parsed};

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
                hint: match found {
                    6 => "; this reads like a run, which is given in another place",
                    1 => separator_hint(content),
                    _ => "; an id must not contain blanks",
                },
            });
        };
        let Some(grade) = whole(written) else {
            // BEIR's header: column names. A grade with a slip in it has digits, and is no header.
            if is_first && shape == Shape::Beir && !written.contains(|c: char| c.is_ascii_digit()) {
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
pub(in crate::formats) fn whole(grade: &str) -> Option<i64> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Parsed<Qrels>, MeasureError> {
        parse_qrels(text.as_bytes(), "q.qrels")
    }

    fn message(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    fn plain(qrels: &Qrels) -> Vec<(&str, &str, i64)> {
        let queries = qrels.queries.iter();
        queries.flat_map(|(q, grades)| grades.iter().map(move |(d, g)| (q.as_str(), d.as_str(), *g))).collect()
    }

    #[test]
    fn what_trec_eval_accepts_is_read() {
        let parsed = read("\u{feff}q1 0 a#s1 2\r\n\r\n# a comment\r\n  q1\t0\tb\t1.0\r\nq2 Q0 q2 0").unwrap();
        assert_eq!(plain(&parsed.value), [("q1", "a#s1", 2), ("q1", "b", 1), ("q2", "q2", 0)]);
        assert_eq!(parsed.warnings, []);
    }

    #[test]
    fn beir_with_and_without_header() {
        let want = [("q 1", "a", 2), ("q2", "b", 1)];
        assert_eq!(plain(&read("query-id\tcorpus-id\tscore\nq 1\ta\t2\nq2\tb\t1\n").unwrap().value), want);
        assert_eq!(plain(&read("q 1\ta\t2\nq2\tb\t1\n").unwrap().value), want);
        assert!(message("q1\ta\t1x\nq2\tb\t1\n").contains("q.qrels:1: grade `1x`"), "a slip is no header");
        assert!(message("q1\ta\t1\nq2 0 b 1\n").contains("q.qrels:2: 4 columns"));
    }

    #[test]
    fn errors_name_the_place() {
        assert!(message("q 0 a 1\nq 0 b 1.5\n").starts_with("q.qrels:2: grade `1.5` of document `b` for query `q`"));
        assert!(message("q 0 a one\n").contains("grade `one`"));
        assert!(message("q 0 a NaN\n").contains("grade `NaN`"));
        assert!(message("q 0 a 1e300\n").contains("grade `1e300`"));
        assert!(message("\nq 0 a\n").starts_with("q.qrels:2: 3 columns where a line has 4"));
        assert!(message("q 0 a b 1\n").contains("must not contain blanks"));
        assert!(message("q Q0 a 1 2.5 s\n").contains("reads like a run"));
        assert!(message("q,0,a,1\n").contains("not by commas"));
        let conflict = message("q 0 a 1\nq 0 b 1\nq 0 a 2\n");
        assert!(conflict.contains("q.qrels:3:") && conflict.contains("in line 1"), "{conflict}");
        assert!(message("# nothing\n").contains("no judgement"));
        let latin = parse_qrels(b"q 0 a 1\nq 0 \xE9 1\n", "q.qrels").unwrap_err().to_string();
        assert!(latin.starts_with("q.qrels:2: not UTF-8"), "{latin}");
    }

    #[test]
    fn oddities_are_counted() {
        let parsed = read("q 0 a -1\nq 0 b 2\nq 0 b 2\nq 0 c -2\n# 0 d 1\n").unwrap();
        let found: Vec<_> = parsed.warnings.iter().map(|w| (w.oddity, w.line, w.count)).collect();
        assert_eq!(
            found,
            [(Oddity::NegativeGrade, 1, 2), (Oddity::RepeatedJudgement, 3, 1), (Oddity::CommentedData, 5, 1)]
        );
        assert_eq!(parsed.value.queries["q"]["c"], -2, "kept as judged");
        assert_eq!(
            parsed.warnings[0].to_string(),
            "q.qrels:1: 2 grades below 0 (the first here) count as not relevant"
        );
    }

    #[test]
    fn an_id_with_a_blank_is_not_written() {
        for (query, document) in [("q 1", "a"), ("q", "a\tb"), ("", "a"), ("#q", "a"), ("q", "")] {
            let grades = BTreeMap::from([(document.to_owned(), 1)]);
            let qrels = Qrels { queries: BTreeMap::from([(query.to_owned(), grades)]) };
            assert!(write_qrels(&qrels).is_err(), "{query:?} {document:?}");
        }
    }

    proptest! {
        #[test]
        fn written_and_read_back(
            queries in prop::collection::btree_map("[a-z0-9é][a-z0-9#é]{0,4}", prop::collection::btree_map("[a-z#]{1,3}", -2_i64..4, 1..5), 1..5),
        ) {
            let qrels = Qrels { queries };
            prop_assert_eq!(read(&write_qrels(&qrels).unwrap()).unwrap().value, qrels);
        }

        #[test]
        fn no_bytes_break_it(bytes in prop::collection::vec(prop_oneof![Just(b' '), Just(b'\n'), Just(b'\t'), Just(b'1'), any::<u8>()], 0..200)) {
            let _ = parse_qrels(&bytes, "x");
        }
    }
}
