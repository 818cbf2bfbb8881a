//! `eightk synth --filings N --seed S --out DIR`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use eightk_dataset::Staging;
use eightk_synth::{Corpus, Options, generate};

use crate::failure::{Failure, Outcome};
use crate::output::{self, thousands};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How many filings.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    filings: u32,
    /// Same seed, same bytes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many filings share one near-identical sentence.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    rivals: u32,
    /// Leave gaps, as folders that people collect have them: rows without company, CIK and date, compressed files, text without a
    /// header. Without it, files and rows are as EDGAR serves them.
    #[arg(long)]
    sparse: bool,
    /// Folder to write: filings, manifest.jsonl and planted.jsonl, the facts that were planted.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace an existing folder.
    #[arg(long)]
    force: bool,
    /// One line of JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let options =
        Options { filings: args.filings as usize, seed: args.seed, rivals: args.rivals as usize, sparse: args.sparse };
    let corpus = generate(&options);
    let written = write(&corpus, &args.out, args.force)?;
    if args.json {
        output::json(&written)?;
    } else {
        output::text(&format!(
            "{}: {} filings, {} planted facts, {} of them answers\n",
            args.out.display(),
            thousands(written.filings),
            thousands(written.planted),
            thousands(written.answers)
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What was written.
#[derive(Debug, serde::Serialize)]
pub(crate) struct Written {
    pub(crate) filings: usize,
    pub(crate) planted: usize,
    pub(crate) answers: usize,
}

/// Writes a generated corpus as a folder that `build` reads.
pub(crate) fn write(corpus: &Corpus, out: &Path, force: bool) -> Outcome<Written> {
    let folder = Staging::create(out, force)?;
    let (mut manifest, mut planted) = (String::new(), String::new());
    let mut written = Written { filings: corpus.files.len(), planted: 0, answers: 0 };
    let line = |value: &serde_json::Value| -> Outcome<String> {
        let text = serde_json::to_string(value);
        Ok(text.map_err(|e| Failure::wrong(format!("cannot write JSON: {e}")))? + "\n")
    };
    for file in &corpus.files {
        folder.file(&file.name, &file.bytes)?;
        manifest += &line(&serde_json::json!(file.row))?;
        for fact in &file.planted {
            written.planted += 1;
            written.answers += usize::from(fact.answer);
            planted += &line(&serde_json::json!({ "file": file.name, "planted": fact }))?;
        }
    }
    folder.file("manifest.jsonl", manifest.as_bytes())?;
    folder.file("planted.jsonl", planted.as_bytes())?;
    folder.commit()?;
    Ok(written)
}
