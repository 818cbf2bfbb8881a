//! Runs.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use eightk_core::{Hit, Run};

use super::lines::{columns, lines, separator_hint, text};
use super::writable;
use crate::MeasureError;
use crate::formats::parsed::{Oddities, Oddity, Parsed};
use crate::one_query::IdTable;

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
                hint: hint(content, found),
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
    let mut ids = IdTable::default();
    for (query, hits) in &queries {
        if let Some(twice) = ids.fill(hits).err().and_then(|at| hits.get(at)) {
            return Err(duplicate(text, origin, query, &twice.id));
        }
    }
    let queries = queries.into_iter().map(|(query, hits)| (query.to_owned(), hits)).collect();
    let system = system.unwrap_or_default().to_owned();
    Ok(Parsed { value: Run { system, queries }, warnings: odd.into_warnings(origin) })
}

/// What may have gone wrong with a line that is not one of a run.
fn hint(line: &str, columns: usize) -> &'static str {
    match columns {
        7.. => "; ids and system names must not contain blanks",
        4 | 3 => "; this reads like judgements, which are given in another place",
        1 => separator_hint(line),
        _ => "",
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<Parsed<Run>, MeasureError> {
        parse_run(text.as_bytes(), "s.run")
    }

    fn message(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn what_trec_eval_accepts_is_read() {
        let text =
            "\u{feff}# made by hand\r\nq2 Q0 a#s1 9 1e-3 mine\r\n\r\nq1\tQ0\tb\t1\t+2\tmine\r\n q2 Q0 b 1 -.5 mine";
        let Parsed { value: run, warnings } = read(text).unwrap();
        assert_eq!(run.system, "mine");
        let hits: Vec<_> = run.queries["q2"].iter().map(|h| (h.id.as_str(), h.score)).collect();
        assert_eq!(hits, [("a#s1", 0.001), ("b", -0.5)]);
        assert_eq!(run.queries["q1"][0].score, 2.0);
        assert_eq!(warnings, []);
    }

    #[test]
    fn lines_of_a_query_may_stand_apart() {
        let run = read("a Q0 1 1 3 s\nb Q0 1 1 3 s\na Q0 2 2 2 s\nb Q0 2 2 2 s\na Q0 3 3 1 s\n").unwrap().value;
        let ids = |q: &str| run.queries[q].iter().map(|h| h.id.as_str()).collect::<String>();
        assert_eq!((ids("a"), ids("b")), ("123".to_owned(), "12".to_owned()));
    }

    #[test]
    fn errors_name_the_place() {
        assert!(message("q Q0 a 1 2 s\nq Q0 b 2 1\n").starts_with("s.run:2: 5 columns where a line has 6"));
        assert!(message("q Q0 a b 1 2 s\n").contains("7 columns") && message("q Q0 a b 1 2 s\n").contains("blanks"));
        assert!(message("q,Q0,a,1,2,s\n").contains("1 columns") && message("q,Q0,a,1,2,s\n").contains("not by commas"));
        assert!(message("q;Q0;a;1;2;s\n").contains("not by semicolons"));
        assert!(message("q 0 a 1\n").contains("reads like judgements"));
        for score in ["NaN", "nan", "-nan", "1,5", "high", "0x10", "1_000"] {
            let message = message(&format!("q Q0 a 1 2 s\n\nq Q0 z 2 {score} s\n"));
            let want = format!("s.run:3: score `{score}` of document `z` for query `q`");
            assert!(message.starts_with(&want), "{message}");
        }
        let twice = message("q Q0 A 1 2 s\np Q0 A 1 2 s\nq Q0 B 1 2 s\nq Q0 A 3 1 s\n");
        assert!(
            twice.starts_with("s.run:4: document `A` is retrieved twice for query `q` (first in line 1)"),
            "{twice}"
        );
        let latin = parse_run(b"q Q0 a 1 2 s\nq Q0 \xE9 2 1 s\n", "s.run").unwrap_err().to_string();
        assert!(latin.starts_with("s.run:2: not UTF-8"), "{latin}");
    }

    #[test]
    fn oddities_are_counted() {
        let parsed = read("q Q0 a 1 inf s\nq Q0 b 2 1 t\nq Q0 c 3 -Infinity t\n#q Q0 d 4 0 s\n").unwrap();
        let found: Vec<_> = parsed.warnings.iter().map(|w| (w.oddity, w.line, w.count)).collect();
        assert_eq!(found, [(Oddity::CommentedData, 4, 1), (Oddity::InfiniteScore, 1, 2), (Oddity::OtherSystem, 2, 2)]);
        assert_eq!(parsed.value.system, "s");
    }

    #[test]
    fn an_empty_run_found_nothing() {
        let parsed = read("\n# nothing found\n").unwrap();
        assert_eq!(parsed.value, Run::default());
        assert_eq!(parsed.warnings.iter().map(|w| w.oddity).collect::<Vec<_>>(), [Oddity::Empty]);
    }

    #[test]
    fn written_in_the_order_that_is_scored() {
        let hits = [("a", 1.0), ("c", 2.5), ("b", 2.5)].map(|(id, score)| Hit { id: id.into(), score }).to_vec();
        let run = Run { system: "my own system".into(), queries: BTreeMap::from([("q".into(), hits)]) };
        let want = "q Q0 c 1 2.5 my_own_system\nq Q0 b 2 2.5 my_own_system\nq Q0 a 3 1.0 my_own_system\n";
        assert_eq!(write_run(&run).unwrap(), want);
    }

    #[test]
    fn what_the_format_cannot_hold_is_not_written() {
        for (query, id, score) in [("q 1", "a", 1.0), ("#q", "a", 1.0), ("q", "a b", 1.0), ("q", "a", f64::NAN)] {
            let hits = vec![Hit { id: id.into(), score }];
            let run = Run { system: "s".into(), queries: BTreeMap::from([(query.into(), hits)]) };
            assert!(write_run(&run).is_err(), "{query:?} {id:?} {score}");
        }
    }

    proptest! {
        #[test]
        fn written_and_read_back_to_the_same_bits(
            queries in prop::collection::btree_map(
                "[a-z0-9é][a-z0-9#é]{0,3}",
                prop::collection::btree_map("[a-z#é]{1,3}", any::<f64>().prop_filter("no rank", |s| !s.is_nan()), 1..6),
                1..5,
            ),
        ) {
            let hits = |list: BTreeMap<String, f64>| list.into_iter().map(|(id, score)| Hit { id, score }).collect();
            let queries = queries.into_iter().map(|(q, list)| (q, hits(list))).collect();
            let run = Run { system: "s".into(), queries };
            let text = write_run(&run).unwrap();
            let back = read(&text).unwrap().value;
            prop_assert_eq!(&text, &write_run(&back).unwrap());
            for (query, hits) in &run.queries {
                for hit in hits {
                    let found = back.queries[query].iter().find(|h| h.id == hit.id).unwrap();
                    prop_assert_eq!(found.score.to_bits(), hit.score.to_bits());
                }
            }
        }

        #[test]
        fn no_bytes_break_it(bytes in prop::collection::vec(prop_oneof![Just(b' '), Just(b'\n'), Just(b'q'), Just(b'1'), any::<u8>()], 0..200)) {
            let _ = parse_run(&bytes, "x");
        }
    }
}
