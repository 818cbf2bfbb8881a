//! Every query: a list to filter, each item opening on its answer and on whoever was put in its place.

mod body;
mod choice;
mod item;
mod matrix;
mod sentences;

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::cast::Cast;
use crate::components::safe_text::plain;

pub(super) use choice::{List, Room, list};
pub(super) use matrix::Matrix;

/// The controls above the list; they show where the script runs.
pub(super) fn filters(cast: &Cast<'_>, matrix: &Matrix<'_>) -> Markup {
    if matrix.queries.len() < 2 {
        return html! {};
    }
    let facts: Vec<&str> = matrix.facts();
    let rivals: BTreeSet<usize> = matrix.queries.iter().map(|q| q.rivals).collect();
    html! {
        form.filters data-list="query-list" data-noun="queries" hidden {
            div.field.grow { label for="filter-text" { "Words of the query" } input #filter-text type="search" data-filter="text" autocomplete="off"; }
            @if facts.len() > 1 {
                div.field {
                    label for="filter-fact" { "Fact" }
                    select #filter-fact data-filter="fact" {
                        option value="" { "any" }
                        @for (i, fact) in facts.iter().enumerate() { option value=(i) { (plain(fact)) } }
                    }
                }
            }
            div.field {
                label for="filter-failed" { "Failed by" }
                select #filter-failed data-filter="failed" {
                    option value="" { "anyone or no one" }
                    @for (i, member) in cast.members.iter().enumerate() { option value=(i) { (plain(member.name)) } }
                }
            }
            @if matrix.contestants > 1 {
                div.field {
                    label for="filter-by" { "Contestants" }
                    select #filter-by data-filter="by" {
                        option value="" { "all the same" }
                        option value="none" { "none resolved it" }
                        option value="some" { "they disagree" }
                        option value="all" { "all resolved it" }
                    }
                }
            }
            @if rivals.len() > 1 {
                div.field { label for="filter-rivals" { "Rivals, at least" } input #filter-rivals type="number" min="0" data-filter="rivals" inputmode="numeric" size="6"; }
            }
            div.field {
                label for="filter-order" { "Order" }
                select #filter-order data-order {
                    option value="worst" { "worst first" }
                    option value="asked" { "as in the data set" }
                }
            }
            button type="button" data-open="all" { "Open all shown" }
            button type="button" data-open="none" { "Close all" }
            output aria-live="polite" {}
        }
    }
}
