//! TREC: topics, qrels twice, a JSON collection.
//!
//! `topics.tsv` (`id`, tab, text) is what Pyserini takes with `--topics`; `collection/` what Anserini's `JsonCollection`
//! indexes: `contents` is the sentence alone, title and place stand beside it and are indexed only when asked for
//! (`--fields title`). Runs come back as `query Q0 document rank score name`.

use serde::Serialize;

use super::Outgoing;
use super::lines::{Lines, json_file, judgement_file, rivals};
use crate::DatasetError;
use crate::write::Staging;

#[derive(Serialize)]
struct Document<'a> {
    id: &'a str,
    contents: &'a str,
    title: &'a str,
    doc_id: &'a str,
    chunk_idx: usize,
    start_char: usize,
    end_char: usize,
}

pub(super) fn write(set: &Outgoing<'_>, folder: &Staging) -> Result<Vec<String>, DatasetError> {
    let documents = set.dataset.chunks.iter().map(|c| Document {
        id: &c.id,
        contents: &c.text,
        title: &c.title,
        doc_id: &c.source_url,
        chunk_idx: c.idx,
        start_char: c.span.start,
        end_char: c.span.end,
    });
    let mut files = vec![json_file(folder, "collection/documents.jsonl", documents)?];
    let mut topics = Lines::create(folder, "topics.tsv")?;
    set.queries().try_for_each(|(id, q)| topics.text(format_args!("{id}\t{}", one_line(&q.query))))?;
    files.push(topics.finish()?);
    for (name, judgements) in [("qrels.graded.trec", set.graded()), ("qrels.answer.trec", set.answers())] {
        files.push(judgement_file(folder, name, None, &judgements, |lines, j| {
            lines.text(format_args!("{} 0 {} {}", j.query, j.chunk, j.grade))
        })?);
    }
    files.extend(rivals(set, folder, "rivals.jsonl")?);
    Ok(files)
}

/// A topic is one cell of one line: tabs, line ends and other controls become blanks.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_one_line() {
        assert_eq!(one_line("Which\tcharges\r\nare “meant”?\u{2028}"), "Which charges  are “meant”? ");
    }
}
