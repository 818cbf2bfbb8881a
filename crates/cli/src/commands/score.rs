//! `eightk score DATASET|QRELS RUN…`: scores of runs made elsewhere.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Deserialize;

use eightk_core::{Qrels, Run, query_id};
use eightk_measure::formats::{parse_qrels, parse_run};
use eightk_measure::{Judgements, Metric, trec};

use crate::dataset_name::NamedDataset;
use crate::evaluation::{self, JudgedSet, Scoring, read_named, score_all, show, show_metrics};
use crate::failure::{Failure, Outcome};
use crate::output;

#[derive(Debug, clap::Args)]
#[command(after_long_help = evaluation::metrics_help())]
pub(crate) struct Args {
    /// A data set, as for `eval`, or a qrels file; then runs. With --qrels: runs only.
    #[arg(value_name = "DATASET|QRELS RUN")]
    files: Vec<PathBuf>,
    /// Qrels: TREC, BEIR's TSV, or a JSON dictionary; plain or gzipped.
    #[arg(long)]
    qrels: Option<PathBuf>,
    /// A run: TREC, MTEB's predictions, or a JSON dictionary as of pytrec_eval and ranx; plain or gzipped. May be given
    /// several times.
    #[arg(long = "run", value_name = "FILE")]
    runs: Vec<PathBuf>,
    /// Which run of a JSON file that holds several: a subset, a split, or SUBSET/SPLIT.
    #[arg(long, value_name = "NAME")]
    section: Option<String>,
    /// A metric, such as ndcg@10 or rival_auc; may be given several times.
    #[arg(long = "metric", value_name = "NAME")]
    metrics: Vec<Metric>,
    /// Rivals as JSON lines with "query" and a list "rivals" of ids; a data set brings its own.
    #[arg(long, value_name = "FILE")]
    rivals: Option<PathBuf>,
    /// The system that the others are compared with. Default: the first.
    #[arg(long, value_name = "SYSTEM")]
    baseline: Option<String>,
    /// Repair chunk spans of the data set that do not fit their text.
    #[arg(long)]
    repair_spans: bool,
    /// One line of JSON instead of tables.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    let mut files = args.files.iter();
    let against = match &args.qrels {
        Some(qrels) => qrels,
        None => files.next().ok_or_else(|| {
            Failure::usage("nothing to score against; name a data set or a qrels file first, then runs")
        })?,
    };
    let paths: Vec<&PathBuf> = files.chain(&args.runs).collect();
    if paths.is_empty() {
        return Err(Failure::usage("no run to score; name run files, or give --run FILE"));
    }
    let (mut judgements, name) = judgements(against, args)?;
    if let Some(path) = &args.rivals {
        judgements.rivals = Some(read_rivals(path, &judgements.qrels)?);
    }
    let mut runs: Vec<Run> = Vec::new();
    for path in paths {
        let mut run = read_run(path, args.section.as_deref())?;
        // Two runs of one name would hide each other: the file's name tells them apart.
        if run.system.is_empty() || runs.iter().any(|r| r.system == run.system) {
            run.system = path.display().to_string();
        }
        if runs.iter().any(|r| r.system == run.system) {
            return Err(Failure::usage(format!("{} is named twice", path.display())));
        }
        runs.push(run);
    }
    check_ids(&runs, &judgements)?;
    let scoring = Scoring { asked: &args.metrics, baseline: args.baseline.as_deref(), ..Scoring::new() };
    let scored = score_all(&runs, &judgements, &scoring)?;
    if args.json {
        output::json(&scored.report(&name, &[]))?;
    } else {
        output::text(&if args.metrics.is_empty() { show(&scored) } else { show_metrics(&scored) })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Judgements of a data set, or of a qrels file.
fn judgements(against: &Path, args: &Args) -> Outcome<(Judgements, String)> {
    let given = against.display().to_string();
    let is_dataset = against.is_dir() || given.contains("://") || !against.is_file() || {
        let ends = |e: &str| given.ends_with(e);
        ends(".parquet") || ends(".jsonl") || ends(".jsonl.gz")
    };
    if args.qrels.is_none() && is_dataset {
        let named = NamedDataset::find(&given)?;
        let (dataset, _) = read_named(&named, args.repair_spans)?;
        let set = JudgedSet::new(dataset);
        return Ok((set.judgements(), named.with_fingerprint(&set.fingerprint)));
    }
    let parsed = parse_qrels(&read_text(against)?, &given, None)?;
    warn(&parsed.warnings);
    Ok((Judgements { qrels: parsed.value, ..Judgements::default() }, given))
}

fn read_run(path: &Path, section: Option<&str>) -> Outcome<Run> {
    let parsed = parse_run(&read_text(path)?, &path.display().to_string(), section)?;
    warn(&parsed.warnings);
    Ok(parsed.value)
}

fn warn(warnings: &[trec::Warning]) {
    for warning in warnings {
        let _ = writeln!(std::io::stderr(), "warning: {warning}");
    }
}

/// Reads a file, through gzip where its first bytes say so.
fn read_text(path: &Path) -> Outcome<Vec<u8>> {
    let bytes = std::fs::read(path).map_err(|e| Failure::usage(format!("cannot read {}: {e}", path.display())))?;
    if !bytes.starts_with(&[0x1F, 0x8B]) {
        return Ok(bytes);
    }
    let mut text = Vec::new();
    let unpacked = flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_end(&mut text);
    unpacked.map_err(|e| Failure::wrong(format!("{}: damaged gzip: {e}", path.display())))?;
    Ok(text)
}

/// A line of a rivals file. `query` is the query's id, or its row number.
#[derive(Deserialize)]
struct Line {
    query: QueryRef,
    rivals: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum QueryRef {
    Id(String),
    Row(usize),
}

fn read_rivals(path: &Path, qrels: &Qrels) -> Outcome<BTreeMap<String, Vec<String>>> {
    let text = read_text(path)?;
    let mut rivals = BTreeMap::new();
    for (i, line) in text.split(|b| *b == b'\n').enumerate().filter(|(_, l)| !l.trim_ascii().is_empty()) {
        let wrong = |what: String| Failure::wrong(format!("{}, line {}: {what}", path.display(), i + 1));
        let line: Line = serde_json::from_slice(line)
            .map_err(|e| wrong(format!("{e}; each line is a JSON object {{\"query\": \"…\", \"rivals\": [\"…\"]}}")))?;
        let query = match line.query {
            QueryRef::Id(id) => id,
            // A number may be an id written without quotes; rows are what is left.
            QueryRef::Row(n) if qrels.queries.contains_key(&n.to_string()) => n.to_string(),
            QueryRef::Row(n) => query_id(n),
        };
        if rivals.insert(query.clone(), line.rivals).is_some() {
            return Err(wrong(format!("query `{query}` stands twice")));
        }
    }
    let unknown: Vec<&str> = rivals.keys().map(String::as_str).filter(|q| !qrels.queries.contains_key(*q)).collect();
    if let Some(first) = unknown.first() {
        let _ = writeln!(
            std::io::stderr(),
            "warning: {}: {} of {} queries with rivals are not judged, for example `{first}`",
            path.display(),
            unknown.len(),
            rivals.len()
        );
    }
    Ok(rivals)
}

/// A run whose ids are none of the data set's scores 0, which says nothing of the system that made it.
fn check_ids(runs: &[Run], judgements: &Judgements) -> Outcome {
    let Some(chunks) = &judgements.filing_of else { return Ok(()) };
    for run in runs {
        let ids = || run.queries.values().flatten().map(|h| h.id.as_str());
        let (all, known) = (ids().count(), ids().filter(|id| chunks.get(id).is_some()).count());
        let Some(strange) = ids().find(|id| chunks.get(id).is_none()) else { continue };
        let what = format!(
            "run `{}`: {} of {all} retrieved ids are no chunk of the data set, for example `{strange}`",
            run.system,
            all - known
        );
        if known == 0 {
            return Err(Failure::wrong(format!("{what}; a run names chunks by their chunk_id")));
        }
        let _ = writeln!(std::io::stderr(), "warning: {what}");
    }
    Ok(())
}
