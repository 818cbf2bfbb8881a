//! JSON dictionaries: `{query: {document: score}}` as `pytrec_eval` and `ranx` keep runs and qrels, and MTEB's predictions.
//!
//! MTEB writes `{"mteb_model_meta": {…}, subset: {split: {query: {document: score}}}}`; before version 2 it wrote the inner
//! dictionary alone. A file with several subsets or splits holds several runs, and one has to be chosen. Python's `NaN` is
//! refused like any score that is no number; its `Infinity` is a counted warning, as in TREC runs.
//!
//! Ids may hold anything here, white space included. That is legal, scored, and worth a warning, because no TREC file can
//! hold them.

mod events;
mod nested;

use std::collections::BTreeMap;

use eightk_core::{Hit, Qrels, Run};

use self::nested::{Leaf, Nested, Spot, Table};
use super::parsed::{Oddities, Oddity, Parsed};
use super::trec::{text, whole};
use crate::MeasureError;

/// Reads a run. `origin` is the file's name for messages; `section` chooses among several runs, as `subset`, `split` or
/// `subset/split`. The system's name is the model's in MTEB's files, else empty.
///
/// A query with an empty dictionary was run and found nothing.
///
/// # Errors
/// No JSON, or of another shape; a score that is no number or NaN; a key that stands twice; several runs and no choice, or
/// one that none of them meets. Each names the line.
pub fn parse_run(bytes: &[u8], origin: &str, section: Option<&str>) -> Result<Parsed<Run>, MeasureError> {
    let mut odd = Oddities::default();
    let nested: Nested<Score> = nested::read(text(bytes, origin)?, origin, &mut odd)?;
    let table = choose(nested.sections, origin, section)?;
    let hit = |(id, score): (String, Score)| Hit { id, score: score.0 };
    let queries: BTreeMap<String, Vec<Hit>> =
        table.into_iter().map(|(query, list)| (query, list.into_iter().map(hit).collect())).collect();
    if queries.is_empty() {
        odd.note(Oddity::Empty, 0);
    }
    let system = nested.model.unwrap_or_default();
    Ok(Parsed { value: Run { system, queries }, warnings: odd.into_warnings(origin) })
}

/// Reads judgements: `{query: {document: grade}}`, below subset and split too. Otherwise as [`parse_run`].
///
/// # Errors
/// As [`parse_run`]; a grade that is no whole number, a document with two grades, no judgement at all.
pub fn parse_qrels(bytes: &[u8], origin: &str, section: Option<&str>) -> Result<Parsed<Qrels>, MeasureError> {
    let mut odd = Oddities::default();
    let nested: Nested<Grade> = nested::read(text(bytes, origin)?, origin, &mut odd)?;
    let table = choose(nested.sections, origin, section)?;
    let grade = |(id, grade): (String, Grade)| (id, grade.0);
    let queries: BTreeMap<String, BTreeMap<String, i64>> =
        table.into_iter().map(|(query, list)| (query, list.into_iter().map(grade).collect())).collect();
    if queries.is_empty() {
        return Err(MeasureError::NoJudgements { origin: origin.to_owned() });
    }
    Ok(Parsed { value: Qrels { queries }, warnings: odd.into_warnings(origin) })
}

/// Writes a run as `{query: {document: score}}`, queries in byte order, hits in the order they are scored in. Scores read
/// back to the same bits; infinite ones are written as Python does, and read back by it and by [`parse_run`].
///
/// # Errors
/// A score that is NaN.
pub fn write_run(run: &Run) -> Result<String, MeasureError> {
    let mut out = Table::new();
    for (query, hits) in &run.queries {
        let mut hits: Vec<&Hit> = hits.iter().collect();
        hits.sort_unstable_by(|a, b| {
            b.score.partial_cmp(&a.score).unwrap_or(std::cmp::Ordering::Equal).then_with(|| b.id.cmp(&a.id))
        });
        if let Some(hit) = hits.iter().find(|hit| hit.score.is_nan()) {
            return Err(MeasureError::Score {
                place: format!("run `{}`", run.system),
                query: query.clone(),
                document: hit.id.clone(),
                score: hit.score.to_string(),
            });
        }
        let written = |score: f64| {
            if score.is_finite() {
                format!("{score:?}")
            } else if score > 0.0 {
                "Infinity".into()
            } else {
                "-Infinity".into()
            }
        };
        out.insert(query.clone(), hits.into_iter().map(|hit| (hit.id.clone(), written(hit.score))).collect());
    }
    Ok(write(&out))
}

