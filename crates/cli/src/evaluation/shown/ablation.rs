//! What context brought a model, as a table and in words.
//!
//! The words follow rules, not taste: a gain is *shown* when its test holds after Holm's correction, else it is *not
//! shown*, which is not the same as shown to be none.

use eightk_measure::{Comparison, Metric, Value};

use super::cells::{NONE, cell, interval, named_row, probability, signed, three, wrapped};
use crate::output::{Align, Table};
use eightk_runs::{Ablation, Follow};

/// From which p on a difference is not shown.
const SHOWN_BELOW: f64 = 0.05;

/// Table, then words.
pub(super) fn ablation(found: &Ablation) -> String {
    let mut out = String::new();
    let metrics = metrics(found);
    if !metrics.is_empty() {
        let columns = metrics.iter().map(|m| (short(*m), Align::Left));
        let mut table = Table::new([("context gain", Align::Left)].into_iter().chain(columns));
        if !found.gains.is_empty() {
            table.line(&format!("{}: each view less the bare sentence", found.model));
            rows(&mut table, &found.gains, &metrics, &found.model);
        }
        if !found.controls.is_empty() {
            table.line("controls: each less its own view");
            rows(&mut table, &found.controls, &metrics, &found.model);
        }
        out += "\n";
        out += &table.render();
    }
    if !found.follow.is_empty() {
        let columns = ["follow rate", "before", "gold stays", "chance"].map(|c| (c, Align::Left));
        let mut table = Table::new([("exchanged", Align::Left)].into_iter().chain(columns));
        for f in &found.follow {
            let chance = f.rate.chance.map_or_else(|| NONE.into(), three);
            let name = view_of(&f.system, &found.model);
            named_row(&mut table, name, [cell(Some(f.rate)), cell(f.before), cell(f.stays), chance]);
        }
        out += "\n";
        out += &table.render();
    }
    let words = words(found);
    out + "\n" + &words.iter().map(|w| wrapped(w)).collect::<String>()
}

fn metrics(found: &Ablation) -> Vec<Metric> {
    let mut metrics = Vec::new();
    for c in found.gains.iter().chain(&found.controls) {
        if !metrics.contains(&c.metric) {
            metrics.push(c.metric);
        }
    }
    metrics
}

fn short(metric: Metric) -> &'static str {
    match metric {
        Metric::RivalAuc => "rival AUC",
        Metric::ResolvedAt1 => "resolved@1",
        _ => "ndcg_answer@10",
    }
}

/// One row a system, one cell a metric; a star where the difference is shown.
fn rows(table: &mut Table, comparisons: &[Comparison], metrics: &[Metric], model: &str) {
    let mut names: Vec<&str> = Vec::new();
    for c in comparisons {
        if !names.contains(&c.a.as_str()) {
            names.push(&c.a);
        }
    }
    for name in names {
        let of = |m: &Metric| comparisons.iter().find(|c| c.a == name && c.metric == *m);
        let text = |c: &Comparison| {
            let star = if is_shown(c) { "*" } else { "" };
            signed(c.difference) + &interval(c.low, c.high) + star
        };
        let cells = metrics.iter().map(|m| of(m).map_or_else(|| NONE.into(), text));
        named_row(table, view_of(name, model), cells);
    }
}

fn is_shown(c: &Comparison) -> bool {
    c.p_holm.unwrap_or(c.p) < SHOWN_BELOW
}

fn words(found: &Ablation) -> Vec<String> {
    let mut words = Vec::new();
    if !found.context_free.is_empty() {
        words.push(format!(
            "{} was handed whole filings and did not look at them (one sentence got the same vector in two filings): it is \
             context-free, and its views with the filing and their controls say nothing of context: {}.",
            found.model,
            found.context_free.join(", ")
        ));
    }
    let on = |comparisons: &[Comparison]| -> Vec<Comparison> {
        let first = metrics(found).first().copied();
        comparisons.iter().filter(|c| Some(c.metric) == first).cloned().collect()
    };
    let model = &found.model;
    for gain in on(&found.gains) {
        let view = view_of(&gain.a, model);
        let told = if view.split('+').any(|part| part == "title") {
            " The title names the company: it is told, not found."
        } else {
            ""
        };
        let (subject, several) = said_of_view(view);
        words.push(format!("{subject} {}.{told}", verdict(&gain, several)));
    }
    for loss in on(&found.controls) {
        let (view, control) = view_of(&loss.a, model).rsplit_once('/').unwrap_or((view_of(&loss.a, model), ""));
        let helped = on(&found.gains).iter().any(|g| g.a == loss.b && is_shown(g) && g.difference > 0.0);
        if let Some(meaning) = meaning(control, view, &loss, helped) {
            words.push(meaning);
        }
    }
    words.extend(found.follow.iter().map(followed));
    if !words.is_empty() {
        words.push(
            "*: p < .05 by paired randomization of whole filings, after Holm over the rows of a block. Not shown is not the same \
             as none: see what these queries could show, in results.json."
                .into(),
        );
    }
    words
}

