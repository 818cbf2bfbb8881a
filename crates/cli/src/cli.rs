//! Which command, with which options for all.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::commands;
use crate::failure::{Failure, Outcome};
use crate::interrupt;

/// Retrieval benchmarks out of SEC 8-K filings, and scores for any retriever on them.
#[derive(Debug, Parser)]
#[command(name = "eightk", version, about, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Threads to use; every output is the same whatever their number. Default: RAYON_NUM_THREADS, else one per core.
    #[arg(long, global = true, value_name = "N")]
    threads: Option<usize>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// All of it, offline, on generated filings.
    Demo(commands::demo::Args),
    /// Filings from EDGAR: find, pick, download; resumable.
    Fetch(commands::fetch::Args),
    /// Filings → data set.
    Build(commands::build::Args),
    /// One filing: its items, sentences, facts, and why each sentence was dropped.
    Inspect(commands::inspect::Args),
    /// Sentence spans of any text.
    Split(commands::split::Args),
    /// Is the data set sound? Exit code 1 when a check fails.
    Audit(commands::audit::Args),
    /// Run systems on a data set and score them.
    Eval(commands::eval::Args),
    /// Score runs made elsewhere.
    Score(commands::score::Args),
    /// Scores, plots and every query as one HTML page.
    Report(commands::report::Args),
    /// A data set and its runs as local web pages.
    Serve(commands::serve::Args),
    /// Vectors of any text, of chunks in their context too.
    Embed(commands::embed::Args),
    /// The data set for BEIR, MTEB, TREC tools, or as JSON lines.
    Export(commands::export::Args),
    /// Generated filings with known facts.
    Synth(commands::synth::Args),
    /// Recipes: the definition of a benchmark in one TOML file.
    Recipe(commands::recipe::Args),
    /// Vectors that were kept: whose, how many, how large.
    Cache(commands::cache::Args),
    /// Shell completions.
    Completions(commands::completions::Args),
}

/// More than any machine has; a mistyped number must not start a million threads.
const MAX_THREADS: usize = 512;

/// Parses the command line and runs the command. Wrong usage exits with 2, as clap does.
pub(crate) fn run() -> Outcome<ExitCode> {
    let cli = Cli::parse();
    // Told to stop, leave nothing half made.
    interrupt::install();
    if let Some(n) = cli.threads {
        if !(1..=MAX_THREADS).contains(&n) {
            return Err(Failure::usage(format!("--threads {n}: name 1 to {MAX_THREADS} threads")));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build_global();
        pool.map_err(|e| Failure::wrong(format!("cannot start {n} threads: {e}")))?;
    }
    match cli.command {
        Command::Demo(args) => commands::demo::run(&args),
        Command::Fetch(args) => commands::fetch::run(&args),
        Command::Build(args) => commands::build::run(&args),
        Command::Inspect(args) => commands::inspect::run(&args),
        Command::Split(args) => commands::split::run(&args),
        Command::Audit(args) => commands::audit::run(&args),
        Command::Eval(args) => commands::eval::run(&args),
        Command::Score(args) => commands::score::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Embed(args) => commands::embed::run(&args),
        Command::Export(args) => commands::export::run(&args),
        Command::Synth(args) => commands::synth::run(&args),
        Command::Recipe(args) => commands::recipe::run(&args),
        Command::Cache(args) => commands::cache::run(&args),
        Command::Completions(args) => commands::completions::run(&args),
    }
}
