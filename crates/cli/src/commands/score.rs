//! `eightk score DATASET|QRELS RUN…`: scores of runs made elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Deserialize;

use eightk_core::{Qrels, RivalSet, Run, query_id};
use eightk_measure::formats::{parse_qrels, parse_run};
use eightk_measure::{FailedSystem, Judgements, Metric, trec};
use eightk_retrieve::Description;
use eightk_runs::{DataFacts, Ladder, Swapped, prompts};

use crate::dataset_name::NamedDataset;
use crate::evaluation::{
    self, Against, BASELINE, RunsFolder, Scoring, ShownArgs, is_mark, judged_and_against, restore, score_all, sha256,
};
use crate::failure::{Failure, Outcome};
use crate::output;

#[derive(Debug, clap::Args)]
#[command(after_long_help = evaluation::metrics_help())]
pub(crate) struct Args {
    /// A data set, as for `eval`, or a qrels file; then runs: files, or folders that `eval` wrote. Such a folder alone is scored
    /// against what lies in it. With --qrels: runs only.
    #[arg(value_name = "DATASET|QRELS|RUNS RUN")]
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
    /// The system that the others are compared with. Default: bm25, else the first; for a folder, its own.
    #[arg(long, value_name = "SYSTEM")]
    baseline: Option<String>,
    #[command(flatten)]
    shown: ShownArgs,
    /// Repair chunk spans of the data set that do not fit their text.
    #[arg(long)]
    repair_spans: bool,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    args.shown.check()?;
    let (mut against, paths) = against(args)?;
    let mut table = Table { section: args.section.as_deref(), ..Table::default() };
    for path in paths {
        match RunsFolder::open(path)? {
            Some(folder) => table.add_folder(&folder)?,
            None if path.is_dir() => {
                let what = format!("{}: a folder without results.json", path.display());
                return Err(Failure::usage(format!("{what}; name run files, or a folder that `eightk eval` wrote")));
            }
            None => table.add_file(path)?,
        }
    }
    table.check_same(&against)?;
    if let Some(path) = &args.rivals {
        let (rivals, hash) = read_rivals(path, &against.judgements.qrels)?;
        against.set_rivals(rivals);
        if let Some(data) = &mut against.data {
            data.rivals_sha256 = Some(hash);
        }
    }
    check_ids(&table.runs, &against.judgements)?;
    let scoring = table.scoring(args);
    let mut scored = score_all(&table.runs, &against, &scoring)?;
    scored.remarks = prompts(&table.described).into_iter().chain(table.remarks.iter().cloned()).collect();
    let report = scored.report(&against, &table.failed);
    let recorded = recorded(args)?;
    let difference = recorded.as_ref().map(|folder| folder.difference(&report)).transpose()?;
    if let Some(Some(difference)) = &difference {
        let _ = writeln!(std::io::stderr(), "warning: {difference}");
    }
    evaluation::print(&args.shown, &scored, &against, &table.failed)?;
    if difference == Some(None) && args.shown.is_table() {
        output::text("Every number is as recorded in results.json.\n")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder whose record the scores must equal: one that is scored alone, as it was.
fn recorded(args: &Args) -> Outcome<Option<RunsFolder>> {
    let as_it_was = args.qrels.is_none() && args.rivals.is_none() && args.metrics.is_empty() && args.baseline.is_none();
    match args.files.as_slice() {
        [folder] if as_it_was && args.runs.is_empty() => RunsFolder::open(folder),
        _ => Ok(None),
    }
}

/// What to score against, and the runs.
fn against(args: &Args) -> Outcome<(Against, Vec<&PathBuf>)> {
    let mut files: Vec<&PathBuf> = args.files.iter().chain(&args.runs).collect();
    let first = match (&args.qrels, args.files.first()) {
        (Some(qrels), _) => return Ok((read_qrels(qrels)?, some_runs(files)?)),
        (None, Some(first)) => first,
        (None, None) => {
            return Err(Failure::usage(
                "nothing to score against; name a data set, a qrels file or a folder that eval wrote, then runs",
            ));
        }
    };
    if let Some(folder) = RunsFolder::open(first)? {
        return Ok((folder.against()?, files));
    }
    files.remove(0);
    let given = first.display().to_string();
    let is_dataset = first.is_dir() || given.contains("://") || !first.is_file() || {
        let ends = |e: &str| given.ends_with(e);
        ends(".parquet") || ends(".jsonl") || ends(".jsonl.gz")
    };
    let files = some_runs(files)?;
    if is_dataset {
        let (_, against) = judged_and_against(&NamedDataset::find(&given)?, args.repair_spans)?;
        return Ok((against, files));
    }
    Ok((read_qrels(first)?, files))
}

fn some_runs(files: Vec<&PathBuf>) -> Outcome<Vec<&PathBuf>> {
    if files.is_empty() {
        return Err(Failure::usage("no run to score; name run files or folders that eval wrote, or give --run FILE"));
    }
    Ok(files)
}

fn read_qrels(path: &Path) -> Outcome<Against> {
    let given = path.display().to_string();
    let parsed = parse_qrels(&read_text(path)?, &given, None)?;
    warn(&parsed.warnings);
    Ok(Against::qrels(given, parsed.value))
}

/// The runs of one table.
#[derive(Default)]
struct Table<'a> {
    section: Option<&'a str>,
    runs: Vec<Run>,
    failed: Vec<FailedSystem>,
    /// Who is compared, as the folders say; of other runs, all but floors and ceilings.
    contestants: Vec<String>,
    /// How the first folder was scored.
    saved: Option<Scoring>,
    /// Models whose context gain the folders tell, and what their systems exchanged.
    ladders: Vec<Ladder>,
    swapped: BTreeMap<String, Swapped>,
    context_free: BTreeSet<String>,
    /// What systems had to say of themselves.
    remarks: Vec<String>,
    described: Vec<Description>,
    /// The data sets that runs are known to be of, and which runs say so.
    data: Vec<(PathBuf, DataFacts)>,
}

impl Table<'_> {
    fn add_folder(&mut self, folder: &RunsFolder) -> Outcome {
        for (path, ranking) in folder.rankings() {
            let bytes = read_text(&path)?;
            let mut run = parse_run(&bytes, &path.display().to_string(), None)?.value;
            restore(&mut run, &bytes, &path, ranking);
            // Every folder brings the same floors and ceilings: one row of each is enough.
            if self.runs.contains(&run) {
                continue;
            }
            let name = self.push(run, &path)?;
            self.remarks.extend(ranking.remark(&name));
            self.described.push(ranking.system.clone());
            if ranking.context_free {
                self.context_free.insert(name.clone());
            }
            if let Some(swapped) = ranking.swapped() {
                self.swapped.insert(name.clone(), swapped);
            }
            if folder.settings().contestants.contains(&ranking.name) {
                self.contestants.push(name);
            }
        }
        self.failed.extend(folder.failed().iter().cloned());
        let new = folder.settings().ladders.iter().filter(|l| !self.ladders.contains(l));
        self.ladders.extend(new.cloned().collect::<Vec<_>>());
        self.saved.get_or_insert_with(|| Scoring::saved(folder.settings()));
        self.data.push((folder.path.clone(), folder.data().clone()));
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> Outcome {
        let bytes = read_text(path)?;
        let parsed = parse_run(&bytes, &path.display().to_string(), self.section)?;
        let mut run = parsed.value;
        match RunsFolder::home_of(path)? {
            Some((folder, ranking)) => {
                restore(&mut run, &bytes, path, &ranking);
                self.data.push((path.to_owned(), folder.data().clone()));
            }
            None => warn(&parsed.warnings),
        }
        let name = self.push(run, path)?;
        if !is_mark(&name) {
            self.contestants.push(name);
        }
        Ok(())
    }

    /// A run without name has its file's. Two runs of one name would hide each other: the path tells them apart.
    fn push(&mut self, mut run: Run, path: &Path) -> Outcome<String> {
        let taken = |name: &str| self.runs.iter().any(|r| r.system == name);
        if run.system.is_empty() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.trim_end_matches(".gz");
            run.system = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
        }
        if run.system.is_empty() || taken(&run.system) {
            run.system = path.display().to_string();
        }
        if taken(&run.system) {
            return Err(Failure::usage(format!("{} is named twice", path.display())));
        }
        let name = run.system.clone();
        self.runs.push(run);
        Ok(name)
    }

