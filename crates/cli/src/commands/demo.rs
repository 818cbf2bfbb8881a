//! `eightk demo`: the whole road, offline, on generated filings.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use eightk_audit::{Limits, audit};
use eightk_build::{BuildOptions, discover};
use eightk_dataset::{DataSet, Source, Staging, read};
use eightk_retrieve::{NoEncoders, SystemSpec};
use eightk_runs::Account;
use eightk_synth::generate;

use crate::commands::{self, recipe};
use crate::dataset_name::NamedDataset;
use crate::evaluation::{BASELINE, Scoring, is_mark, judged_and_against, run_systems, save, score_all, show};
use crate::failure::{Failure, Outcome};
use crate::output::{self, Progress, thousands};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folder to write to. Default: a new folder for temporary files.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many filings to generate.
    #[arg(long, default_value_t = 240, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    filings: u32,
    /// Same seed, same filings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Replace what an earlier demo wrote to the folder.
    #[arg(long)]
    force: bool,
    /// One line of JSON instead of the tour.
    #[arg(long)]
    json: bool,
}

/// What the last step writes.
const REPORT: &str = "report.html";

/// The systems of the demo: what each view brings, between floor and ceiling.
const SYSTEMS: &[&str] = &["bm25", "bm25:window:2", "bm25:lead", "bm25:title", "name-filter", "random", "oracle"];

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let mut parts = ["filings", "dataset", "runs", REPORT].iter().filter_map(|n| Some(args.out.as_ref()?.join(n)));
    if let Some(taken) = parts.find(|p| p.exists() && !args.force) {
        return Err(Failure::usage(format!(
            "{} exists; choose another folder, or --force to replace it",
            taken.display()
        )));
    }
    // A tour is told as it goes, not at the end: the first step may be the one that somebody wants to see.
    let tell = |text: String| if args.json { Ok(()) } else { output::text(&text) };
    let root = match &args.out {
        Some(out) => out.clone(),
        None => {
            let dir = tempfile::Builder::new().prefix("eightk-demo-").tempdir();
            dir.map_err(|e| Failure::wrong(format!("cannot make a temporary folder: {e}; give --out DIR")))?.keep()
        }
    };
    tell("eightk demo: generated filings → data set → retrievers → scores → report\n\n".into())?;
    let filings = root.join("filings");
    let options =
        eightk_synth::Options { filings: args.filings as usize, seed: args.seed, ..eightk_synth::Options::default() };
    let written = commands::synth::write(&generate(&options), &filings, args.force)?;
    tell(format!(
        "1. synth  {} filings of invented companies (seed {}), {} facts planted\n",
        thousands(written.filings),
        args.seed,
        thousands(written.planted)
    ))?;

    let data = root.join("dataset");
    let recipe = recipe::load("restructuring")?;
    let inputs = discover(std::slice::from_ref(&filings))?;
    let progress = Progress::new("filings", inputs.files.len(), args.json);
    let build = BuildOptions { out: data.clone(), force: args.force, ..BuildOptions::default() };
    let summary = eightk_build::build(inputs, &recipe, &build, || progress.step())?;
    drop(progress);
    tell(format!(
        "2. build  {} sentences → {} chunks, {} queries ({} with evidence)\n",
        thousands(summary.sentences),
        thousands(summary.chunks),
        thousands(summary.queries),
        thousands(summary.with_evidence)
    ))?;

    let (dataset, report) = read(&Source::Folder(data.clone()))?;
    let result = audit(&dataset, &report, &Limits::of_dataset(&report));
    tell(format!("3. audit  {}", commands::audit::summary(&result)))?;

    tell(example(&dataset))?;
    let specs: Vec<SystemSpec> = SYSTEMS.iter().map(|s| s.parse()).collect::<Result<_, _>>()?;
    let (set, against) = judged_and_against(&NamedDataset::find(&data.to_string_lossy())?, false)?;
    let depth = 1000;
    let progress = Progress::new("systems", specs.len(), args.json);
    let systems = run_systems(&set, &specs, &NoEncoders, depth, &progress)?;
    drop(progress);
    let contestants = SYSTEMS.iter().filter(|name| !is_mark(name)).map(|name| (*name).to_owned()).collect();
    let scored = score_all(&systems.runs, &against, &Scoring::new(&[], Some(BASELINE.to_owned()), contestants))?;
    let runs = root.join("runs");
    save(Staging::create(&runs, args.force)?, (&set.dataset, &against), (&systems, &scored), depth)?;
    tell(format!("4. eval\n\n{}\n", show(&scored, &systems.failed)))?;
    let page = root.join(REPORT);
    let bytes = commands::report::write(&Account::read(&runs)?, commands::report::USUAL_SIZE, &page)?;
    tell(format!("5. report ({})\n   {}\n\n", output::megabytes(bytes), page.display()))?;
    tell(format!(
        "Open it in a browser. To walk through filings, rivals and queries, and search:\n\n   {} serve {} --runs {}\n",
        this_program(),
        quoted(&data),
        quoted(&runs)
    ))?;
    if args.json {
        let scores = scored.report(&against, &systems.failed);
        output::json(
            &serde_json::json!({ "out": root, "build": summary, "audit": result, "scores": scores, "report": page }),
        )?;
    }
    Ok(if result.passed { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// How this program was called, so that a line can be pasted: from a checkout it is not on the path.
fn this_program() -> String {
    let called = std::env::args_os().next().map(PathBuf::from);
    called.filter(|p| p.components().count() > 1).map_or_else(|| "eightk".to_owned(), |p| quoted(&p))
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:@%,".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// One query with its gold and a rival, so that the table below is about something.
fn example(dataset: &DataSet) -> String {
    let rivals = dataset.rivals.as_deref().unwrap_or_default();
    let best = rivals.iter().filter(|r| !r.similarity.is_empty()).max_by(|a, b| {
        let top = |r: &eightk_core::RivalSet| r.similarity.iter().copied().fold(0.0, f64::max);
        top(a).total_cmp(&top(b)).then_with(|| b.query.cmp(&a.query))
    });
    let Some(set) = best else { return String::new() };
    let closest = set.rivals.iter().zip(&set.similarity).max_by(|a, b| a.1.total_cmp(b.1).then_with(|| b.0.cmp(a.0)));
    let row = set.query.strip_prefix('q').and_then(|n| n.parse::<usize>().ok());
    let (Some(query), Some((rival, _))) = (row.and_then(|n| dataset.queries.get(n)), closest) else {
        return String::new();
    };
    let text = |id: &str| dataset.chunks.iter().find(|c| c.id == id).map_or("", |c| c.text.as_str());
    format!(
        "\n   query  {}\n   gold   {}\n   rival  {}   (one of {})\n\n",
        query.query,
        text(&set.gold),
        text(rival),
        set.rivals.len()
    )
}
