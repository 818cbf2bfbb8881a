//! What a fetch says at its end, to people.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use eightk_edgar::EdgarError;
use eightk_edgar::fetch::{Downloaded, Order, Road};
use eightk_edgar::find::Found;
use eightk_edgar::store::Store;
use eightk_edgar::web::WebError;

use super::report::{Report, downloaded, dry, planned};
use super::{Args, Fetched};
use crate::failure::{Failure, Outcome};
use crate::interrupt::STOPPED;
use crate::output::width::hanging;
use crate::output::{self, clock, megabytes, thousands};

/// How many filings are named before the summary points to a file.
const SHOWN: usize = 10;

/// Prints the end of a run; its exit code: 0 when all of the plan is in the store.
pub(super) fn show(args: &Args, order: &Order, store: &Store, fetched: Fetched) -> Outcome<ExitCode> {
    match fetched {
        Fetched::Ended(e) => ended(args, &e, false),
        Fetched::NeedsHeaders { listed, unread } => needs_headers(args, order, listed, unread),
        Fetched::Dry(plan, reused, progressed) => {
            let report = dry(planned(args, order, store, &plan, reused, progressed.whole), args, &progressed);
            print(args, &report, || describe(args, &report) + &listed(&progressed.missing, args, &report))?;
            Ok(ExitCode::SUCCESS)
        }
        Fetched::Done(plan, reused, done) => {
            let report = downloaded(planned(args, order, store, &plan, reused, done.stored), &done, plan.is_settled());
            print(args, &report, || describe(args, &report) + &next(args, &report, &done))?;
            match done.ended_by {
                Some(e) => ended(args, &e, true),
                None if report.complete => Ok(ExitCode::SUCCESS),
                None => Ok(ExitCode::FAILURE),
            }
        }
    }
}

fn print(args: &Args, report: &Report<'_>, text: impl FnOnce() -> String) -> Outcome {
    if args.json { output::json(report) } else { output::text(&output::printable(&text())) }
}

/// A run that ended before its time: what to do is in the error, or it was the user's wish. `told`: whether its report was printed.
fn ended(args: &Args, e: &EdgarError, told: bool) -> Outcome<ExitCode> {
    if args.json && !told {
        output::json(&serde_json::json!({
            "store": args.store.display().to_string(), "plan": null, "complete": false, "ended_by": e.to_string(),
        }))?;
    }
    if let EdgarError::Web { source: WebError::Stopped, .. } = e {
        if !args.json {
            output::text("stopped; the same command goes on from here\n")?;
        }
        return Ok(ExitCode::from(STOPPED));
    }
    if let EdgarError::Web { source: WebError::Undeclared, .. } = e {
        return Err(Failure::usage(e));
    }
    let then = match e {
        // It says itself what to do.
        EdgarError::Damaged { .. } | EdgarError::Usage(_) | EdgarError::NotAStore { .. } => "",
        EdgarError::Web { source: WebError::Offline, .. } => "; run once without --offline",
        _ => "; what is fetched is kept, the same command goes on from here",
    };
    Err(Failure::wrong(output::printable(&format!("{e}{then}"))))
}

/// The counts for people.
fn describe(args: &Args, r: &Report<'_>) -> String {
    let mut out = format!("{}\n", r.store);
    let counts = |map: &BTreeMap<String, usize>| {
        map.iter().map(|(k, n)| format!("{} {k}", thousands(*n))).collect::<Vec<_>>().join(", ")
    };
    let mut row = |n: usize, what: &str| row_of(&mut out, n, what);
    if let Some(found) = &r.found {
        row(found.hits, if r.road == Road::Search { "documents found by the search" } else { "rows in the indexes" });
        if !found.left_out.is_empty() {
            row(found.left_out.values().sum(), &format!("left out ({})", counts(found.left_out)));
        }
        if !found.refused.is_empty() {
            row(found.refused.len(), "not usable");
        }
        row(found.filings, "filings");
        row(r.picked, "picked");
        if !found.passed_over.is_empty() {
            row(found.passed_over.values().sum(), &format!("passed over ({})", counts(found.passed_over)));
        }
    }
    if let Some(found) = r.found.as_ref().filter(|f| !f.incomplete.is_empty()) {
        let which = counts(found.incomplete);
        out += &hanging(&format!("  The search is not complete ({which}): filings may be missing. Run it again."), 2);
    }
    if r.picked == 0 {
        if r.found.as_ref().is_some_and(|f| f.incomplete.is_empty() && f.refused.is_empty()) {
            out += "  No filing was found. That is an answer, not a failure: widen --from, --to,\n  --items or --phrase for more.\n";
        }
        return out + &remarks(r);
    }
    row_of(&mut out, r.stored, "in the store already");
    if r.would.is_none() {
        if r.adopted > 0 {
            row_of(&mut out, r.adopted, "read before, taken over");
        }
        let whole = if r.submissions > 0 {
            format!("; {} as full submissions, since EDGAR has no file of the document alone", thousands(r.submissions))
        } else {
            String::new()
        };
        row_of(&mut out, r.downloaded, &format!("downloaded ({}{whole})", megabytes(r.bytes)));
        if r.unclosed > 0 {
            row_of(&mut out, r.unclosed, "of them without a mark of their end; taken because they came twice the same");
        }
        if !r.refused.is_empty() {
            let why = if args.offline { "missing" } else { "refused; the next run asks for them again" };
            row_of(&mut out, r.refused.len(), why);
        }
        if r.left > 0 {
            row_of(&mut out, r.left, "not asked for yet");
        }
    }
    out + &remarks(r)
}

