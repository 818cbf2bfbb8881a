//! What the set cannot show, said before somebody finds out.

use std::fmt::Write as _;

use super::CardText;
use super::markdown::grouped;
use crate::write::statistics::Statistics;

/// Limits of every set of this kind.
const COMMON: [&str; 6] = [
    "Queries come from templates, golds from patterns: no human judged them. A fact stated in words that no pattern knows is missed.",
    "Rivals are found by the same patterns: a sentence that states the fact in other words is not among them, and one that a pattern \
     mistook is.",
    "A query has one gold filing by construction; sentences of other companies are never relevant to it, however alike they are.",
    "Only sentences that call the filer “the Company”, “we” and the like become answers: the set measures how well a system tells \
     whose sentence it has found, not how well it answers questions about filings at large.",
    "The filings are those that were put in, not a sample of all: shares and counts here say nothing of companies or years in general.",
    "What stands in tables, exhibits and headings is left out, and so is what only they state.",
];

/// Limits of filings that somebody filed.
const FILED: [&str; 3] = [
    "Filings are in English and from the United States; what holds here need not hold for other prose.",
    "Models may have seen the filings in training. They are public, and many are years old.",
    "Filings name officers, directors and others. They are public records, and nothing was made anonymous.",
];

pub(super) fn limits(text: &CardText, statistics: &Statistics, cut_rivals: usize) -> String {
    let mut out = "## Limits\n\n".to_owned();
    if (1..30).contains(&statistics.queries) {
        let few = statistics.queries;
        let _ =
            writeln!(out, "- {few} queries tell large differences between systems at most: read intervals, not means.");
    }
    if cut_rivals > 0 {
        let queries = grouped(cut_rivals);
        let _ = writeln!(
            out,
            "- The rivals listed are the most alike of those there are, for {queries} queries; `total` says how many there are."
        );
    }
    let filed = if statistics.all_invented() { &[][..] } else { &FILED[..] };
    for limit in COMMON.iter().chain(filed).copied().chain(text.limits.iter().map(|l| l.trim())) {
        let _ = writeln!(out, "- {limit}");
    }
    out
}
