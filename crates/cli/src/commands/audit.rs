//! `eightk audit DATASET`: is it sound? Exit code 1 when a check fails.

use std::io::Write;
use std::process::ExitCode;

use eightk_dataset::{AuditReport, CheckOutcome, audit};

use crate::evaluation::read_dataset;
use crate::failure::Outcome;
use crate::output;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Data set: a folder, its documents and queries files with a comma between, or hf://datasets/OWNER/NAME, also with @REVISION.
    dataset: String,
    /// One line of JSON.
    #[arg(long)]
    json: bool,
    /// Also list the checks that passed or did not apply.
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let (dataset, report) = read_dataset(&args.dataset, false)?;
    let result = audit(&dataset, &report);
    if args.json {
        output::json(&result)?;
    } else {
        // A reader that closes early must not turn a failed audit into a passed one.
        let _ = std::io::stdout().lock().write_all(describe(&result, args.all).as_bytes());
    }
    Ok(if result.passed { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The checks for people: failures with examples, then how many passed or did not apply.
pub(crate) fn describe(result: &AuditReport, all: bool) -> String {
    let mut out = String::new();
    let mut counts = [0; 3];
    for check in &result.checks {
        let (i, mark) = match check.outcome {
            CheckOutcome::Passed => (0, "ok  "),
            CheckOutcome::Failed => (1, "FAIL"),
            CheckOutcome::Skipped => (2, "skip"),
        };
        counts[i] += 1;
        if i == 1 || all {
            let why = check.reason.as_ref().map(|r| format!(" ({r})")).unwrap_or_default();
            let n = if i == 1 { format!(": {}", check.count) } else { String::new() };
            out += &format!("{mark} {}{n}{why}\n", check.name);
            for example in &check.examples {
                out += &format!("       {example}\n");
            }
        }
    }
    let [passed, failed, skipped] = counts;
    out += &format!("{passed} checks passed, {failed} failed, {skipped} not applicable\n");
    out
}