/// By which rule, after which plan, and what could not be used.
fn remarks(r: &Report<'_>) -> String {
    let mut out = format!("  rule {}\n", r.rule);
    if let Some(plan) = &r.plan {
        let _ = writeln!(out, "  plan {plan}{}", if r.reused { " (of an earlier run)" } else { "" });
    }
    let Some(found) = &r.found else { return out };
    for refused in found.refused.iter().take(SHOWN) {
        out += &hanging(&format!("  not usable {}: {}", refused.what, refused.reason), 4);
    }
    if found.refused.len() > SHOWN {
        let _ = writeln!(out, "  … and {} more: see the plan", thousands(found.refused.len() - SHOWN));
    }
    // The run that made the plan has said them as it went.
    for note in found.notes.iter().filter(|_| r.reused) {
        out += &hanging(&format!("  note: {note}"), 4);
    }
    out
}

fn row_of(out: &mut String, n: usize, what: &str) {
    *out += &hanging(&format!("  {:>9} {what}", thousands(n)), 12);
}

/// The filings a dry run would fetch.
fn listed(missing: &[Found], args: &Args, r: &Report<'_>) -> String {
    let Some(would) = &r.would else { return String::new() };
    let mut out = String::new();
    let time = clock(Duration::from_secs_f64(would.seconds));
    let _ =
        writeln!(out, "  {:>9} to fetch: about {time} at {} requests a second", thousands(would.requests), args.rate);
    for f in missing.iter().take(SHOWN) {
        let company = f.issuer().map_or("", |i| &i.name);
        let _ = writeln!(out, "  {} {} {company}", f.accession, f.filed);
    }
    if missing.len() > SHOWN {
        let _ = writeln!(out, "  … and {} more: see the plan", thousands(missing.len() - SHOWN));
    }
    out
}

/// What is missing, and what to do now.
fn next(args: &Args, r: &Report<'_>, done: &Downloaded) -> String {
    let mut out = String::new();
    let shown = if args.offline { usize::MAX } else { SHOWN };
    for refused in done.refused.iter().take(shown) {
        let what = if args.offline { "missing" } else { "refused" };
        out += &hanging(&format!("  {what} {}: {}", refused.accession, refused.reason), 4);
    }
    if done.refused.len() > shown {
        let _ = writeln!(out, "  … and {} more: --json names all", thousands(done.refused.len() - shown));
    }
    if r.complete && r.picked > 0 {
        let _ = writeln!(out, "next: eightk build {} --recipe {} --out DIR", r.store, args.recipe);
    }
    out
}

fn needs_headers(args: &Args, order: &Order, listed: usize, unread: usize) -> Outcome<ExitCode> {
    let time = |n: usize| clock(Duration::from_secs_f64(n as f64 / args.rate));
    let words = if order.query.phrase.is_empty() { "" } else { ", and the documents of those with the right Items" };
    if args.offline {
        return Err(Failure::wrong(format!(
            "{unread} of {listed} headers are not in the store; run once without --offline"
        )));
    }
    if args.json {
        output::json(&serde_json::json!({
            "store": args.store.display().to_string(), "plan": null, "listed": listed,
            "would": { "headers": unread, "seconds": unread as f64 / args.rate },
        }))?;
    } else {
        let mut out = format!("{}\n", args.store.display());
        row_of(&mut out, listed, "filings in the indexes");
        let (time, rate) = (time(unread), args.rate);
        let read = format!(
            "headers to read{words}: about {time} at {rate} requests a second, as much again for the documents of a filing each"
        );
        row_of(&mut out, unread, &read);
        output::text(&out)?;
    }
    Ok(ExitCode::SUCCESS)
}
