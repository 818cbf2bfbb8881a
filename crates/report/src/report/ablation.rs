//! What context brought each model: its ladder as a figure, then view by view in words that follow rules.

use eightk_measure::Comparison;
use eightk_runs::{Ablation, Account};
use maud::{Markup, html};

use super::cast::short;
use super::pictures::figure;
use super::verdict::is_shown;
use crate::components::numbers::{interval, probability, signed, three};
use crate::components::safe_text::foreign;
use crate::figures::Figures;

pub(super) fn section(account: &Account, figures: &Figures) -> Markup {
    html! {
        @for one in &figures.ladders { (figure(one)) }
        @for (i, found) in account.results.report.ablations.iter().enumerate() { (in_words(i, found)) }
    }
}

fn in_words(number: usize, found: &Ablation) -> Markup {
    // One metric is enough for words: the first that was compared.
    let metric = found.gains.iter().chain(&found.controls).map(|c| c.metric).next();
    let on = |list: &'_ [Comparison]| -> Vec<Comparison> {
        list.iter().filter(|c| Some(c.metric) == metric).cloned().collect()
    };
    let (gains, controls) = (on(&found.gains), on(&found.controls));
    if gains.is_empty() && controls.is_empty() && found.follow.is_empty() && found.context_free.is_empty() {
        return html! {};
    }
    let helped: Vec<&str> = gains.iter().filter(|c| is_shown(c) && c.difference > 0.0).map(|c| c.a.as_str()).collect();
    html! {
        h3 #{ "context-words-" (number) } { (foreign(&found.model)) ", view by view" }
        ul {
            @if !found.context_free.is_empty() {
                li {
                    (foreign(&found.model)) " was handed whole filings and did not look at them (one sentence got the same vector in two filings), so these say nothing of context: "
                    @for (i, name) in found.context_free.iter().enumerate() { @if i > 0 { ", " } (foreign(name)) } "."
                }
            }
            @for c in &gains {
                li {
                    (view(&c.a, &found.model)) ": " (verdict(c)) " over the bare sentence."
                    @if names_title(&c.a, &found.model) { " The title names the company: it is told, not found." }
                }
            }
            @for c in &controls {
                li {
                    (view(&c.a, &found.model)) ": " (verdict(c)) " against its own view."
                    @if !helped.contains(&c.b.as_str()) { " The view itself is not shown to help, so there is no gain to explain." }
                    @else if let Some(meaning) = meaning(&c.a, is_shown(c) && c.difference < 0.0) { " " (meaning) }
                }
            }
            @for f in &found.follow {
                @let low = f.rate.low.unwrap_or(f.rate.expected);
                @let goes = f.rate.chance.is_some_and(|c| low > c) && f.before.is_none_or(|b| low > b.expected);
                li {
                    "Where the contexts of answer and rival were exchanged (" (foreign(&f.system)) "), the first place went with the context in "
                    (three(f.rate.expected)) " " (interval(f.rate.low, f.rate.high).unwrap_or_default()) " of " (f.rate.queries) " queries"
                    @if let Some(c) = f.rate.chance { " (by chance " (three(c)) ")" }
                    @if goes { ": more than by chance and more than before, so the ranking goes by the context." }
                    @else { ": not shown to be more than by chance or than before." }
                }
            }
        }
        @if let Some(metric) = metric {
            p.note { "On " (short(metric)) "; shown means p < .05 by paired randomization of whole filings, after Holm’s correction." }
        }
    }
}

/// What stands behind the model's name in a system's.
fn rest<'n>(name: &'n str, model: &str) -> &'n str {
    let rest = name.strip_prefix(model).map_or(name, |rest| rest.trim_start_matches(':'));
    if rest.is_empty() { name } else { rest }
}

fn view(name: &str, model: &str) -> Markup {
    html! { strong { (foreign(rest(name, model))) } }
}

fn names_title(name: &str, model: &str) -> bool {
    rest(name, model).split(['+', '/']).any(|part| part == "title")
}

fn verdict(c: &Comparison) -> Markup {
    let p = probability(c.p_holm.unwrap_or(c.p));
    let interval = interval(c.low, c.high).map(|i| format!(" {i}")).unwrap_or_default();
    let word = match (is_shown(c), c.difference > 0.0) {
        (true, true) => "gains",
        (true, false) => "loses",
        (false, _) => "no change is shown:",
    };
    html! { (word) " (" (signed(c.difference)) (interval) ", p " (p) ")" }
}

/// What a control tells of a view that helped.
fn meaning(name: &str, lost: bool) -> Option<&'static str> {
    let control = name.rsplit_once('/')?.1;
    Some(match (control.split(':').next()?, lost) {
        ("minus-binding", true) => "What helped was the sentences that name the filer.",
        ("minus-binding", false) => "The gain is not shown to hang on the sentences that name the filer.",
        ("masked", true) => "What helped was the filer’s name.",
        ("masked", false) => "The gain is not shown to hang on the filer’s name.",
        ("filing-shuffled", true) => "The order of the sentences matters.",
        ("filing-shuffled", false) => "The order of the sentences is not shown to matter.",
        ("filing-wrong", true) => "Another filing’s context does not do: what helped is this filing’s.",
        ("filing-wrong", false) => {
            "Any filing’s context does nearly as well: the gain is not shown to come from this filing."
        }
        ("swap", true) => "The context misleads when it is another company’s.",
        ("swap", false) => "Another company’s context is not shown to mislead.",
        _ => return None,
    })
}
