//! Who resolved “the Company”, and how sure that is, in sentences worked out of the numbers.
//!
//! Words follow rules: *shown* is a test that holds at 5 % after Holm's correction, and what is not shown is not called equal.

use eightk_measure::{Comparison, Metric, SMOKE_TEST_BELOW, Value};
use eightk_runs::Account;
use maud::{Markup, html};

use super::cast::{Cast, Member, Role, names, short};
use crate::components::numbers::{counted, interval, probability, signed, three};
use crate::components::safe_text::foreign;

/// From which p on a difference is not shown.
pub(super) const SHOWN_BELOW: f64 = 0.05;

/// Whether a difference is shown.
pub(super) fn is_shown(c: &Comparison) -> bool {
    c.p_holm.unwrap_or(c.p) < SHOWN_BELOW
}

pub(super) fn section(account: &Account, cast: &Cast<'_>) -> Markup {
    html! {
        @match cast.best() {
            Some(best) => {
                p.lead { (who(cast, best)) " " (told(cast, best)) }
                p.sure { (how_sure(account, best)) }
            },
            None => p.lead { (nobody(cast)) },
        }
        (smoke(account, cast))
        @if !cast.failed.is_empty() {
            p.warning {
                strong { (counted(cast.failed.len(), "system", "systems")) " without scores: " }
                (names(&cast.failed.iter().map(|f| f.0).collect::<Vec<_>>(), 6)) ". "
                a href="#warnings" { "Why" } "."
            }
        }
    }
}

fn nobody(cast: &Cast<'_>) -> Markup {
    html! {
        @if cast.members.is_empty() && !cast.failed.is_empty() { "Every system failed, so there are no scores: whatever stands below is about the data set." }
        @else if cast.members.is_empty() { "No system was run: whatever stands below is about the data set." }
        @else { "No contestant has a score on any metric: the queries have no answers to be found." }
    }
}

fn with_interval(v: Value) -> String {
    three(v.expected) + &interval(v.low, v.high).map(|i| format!(" {i}")).unwrap_or_default()
}

fn who(cast: &Cast<'_>, best: &Member<'_>) -> Markup {
    let metric = cast.telling;
    let Some(value) = best.value(metric) else { return html! {} };
    let equals: Vec<&str> = cast
        .contestants()
        .iter()
        .filter(|m| m.value(metric).is_some_and(|v| v.expected == value.expected))
        .map(|m| m.name)
        .collect();
    let several = equals.len() > 1;
    let chance = value.chance.map(three);
    html! {
        @match metric {
            Metric::ResolvedAt1 => {
                strong { (names(&equals, 3)) } " resolved “the Company” most often: "
                strong { (with_interval(value)) } " of " (counted(value.queries, "query", "queries"))
                " had the answer above every rival of another company"
                @if let Some(chance) = chance { " (by chance " (chance) ")" }
                "."
            },
            Metric::RivalAuc => {
                strong { (names(&equals, 3)) } " told the answer from other companies’ sentences best: "
                strong { (with_interval(value)) } " of the rivals stand below it"
                @if let Some(chance) = chance { " (by chance " (chance) ")" }
                "."
            },
            _ => {
                "No query has rivals, so nothing here tells who resolved “the Company”; on " (short(metric)) " "
                strong { (names(&equals, 3)) } @if several { " are " } @else { " is " } "best with " strong { (with_interval(value)) }
                " over " (counted(value.queries, "query", "queries")) "."
            },
        }
    }
}

/// A title names the company: with it the question is whether a name is matched, not whether a context is read.
fn told(cast: &Cast<'_>, best: &Member<'_>) -> Markup {
    let metric = cast.telling;
    if !metric.needs_rivals() {
        return html! {};
    }
    let unaided = cast.contestants().iter().find(|m| !m.sees_title());
    let filter = cast.members.iter().find(|m| m.ranking.is_some_and(|r| r.system.scorer == "name-filter"));
    let filter = filter.and_then(|m| m.value(metric));
    html! {
        @if best.sees_title() {
            "It is told the company’s name by the filing’s title"
            @match unaided.and_then(|m| Some((m, m.value(metric)?))) {
                Some((m, v)) => { "; the best that has to find it in the text is " strong { (foreign(m.name)) } " with " (with_interval(v)) "." },
                None => { "; no contestant had to find it in the text." },
            }
        } @else { "It does so without being shown the filing’s title." }
        @if let Some(v) = filter {
            " The cheap baseline, matching names with titles, has " (with_interval(v)) "."
        }
    }
}

fn how_sure(account: &Account, best: &Member<'_>) -> Markup {
    let report = &account.results.report;
    let on = report.settings.compared_on.iter().copied();
    let metric = on.clone().find(|m| *m == Metric::RivalAuc).or_else(|| on.clone().next());
    let Some(metric) = metric else { return html! {} };
    let base = report.comparisons.iter().find(|c| c.metric == metric && c.a == best.name);
    let others: Vec<&Comparison> = report.against_best.iter().filter(|c| c.metric == metric).collect();
    let open = others.iter().filter(|c| !is_shown(c)).count();
    html! {
        @if let Some(c) = base {
            @let by = signed(c.difference) + &interval(c.low, c.high).map(|i| format!(" {i}")).unwrap_or_default();
            @let p = probability(c.p_holm.unwrap_or(c.p));
            @if is_shown(c) {
                "Against " (foreign(&c.b)) " the difference in " (short(metric)) " is shown: " (by) ", p " (p) " after Holm’s correction."
            } @else {
                "Against " (foreign(&c.b)) " no difference in " (short(metric)) " is shown: " (by) ", p " (p) " after Holm’s correction."
            }
        }
        @if let Some(c) = others.first() {
            " Of the " (counted(others.len(), "other contestant", "other contestants")) ", "
            @if open == 0 { @if others.len() == 1 { "it is" } @else { "every one is" } " shown to differ from " }
            @else { (open) @if open == 1 { " is" } @else { " are" } " not shown to differ from " }
            @if c.b == best.name { "it" } @else { (foreign(&c.b)) }
            ", the best by " (short(metric)) "."
        }
    }
}

fn smoke(account: &Account, cast: &Cast<'_>) -> Markup {
    let comparisons = account.results.report.comparisons.iter();
    let filings = comparisons.map(|c| c.filings).max().filter(|n| *n > 0);
    let shown = cast.members.iter().filter(|m| m.role != Role::Ceiling);
    let Some(queries) = shown.filter(|m| m.report.smoke_test).map(|m| m.report.queries).max() else { return html! {} };
    html! {
        p.warning {
            strong { "A smoke test. " }
            (counted(queries, "query", "queries"))
            @if let Some(n) = filings { " from " (counted(n, "filing", "filings")) }
            " are fewer than " (SMOKE_TEST_BELOW) ": enough to see that everything runs, too few to put systems in an order."
        }
    }
}
