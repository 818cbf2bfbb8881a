//! The fingerprint: which rows a score was measured on.
//!
//! SHA-256 over the canonical JSON of the rows of `documents` and then of `queries`, in stored order, each followed by
//! `\n`. The canonical JSON of a row is what Python prints for it with
//! `json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"))`: keys in byte order, no white space, UTF-8,
//! escapes only for `"`, `\` and control characters. A row holds the columns of its config and no others, filled in as the reader fills
//! them:
//!
//! * documents: `chunk`, `chunk_end_char`, `chunk_id`, `chunk_idx`, `chunk_start_char`, `source_url`, `title` (`""` where missing);
//! * queries: `alternatives` (`[]` where missing; objects of `frag_end_char`, `frag_start_char`, `source_url`), `answer`, `fact`
//!   (`null` where missing), `frag_end_char`, `frag_start_char`, `n_gold`, `original_query` (the query where missing), `query`,
//!   `roles` (from the scores where missing), `score`, `source_url`.
//!
//! So the same rows have the same fingerprint whether they came from parquet or JSONL, in one shard or many, with or
//! without columns we do not know. The road not taken is to hash the files: a rewrite by another parquet library would look like new
//! data, and old results like results on something else.

use std::fmt::Write as _;

use eightk_core::{Chunk, Query};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::DataSet;

/// The fingerprint of a data set: 64 lower-case hex digits.
pub fn fingerprint(dataset: &DataSet) -> String {
    let mut print = Fingerprint::default();
    for chunk in &dataset.chunks {
        print.document(chunk);
    }
    for query in &dataset.queries {
        print.query(query);
    }
    print.finish()
}

/// A fingerprint under way: all documents first, then all queries.
#[derive(Default)]
pub(crate) struct Fingerprint {
    hash: Sha256,
    line: Vec<u8>,
}

// Fields in byte order of their names: serde writes them as they stand.
#[derive(Serialize)]
struct DocumentRow<'a> {
    chunk: &'a str,
    chunk_end_char: usize,
    chunk_id: &'a str,
    chunk_idx: usize,
    chunk_start_char: usize,
    source_url: &'a str,
    title: &'a str,
}

#[derive(Serialize)]
struct QueryRow<'a> {
    alternatives: Vec<AlternativeRow<'a>>,
    answer: Vec<&'a str>,
    fact: Option<&'a str>,
    frag_end_char: Vec<usize>,
    frag_start_char: Vec<usize>,
    n_gold: usize,
    original_query: &'a str,
    query: &'a str,
    roles: Vec<eightk_core::Role>,
    score: Vec<i64>,
    source_url: Vec<&'a str>,
}

#[derive(Serialize)]
struct AlternativeRow<'a> {
    frag_end_char: usize,
    frag_start_char: usize,
    source_url: &'a str,
}

impl Fingerprint {
    pub(crate) fn document(&mut self, chunk: &Chunk) {
        self.row(&DocumentRow {
            chunk: &chunk.text,
            chunk_end_char: chunk.span.end,
            chunk_id: &chunk.id,
            chunk_idx: chunk.idx,
            chunk_start_char: chunk.span.start,
            source_url: &chunk.source_url,
            title: &chunk.title,
        });
    }

    pub(crate) fn query(&mut self, query: &Query) {
        let golds = &query.golds;
        self.row(&QueryRow {
            alternatives: (query.alternatives.iter())
                .map(|a| AlternativeRow {
                    frag_end_char: a.span.end,
                    frag_start_char: a.span.start,
                    source_url: &a.source_url,
                })
                .collect(),
            answer: golds.iter().map(|g| g.text.as_str()).collect(),
            fact: query.fact.as_deref(),
            frag_end_char: golds.iter().map(|g| g.span.end).collect(),
            frag_start_char: golds.iter().map(|g| g.span.start).collect(),
            n_gold: golds.len(),
            original_query: &query.original_query,
            query: &query.query,
            roles: golds.iter().map(|g| g.role).collect(),
            score: golds.iter().map(|g| g.score).collect(),
            source_url: golds.iter().map(|g| g.source_url.as_str()).collect(),
        });
    }

    fn row(&mut self, row: &impl Serialize) {
        self.line.clear();
        // Writing plain structs to memory cannot fail; were it to, the row would hash as empty rather than stop a run.
        if serde_json::to_writer(&mut self.line, row).is_err() {
            self.line.clear();
        }
        self.line.push(b'\n');
        self.hash.update(&self.line);
    }

    pub(crate) fn finish(self) -> String {
        hex(&self.hash.finalize())
    }
}

/// Bytes as lower-case hex: how data sets and manifests write a SHA-256.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut out, b| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{b:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn every_column_counts_and_order_too() {
        let set = testing::dataset(2);
        let print = fingerprint(&set);
        assert_eq!(print.len(), 64);
        let changes: [fn(&mut DataSet); 9] = [
            |s| s.chunks[0].text.push('x'),
            |s| s.chunks[0].title.push('x'),
            |s| s.chunks[0].span.end += 1,
            |s| s.chunks.swap(0, 1),
            |s| s.queries[0].query.push('x'),
            |s| s.queries[0].golds[0].score = 1,
            |s| s.queries[0].alternatives.clear(),
            |s| s.queries[0].fact = None,
            |s| s.queries.swap(0, 1),
        ];
        for (i, change) in changes.iter().enumerate() {
            let mut other = set.clone();
            change(&mut other);
            assert_ne!(fingerprint(&other), print, "change {i}");
        }
    }

    /// The value Python's `hashlib` and `json` give for this row; control characters and quotes are where encoders differ.
    #[test]
    fn is_what_python_computes() {
        let chunk = Chunk {
            id: "a#s0".into(),
            text: "“é” \"q\" \\ \u{1}\u{7f}\t\u{8}/\u{2028}".into(),
            source_url: "a".into(),
            title: String::new(),
            idx: 0,
            span: eightk_core::CharSpan::new(0, 15),
        };
        let set = DataSet { chunks: vec![chunk], ..DataSet::default() };
        assert_eq!(fingerprint(&set), "c5b5d06a13342c59a266cadb6f84a389e5bc91fe0e4d46a36ddaa17b770dcc06");
    }
}
