//! `eightk audit DATASET`: is it sound? Exit code 1 when a check fails.

use std::io::Write;
use std::process::ExitCode;

use eightk_audit::{Finding, Limit, Limits, Report, audit};
use eightk_dataset::{Check, CheckOutcome};

use crate::commands::recipe;
use crate::evaluation::read_dataset;
use crate::failure::{Failure, Outcome};
use crate::output::{self, Align, Table};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Data set: a folder, its documents and queries files with a comma between, or hf://datasets/OWNER/NAME, also with @REVISION.
    dataset: String,
    /// Limits of this recipe, a name or a TOML file. Default: those the data set was built with.
    #[arg(long)]
    recipe: Option<String>,
    /// Set one limit, as in the recipe's [audit] table: ceiling=0.5. May be given several times.
    #[arg(long, value_name = "KEY=NUMBER")]
    limit: Vec<String>,
    /// One line of JSON.
    #[arg(long)]
    json: bool,
    /// Also list the invariants that hold or do not apply.
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let given = args.recipe.as_deref().map(recipe::load).transpose()?;
    let (dataset, report) = read_dataset(&args.dataset, false)?;
    let mut limits = given.map_or_else(|| Limits::of_dataset(&report), |r| Limits::of_recipe(&r));
    for limit in &args.limit {
        limits.set(limit).map_err(Failure::usage)?;
    }
    let result = audit(&dataset, &report, &limits);
    if args.json {
        output::json(&result)?;
    } else {
        // A reader that closes early must not turn a failed audit into a passed one.
        let _ = std::io::stdout().lock().write_all(describe(&result, args.all).as_bytes());
    }
    Ok(if result.passed { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The audit for people: invariants that fail, one line a finding, what failed with examples and what to do.
fn describe(result: &Report, all: bool) -> String {
    let mut out = invariants(&result.checks, all);
    out += "\n";
    out += &findings(result);
    let legend = format!(
        "Limits: {}. In brackets a 95 % interval: it fails where all of it lies beyond the limit.",
        result.limits_of
    );
    out += &format!("\n{}", wrapped(&legend, ""));
    for f in result.findings().filter(|f| f.outcome == CheckOutcome::Failed) {
        out += &format!("\nFAIL {}", f.name);
        if f.count > 0 {
            out += &format!(": {} of {}", f.count, f.of);
        }
        out += "\n";
        for example in &f.examples {
            out += &format!("     {example}\n");
        }
        let key = f.limit.map_or_else(String::new, |l| format!(" The limit is `{}` in the recipe.", l.key));
        out += &wrapped(&format!("What to do: {}.{key}", f.advice), "     ");
    }
    out += "\n";
    out + &summary(result)
}

/// How many checks passed, failed, did not apply: one line.
pub(crate) fn summary(result: &Report) -> String {
    let outcomes = || result.checks.iter().map(|c| c.outcome).chain(result.findings().map(|f| f.outcome));
    let count = |wanted| outcomes().filter(|o| *o == wanted).count();
    format!(
        "{} checks passed, {} failed, {} not applicable\n",
        count(CheckOutcome::Passed),
        count(CheckOutcome::Failed),
        count(CheckOutcome::Skipped)
    )
}

fn mark(outcome: CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Passed => "ok",
        CheckOutcome::Failed => "FAIL",
        CheckOutcome::Skipped => "skip",
    }
}

fn invariants(checks: &[Check], all: bool) -> String {
    let count = |wanted| checks.iter().filter(|c| c.outcome == wanted).count();
    let (held, failed) = (count(CheckOutcome::Passed), count(CheckOutcome::Failed));
    let mut out = format!("invariants: {held} hold, {failed} fail, {} do not apply\n", checks.len() - held - failed);
    for check in checks.iter().filter(|c| all || c.outcome == CheckOutcome::Failed) {
        let why = check.reason.as_ref().map(|r| format!(" ({r})")).unwrap_or_default();
        let n = if check.outcome == CheckOutcome::Failed { format!(": {}", check.count) } else { String::new() };
        out += &format!("{:<4} {}{n}{why}\n", mark(check.outcome), check.name);
        for example in &check.examples {
            out += &format!("     {example}\n");
        }
    }
    if failed > 0 {
        out += &wrapped("What to do: correct the rows that are named, or build the data set again.", "     ");
    }
    out
}

/// A text in lines of at most 80 columns, each after `indent`, the later ones two columns further in.
fn wrapped(text: &str, indent: &str) -> String {
    const WIDTH: usize = 80;
    let (mut out, mut line) = (String::new(), indent.to_owned());
    for word in text.split_whitespace() {
        let fresh = line.trim().is_empty();
        if !fresh && line.chars().count() + 1 + word.chars().count() > WIDTH {
            out += &(line + "\n");
            line = format!("{indent}  {word}");
        } else {
            line += if fresh { "" } else { " " };
            line += word;
        }
    }
    out + &line + "\n"
}

/// One table for all sections, so that their numbers stand in one column.
fn findings(result: &Report) -> String {
    let right = |name| (name, Align::Right);
    let mut table = Table::new([
        ("", Align::Left),
        ("", Align::Left),
        right("value"),
        ("[95 %]", Align::Left),
        right("chance"),
        ("limit", Align::Left),
    ]);
    for section in &result.sections {
        table.row([String::new(), section.name.to_owned()]);
        for f in &section.checks {
            table.row(row(f));
        }
    }
    let mut out = String::new();
    for line in table.render().lines().enumerate().filter(|(i, _)| *i != 1).map(|(_, line)| line) {
        out += &format!("{line}\n");
    }
    for f in result.findings() {
        if let Some(detail) = &f.detail {
            out += &wrapped(&format!("{}: {detail}", f.name), "  ");
        }
    }
    // One line a reason: where there are no rivals, a dozen checks have the same.
    let mut skipped: Vec<(&str, Vec<&str>)> = Vec::new();
    for f in result.findings() {
        let Some(reason) = f.reason.as_deref() else { continue };
        match skipped.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(f.name),
            None => skipped.push((reason, vec![f.name])),
        }
    }
    for (reason, names) in skipped {
        out += &wrapped(&format!("skipped, {reason}: {}", names.join(", ")), "  ");
    }
    out
}

fn row(f: &Finding) -> [String; 6] {
    let three = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.3}"));
    let interval =
        f.low.zip(f.high).map_or_else(String::new, |(low, high)| format!("[{},{}]", short(low), short(high)));
    [
        mark(f.outcome).to_owned(),
        f.name.to_owned(),
        three(f.value),
        interval,
        three(f.chance),
        f.limit.map_or_else(String::new, bounds),
    ]
}

/// Two digits without the leading zero.
fn short(x: f64) -> String {
    let s = format!("{x:.2}");
    s.strip_prefix('0').map_or_else(|| s.clone(), str::to_owned)
}

fn bounds(limit: Limit) -> String {
    match (limit.at_least, limit.at_most) {
        (Some(least), Some(most)) => format!("{}–{}", short(least), short(most)),
        (Some(least), None) => format!("≥ {}", short(least)),
        (None, Some(most)) => format!("≤ {}", short(most)),
        (None, None) => String::new(),
    }
}