/// What stands behind the model's name in a system's.
fn view_of<'n>(name: &'n str, model: &str) -> &'n str {
    name.strip_prefix(model).map_or(name, |rest| rest.trim_start_matches(':'))
}

/// What a view adds, and whether that is several things.
fn said_of_view(view: &str) -> (String, bool) {
    match view {
        "title" => ("The title before each sentence".into(), false),
        "filing" => ("The filing around each sentence".into(), false),
        "lead" => ("The filing's first sentences".into(), true),
        _ => match view.strip_prefix("window:") {
            Some(n) if !view.contains('+') => (format!("The {n} sentences on each side"), true),
            _ => (format!("The view {view}"), false),
        },
    }
}

fn verdict(c: &Comparison, several: bool) -> String {
    let what = if c.metric == Metric::RivalAuc { "rival AUC".to_owned() } else { c.metric.to_string() };
    let by = format!("{what} {}{}", signed(c.difference), interval(c.low, c.high));
    let p = format!("p Holm {}", probability(c.p_holm.unwrap_or(c.p)));
    match (is_shown(c), c.difference > 0.0) {
        (true, true) => format!("helped: {by} over the bare sentence, {p}"),
        (true, false) => format!("hurt: {by} against the bare sentence, {p}"),
        (false, _) => {
            let is = if several { "are" } else { "is" };
            format!("{is} not shown to help or hurt with these {} queries: {by}, {p}", c.queries)
        }
    }
}

/// What a control tells.
fn meaning(control: &str, view: &str, c: &Comparison, helped: bool) -> Option<String> {
    let by = format!("{}{}", signed(c.difference), interval(c.low, c.high));
    let lost = is_shown(c) && c.difference < 0.0;
    // Nothing can be said of where a gain comes from that is not shown.
    if !helped {
        let metric = short(c.metric);
        return Some(format!(
            "The view {view} with control {control}: {metric} {by}; the view itself is not shown to help."
        ));
    }
    let (without, if_lost, else_said) = match control.split(':').next()? {
        "minus-binding" => (
            "without the sentences that name the filer",
            "it was those sentences that told whose a sentence is",
            "what the view brought is not shown to hang on them",
        ),
        "masked" => (
            "with the filer's names taken out",
            "it was the names that told whose a sentence is",
            "what the view brought is not shown to hang on the names",
        ),
        "filing-shuffled" => {
            ("with the filing's sentences in random order", "their order matters", "their order is not shown to matter")
        }
        "filing-wrong" => (
            "in another company's filing",
            "it is this filing's context that helps, not just more text",
            "its own context is not shown to be worth more than another filing's",
        ),
        _ => return None,
    };
    let metric = short(c.metric);
    Some(format!("The view {view} {without}: {metric} {by}; {}.", if lost { if_lost } else { else_said }))
}

fn followed(f: &Follow) -> String {
    let low = |v: Value| v.low.unwrap_or(v.expected);
    let above = |x: Option<f64>| x.is_some_and(|x| low(f.rate) > x);
    let before = f.before.map(|v| v.expected);
    let went = if above(f.rate.chance) && before.is_none_or(|b| low(f.rate) > b) {
        "more than by chance and more than before: it goes by the context"
    } else {
        "not shown to be more than chance or than before: no sign that it goes by the context"
    };
    let chance = f.rate.chance.map(|c| format!(" (chance {})", three(c))).unwrap_or_default();
    format!(
        "Exchanged with a rival's, the context took the first place with it in {} of {} queries{chance}, {went}.",
        cell(Some(f.rate)),
        f.rate.queries
    )
}
