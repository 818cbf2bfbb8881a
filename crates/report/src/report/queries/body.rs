//! A query opened: its answer, its evidence, where each system ranked it, and what stood in its place.

use eightk_runs::{OutcomeRow, Place};
use maud::{Markup, html};

use super::matrix::{Matrix, Outcome, Query};
use super::sentences::Sentences;
use crate::components::marks::{Mark, badge, quote};
use crate::components::numbers::{counted, score, thousands};
use crate::components::safe_text::name;
use crate::components::words::{common, diff, likeness, unified};
use crate::report::cast::{Cast, Member, Role, names};

/// Below so much likeness two sentences are easier read than their difference.
const ALIKE: f64 = 0.34;
/// Sentences shown per query; systems agree on most of them.
const MOST_SENTENCES: usize = 12;

pub(super) fn body(sentences: &Sentences<'_>, cast: &Cast<'_>, matrix: &Matrix<'_>, query: &Query<'_>) -> Markup {
    let (contestants, others) = cast.members.split_at(matrix.contestants.min(cast.members.len()));
    let answers = query.facts.map(|f| f.answers.as_slice()).unwrap_or_default();
    let gold = answers.iter().find_map(|a| sentences.text(a));
    let stood = in_place(query, contestants.len());
    html! {
        @if answers.is_empty() { p.note { "This query has no answer among the sentences: nothing is scored." } }
        @for answer in answers {
            (quote(Mark::Gold, "gold", &sentences.from(answer), &html! {}, &sentences.shown(answer)))
        }
        @if let Some(facts) = query.facts {
            @for evidence in &facts.evidence {
                @let far = facts.distance.filter(|_| facts.evidence.len() == 1).map(|d| counted(d, "sentence before it", "sentences before it"));
                (quote(Mark::Evidence, "evidence", &html! { @match far { Some(far) => { (far) ", tells whose it is" }, None => { "tells whose it is" }, } }, &html! {}, &sentences.shown(evidence)))
            }
            @if facts.evidence.is_empty() && !answers.is_empty() { p.note { "No sentence of the filing is known to tell whose the answer is." } }
        }
        (how_it_went(matrix, cast, query))
        @if !contestants.is_empty() { (ranks(sentences, query, contestants, 0, &stood)) }
        @for (i, chunk) in stood.iter().take(MOST_SENTENCES).enumerate() {
            (instead(sentences, query, contestants, chunk, &letter(i), gold))
        }
        @if stood.len() > MOST_SENTENCES {
            p.note { (counted(stood.len() - MOST_SENTENCES, "more sentence", "more sentences")) " stood in its place and " @if stood.len() == MOST_SENTENCES + 1 { "is" } @else { "are" } " not shown." }
        }
        @if !others.is_empty() {
            details.fold {
                summary { "Floors, controls and ceilings" }
                (ranks(sentences, query, others, contestants.len(), &stood))
            }
        }
    }
}

/// The sentences that contestants put first, and the best rivals where they did not resolve the query; those of most systems first.
fn in_place<'q>(query: &Query<'q>, contestants: usize) -> Vec<&'q str> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    let answers = query.facts.map(|f| f.answers.as_slice()).unwrap_or_default();
    let evidence = query.facts.map(|f| f.evidence.as_slice()).unwrap_or_default();
    let mut add = |chunk: &'q str| {
        // The answer and its evidence stand above already.
        if answers.iter().chain(evidence).any(|a| a == chunk) {
            return;
        }
        match found.iter_mut().find(|f| f.0 == chunk) {
            Some(f) => f.1 += 1,
            None => found.push((chunk, 1)),
        }
    };
    for (i, row) in query.rows.iter().take(contestants).enumerate() {
        let Some(row) = row else { continue };
        let first = row.first.first().map(|f| f.chunk.as_str());
        let rival = impostor(query, i).map(|p| p.chunk.as_str());
        for chunk in first.into_iter().chain(rival.filter(|r| first != Some(r))) {
            add(chunk);
        }
    }
    // Stable: equals stay in the order of the cast, best system first.
    found.sort_by_key(|f| std::cmp::Reverse(f.1));
    found.into_iter().map(|f| f.0).collect()
}

