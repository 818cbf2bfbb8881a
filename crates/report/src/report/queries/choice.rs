//! Which queries are shown in full where not all fit.
//!
//! The rule: every query has its line; of the bodies, those come first that come first in the list (most contestants failed, then most
//! different sentences put first, then the order of the data set), as long as there is room. Where even the lines would take more than
//! three fifths of the room, the last ones of that order are left out, and counted.

use eightk_runs::Account;
use maud::{Markup, html};

use super::body::body;
use super::item::{Line, closed, opening};
use super::matrix::Matrix;
use super::sentences::Sentences;
use crate::components::numbers::{counted, thousands};
use crate::report::cast::Cast;

/// For what is said of the list itself, whose length depends on how many are shown.
const SLACK: usize = 1_200;
/// Bodies in a row that do not fit before looking for one that does ends.
const TOO_LARGE_IN_A_ROW: usize = 64;

/// Bytes for the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::report) struct Room(usize);

impl Room {
    /// What a page of `taken` bytes leaves of `limit`; none where that is less than nothing.
    pub(in crate::report) fn within(limit: usize, taken: usize) -> Option<Self> {
        limit.checked_sub(taken.checked_add(SLACK)?).map(Self)
    }
}

/// The list as it stands in the page.
#[derive(Debug)]
pub(in crate::report) struct List {
    /// What is said above it.
    pub(in crate::report) said: Markup,
    /// Its `<li>`s.
    pub(in crate::report) items: String,
}

impl List {
    /// Without items.
    pub(in crate::report) fn empty(matrix: &Matrix<'_>) -> Self {
        Self { said: said(matrix, 0, 0), items: String::new() }
    }
}

pub(in crate::report) fn list(account: &Account, cast: &Cast<'_>, matrix: &Matrix<'_>, room: Room) -> List {
    let facts = matrix.facts();
    let mut lines: Vec<Line> = Vec::with_capacity(matrix.queries.len());
    let mut left = room.0;
    let for_lines = room.0 / 5 * 3;
    let mut taken = 0;
    for (place, index) in matrix.worst_first.iter().enumerate() {
        let Some(query) = matrix.queries.get(*index) else { continue };
        let line = opening(cast, matrix, query, *index, place, &facts);
        taken += line.closed_bytes();
        if taken > for_lines && !lines.is_empty() {
            break;
        }
        left = left.saturating_sub(line.closed_bytes());
        lines.push(line);
    }
    let sentences = Sentences::new(account);
    let (mut bodies, mut refused, mut items) = (0, 0, String::with_capacity(room.0.min(1 << 22)));
    for (line, index) in lines.iter().zip(&matrix.worst_first) {
        let inside = matrix.queries.get(*index).filter(|_| refused < TOO_LARGE_IN_A_ROW);
        let inside = inside.map(|q| body(&sentences, cast, matrix, q).into_string());
        match inside {
            Some(inside) if line.opened_bytes(&inside) <= left => {
                left -= line.opened_bytes(&inside);
                bodies += 1;
                refused = 0;
                line.write_open(&inside, &mut items);
            }
            Some(_) => {
                refused += 1;
                closed(line, &mut items);
            }
            None => closed(line, &mut items),
        }
    }
    List { said: said(matrix, lines.len(), bodies), items }
}

fn said(matrix: &Matrix<'_>, lines: usize, bodies: usize) -> Markup {
    let all = matrix.queries.len();
    html! {
        @if all == 0 { p { "There are no queries." } }
        @else {
            p {
                "In the order of how many contestants failed; a query opens on its answer, on where each system ranked it, and on the impostors: "
                "sentences of other companies that stood above it."
            }
            @if bodies < all && lines > 0 {
                p.warning {
                    strong { (counted(bodies, "query opens", "queries open")) " in full" } ", of " (thousands(all))
                    ": those that most contestants failed, then those with the most different sentences in the first place, then in the order of the data set, as far as the size of this file allows."
                    @if lines < all { " " (counted(all - lines, "query is", "queries are")) " not listed at all." }
                    " A larger " code { "--max-size" } " shows more."
                }
            }
        }
    }
}
