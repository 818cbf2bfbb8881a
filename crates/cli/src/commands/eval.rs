//! `eightk eval DATASET --system SPEC… --out RUNS`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use eightk_dataset::Staging;
use eightk_measure::Metric;
use eightk_retrieve::{Encoders, RetrieveError, SystemSpec};
use eightk_runs::Ladder;

use crate::dataset_name::NamedDataset;
use crate::encoders::{EncodingArgs, Room};
use crate::evaluation::{
    self, BASELINE, Scoring, ShownArgs, is_mark, judged_and_against, ladder, model_of, read_file, refuse_replacing,
    run_systems, save, score_all, show_plans, with_marks, with_swaps,
};
use crate::failure::{Failure, Outcome};
use crate::output::width::{COLUMNS, width};
use crate::output::{self, Progress};

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("Systems:\n{}\n\n{}", SystemSpec::possible(), evaluation::metrics_help()))]
pub(crate) struct Args {
    /// Data set: a folder, its documents and queries files with a comma between, or hf://datasets/OWNER/NAME, also with @REVISION.
    dataset: String,
    /// A system to run; may be given several times. Beside those named run the floors and ceilings: bm25, bm25:title,
    /// name-filter, random, oracle.
    #[arg(long = "system", value_name = "SPEC")]
    systems: Vec<SystemSpec>,
    /// TOML file of systems: a list systems = ["bm25", "bm25:title"], and tables `[[system]]` with spec, name, view or views, and any
    /// setting by its name. Run after those of --system.
    #[arg(long = "systems", value_name = "FILE")]
    systems_file: Option<PathBuf>,
    /// What context brings this model: runs it on a ladder of views, from the bare sentence to the whole filing, with controls that
    /// take the context away again, and says what was gained. May be given several times.
    #[arg(long = "ablation", value_name = "SPEC")]
    ablations: Vec<SystemSpec>,
    /// What each system would take: vectors, requests, tokens, price, time. Encodes nothing and asks nobody.
    #[arg(long, conflicts_with_all = ["out", "details", "table"])]
    dry_run: bool,
    #[command(flatten)]
    encoding: EncodingArgs,
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
    #[command(flatten)]
    shown: ShownArgs,
    /// Repair chunk spans that do not fit their text.
    #[arg(long)]
    repair_spans: bool,
}

/// The systems named on the command line, then those of the file, then the ladders.
fn systems(args: &Args, encoders: &dyn Encoders) -> Outcome<(Vec<SystemSpec>, Vec<Ladder>)> {
    let (mut all, mut ladders) = (args.systems.clone(), Vec::new());
    if let Some(path) = &args.systems_file {
        all.extend(read_file(path)?);
    }
    for spec in &args.ablations {
        let encoder = encoders.encoder(&model_of(spec)?.encoder).map_err(RetrieveError::from)?;
        let (rungs, ladder) = ladder(spec, encoder.sees_context())?;
        ladders.push(ladder);
        let new: Vec<_> = rungs.into_iter().filter(|rung| !all.contains(rung)).collect();
        all.extend(new);
    }
    Ok((all, ladders))
}

/// What to run, and whom to compare with whom.
fn plan(args: &Args, asked: &[SystemSpec]) -> Outcome<(Vec<SystemSpec>, Scoring)> {
    let mut specs = if args.only { asked.to_vec() } else { with_marks(asked) };
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
    // difference some of its certainty. So it is with the controls of a ladder, which has comparisons of its own.
    let looked_at = |spec: &&SystemSpec| args.ablations.is_empty() || args.systems.contains(spec) || !is_control(spec);
    let compared = if asked.is_empty() { &specs } else { asked };
    let contestants: Vec<SystemSpec> = compared.iter().filter(looked_at).cloned().collect();
    let contestants = names(&contestants).into_iter().filter(|name| !is_mark(name)).collect();
    Ok((specs, Scoring::new(&args.metrics, baseline, contestants)))
}

/// Whether a system is there to take something away again.
fn is_control(spec: &SystemSpec) -> bool {
    matches!(spec, SystemSpec::Dense(dense) if dense.control.is_some())
}

/// Where runs and scores are. A path is there to be copied: it is never shortened, but has a line of its own where it is long.
fn saved_to(out: &str) -> String {
    let said = "runs and scores:";
    let space = if width(said) + 1 + width(out) > COLUMNS { '\n' } else { ' ' };
    format!("{said}{space}{out}\n")
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    args.shown.check()?;
    if args.dry_run && !args.shown.is_table() && !args.shown.is_json() {
        return Err(Failure::usage("--dry-run prints a table or, with --format json, JSON"));
    }
    let named = NamedDataset::find(&args.dataset)?;
    if let Some(out) = &args.out {
        refuse_replacing(named.path(), out)?;
    }
    let folder = args.out.as_ref().map(|out| Staging::create(out, args.force)).transpose()?;
    let (set, against) = judged_and_against(&named, args.repair_spans)?;
    let room = Room::new(&args.encoding, &set, args.dry_run)?;
    let (asked, ladders) = systems(args, &room)?;
    let (specs, mut scoring) = plan(args, &asked)?;
    if args.dry_run {
        let plans = evaluation::plan(&set, &specs, &room)?;
        match args.shown.is_json() {
            true => output::json(&serde_json::json!({ "systems": plans }))?,
            false => output::text(&show_plans(&plans))?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let asked: Vec<String> = asked.iter().map(SystemSpec::label).collect();
    let depth = args.depth as usize;
    let progress = Progress::new("systems", specs.len(), args.shown.is_json());
    room.shows(progress.ticker());
    let systems = run_systems(&set, &specs, &room, depth, &progress)?;
    drop(progress);
    for note in room.notes().into_iter().chain(systems.encoding()) {
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    scoring.swapped = systems.swapped();
    scoring.context_free = systems.context_free();
    scoring.ladders = with_swaps(ladders, &specs);
    let failed = |name: &String| systems.failed.iter().any(|f| f.name == *name);
    if scoring.baseline.as_ref().is_some_and(failed) {
        scoring.baseline = None;
    }
    let mut scored = score_all(&systems.runs, &against, &scoring)?;
    scored.remarks = systems.remarks();
    if let Some(folder) = folder {
        save(folder, (&set.dataset, &against), (&systems, &scored), depth)?;
    }
    evaluation::print(&args.shown, &scored, &against, &systems.failed)?;
    if let Some(out) = args.out.as_ref().filter(|_| args.shown.is_table()) {
        output::text(&saved_to(&out.display().to_string()))?;
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
