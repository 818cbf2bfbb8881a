//! From inputs to a data set on disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use eightk_audit::Limits;
use eightk_core::{CharIndex, Filing};
use eightk_dataset::{
    Audited, DatasetError, Dropped, FilingRow, InputFiling, Manifest, ReadReport, RecipeUsed, Refused as RefusedRow,
    WriteOptions, Writer, hex,
};
use eightk_mine::{Assembly, Recipe, Record, assemble};

use crate::card::card_text;
use crate::examined::{Examined, examine_all};
use crate::inputs::{InputFile, Inputs};
use crate::reading::ReadOptions;
use crate::{BuildError, BuildSummary};

/// How to build.
#[derive(Debug, Clone, Default)]
pub struct BuildOptions {
    /// How filings are read.
    pub read: ReadOptions,
    /// The folder to write.
    pub out: PathBuf,
    /// Whether an existing folder is replaced.
    pub force: bool,
}

/// Builds a data set. `step` is called once per input file, from any thread: for progress bars.
///
/// The output is the same bytes whatever the number of threads of the current rayon pool.
///
/// # Errors
/// When no filing can be used, or the folder cannot be written; then there is no folder. A bad filing is no error: it is
/// refused with its reason.
pub fn build(
    inputs: Inputs,
    recipe: &Recipe,
    options: &BuildOptions,
    step: impl Fn() + Sync,
) -> Result<BuildSummary, BuildError> {
    refuse_inputs_in(&options.out, &inputs)?;
    // The folder is opened first: a target that must not be replaced is refused before the work, not after.
    let write = WriteOptions { force: options.force, ..WriteOptions::default() };
    let mut writer = Writer::create(&options.out, write)?;
    let examined = examine_all(inputs, recipe, &options.read, step);
    if examined.records.is_empty() {
        let first = examined.refused.first();
        let first = first.map_or_else(String::new, |r| format!("{}: {}", r.file, r.reason));
        return Err(BuildError::AllRefused(examined.refused.len(), first));
    }
    let assembly = assemble(&examined.records, recipe);
    let mut summary = summarize(&examined, &assembly);
    for record in &examined.records {
        push(&mut writer, record)?;
    }
    for row in &assembly.left_out {
        writer.push_left_out(row)?;
    }
    writer.push_queries(&assembly.queries)?;
    writer.push_rivals(assembly.rivals);
    let manifest = manifest(&examined, recipe, options, &summary)?;
    let limits = Limits::of_recipe(recipe);
    let written = writer.finish_with(&manifest, &card_text(recipe, options.read.splitter), |rows| {
        let report = eightk_audit::audit(rows, &ReadReport::default(), &limits);
        let result = to_json(&report, "audit/result.json")?;
        Ok(Audited { invariants: report.invariants(), result, card: eightk_audit::card(&report) })
    })?;
    summary.fingerprint = written.fingerprint;
    Ok(summary)
}

/// A target that holds an input would take it along when it is replaced.
fn refuse_inputs_in(out: &Path, inputs: &Inputs) -> Result<(), BuildError> {
    let Ok(real) = std::fs::canonicalize(out) else { return Ok(()) };
    let inside = |file: &&InputFile| std::fs::canonicalize(&file.path).is_ok_and(|path| path.starts_with(&real));
    match inputs.files.iter().find(inside) {
        Some(file) => Err(BuildError::OutputHoldsInput { out: out.to_owned(), input: file.path.clone() }),
        None => Ok(()),
    }
}

/// Writes one filing: its row, its chunks, and what was dropped of it.
fn push(writer: &mut Writer, record: &Record) -> Result<(), BuildError> {
    let filing = &record.filing;
    let title = title(record);
    let items = filing.items.iter().flat_map(|i| i.numbers.iter().cloned()).collect();
    let row = FilingRow::new(&filing.meta, &title, items, filing.text.clone());
    writer.push_filing(&row, &filing.chunks(&title))?;
    let index = CharIndex::new(&filing.text);
    for s in &filing.sentences {
        if let Some(reason) = s.dropped {
            let text = filing.sentence_text(s);
            writer.push_dropped(&Dropped::new(&filing.meta.source_url, index.to_chars(s.span), reason, text))?;
        }
    }
    Ok(())
}

