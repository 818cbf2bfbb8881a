//! One line of the list: what is asked, and how it went.

use maud::{Markup, html};

use super::matrix::{Matrix, Outcome, Query};
use crate::components::numbers::{counted, thousands};
use crate::components::safe_text::{foreign, visible};
use crate::report::cast::Cast;

/// The parts of an item that are the same whether it opens or not.
#[derive(Debug)]
pub(super) struct Line {
    /// `<li …>`
    start: String,
    /// What the line says.
    said: String,
}

const OPEN: [&str; 3] = ["<details><summary>", "</summary><div class=\"inside\">", "</div></details></li>"];
const CLOSED: [&str; 2] = ["<div class=\"row\">", "</div></li>"];

impl Line {
    pub(super) fn closed_bytes(&self) -> usize {
        self.start.len() + self.said.len() + CLOSED.iter().map(|s| s.len()).sum::<usize>()
    }

    /// What opening it takes beyond the closed line.
    pub(super) fn opened_bytes(&self, inside: &str) -> usize {
        inside.len() + OPEN.iter().map(|s| s.len()).sum::<usize>()
    }

    pub(super) fn write_open(&self, inside: &str, out: &mut String) {
        for part in [&self.start, OPEN[0], &self.said, OPEN[1], inside, OPEN[2]] {
            out.push_str(part);
        }
    }
}

pub(super) fn closed(line: &Line, out: &mut String) {
    for part in [&line.start, CLOSED[0], &line.said, CLOSED[1]] {
        out.push_str(part);
    }
}

pub(super) fn opening(
    cast: &Cast<'_>,
    matrix: &Matrix<'_>,
    query: &Query<'_>,
    index: usize,
    place: usize,
    facts: &[&str],
) -> Line {
    let failed: Vec<String> = (0..cast.members.len())
        .filter(|i| matches!(query.outcome(*i), Outcome::Failed | Outcome::Tied))
        .map(|i| i.to_string())
        .collect();
    let tally = matrix.tally(query);
    let known = tally.resolved + tally.tied + tally.failed;
    let by = match tally.resolved {
        _ if known == 0 => "",
        0 => "none",
        n if n == known => "all",
        _ => "some",
    };
    let fact = query.facts.and_then(|f| f.fact.as_deref());
    let fact_number = fact.and_then(|f| facts.binary_search(&f).ok());
    // Written by hand: maud has no way to leave an element open. Numbers and our own words only.
    let mut start = format!(
        "<li id=\"query-{index}\" data-worst=\"{place}\" data-asked=\"{index}\" data-rivals=\"{}\"",
        query.rivals
    );
    if let Some(number) = fact_number {
        start += &format!(" data-fact=\"{number}\"");
    }
    if !by.is_empty() {
        start += &format!(" data-by=\"{by}\"");
    }
    if !failed.is_empty() {
        start += &format!(" data-failed=\"{}\"", failed.join(" "));
    }
    start.push('>');
    Line { start, said: said(query, fact, known, tally.resolved).into_string() }
}

fn said(query: &Query<'_>, fact: Option<&str>, known: usize, resolved: usize) -> Markup {
    html! {
        span { (foreign(query.text)) }
        span.tail {
            (visible(query.id)) " · " @if let Some(fact) = fact { (visible(fact)) " · " }
            @if query.rivals > 0 { (counted(query.rivals, "rival", "rivals")) } @else { "no rivals" }
            @if known > 0 { " · " @if query.rivals > 0 { "resolved" } @else { "found" } " by " (thousands(resolved)) " of " (thousands(known)) }
        }
    }
}
