//! `eightk inspect FILING`: one filing, as `build` sees it.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use eightk_build::{ReadOptions, discover, examine_one};
use eightk_core::{CharIndex, DropReason, Evidence, FilingDate, Form};
use eightk_mine::Record;
use eightk_text::split::Splitter;

use crate::commands::recipe;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::output::width::hanging;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The filing. A manifest.jsonl, or the filing.json of a store, beside it is read.
    filing: PathBuf,
    /// Name of a built-in recipe, or a TOML file.
    #[arg(long, default_value = "restructuring")]
    recipe: String,
    /// Company name; wins over what manifest and document say.
    #[arg(long)]
    company: Option<String>,
    /// A further name of the company; may be given several times.
    #[arg(long)]
    alias: Vec<String>,
    /// Sentence splitter: legal, punkt, punkt-3.10.
    #[arg(long, default_value_t)]
    splitter: Splitter,
    /// One line of JSON; offsets in code points of `text`.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Inspection {
    accession: Option<String>,
    source_url: String,
    company: Option<String>,
    short_name: Option<String>,
    aliases: Vec<String>,
    form: Option<Form>,
    filed: Option<FilingDate>,
    items: Vec<Item>,
    text: String,
    sentences: Vec<Sentence>,
    facts: Vec<Fact>,
    evidence: Option<Evidence>,
}

#[derive(Serialize)]
struct Item {
    numbers: Vec<String>,
    title: String,
    start: usize,
    end: usize,
    redirect: Option<String>,
}

#[derive(Serialize)]
struct Sentence {
    start: usize,
    end: usize,
    text: String,
    kept: bool,
    reason: Option<DropReason>,
}

#[derive(Serialize)]
struct Fact {
    fact: String,
    sentence: usize,
    coreferent_only: bool,
    best: bool,
    reference: eightk_core::Reference,
    total: bool,
}

pub(crate) fn run(args: &Args) -> Outcome<ExitCode> {
    if args.filing.is_dir() {
        return Err(Failure::usage(format!("{} is a folder; inspect takes one filing", args.filing.display())));
    }
    let recipe = recipe::load(&args.recipe)?;
    let inputs = discover(std::slice::from_ref(&args.filing))?;
    let Some(file) = inputs.files.first() else {
        return Err(Failure::usage(format!("no filing at {}", args.filing.display())));
    };
    let options = ReadOptions { splitter: args.splitter, company: args.company.clone(), aliases: args.alias.clone() };
    let record = examine_one(file, &recipe, &options)
        .map_err(|reason| Failure::wrong(format!("{}: {reason}", args.filing.display())))?;
    if args.json {
        output::json(&inspection(record))?;
    } else {
        output::text(&describe(&record))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn inspection(record: Record) -> Inspection {
    let Record { filing, names, findings, .. } = record;
    let index = CharIndex::new(&filing.text);
    let items = filing.items.iter().map(|i| {
        let span = index.to_chars(i.span);
        Item {
            numbers: i.numbers.clone(),
            title: i.title.clone(),
            start: span.start,
            end: span.end,
            redirect: i.redirect.clone(),
        }
    });
    let sentences = filing.sentences.iter().map(|s| {
        let span = index.to_chars(s.span);
        let text = filing.sentence_text(s).to_owned();
        Sentence { start: span.start, end: span.end, text, kept: s.kept(), reason: s.dropped }
    });
    let facts = findings.mentions.iter().map(|m| Fact {
        fact: m.fact.clone(),
        sentence: m.sentence,
        coreferent_only: m.coreferent_only(),
        best: m.best,
        reference: m.reference,
        total: m.total,
    });
    Inspection {
        accession: filing.meta.accession.as_ref().map(ToString::to_string),
        source_url: filing.meta.source_url.clone(),
        company: filing.meta.company.clone(),
        short_name: Some(names.short().to_owned()).filter(|s| !s.is_empty()),
        aliases: names.aliases().to_vec(),
        form: filing.meta.form,
        filed: filing.meta.filed,
        items: items.collect(),
        sentences: sentences.collect(),
        facts: facts.collect(),
        evidence: findings.evidence,
        text: filing.text.clone(),
    }
}

/// The filing for people: each sentence with a mark in the margin that says what became of it.
fn describe(record: &Record) -> String {
    let filing = &record.filing;
    let meta = &filing.meta;
    let or = |s: Option<String>| s.unwrap_or_else(|| "?".into());
    let others: Vec<&str> =
        record.names.aliases().iter().map(String::as_str).filter(|a| *a != record.names.short()).collect();
    let names = if record.names.short().is_empty() {
        "no company name: build would refuse it; give --company, or a manifest\n".to_owned()
    } else {
        hanging(&format!("short name: {}; also: {}", record.names.short(), others.join(" | ")), 12)
    };
    let about = format!(
        "{} {} {}  {}",
        or(meta.company.clone()),
        or(meta.form.map(|f| f.to_string())),
        or(meta.filed.map(|d| d.to_string())),
        meta.source_url,
    );
    let mut out = hanging(&about, 2) + &names;
    let mut item = None;
    for (i, s) in filing.sentences.iter().enumerate() {
        if s.item != item {
            item = s.item;
            if let Some(section) = item.and_then(|n| filing.items.get(n)) {
                let to = section.redirect.as_ref().map(|r| format!("  → Item {r}")).unwrap_or_default();
                let title = format!("Item {} {}{to}", section.numbers.join(", "), section.title);
                out += &format!("\n{}", hanging(&title, 5));
            }
        }
        let margin = s.dropped.map_or("", DropReason::as_str);
        out += &format!("{margin:>15} │ {}\n", filing.sentence_text(s));
        for m in record.findings.mentions.iter().filter(|m| m.sentence == i) {
            let best = if m.best { ", the answer" } else { "" };
            out += &format!("{:>15} │ ^ {} ({}{best})\n", "", m.fact, word(&m.reference));
        }
        if let Some(e) = record.findings.evidence.filter(|e| e.sentence == i) {
            out += &format!("{:>15} │ ^ evidence ({})\n", "", word(&e.kind));
        }
    }
    out
}

/// A value's name in data.
fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}
