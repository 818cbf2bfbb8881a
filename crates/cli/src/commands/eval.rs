//! `eightk eval DATASET --system SPEC… --out RUNS`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Deserialize;

use eightk_measure::{Metric, Options};
use eightk_retrieve::SystemSpec;

use crate::dataset_name::NamedDataset;
use crate::evaluation::{
    self, JudgedSet, Scoring, read_named, refuse_replacing, run_systems, save, score_all, show, show_metrics,
};
use crate::failure::{Failure, Outcome};
use crate::output;

#[derive(Debug, clap::Args)]
#[command(after_long_help = format!("Systems:\n{}\n\n{}", SystemSpec::possible(), evaluation::metrics_help()))]
pub(crate) struct Args {
    /// Data set: a folder, its documents and queries files with a comma between, or hf://datasets/OWNER/NAME, also with @REVISION.
    dataset: String,
    /// A system to run; may be given several times. The first is the baseline.
    #[arg(long = "system", value_name = "SPEC", required_unless_present = "systems_file")]
    systems: Vec<SystemSpec>,
    /// TOML file with a list of systems: systems = ["bm25", "bm25:title"]. Run after those of --system.
    #[arg(long = "systems", value_name = "FILE")]
    systems_file: Option<PathBuf>,
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
    /// The system that the others are compared with. Default: the first.
    #[arg(long, value_name = "SPEC")]
    baseline: Option<SystemSpec>,
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

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let specs = systems(args)?;
    let named = NamedDataset::find(&args.dataset)?;
    if let Some(out) = &args.out {
        refuse_replacing(named.path(), out)?;
    }
    let (dataset, _) = read_named(&named, args.repair_spans)?;
    let set = JudgedSet::new(dataset);
    let options = Options::default();
    let depth = args.depth as usize;
    let systems = run_systems(&set, &specs, depth, args.json)?;
    let baseline = args.baseline.map(|b| b.to_string());
    let scoring =
        Scoring { asked: &args.metrics, baseline: baseline.as_deref(), references: &systems.references, options };
    let scored = score_all(&systems.runs, &set.judgements(), &scoring)?;
    let name = named.with_fingerprint(&set.fingerprint);
    if let Some(out) = &args.out {
        save(out, args.force, &set, &systems, &scored, (&name, depth, &options))?;
    }
    if args.json {
        output::json(&scored.report(&name, &systems.failed))?;
    } else {
        output::text(&if args.metrics.is_empty() { show(&scored) } else { show_metrics(&scored) })?;
        if let Some(out) = &args.out {
            output::text(&format!("runs and scores: {}\n", out.display()))?;
        }
    }
    for failed in &systems.failed {
        let _ = writeln!(std::io::stderr(), "error: {} could not run and has no score: {}", failed.name, failed.reason);
    }
    Ok(if systems.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
