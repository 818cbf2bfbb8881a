//! BEIR: `corpus.jsonl`, `queries.jsonl`, `qrels/{split}.tsv`.
//!
//! `GenericDataLoader(folder).load(split)` reads `qrels/{split}.tsv`, whatever the split is called: `test` holds the grades as
//! published, `answer` the answers alone. Its loader always skips the first line of qrels, so the header must be there.

use serde::Serialize;

use super::Outgoing;
use super::lines::{json_file, judgement_file, rivals};
use crate::DatasetError;
use crate::write::Staging;

const HEADER: &str = "query-id\tcorpus-id\tscore";

#[derive(Serialize)]
struct Document<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    title: &'a str,
    text: &'a str,
    metadata: About<'a>,
}

/// What readers that know filings need. A title is here too where it must not stand before the text.
#[derive(Serialize)]
struct About<'a> {
    doc_id: &'a str,
    chunk_idx: usize,
    start_char: usize,
    end_char: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
}

#[derive(Serialize)]
struct Question<'a> {
    #[serde(rename = "_id")]
    id: &'a str,
    text: &'a str,
    metadata: AboutQuestion<'a>,
}

#[derive(Serialize)]
struct AboutQuestion<'a> {
    original_query: &'a str,
    fact: Option<&'a str>,
}

pub(super) fn write(set: &Outgoing<'_>, folder: &Staging) -> Result<Vec<String>, DatasetError> {
    let documents = set.dataset.chunks.iter().map(|c| Document {
        id: &c.id,
        title: if set.bare { "" } else { &c.title },
        text: &c.text,
        metadata: About {
            doc_id: &c.source_url,
            chunk_idx: c.idx,
            start_char: c.span.start,
            end_char: c.span.end,
            title: set.bare.then_some(&c.title),
        },
    });
    let questions = set.queries().map(|(id, q)| Question {
        id,
        text: &q.query,
        metadata: AboutQuestion { original_query: &q.original_query, fact: q.fact.as_deref() },
    });
    let mut files = vec![json_file(folder, "corpus.jsonl", documents)?, json_file(folder, "queries.jsonl", questions)?];
    for (name, judgements) in [("qrels/test.tsv", set.graded()), ("qrels/answer.tsv", set.answers())] {
        files.push(judgement_file(folder, name, Some(HEADER), &judgements, |lines, j| {
            lines.text(format_args!("{}\t{}\t{}", j.query, j.chunk, j.grade))
        })?);
    }
    files.extend(rivals(set, folder, "rivals.jsonl")?);
    Ok(files)
}