    /// Scores on different data sets do not belong in one table.
    fn check_same(&self, against: &Against) -> Outcome {
        let judged = against.data.as_ref().map(|data| ("what is scored against".to_owned(), data));
        let runs = self.data.iter().map(|(path, data)| (path.display().to_string(), data));
        let all: Vec<(String, &DataFacts)> = judged.into_iter().chain(runs).collect();
        let Some((first, rest)) = all.split_first() else { return Ok(()) };
        for other in rest {
            let differs = |what: &str, of: &dyn Fn(&DataFacts) -> String| {
                let (a, b) = (of(first.1), of(other.1));
                (a != b).then(|| {
                    Failure::wrong(format!(
                        "{}: data set {} with {what} {a}; {}: data set {} with {what} {b}. Scores on different data do not belong in one table: score each against its own",
                        first.0, first.1.name, other.0, other.1.name
                    ))
                })
            };
            let difference = differs("fingerprint", &|d| d.fingerprint.clone())
                .or_else(|| differs("qrels", &|d| d.qrels_sha256.clone()))
                .or_else(|| differs("rivals", &|d| d.rivals_sha256.clone().unwrap_or_else(|| "none".to_owned())));
            if let Some(failure) = difference {
                return Err(failure);
            }
        }
        Ok(())
    }

