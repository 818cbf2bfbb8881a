//! What stands under the tables: how to read them, and what is odd about runs and queries.

use eightk_measure::{FailedSystem, Metric, SMOKE_TEST_BELOW, SystemScores, Verdict};

use super::asked::Which;
use crate::evaluation::{Scored, is_mark};

/// All notes, a paragraph each, with the table that each belongs to.
pub(super) fn notes(scored: &Scored, failed: &[FailedSystem]) -> Vec<(Which, String)> {
    let mut notes = Vec::new();
    if let Some(s) = scored.systems.first().map(|s| &s.scores) {
        let answerable = s.queries.len() - s.undefined.answer;
        let without = match s.undefined.answer {
            0 => String::new(),
            n => format!(", {n} without: not counted"),
        };
        let interval = match s.draws {
            0 => "",
            _ if scored.filings_known => {
                " In brackets: 95 % bootstrap intervals, filings drawn whole; where all values are equal there is none."
            }
            _ => {
                " In brackets: 95 % bootstrap intervals over queries, since judgements alone do not tell which of them share a \
                 filing: they may be too narrow. Score the data set itself for whole filings."
            }
        };
        notes.push(format!(
            "{answerable} queries with an answer{without}. Expected values over a random order inside ties.{interval}"
        ));
        if scored.settings.metrics == Metric::DEFAULT {
            notes.push(
                "recall: of the answers (standard_recall); evidence: of answers and evidence (evidence_recall).".into(),
            );
        }
        if s.smoke_test() {
            notes.push(format!("Fewer than {SMOKE_TEST_BELOW} queries: this is a smoke test, not a result."));
        }
    }
    notes.extend(chance(scored));
    let mut notes: Vec<(Which, String)> = notes.into_iter().map(|note| (Which::Systems, note)).collect();
    if !scored.comparisons.is_empty() {
        let how = "p: paired randomization of whole filings; Holm: corrected for the systems compared. Could show: the smallest \
             true difference found four times in five. Queries more: needed to show one as large as seen. The best is \
             chosen on these very queries, which flatters it.";
        notes.push((Which::Comparisons, how.to_owned()));
    }
    let odd = scored.systems.iter().filter_map(|s| odd(&s.scores));
    let failed = (failed.iter())
        .map(|f| format!("{} could not run and has no score: {}.", f.name, f.reason.trim_end_matches('.')));
    let further = odd.chain(scored.remarks.iter().cloned()).chain(failed);
    notes.extend(further.map(|note| (Which::Systems, note)));
    notes
}

/// Who is at chance, by the test and not by the look of it.
fn chance(scored: &Scored) -> Option<String> {
    let of = |verdict| {
        // Chance itself is no finding.
        let tests = scored.systems.iter().filter(|s| !is_mark(&s.scores.name)).flat_map(|s| &s.chance);
        tests.filter(move |c| c.metric == Metric::RivalAuc && c.verdict == verdict).map(|c| c.system.as_str())
    };
    let margin = scored.settings.equivalence_margin;
    let groups = [
        (Verdict::Equivalent, format!("at chance (within {margin} of it)")),
        (Verdict::Different, "not at chance".to_owned()),
        (Verdict::Undecided, "undecided with these queries".to_owned()),
    ];
    let said: Vec<String> = (groups.into_iter())
        .filter(|(verdict, _)| of(*verdict).next().is_some())
        .map(|(verdict, words)| format!("{words}: {}", of(verdict).collect::<Vec<_>>().join(", ")))
        .collect();
    (!said.is_empty()).then(|| format!("Rival AUC by equivalence test at 5 %: {}.", said.join("; ")))
}

fn odd(s: &SystemScores) -> Option<String> {
    let mut odd = Vec::new();
    if s.never_ran() {
        odd.push("none of the queries is in its run: it did not run, and has no score".to_owned());
    } else if !s.missing.is_empty() {
        odd.push(format!("{} queries missing from the run count 0: {}", s.missing.len(), some(&s.missing)));
    }
    if !s.ignored.is_empty() {
        odd.push(format!("{} queries of the run are not judged: {}", s.ignored.len(), some(&s.ignored)));
    }
    if s.ties.exact > 0 {
        odd.push(format!("{} of {} golds found tie with another chunk", s.ties.exact, s.ties.retrieved));
    }
    (!odd.is_empty()).then(|| format!("{}: {}.", s.name, odd.join("; ")))
}

fn some(ids: &[String]) -> String {
    let more = if ids.len() > 5 { ", …" } else { "" };
    ids.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ") + more
}
