//! What several checks look up, made once.

use std::collections::{BTreeMap, HashMap};

use eightk_core::{CharSpan, Chunk, Gold, Query, query_id};

use super::Check;
use crate::judge::SpanIndex;
use crate::{DataSet, FilingRow, ReadReport, short_name};

/// A check: its name and how to run it.
pub(super) type Entry = (&'static str, fn(&Context<'_>) -> Check);

/// The data set and its look-ups.
pub(super) struct Context<'d> {
    pub(super) dataset: &'d DataSet,
    pub(super) report: &'d ReadReport,
    pub(super) index: SpanIndex<'d>,
    /// Chunks of each filing in order.
    pub(super) by_filing: BTreeMap<&'d str, Vec<&'d Chunk>>,
    /// Looked up, never walked, as the next one: their order reaches no output.
    pub(super) filings: HashMap<&'d str, &'d FilingRow>,
    pub(super) by_id: HashMap<&'d str, &'d Chunk>,
    /// Whether ids have the form `{source_url}#s{start}` anywhere: then every chunk is a sentence of ours or of the published sets.
    pub(super) sentence_ids: bool,
    /// Whether any title has the form `{name} 8-K {date}`.
    pub(super) titled: bool,
}

impl<'d> Context<'d> {
    pub(super) fn new(dataset: &'d DataSet, report: &'d ReadReport) -> Self {
        let by_filing = dataset.by_filing().into_iter();
        let by_filing =
            by_filing.map(|(url, rows)| (url, rows.into_iter().filter_map(|i| dataset.chunks.get(i)).collect()));
        Self {
            dataset,
            report,
            index: SpanIndex::new(dataset),
            by_filing: by_filing.collect(),
            filings: dataset.filings.iter().flatten().map(|f| (f.source_url.as_str(), f)).collect(),
            by_id: dataset.chunks.iter().map(|c| (c.id.as_str(), c)).collect(),
            sentence_ids: dataset.chunks.iter().any(is_sentence_id),
            titled: dataset.chunks.iter().any(|c| short_name(&c.title).is_some()),
        }
    }

    /// Queries with their ids.
    pub(super) fn queries(&self) -> impl Iterator<Item = (String, &'d Query)> {
        self.dataset.queries.iter().enumerate().map(|(i, q)| (query_id(i), q))
    }

    /// Golds with their query's id.
    pub(super) fn golds(&self) -> impl Iterator<Item = (String, &'d Gold)> {
        self.queries().flat_map(|(id, q)| q.golds.iter().map(move |g| (id.clone(), g)))
    }

    /// The short name of a filing's company, from the title of its first chunk.
    pub(super) fn company(&self, source_url: &str) -> Option<&'d str> {
        short_name(&self.by_filing.get(source_url)?.first()?.title)
    }

    /// The filing a query asks about.
    pub(super) fn filing_of(&self, query: &'d Query) -> Option<&'d str> {
        query.golds.first().map(|g| g.source_url.as_str())
    }

    /// The chunks that overlap a span.
    pub(super) fn overlapping(&self, source_url: &str, span: CharSpan) -> Vec<&'d Chunk> {
        self.index.overlapping(source_url, span).into_iter().filter_map(|i| self.dataset.chunks.get(i)).collect()
    }
}

/// Whether an id ends in `#s` and a number.
fn is_sentence_id(chunk: &Chunk) -> bool {
    let number = chunk.id.rsplit_once("#s").map(|(_, n)| n);
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The beginning of a text, for an example.
pub(super) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 80;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("“{}…”", text.get(..end).unwrap_or(text)),
        None => format!("“{text}”"),
    }
}
