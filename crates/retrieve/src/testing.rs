//! Small corpora for tests, in words of our own.

use eightk_core::{CharSpan, Chunk, chunk_id};

/// A chunk at position `idx` of a filing; its id counts sentences, which is all a test needs.
pub(crate) fn chunk(source_url: &str, title: &str, idx: usize, text: &str) -> Chunk {
    Chunk {
        id: chunk_id(source_url, idx),
        text: text.to_owned(),
        source_url: source_url.to_owned(),
        title: title.to_owned(),
        idx,
        span: CharSpan::new(idx, idx + text.chars().count()),
    }
}

/// Filings given as title and sentences; `source_url` is `f0`, `f1`, …
pub(crate) fn filings(filings: &[(&str, &[&str])]) -> Vec<Chunk> {
    let of = |(n, (title, texts)): (usize, &(&str, &[&str]))| {
        let rows = texts.iter().enumerate().map(|(i, text)| chunk(&format!("f{n}"), title, i, text));
        rows.collect::<Vec<_>>()
    };
    filings.iter().enumerate().flat_map(of).collect()
}