/// Writes judgements as `{query: {document: grade}}`, sorted.
pub fn write_qrels(qrels: &Qrels) -> String {
    let list = |grades: &BTreeMap<String, i64>| grades.iter().map(|(id, g)| (id.clone(), g.to_string())).collect();
    write(&qrels.queries.iter().map(|(query, grades)| (query.clone(), list(grades))).collect())
}

fn write(table: &Table<String>) -> String {
    let mut out = String::from("{");
    for (i, (query, list)) in table.iter().enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        push_string(&mut out, query);
        out.push_str(": {");
        for (i, (id, written)) in list.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            push_string(&mut out, id);
            out.push_str(": ");
            out.push_str(written);
        }
        out.push('}');
    }
    out.push_str("\n}\n");
    out
}

fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The section that is asked for, or the only one.
fn choose<T>(
    sections: BTreeMap<Vec<String>, Table<T>>,
    origin: &str,
    wanted: Option<&str>,
) -> Result<Table<T>, MeasureError> {
    let names: Vec<String> = sections.keys().map(|path| path.join("/")).collect();
    let meets = |path: &[String]| {
        wanted
            .is_none_or(|wanted| path.is_empty() || path.join("/") == wanted || path.iter().any(|name| name == wanted))
    };
    let mut met = sections.into_iter().filter(|(path, _)| meets(path)).map(|(_, table)| table);
    match (met.next(), met.next()) {
        (Some(table), None) => Ok(table),
        (None, _) if names.is_empty() => Ok(Table::new()),
        _ => Err(MeasureError::Section {
            origin: origin.to_owned(),
            found: names.join(", "),
            wanted: wanted.map(str::to_owned),
        }),
    }
}

#[derive(Clone, Copy)]
struct Score(f64);

impl Leaf for Score {
    fn read(spot: &Spot<'_>, odd: &mut Oddities) -> Result<Self, MeasureError> {
        let score = match spot.written {
            "Infinity" => f64::INFINITY,
            "-Infinity" => f64::NEG_INFINITY,
            written => written.parse().unwrap_or(f64::NAN),
        };
        if score.is_nan() {
            return Err(MeasureError::Score {
                place: format!("{}:{}", spot.origin, spot.line()),
                query: spot.query.to_owned(),
                document: spot.document.to_owned(),
                score: spot.written.to_owned(),
            });
        }
        if score.is_infinite() {
            odd.note_at(Oddity::InfiniteScore, || spot.line());
        }
        Ok(Self(score))
    }

    fn again(first: (Self, Spot<'_>), _: Self, spot: &Spot<'_>, _: &mut Oddities) -> Result<(), MeasureError> {
        Err(MeasureError::DuplicateHit {
            place: format!("{}:{}", spot.origin, spot.line()),
            query: spot.query.to_owned(),
            document: spot.document.to_owned(),
            also: format!(" (first in line {})", first.1.line()),
        })
    }
}

#[derive(Clone, Copy)]
struct Grade(i64);

impl Leaf for Grade {
    fn read(spot: &Spot<'_>, odd: &mut Oddities) -> Result<Self, MeasureError> {
        let Some(grade) = whole(spot.written) else {
            return Err(MeasureError::Grade {
                origin: spot.origin.to_owned(),
                line: spot.line(),
                query: spot.query.to_owned(),
                document: spot.document.to_owned(),
                grade: spot.written.to_owned(),
            });
        };
        if grade < 0 {
            odd.note_at(Oddity::NegativeGrade, || spot.line());
        }
        Ok(Self(grade))
    }

    fn again(first: (Self, Spot<'_>), second: Self, spot: &Spot<'_>, odd: &mut Oddities) -> Result<(), MeasureError> {
        if first.0.0 == second.0 {
            odd.note_at(Oddity::RepeatedJudgement, || spot.line());
            return Ok(());
        }
        Err(MeasureError::ConflictingGrades {
            origin: spot.origin.to_owned(),
            line: spot.line(),
            query: spot.query.to_owned(),
            document: spot.document.to_owned(),
            first: first.0.0,
            second: second.0,
            first_line: first.1.line(),
        })
    }
}

#[cfg(test)]
mod tests;
