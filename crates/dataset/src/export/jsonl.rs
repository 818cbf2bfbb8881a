//! JSON lines: the data set itself, column by column as in its Parquet form. Reading it back gives the same rows, and so
//! the same fingerprint.

use eightk_core::{Chunk, Query, Role};
use serde::Serialize;

use super::Outgoing;
use super::lines::{json_file, rivals};
use crate::read::RIVALS;
use crate::write::Staging;
use crate::{DatasetError, FilingRow};

#[derive(Serialize)]
struct Document<'a> {
    chunk_id: &'a str,
    chunk: &'a str,
    source_url: &'a str,
    title: &'a str,
    chunk_idx: usize,
    chunk_start_char: usize,
    chunk_end_char: usize,
}

#[derive(Serialize)]
struct Question<'a> {
    original_query: &'a str,
    query: &'a str,
    answer: Vec<&'a str>,
    score: Vec<i64>,
    source_url: Vec<&'a str>,
    frag_start_char: Vec<usize>,
    frag_end_char: Vec<usize>,
    n_gold: usize,
    roles: Vec<Role>,
    fact: Option<&'a str>,
    alternatives: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    source_url: &'a str,
    frag_start_char: usize,
    frag_end_char: usize,
}

#[derive(Serialize)]
struct Filing<'a> {
    source_url: &'a str,
    accession: Option<&'a str>,
    cik: Option<&'a str>,
    company: Option<&'a str>,
    title: &'a str,
    form: Option<&'a str>,
    filed: Option<&'a str>,
    items: &'a [String],
    url: Option<&'a str>,
    sha256: Option<&'a str>,
    text: &'a str,
}

pub(super) fn write(set: &Outgoing<'_>, folder: &Staging) -> Result<Vec<String>, DatasetError> {
    let mut files = vec![
        json_file(folder, "documents.jsonl", set.dataset.chunks.iter().map(document))?,
        json_file(folder, "queries.jsonl", set.dataset.queries.iter().map(question))?,
    ];
    if let Some(filings) = &set.dataset.filings {
        files.push(json_file(folder, "filings.jsonl", filings.iter().map(filing))?);
    }
    files.extend(rivals(set, folder, RIVALS)?);
    Ok(files)
}

fn document(c: &Chunk) -> Document<'_> {
    Document {
        chunk_id: &c.id,
        chunk: &c.text,
        source_url: &c.source_url,
        title: &c.title,
        chunk_idx: c.idx,
        chunk_start_char: c.span.start,
        chunk_end_char: c.span.end,
    }
}

fn question(q: &Query) -> Question<'_> {
    let golds = &q.golds;
    let place = |a: &'_ eightk_core::Alternative| (a.span.start, a.span.end);
    Question {
        original_query: &q.original_query,
        query: &q.query,
        answer: golds.iter().map(|g| g.text.as_str()).collect(),
        score: golds.iter().map(|g| g.score).collect(),
        source_url: golds.iter().map(|g| g.source_url.as_str()).collect(),
        frag_start_char: golds.iter().map(|g| g.span.start).collect(),
        frag_end_char: golds.iter().map(|g| g.span.end).collect(),
        n_gold: golds.len(),
        roles: golds.iter().map(|g| g.role).collect(),
        fact: q.fact.as_deref(),
        alternatives: (q.alternatives.iter())
            .map(|a| {
                let (frag_start_char, frag_end_char) = place(a);
                Place { source_url: &a.source_url, frag_start_char, frag_end_char }
            })
            .collect(),
    }
}

fn filing(row: &FilingRow) -> Filing<'_> {
    let FilingRow { source_url, accession, cik, company, title, form, filed, items, url, sha256, text } = row;
    Filing {
        source_url,
        accession: accession.as_deref(),
        cik: cik.as_deref(),
        company: company.as_deref(),
        title,
        form: form.as_deref(),
        filed: filed.as_deref(),
        items,
        url: url.as_deref(),
        sha256: sha256.as_deref(),
        text,
    }
}