    /// As asked for; else as the folder was scored.
    fn scoring(&self, args: &Args) -> Scoring {
        let names: BTreeSet<&str> = self.runs.iter().map(|r| r.system.as_str()).collect();
        let saved = self.saved.as_ref().and_then(|s| s.baseline.clone());
        let usual = || {
            let first = || self.runs.first().map(|r| r.system.clone());
            if names.contains(BASELINE) { Some(BASELINE.to_owned()) } else { first() }
        };
        // A folder whose baseline failed has none.
        let baseline = match (&args.baseline, &self.saved) {
            (Some(asked), _) => Some(asked.clone()),
            (None, Some(_)) => saved,
            (None, None) => usual(),
        };
        let mut scoring = Scoring::new(&args.metrics, baseline, self.contestants.clone());
        if let Some(saved) = &self.saved {
            scoring.options = saved.options;
            if args.metrics.is_empty() {
                scoring.metrics.clone_from(&saved.metrics);
            }
        }
        scoring.ladders.clone_from(&self.ladders);
        scoring.swapped.clone_from(&self.swapped);
        scoring.context_free.clone_from(&self.context_free);
        scoring
    }
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
    /// Of each rival to the gold, where known.
    #[serde(default)]
    similarity: Vec<f64>,
    /// How many there are, where the list was cut.
    #[serde(default)]
    total: Option<usize>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum QueryRef {
    Id(String),
    Row(usize),
}

/// Rivals, and the file's hash.
fn read_rivals(path: &Path, qrels: &Qrels) -> Outcome<(Vec<RivalSet>, String)> {
    let text = read_text(path)?;
    let (mut sets, mut seen) = (Vec::new(), BTreeSet::new());
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
        if !seen.insert(query.clone()) {
            return Err(wrong(format!("query `{query}` stands twice")));
        }
        let Line { rivals, similarity, total, .. } = line;
        sets.push(RivalSet { query, fact: String::new(), gold: String::new(), rivals, similarity, total });
    }
    let unknown: Vec<&String> = seen.iter().filter(|q| !qrels.queries.contains_key(*q)).collect();
    if let Some(first) = unknown.first() {
        let _ = writeln!(
            std::io::stderr(),
            "warning: {}: {} of {} queries with rivals are not judged, for example `{first}`",
            path.display(),
            unknown.len(),
            seen.len()
        );
    }
    Ok((sets, sha256(&text)))
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
