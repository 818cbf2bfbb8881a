//! `eightk build FILINGS… --recipe R --out DIR`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use eightk_build::{BuildOptions, BuildSummary, ReadOptions, discover};
use eightk_text::split::Splitter;

use crate::commands::recipe;
use crate::failure::Outcome;
use crate::output::width::hanging;
use crate::output::{self, Progress, thousands};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Folders of filings (with or without manifest.jsonl), stores that fetch wrote, or single filings: HTML, inline XBRL, full submissions, text, .gz.
    #[arg(required = true, value_name = "FILINGS")]
    filings: Vec<PathBuf>,
    /// Name of a built-in recipe, or a TOML file.
    #[arg(long, default_value = "restructuring")]
    recipe: String,
    /// Folder to write; appears whole or not at all.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace an existing folder.
    #[arg(long)]
    force: bool,
    /// Sentence splitter: legal, punkt (the published data set's), punkt-3.10.
    #[arg(long, default_value_t)]
    splitter: Splitter,
    /// One line of JSON instead of the summary.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let recipe = recipe::load(&args.recipe)?;
    let inputs = discover(&args.filings)?;
    let options = BuildOptions {
        read: ReadOptions { splitter: args.splitter, ..ReadOptions::default() },
        out: args.out.clone(),
        force: args.force,
    };
    let progress = Progress::new("filings", inputs.files.len(), args.json);
    let summary = eightk_build::build(inputs, &recipe, &options, || progress.step())?;
    drop(progress);
    if summary.queries == 0 {
        let _ = writeln!(
            std::io::stderr(),
            "warning: no query: no filing states a fact of recipe `{}` in a sentence that could be asked for (see audit/left-out.jsonl)",
            recipe.name()
        );
    }
    if args.json {
        output::json(&summary)?;
    } else {
        output::text(&describe(&summary, args))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How many refused files are named before the summary points to the manifest.
const REFUSED_SHOWN: usize = 10;

/// The summary for people.
fn describe(s: &BuildSummary, args: &Args) -> String {
    let counts = |map: &std::collections::BTreeMap<String, usize>| {
        map.iter().map(|(k, n)| format!("{} {k}", thousands(*n))).collect::<Vec<_>>().join(", ")
    };
    let with = |n: usize, what: &str, map: &std::collections::BTreeMap<String, usize>| {
        let detail = if map.is_empty() { String::new() } else { format!(" ({})", counts(map)) };
        hanging(&format!("  {:>9} {what}{detail}", thousands(n)), 12)
    };
    let dropped: usize = s.dropped.values().sum();
    let left_out: usize = s.left_out.values().sum();
    let mut out = format!("{}\n", args.out.display());
    out += &format!("  {:>9} filings, {} refused\n", thousands(s.filings), thousands(s.refused.len()));
    if s.unlisted > 0 {
        out += &format!(
            "  {:>9} documents not read: the manifest beside them does not name them\n",
            thousands(s.unlisted)
        );
    }
    out += &format!("  {:>9} sentences\n", thousands(s.sentences));
    out += &format!("  {:>9} kept as chunks\n", thousands(s.chunks));
    out += &with(dropped, "dropped", &s.dropped);
    out += &with(s.queries, "queries", &s.queries_by_fact);
    out += &format!("  {:>9} of them with evidence\n", thousands(s.with_evidence));
    out += &with(s.rivals.values().sum(), "sentences state a fact", &s.rivals);
    if s.rivals_cut > 0 {
        out += &format!(
            "  {:>9} queries have more rivals than are listed (recipe: rivals.at_most)\n",
            thousands(s.rivals_cut)
        );
    }
    out += &with(left_out, "left out", &s.left_out);
    out += &format!("  fingerprint {}\n", s.fingerprint);
    for r in s.refused.iter().take(REFUSED_SHOWN) {
        out += &hanging(&format!("  refused {}: {}", r.file, r.reason), 4);
    }
    if s.refused.len() > REFUSED_SHOWN {
        out += &format!("  … and {} more: see manifest.json\n", s.refused.len() - REFUSED_SHOWN);
    }
    out
}
