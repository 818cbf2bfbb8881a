//! What the data set is: how much of what, how hard, and how to know it again.

use std::collections::BTreeMap;

use eightk_runs::{Account, DataFacts};
use maud::{Markup, html};

use super::queries::Matrix;
use crate::components::invented::of_invented;
use crate::components::numbers::{counted, thousands};
use crate::components::safe_text::foreign;

pub(super) fn section(account: &Account, matrix: &Matrix<'_>) -> Markup {
    let report = &account.results.report;
    let data = report.data.as_ref();
    let queries = &matrix.queries;
    let mut facts: BTreeMap<&str, usize> = BTreeMap::new();
    for query in queries {
        if let Some(fact) = query.facts.and_then(|f| f.fact.as_deref()) {
            *facts.entry(fact).or_default() += 1;
        }
    }
    let evidence = queries.iter().filter(|q| q.facts.is_some_and(|f| !f.evidence.is_empty())).count();
    let rivals = spread(queries.iter().map(|q| q.rivals).filter(|n| *n > 0).collect());
    let contested = queries.iter().filter(|q| q.rivals > 0).count();
    html! {
        @if data.is_none() { p { "Scored against " (foreign(&report.dataset)) ", not a data set of filings: less is known of it." } }
        dl.facts {
            @if let Some(d) = data {
                div { dt { "data set" } dd { (foreign(&d.name)) } }
                div { dt { "filings with sentences" } dd {
                    (thousands(d.filings)) (of_invented(d.invented, d.filings))
                } }
                div { dt { "sentences to choose from" } dd { (thousands(d.chunks)) } }
            }
            div { dt { "queries" } dd {
                (thousands(queries.len()))
                @if facts.len() > 1 {
                    " " small { @for (i, (fact, n)) in facts.iter().enumerate() { @if i > 0 { ", " } (thousands(*n)) " " (foreign(fact)) } }
                }
            } }
            div { dt { "with evidence" } dd {
                (thousands(evidence)) " " small { "a sentence of the filing tells whose the answer is" }
            } }
            div { dt { "rivals per query" } dd {
                @match rivals {
                    Some((least, middle, most)) => {
                        (thousands(middle)) " " small { "median; " (thousands(least)) " to " (thousands(most)) }
                        @if contested < queries.len() { " " small { "(" (counted(queries.len() - contested, "query has", "queries have")) " none)" } }
                    },
                    None => "none",
                }
            } }
            @if let Some(d) = data {
                div { dt { "audit" } dd {
                    @match &d.audit {
                        Some(a) if a.failed.is_empty() => {
                            "passed " small { (counted(a.passed, "check", "checks"))
                                @if a.not_applicable > 0 { ", " (a.not_applicable) " that had nothing to check" } }
                        },
                        Some(a) => {
                            span.badge.bad { (counted(a.failed.len(), "check failed", "checks failed")) } " "
                            small { @for (i, name) in a.failed.iter().enumerate() { @if i > 0 { ", " } (foreign(name)) } "; " (a.passed) " passed" }
                        },
                        None => { "none " small { "kept with the data set" } },
                    }
                } }
                @if let Some(r) = &d.recipe { div { dt { "recipe" } dd { (foreign(&r.name)) } } }
            }
        }
        @if let Some(d) = data {
            p.small.muted {
                "Fingerprint " code { (foreign(&d.fingerprint)) } ": sha256 over all its sentences and queries; another number, another data set."
            }
        }
        p {
            "Each query asks for one sentence of one company’s filing that says “the Company” and not who that is. Its "
            em { "rivals" } " are sentences of other companies that state the same kind of fact in the same words; only the rest of the filing tells them apart."
        }
    }
}

/// How many, and whether somebody filed them.
pub(super) fn filings(data: &DataFacts) -> String {
    let all = |kind: &str| counted(data.filings, &format!("{kind}filing"), &format!("{kind}filings"));
    match data.invented {
        0 => all(""),
        n if n >= data.filings => all("invented "),
        n => format!("{}, {} of them invented", all(""), thousands(n)),
    }
}

/// Least, middle (the lower of two), most.
fn spread(mut counts: Vec<usize>) -> Option<(usize, usize, usize)> {
    counts.sort_unstable();
    Some((*counts.first()?, *counts.get((counts.len() - 1) / 2)?, *counts.last()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invented_filings_are_called_so() {
        let of = |filings, invented| {
            let json = serde_json::json!({
                "name": "", "fingerprint": "", "qrels_sha256": "", "rivals_sha256": null, "recipe": null,
                "filings": filings, "invented": invented, "chunks": 1, "queries": 1, "repaired_spans": 0,
            });
            super::filings(&serde_json::from_value(json).unwrap())
        };
        assert_eq!(of(1, 0), "1 filing");
        assert_eq!(of(1200, 1200), "1,200 invented filings");
        assert_eq!(of(10, 3), "10 filings, 3 of them invented");
    }

    #[test]
    fn the_middle_is_one_of_them() {
        assert_eq!(spread(vec![5, 1, 9, 2]), Some((1, 2, 9)));
        assert_eq!(spread(Vec::new()), None);
    }
}
