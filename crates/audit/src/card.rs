//! The audit on a data set's card.

use std::fmt::Write as _;

use eightk_dataset::CheckOutcome;

use crate::{Finding, Limit, Report};

/// The sections as Markdown tables, without a heading of their own.
pub fn card(report: &Report) -> String {
    let mut out = format!(
        "What makes context unnecessary, what a shortcut could find, what can be reached at all, in numbers; limits: {}. \
         A number in brackets is a 95 % interval, and fails only where all of it lies beyond the limit.\n",
        report.limits_of
    );
    for section in &report.sections {
        let _ = write!(out, "\n| {} | | value | by chance | limit |\n|---|---|---|---|---|\n", section.name);
        for f in &section.checks {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} |",
                f.name,
                mark(f),
                value(f),
                number(f.chance),
                limit(f.limit)
            );
        }
        let notes: Vec<String> =
            section.checks.iter().filter_map(|f| Some(format!("- `{}`: {}", f.name, note(f)?))).collect();
        if !notes.is_empty() {
            let _ = write!(out, "\n{}\n", notes.join("\n"));
        }
    }
    out
}

fn note(f: &Finding) -> Option<String> {
    f.detail.clone().or_else(|| f.reason.as_ref().map(|r| format!("skipped, {r}")))
}

fn mark(f: &Finding) -> &'static str {
    match f.outcome {
        CheckOutcome::Passed => "ok",
        CheckOutcome::Failed => "**failed**",
        CheckOutcome::Skipped => "skipped",
    }
}

fn value(f: &Finding) -> String {
    let Some(value) = f.value else { return String::new() };
    let interval = f.low.zip(f.high).map_or(String::new(), |(low, high)| format!(" \\[{low:.2}, {high:.2}\\]"));
    let of = if f.of > 0 { format!(" (n = {})", f.of) } else { String::new() };
    format!("{value:.3}{interval}{of}")
}

fn number(n: Option<f64>) -> String {
    n.map_or_else(String::new, |n| format!("{n:.3}"))
}

fn limit(limit: Option<Limit>) -> String {
    let Some(limit) = limit else { return String::new() };
    match (limit.at_least, limit.at_most) {
        (Some(least), Some(most)) => format!("{least:.3} to {most:.3}"),
        (Some(least), None) => format!("at least {least:.3}"),
        (None, Some(most)) => format!("at most {most:.3}"),
        (None, None) => String::new(),
    }
}
