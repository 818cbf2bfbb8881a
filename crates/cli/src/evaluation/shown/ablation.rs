//! What context brought a model, as a table and in words.
//!
//! The words follow rules, not taste: a gain is *shown* when its test holds after Holm's correction, else it is *not
//! shown*, which is not the same as shown to be none.

use eightk_measure::{Comparison, Metric, Value};
use eightk_runs::{Ablation, Follow};

use super::asked::Which;
use super::cells::{NONE, SHOWN_BELOW, difference, interval, probability, share, signed, three};
use super::page::{Cell, Grid, Part, Role, columns};
use crate::output::Align;

/// Tables, then words.
pub(super) fn ablation(found: &Ablation) -> Vec<Part> {
    let grids = gains(found).into_iter().chain(follow(found)).map(Part::Grid);
    let star = "*: p < .05 by paired randomization of whole filings, after Holm over the rows of a block. Not shown is not the same \
                as none: see what these queries could show, in results.json.";
    let words = [
        (Which::Ablation, words(found)),
        (Which::Follow, found.follow.iter().map(followed).collect()),
        (Which::Ablation, vec![star.to_owned()]),
    ];
    let said = words.iter().take(2).any(|(_, words)| !words.is_empty());
    let words = words.into_iter().filter(|(_, words)| said && !words.is_empty());
    grids.chain(words.map(|(which, words)| Part::Words(which, words))).collect()
}

fn gains(found: &Ablation) -> Option<Grid> {
    let metrics = metrics(found);
    if metrics.is_empty() {
        return None;
    }
    let header = columns(metrics.iter().map(|m| short(*m)), Align::Left);
    let caption = format!("What context brings {}", found.model);
    let mut grid = Grid::new(Which::Ablation, &caption, "context gain", header);
    if !found.gains.is_empty() {
        grid.group(format!("{}: each view less the bare sentence", found.model));
        rows(&mut grid, &found.gains, &metrics, &found.model);
    }
    if !found.controls.is_empty() {
        grid.group("controls: each less its own view");
        rows(&mut grid, &found.controls, &metrics, &found.model);
    }
    Some(grid)
}

fn follow(found: &Ablation) -> Option<Grid> {
    if found.follow.is_empty() {
        return None;
    }
    let header = columns(["follow rate", "before", "gold stays", "chance"], Align::Left);
    let caption = format!("How often rankings of {} go with an exchanged context", found.model);
    let mut grid = Grid::new(Which::Follow, &caption, "exchanged", header);
    for f in &found.follow {
        let chance = f.rate.chance.map_or_else(|| NONE.into(), three);
        let cells = [share(Some(f.rate)), share(f.before), share(f.stays), chance.into()];
        grid.row(view_of(&f.system, &found.model), Role::System, cells);
    }
    Some(grid)
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
fn rows(grid: &mut Grid, comparisons: &[Comparison], metrics: &[Metric], model: &str) {
    let mut names: Vec<&str> = Vec::new();
    for c in comparisons {
        if !names.contains(&c.a.as_str()) {
            names.push(&c.a);
        }
    }
    for name in names {
        let of = |m: &Metric| comparisons.iter().find(|c| c.a == name && c.metric == *m);
        let cell = |c: &Comparison| Cell { star: is_shown(c), ..difference(c.difference, c.low, c.high) };
        let cells = metrics.iter().map(|m| of(m).map_or_else(|| NONE.to_owned().into(), cell));
        grid.row(view_of(name, model), Role::System, cells);
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
        share(Some(f.rate)).plain(),
        f.rate.queries
    )
}