/// `Ostwick Paper 8-K 2025-08-21`.
fn title(record: &Record) -> String {
    let meta = &record.filing.meta;
    let date = meta.filed.map(|d| d.to_string()).unwrap_or_default();
    format!("{} {} {date}", record.names.short(), meta.form.unwrap_or_default())
}

fn summarize(examined: &Examined, assembly: &Assembly) -> BuildSummary {
    let mut dropped = BTreeMap::new();
    let (mut sentences, mut chunks, mut without) = (0, 0, 0);
    let kept = |f: &Filing| f.sentences.iter().filter(|s| s.kept()).count();
    for record in &examined.records {
        let filing = &record.filing;
        sentences += filing.sentences.len();
        chunks += kept(filing);
        without += usize::from(kept(filing) == 0);
        for reason in filing.sentences.iter().filter_map(|s| s.dropped) {
            *dropped.entry(reason.to_string()).or_insert(0) += 1;
        }
    }
    let mut by_fact = BTreeMap::new();
    let mut with_evidence = 0;
    for query in &assembly.queries {
        *by_fact.entry(query.fact.clone().unwrap_or_default()).or_insert(0) += 1;
        with_evidence += usize::from(query.golds.iter().any(|g| g.role == eightk_core::Role::Evidence));
    }
    let mut left_out = BTreeMap::new();
    for row in &assembly.left_out {
        *left_out.entry(row.reason.to_string()).or_insert(0) += 1;
    }
    BuildSummary {
        filings: examined.records.len(),
        filings_without_chunks: without,
        refused: examined.refused.clone(),
        unlisted: examined.unlisted,
        sentences,
        dropped,
        chunks,
        queries: assembly.queries.len(),
        queries_by_fact: by_fact,
        with_evidence,
        rivals: assembly.fact_sentences.iter().cloned().collect(),
        left_out,
        rivals_cut: assembly.rivals.iter().filter(|r| r.total.is_some()).count(),
        fingerprint: String::new(),
    }
}

/// A value as JSON. Nothing that comes here can fail to be some; a bug in it must not become a panic.
fn to_json(value: &impl serde::Serialize, name: &str) -> Result<Value, DatasetError> {
    serde_json::to_value(value).map_err(|e| DatasetError::Encode { what: name.to_owned(), problem: e.to_string() })
}

fn manifest(
    examined: &Examined,
    recipe: &Recipe,
    options: &BuildOptions,
    summary: &BuildSummary,
) -> Result<Manifest, DatasetError> {
    let inputs = examined.records.iter().zip(&examined.files).map(|(record, file)| InputFiling {
        file: file.clone(),
        source_url: record.filing.meta.source_url.clone(),
        sha256: record.filing.meta.sha256.clone(),
    });
    let refused = examined.refused.iter().map(|r| RefusedRow { file: r.file.clone(), reason: r.reason.clone() });
    let settings = Map::from_iter([("splitter".to_owned(), Value::from(options.read.splitter.to_string()))]);
    let counts = [
        ("files", examined.records.len() + examined.refused.len()),
        ("refused", examined.refused.len()),
        ("filings", summary.filings),
        ("filings_without_chunks", summary.filings_without_chunks),
        ("sentences", summary.sentences),
        ("dropped", summary.sentences - summary.chunks),
        ("chunks", summary.chunks),
        ("queries", summary.queries),
        ("with_evidence", summary.with_evidence),
    ];
    let audit = match to_json(recipe.audit(), "manifest.json")? {
        Value::Object(limits) => limits,
        _ => Map::new(),
    };
    Ok(Manifest {
        recipe: RecipeUsed { name: recipe.name().to_owned(), sha256: hex(&Sha256::digest(recipe.toml().as_bytes())) },
        settings,
        inputs: inputs.collect(),
        refused: refused.collect(),
        counts: counts.map(|(k, n)| (k.to_owned(), Value::from(n))).into_iter().collect(),
        dropped: summary.dropped.clone(),
        left_out: summary.left_out.clone(),
        audit,
    })
}
