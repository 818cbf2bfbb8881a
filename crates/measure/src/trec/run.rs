//! Runs.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use eightk_core::{Hit, Run};

use super::lines::{columns, lines, text};
use super::{Oddities, Oddity, Parsed, writable};
use crate::MeasureError;

/// Reads a run. `origin` is the file's name for messages; the system's name is that of the first line, empty for an empty
/// run (which is legal: it found nothing).
///
/// The rank column is not read: only scores decide, as in `trec_eval`. Lines of one query need not stand together.
///
/// # Errors
/// A line without exactly six columns, a score that is no number or NaN, a document twice for one query, bytes that are no
/// UTF-8; each names the line.
pub fn parse_run(bytes: &[u8], origin: &str) -> Result<Parsed<Run>, MeasureError> {
    let text = text(bytes, origin)?;
    let mut odd = Oddities::default();
    let mut system: Option<&str> = None;
    // The query at hand is kept apart: lines of one query nearly always stand together.
    let mut rankings: HashMap<&str, Vec<Hit>, foldhash::fast::RandomState> = HashMap::default();
    let (mut at, mut hits): (&str, Vec<Hit>) = ("", Vec::new());
    for (line, content) in lines(text) {
        let ([query, _, document, _, written, name], found) = columns::<6>(content);
        if content.starts_with('#') {
            if found == 6 && written.parse::<f64>().is_ok() {
                odd.note(Oddity::CommentedData, line);
            }
            continue;
        }
        if found != 6 {
            return Err(MeasureError::Columns {
                origin: origin.to_owned(),
                line,
                found,
                wanted: "6 (query Q0 document rank score system)",
                hint: if found > 6 { "; ids and system names must not contain blanks" } else { "" },
            });
        }
        let score = written.parse::<f64>().unwrap_or(f64::NAN);
        if score.is_nan() {
            return Err(MeasureError::Score {
                place: format!("{origin}:{line}"),
                query: query.to_owned(),
                document: document.to_owned(),
                score: written.to_owned(),
            });
        }
        if score.is_infinite() {
            odd.note(Oddity::InfiniteScore, line);
        }
        if *system.get_or_insert(name) != name {
            odd.note(Oddity::OtherSystem, line);
        }
        if query != at {
            if !at.is_empty() {
                rankings.insert(at, std::mem::take(&mut hits));
            }
            hits = rankings.remove(query).unwrap_or_default();
            at = query;
        }
        hits.push(Hit { id: document.to_owned(), score });
    }
    if at.is_empty() {
        odd.note(Oddity::Empty, 0);
    } else {
        rankings.insert(at, hits);
    }
    let queries: BTreeMap<&str, Vec<Hit>> = rankings.into_iter().collect();
    let mut seen: HashSet<&str, foldhash::fast::RandomState> = HashSet::default();
    for (query, hits) in &queries {
        seen.clear();
        if let Some(twice) = hits.iter().find(|hit| !seen.insert(&hit.id)) {
            return Err(duplicate(text, origin, query, &twice.id));
        }
    }
    let queries = queries.into_iter().map(|(query, hits)| (query.to_owned(), hits)).collect();
    let system = system.unwrap_or_default().to_owned();
    Ok(Parsed { value: Run { system, queries }, warnings: odd.into_warnings(origin) })
}

/// The error for a repeated document, with the lines of its first two occurrences.
fn duplicate(text: &str, origin: &str, query: &str, document: &str) -> MeasureError {
    let mut at = lines(text).filter(|(_, content)| {
        let ([q, _, d, ..], _) = columns::<6>(content);
        q == query && d == document
    });
    let first = at.next().map_or(0, |l| l.0);
    let second = at.next().map_or(first, |l| l.0);
    MeasureError::DuplicateHit {
        place: format!("{origin}:{second}"),
        query: query.to_owned(),
        document: document.to_owned(),
        also: format!(" (first in line {first})"),
    }
}

/// Writes a run: queries in byte order, hits by score descending and then id descending, ranks from 1, scores so that they
/// read back to the same bits. White space in the system's name becomes `_`.
///
/// The format has no line for a query that was run and found nothing: read back, such a query is missing. Every score is
/// the same.
///
/// # Errors
/// An id that contains white space, a query id that would read as a comment, a score that is NaN.
pub fn write_run(run: &Run) -> Result<String, MeasureError> {
    let name = run.system.split_ascii_whitespace().collect::<Vec<_>>().join("_");
    let name = if name.is_empty() { "run" } else { &name };
    let mut out = String::new();
    for (query, hits) in &run.queries {
        let query = writable("query", query)?;
        let mut hits: Vec<&Hit> = hits.iter().collect();
        hits.sort_unstable_by(|a, b| {
            b.score.partial_cmp(&a.score).unwrap_or(std::cmp::Ordering::Equal).then_with(|| b.id.cmp(&a.id))
        });
        for (i, Hit { id, score }) in hits.into_iter().enumerate() {
            if score.is_nan() {
                return Err(MeasureError::Score {
                    place: format!("run `{}`", run.system),
                    query: query.to_owned(),
                    document: id.clone(),
                    score: score.to_string(),
                });
            }
            let document = writable("document", id)?;
            // Debug is the shortest form that reads back to the same bits. Writing to a string cannot fail.
            let _ = writeln!(out, "{query} Q0 {document} {} {score:?} {name}", i + 1);
        }
    }
    Ok(out)
}
