//! `eightk eval DATASET --system SPEC… --out RUNS`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Deserialize;

use eightk_measure::Metric;
use eightk_retrieve::SystemSpec;

use crate::dataset_name::NamedDataset;
use crate::evaluation::{
    self, BASELINE, Scoring, is_mark, judged_and_against, refuse_replacing, run_systems, save, score_all, show,
    show_details, show_metrics, with_marks,
};
use crate::failure::{Failure, Outcome};
use crate::output;

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("Systems:\n{}\n\n{}", SystemSpec::possible(), evaluation::metrics_help()))]
pub(crate) struct Args {
    /// Data set: a folder, its documents and queries files with a comma between, or hf://datasets/OWNER/NAME, also with @REVISION.
    dataset: String,
    /// A system to run; may be given several times. Beside those named run the floors and ceilings: bm25, bm25:title,
    /// name-filter, random, oracle.
    #[arg(long = "system", value_name = "SPEC")]
    systems: Vec<SystemSpec>,
    /// TOML file with a list of systems: systems = ["bm25", "bm25:title"]. Run after those of --system.
    #[arg(long = "systems", value_name = "FILE")]
    systems_file: Option<PathBuf>,
    /// No floors and ceilings but those named.
    #[arg(long)]
    only: bool,
    /// Folder for runs and scores; appears whole or not at all.
    #[arg(long, value_name = "RUNS")]
    out: Option<PathBuf>,
    /// Replace an existing folder.
    #[arg(long)]
    force: bool,
    /// Chunks to retrieve per query.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// A metric, such as ndcg@10 or rival_auc; may be given several times. Default: all of the headline ones.
    #[arg(long = "metric", value_name = "NAME")]
    metrics: Vec<Metric>,
    /// The system that the others are compared with. Default: bm25; with --only and without bm25, the first.
    #[arg(long, value_name = "SPEC")]
    baseline: Option<SystemSpec>,
    /// Also factors of the first place, near rivals, cuts by fact, number of rivals and evidence, ties.
    #[arg(long, conflicts_with = "json")]
    details: bool,
    /// Repair chunk spans that do not fit their text.
    #[arg(long)]
    repair_spans: bool,
    /// One line of JSON instead of tables.
    #[arg(long)]
    json: bool,
}

/// A file of systems.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SystemsFile {
    systems: Vec<SystemSpec>,
}

/// The systems named on the command line, then those of the file.
fn systems(args: &Args) -> Outcome<Vec<SystemSpec>> {
    let mut all = args.systems.clone();
    if let Some(path) = &args.systems_file {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|e| Failure::usage(format!("cannot read {}: {e}", path.display())))?;
        let file: SystemsFile =
            toml::from_str(&text).map_err(|e| Failure::usage(format!("{}: {e}", path.display())))?;
        all.extend(file.systems);
    }
    Ok(all)
}

/// What to run, and whom to compare with whom.
fn plan(args: &Args) -> Outcome<(Vec<SystemSpec>, Scoring)> {
    let asked = systems(args)?;
    let mut specs = if args.only { asked.clone() } else { with_marks(&asked) };
    if let Some(baseline) = args.baseline.as_ref().filter(|b| !specs.contains(b)) {
        if args.only {
            return Err(Failure::usage(format!("--baseline {baseline}: with --only, name it with --system too")));
        }
        specs.insert(asked.len(), baseline.clone());
    }
    let names = |specs: &[SystemSpec]| specs.iter().map(SystemSpec::label).collect::<Vec<_>>();
    let known = names(&specs);
    let usual = || known.iter().find(|n| *n == BASELINE).or_else(|| known.first()).cloned();
    let baseline = args.baseline.as_ref().map(SystemSpec::label).or_else(usual);
    // Rows that nobody asked for are there to be looked at: in the family of comparisons they would cost every other
    // difference some of its certainty.
    let contestants = names(if asked.is_empty() { &specs } else { &asked });
    let contestants = contestants.into_iter().filter(|name| !is_mark(name)).collect();
    Ok((specs, Scoring::new(&args.metrics, baseline, contestants)))
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let asked: Vec<String> = systems(args)?.iter().map(SystemSpec::label).collect();
    let (specs, mut scoring) = plan(args)?;
    let named = NamedDataset::find(&args.dataset)?;
    if let Some(out) = &args.out {
        refuse_replacing(named.path(), out)?;
    }
    let (set, against) = judged_and_against(&named, args.repair_spans)?;
    let depth = args.depth as usize;
    let systems = run_systems(&set, &specs, depth, args.json)?;
    let failed = |name: &String| systems.failed.iter().any(|f| f.name == *name);
    if scoring.baseline.as_ref().is_some_and(failed) {
        scoring.baseline = None;
    }
    let scored = score_all(&systems.runs, &against, &scoring)?;
    if let Some(out) = &args.out {
        save(out, args.force, (&against, &systems, &scored), depth)?;
    }
    if args.json {
        output::json(&scored.report(&against, &systems.failed))?;
    } else {
        let show = if args.metrics.is_empty() { show } else { show_metrics };
        output::text(&show(&scored, &systems.failed))?;
        if args.details {
            output::text(&show_details(&scored))?;
        }
        if let Some(out) = &args.out {
            output::text(&format!("runs and scores: {}\n", out.display()))?;
        }
    }
    // A floor that this data set cannot have (no titles, say) is told of; only what was asked for and failed is a failure.
    let wanted =
        |name: &String| args.only || asked.contains(name) || args.baseline.as_ref().is_some_and(|b| b.label() == *name);
    let mut code = ExitCode::SUCCESS;
    for failed in systems.failed.iter().filter(|f| wanted(&f.name)) {
        let _ = writeln!(std::io::stderr(), "error: {} could not run and has no score: {}", failed.name, failed.reason);
        code = ExitCode::from(1);
    }
    Ok(code)
}