/// The best rival of a system that did not resolve the query.
fn impostor<'q>(query: &Query<'q>, member: usize) -> Option<&'q Place> {
    let row = query.rows.get(member).copied().flatten()?;
    let lost = row.rivals > 0 && matches!(query.outcome(member), Outcome::Failed | Outcome::Tied);
    row.best_rival.as_ref().filter(|p| lost && p.rank.is_some())
}

/// `A` … `Z`, `A1` …
fn letter(i: usize) -> String {
    let letter = char::from(b'A' + (i % 26) as u8);
    if i < 26 { letter.to_string() } else { format!("{letter}{}", i / 26) }
}

fn how_it_went(matrix: &Matrix<'_>, cast: &Cast<'_>, query: &Query<'_>) -> Markup {
    let of = |outcome: Outcome| -> Vec<&str> {
        let contestants = cast.contestants().iter().enumerate();
        contestants.filter(|(i, _)| query.outcome(*i) == outcome).map(|(_, m)| m.name).collect()
    };
    let (resolved, tied) = (of(Outcome::Resolved), of(Outcome::Tied));
    let tally = matrix.tally(query);
    if tally.resolved + tally.tied + tally.failed == 0 {
        return html! {};
    }
    let all = tally.tied + tally.failed == 0 && tally.resolved > 1;
    html! {
        p {
            @if query.rivals == 0 && resolved.is_empty() { "No contestant put the answer first." }
            @else if query.rivals == 0 && all { "Found: every contestant put the answer first." }
            @else if query.rivals == 0 { "Found: the answer stands first with " (names(&resolved, 8)) "." }
            @else if resolved.is_empty() { "No contestant put the answer above all of its " (counted(query.rivals, "rival", "rivals")) "." }
            @else {
                "Resolved: " @if all { "every contestant" } @else { (names(&resolved, 8)) } " put the answer above "
                @if query.rivals == 1 { "its one rival." } @else { "all of its " (thousands(query.rivals)) " rivals." }
            }
            @if !tied.is_empty() { " Level with something else: " (names(&tied, 8)) "." }
        }
    }
}

