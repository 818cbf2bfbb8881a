//! What no score shows and every reader of one should know.

use eightk_runs::{Account, remark};
use maud::{Markup, html};

use super::cast::{Cast, Role};
use super::queries::Matrix;
use crate::components::numbers::counted;
use crate::components::safe_text::{foreign, visible};

pub(super) fn section(account: &Account, cast: &Cast<'_>, matrix: &Matrix<'_>) -> Markup {
    let results = &account.results;
    let data = results.report.data.as_ref();
    let mut said: Vec<Markup> = Vec::new();
    for (name, reason) in &cast.failed {
        said.push(html! { strong { (foreign(name)) } " has no scores: " (foreign(reason)) });
    }
    if let Some(d) = data {
        if d.repaired_spans > 0 {
            said.push(html! { (counted(d.repaired_spans, "span", "spans")) " of sentences did not fit their text and were repaired from its length." });
        }
        if let Some(audit) = d.audit.as_ref().filter(|a| !a.failed.is_empty()) {
            said.push(html! { "The data set’s own audit fails: " @for (i, n) in audit.failed.iter().enumerate() { @if i > 0 { ", " } (foreign(n)) } "." });
        }
    }
    for ranking in &results.rankings {
        if ranking.context_free {
            said.push(html! { strong { (foreign(&ranking.name)) } " was handed a context and did not look at it: its score is that of the bare sentence." });
        }
        if let Some(words) = remark(&ranking.name, ranking.truncated_inputs, &ranking.notes, &ranking.per_query) {
            said.push(html! { (foreign(&words)) });
        }
        if !ranking.found_nothing.is_empty() {
            said.push(html! { (foreign(&ranking.name)) " found nothing at all for " (counted(ranking.found_nothing.len(), "query", "queries")) "." });
        }
    }
    for member in cast.members.iter().filter(|m| m.role != Role::Chance) {
        let (missing, ties) = (member.report.missing, member.report.ties);
        if missing > 0 {
            said.push(html! { (foreign(member.name)) " has no ranking for " (counted(missing, "query", "queries")) ", counted as not found." });
        }
        if ties.exact > 0 {
            said.push(html! { (foreign(member.name)) ": " (ties.exact) " of " (counted(ties.retrieved, "answer or evidence", "answers and evidence")) " found share a score with another sentence." });
        }
    }
    let undefined = cast.members.iter().map(|m| m.report.undefined.answer).max().unwrap_or(0);
    if undefined > 0 {
        said.push(
            html! { (counted(undefined, "query has", "queries have")) " no answer among the sentences and no value." },
        );
    }
    let lonely = matrix.queries.iter().filter(|q| q.rivals == 0).count();
    if lonely > 0 {
        said.push(html! { (counted(lonely, "query has", "queries have")) " no rivals: they say nothing of telling companies apart." });
    }
    if account.texts.is_empty() && !matrix.queries.is_empty() {
        said.push(html! { "These runs were saved without the texts of their sentences, so only their ids can be shown: " code { (visible("eightk eval")) } " of this version keeps them." });
    }
    html! {
        @if said.is_empty() { p { "Nothing was cut, nothing failed, nothing is missing." } }
        @else { ul { @for words in &said { li { (words) } } } }
    }
}
