//! What systems scored: the report's sections, with links to the queries that each system failed.

use eightk_report::components::numbers::thousands;
use eightk_report::components::safe_text::foreign;
use maud::{Markup, html};

use super::failure::Failure;
use super::layout::{Page, Part};
use crate::link;
use crate::site::{Outcomes, Site};

/// The page.
pub(crate) fn scores(site: &Site) -> Result<Page, Failure> {
    let outcomes = site.outcomes.as_ref().ok_or(Failure::NotFound("page of scores"))?;
    let sections = outcomes.sections();
    let body = html! {
        (other_set(site, outcomes))
        @if let Some(verdict) = sections.iter().find(|s| s.id == "verdict") { (verdict.content) }
        nav.contents aria-label="Contents" {
            ul {
                @for section in sections.iter().filter(|s| s.id != "verdict") { li { a href={ "#" (section.id) } { (section.title) } } }
                li { a href="#failed" { "Who failed what" } }
            }
        }
        @for section in sections.iter().filter(|s| s.id != "verdict") {
            section id=(section.id) { h2 { (section.title) } (section.content) }
        }
        section #failed { h2 { "Who failed what" } (failed(outcomes)) }
        p { a href="/download/scores.csv" { "Scores as CSV" } " · " a href="/download/outcomes.csv" { "every query and system as CSV" } }
    };
    Ok(site.page(Part::Scores, "Scores", body))
}

/// The verdict and the main table, for the overview.
pub(super) fn short(site: &Site, outcomes: &Outcomes) -> Markup {
    let of = |id: &str| outcomes.sections().iter().find(|s| s.id == id).map(|s| &s.content);
    html! {
        (other_set(site, outcomes))
        @if let Some(verdict) = of("verdict") { (verdict) }
        @if let Some(table) = of("scores") { (table) }
        // The verdict may point to warnings; they are on the page of scores.
        p #warnings {
            a href="/scores" { "Figures, differences and warnings" } " · " a href="/download/scores.csv" { "scores as CSV" }
        }
    }
}

/// What to know before reading a number.
fn other_set(site: &Site, outcomes: &Outcomes) -> Markup {
    let stated = site.explorer.shelf.about().fingerprint.as_deref();
    let scored = outcomes.account.results.report.data.as_ref().map(|d| d.fingerprint.as_str());
    html! {
        @if stated.zip(scored).is_some_and(|(a, b)| a != b) {
            p.warning role="alert" {
                strong { "Another data set. " }
                "These scores are of a data set with another fingerprint (" code { (foreign(scored.unwrap_or_default())) }
                "): queries and sentences may not be those shown here."
            }
        }
    }
}

fn failed(outcomes: &Outcomes) -> Markup {
    html! {
        p { "Queries at which a system did not put the gold before every rival:" }
        ul {
            @for system in &outcomes.systems {
                @let count = outcomes.failed_by(system).map_or(0, std::collections::BTreeSet::len);
                li {
                    (foreign(system)) ": "
                    @if count == 0 { "none" }
                    @else { a href=(link::with_query("/queries", &[("failed", system)])) { (thousands(count)) } }
                }
            }
        }
    }
}