fn ranks(sentences: &Sentences<'_>, query: &Query<'_>, members: &[Member<'_>], from: usize, stood: &[&str]) -> Markup {
    let rivals = query.rivals > 0;
    html! {
        div.scroll role="region" tabindex="0" aria-label="Where systems ranked the answer" {
            table {
                thead { tr {
                    th scope="col" { "system" }
                    th.num scope="col" { "rank of the answer" }
                    @if rivals {
                        th.num scope="col" { "rank with its " (counted(query.rivals, "rival", "rivals")) }
                        th.num scope="col" { "score less best rival’s" }
                    }
                    th scope="col" { "put first" }
                } }
                tbody {
                    @for (i, member) in members.iter().enumerate() {
                        @let row = query.rows.get(from + i).copied().flatten();
                        tr .muted[member.role != Role::Contestant] {
                            th scope="row" { (name(member.name)) }
                            @match row {
                                None => td colspan=(if rivals { 4 } else { 2 }) { "no ranking" },
                                Some(row) => {
                                    td.num { (overall(row)) }
                                    @if rivals {
                                        td.num { (among_rivals(row)) }
                                        td.num { (margin(row)) }
                                    }
                                    td.keep { (first(sentences, query, row, stood)) }
                                },
                            }
                        }
                    }
                }
            }
        }
    }
}

fn overall(row: &OutcomeRow) -> Markup {
    html! {
        @match (row.answer_tie, row.retrieved) {
            (Some((rank, tie)), _) if tie > 1 => { (thousands(rank)) "–" (thousands(rank + tie - 1)) },
            (Some((rank, _)), _) => { (thousands(rank)) },
            (None, Some(n)) => { "not among " (thousands(n)) },
            (None, None) => { "not run" },
        }
    }
}

fn among_rivals(row: &OutcomeRow) -> Markup {
    let (best, worst) = (row.rivals_above + 1, row.rivals_above + 1 + row.rivals_level);
    html! { (thousands(best)) @if worst > best { "–" (thousands(worst)) } }
}

/// The answer's score less the best rival's; above nothing where it won.
fn margin(row: &OutcomeRow) -> Markup {
    let answer = row.answers.iter().filter_map(|p| p.score).max_by(f64::total_cmp);
    let rival = row.best_rival.as_ref().and_then(|p| p.score);
    html! {
        @match (answer, rival) {
            (Some(a), Some(r)) if a == r => { "0" },
            (Some(a), Some(r)) => { @if a > r { "+" } (score(a - r)) },
            (Some(_), None) => { "no rival found" },
            (None, _) => { "–" },
        }
    }
}

fn first(sentences: &Sentences<'_>, query: &Query<'_>, row: &OutcomeRow, stood: &[&str]) -> Markup {
    let Some(top) = row.first.first() else {
        return html! { @if row.retrieved == Some(0) { "nothing" } @else { "–" } };
    };
    let level = row.first.iter().take_while(|f| f.score == top.score).count();
    let (mark, word) = sentences.kind(query, &top.chunk);
    let at = stood.iter().take(MOST_SENTENCES).position(|c| *c == top.chunk);
    html! {
        (badge(mark, word))
        @if let Some(i) = at { " " strong { (letter(i)) } }
        @else if !matches!(mark, Mark::Gold | Mark::Evidence) { " " (sentences.short_from(&top.chunk)) }
        @if level > 1 { " " span.kind { "level with " @if level == row.first.len() { (level - 1) " or more" } @else { (level - 1) } } }
    }
}

/// A sentence that stood in the answer's place, with what it says differently and who put it there.
fn instead(
    sentences: &Sentences<'_>,
    query: &Query<'_>,
    contestants: &[Member<'_>],
    chunk: &str,
    letter: &str,
    gold: Option<&str>,
) -> Markup {
    let (mark, word) = sentences.kind(query, chunk);
    let who = |test: &dyn Fn(usize, &OutcomeRow) -> bool| -> Vec<&str> {
        let all = contestants.iter().enumerate();
        all.filter(|(i, _)| query.rows.get(*i).copied().flatten().is_some_and(|r| test(*i, r)))
            .map(|(_, m)| m.name)
            .collect()
    };
    let is_first = |r: &OutcomeRow| r.first.first().is_some_and(|f| f.chunk == chunk);
    let first = who(&|_, r| is_first(r));
    let above = who(&|i, r| !is_first(r) && impostor(query, i).is_some_and(|p| p.chunk == chunk));
    let pieces = gold.zip(sentences.text(chunk)).map(|(g, t)| diff(g, t));
    let alike = pieces.as_deref().map(likeness);
    let text = match &pieces {
        Some(p) if alike.is_some_and(|a| a >= ALIKE) => unified(p),
        Some(p) if mark == Mark::Rival => common(p),
        _ => sentences.shown(chunk),
    };
    let more = html! {
        span {
            @if !first.is_empty() { "put first by " (names(&first, 6)) }
            @if !first.is_empty() && !above.is_empty() { "; " }
            @if !above.is_empty() { "best rival with " (names(&above, 6)) }
        }
        @if let (Mark::Rival, Some(a)) = (mark, alike.filter(|a| *a < ALIKE)) {
            span { (format!("{:.0} % in common", a * 100.0)) @if a > 0.0 { ", underlined" } }
        }
    };
    let from = html! { strong { (letter) } " " (sentences.from(chunk)) };
    quote(mark, word, &from, &more, &text)
}
