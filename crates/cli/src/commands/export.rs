//! `eightk export DATASET --format beir|mteb|trec|jsonl --out DIR`.

use std::path::PathBuf;
use std::process::ExitCode;

use eightk_dataset::{ExportOptions, Exported, Format, export};

use crate::dataset_name::NamedDataset;
use crate::evaluation::{read_named, refuse_replacing};
use crate::failure::{Failure, Outcome};
use crate::output::{self, thousands};

const FORMATS: &str = "\
Formats:
  beir   corpus.jsonl, queries.jsonl, qrels/test.tsv (graded), qrels/answer.tsv
  mteb   Parquet configs corpus, queries, default (answers), graded-qrels
  trec   topics.tsv, qrels.graded.trec, qrels.answer.trec, collection/documents.jsonl
  jsonl  documents.jsonl, queries.jsonl, filings.jsonl: a data set that eightk reads back

Each with rivals.jsonl where the data set has rivals, README.md and manifest.json.

Grades: 2 answer, 1 evidence. Other tools take the grade as the gain in nDCG, and count all
grades above 0 alike in everything else; so the answers stand alone in a second file, with
grade 1: recall over it is standard_recall, over the graded one evidence_recall.

Readers of beir and mteb put the title before the text, and the title names the company.
With --bare they see the sentence alone.

Ids are written as they are: chunk_id, and q0, q1, … for the rows of queries. An id that a
format cannot hold (white space in trec, tabs in beir) is an error. What a format has no
place for is counted in the output, in README.md and in manifest.json.";

#[derive(Debug, clap::Args)]
#[command(after_long_help = FORMATS)]
pub(crate) struct Args {
    /// Data set: a folder, its documents and queries files with a comma between, or hf://datasets/OWNER/NAME, also with @REVISION.
    dataset: String,
    /// beir, mteb, trec or jsonl.
    #[arg(long, value_name = "FORMAT")]
    format: Format,
    /// Folder to write; appears whole or not at all.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Keep titles out of the field that readers of beir and mteb put before the text.
    #[arg(long)]
    bare: bool,
    /// Replace an existing folder that eightk wrote.
    #[arg(long)]
    force: bool,
    /// Repair chunk spans that do not fit their text.
    #[arg(long)]
    repair_spans: bool,
    /// One line of JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    if args.bare && !args.format.prepends_titles() {
        return Err(Failure::usage(format!(
            "--bare is for beir and mteb; in {} the title stands in a field of its own as it is",
            args.format
        )));
    }
    let named = NamedDataset::find(&args.dataset)?;
    refuse_replacing(named.path(), &args.out)?;
    let (dataset, _) = read_named(&named, args.repair_spans)?;
    let options = ExportOptions { force: args.force, bare: args.bare };
    let exported = export(&dataset, args.format, &args.out, options)?;
    if args.json {
        output::json(&exported)?;
    } else {
        output::text(&shown(&exported))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What was written, and what was not, for people.
fn shown(exported: &Exported) -> String {
    let c = &exported.counts;
    let mut out = format!(
        "{}: {}, {} chunks, {} queries, {} judgements, {} of answers alone\n",
        exported.out.display(),
        exported.format,
        thousands(c.chunks),
        thousands(c.queries),
        thousands(c.graded_judgements),
        thousands(c.answer_judgements)
    );
    for (n, what) in [
        (c.queries_without_gold, "queries without gold: in no qrels"),
        (
            c.queries_without_answer - c.queries_without_gold,
            "queries with evidence and no answer: in the graded qrels only",
        ),
        (c.golds_without_chunk, "golds that match no chunk: in no qrels"),
        (c.golds_of_several_chunks, "golds that match several chunks: one judgement for each"),
    ] {
        if n > 0 {
            out += &format!("{} {what}\n", thousands(n));
        }
    }
    if !exported.not_carried.is_empty() {
        let lost = exported.not_carried.iter().map(|(what, n)| format!("{} {what}", thousands(*n)));
        out += &format!("no place in this format for {}\n", lost.collect::<Vec<_>>().join(", "));
    }
    out
}
