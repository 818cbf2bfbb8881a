//! A data set in memory.
//!
//! Rows own their strings, one `Vec` per config. The road not taken is to keep Arrow batches and hand out views: every
//! consumer (retrieval, measures, audit) wants rows and ids, and a published set is a few megabytes.

use std::collections::BTreeMap;

use eightk_core::{Chunk, FilingMeta, Query, RivalSet};

/// A data set: what is retrieved, what is asked, and what is known around it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DataSet {
    /// Rows of `documents`, in the order they were stored.
    pub chunks: Vec<Chunk>,
    /// Rows of `queries`; row `i` has the id `eightk_core::query_id(i)`.
    pub queries: Vec<Query>,
    /// Rows of `filings`; `None` where the data set has no such config.
    pub filings: Option<Vec<FilingRow>>,
    /// Lines of `audit/rivals.jsonl`; `None` where there is no such file.
    pub rivals: Option<Vec<RivalSet>>,
}

impl DataSet {
    /// The chunks of each filing as indices into `chunks`, in the order of `chunk_idx`; filings sorted by `source_url`.
    ///
    /// Encoders are handed filings this way, whatever order the rows were stored in.
    pub fn by_filing(&self) -> BTreeMap<&str, Vec<usize>> {
        let mut filings: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        // A filing's chunks mostly stand together: one look-up per run of them.
        let mut first = 0;
        for run in self.chunks.chunk_by(|a, b| a.source_url == b.source_url) {
            if let Some(chunk) = run.first() {
                filings.entry(&chunk.source_url).or_default().extend(first..first + run.len());
            }
            first += run.len();
        }
        for rows in filings.values_mut() {
            // Stable: chunks that share an index keep their stored order.
            rows.sort_by_key(|i| self.chunks.get(*i).map(|c| c.idx));
        }
        filings
    }
}

/// One row of the `filings` config. `None` means not known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilingRow {
    /// Groups the chunks of one filing.
    pub source_url: String,
    /// EDGAR's number, with dashes.
    pub accession: Option<String>,
    /// Central Index Key, digits without leading zeros.
    pub cik: Option<String>,
    /// Registrant's name as its source spells it.
    pub company: Option<String>,
    /// The title its chunks carry.
    pub title: String,
    /// Form type, `8-K` or `8-K/A`.
    pub form: Option<String>,
    /// Day of filing, `YYYY-MM-DD`.
    pub filed: Option<String>,
    /// Item numbers found in the text, in document order: `2.05`, or `5` in the numbering before August 2004.
    pub items: Vec<String>,
    /// Where the document was published.
    pub url: Option<String>,
    /// SHA-256 of the file it was read from, lower-case hex.
    pub sha256: Option<String>,
    /// The narrative that every offset counts in.
    pub text: String,
}

impl FilingRow {
    /// The row of a filing: its description, the title its chunks carry, the Items found in its text, the text.
    pub fn new(meta: &FilingMeta, title: &str, items: Vec<String>, text: String) -> Self {
        Self {
            source_url: meta.source_url.clone(),
            accession: meta.accession.as_ref().map(|a| a.as_str().to_owned()),
            cik: meta.cik.clone(),
            company: meta.company.clone(),
            title: title.to_owned(),
            form: meta.form.map(|f| f.as_str().to_owned()),
            filed: meta.filed.map(|d| d.to_string()),
            items,
            url: meta.url.clone(),
            sha256: Some(meta.sha256.clone()).filter(|s| !s.is_empty()),
            text,
        }
    }
}
