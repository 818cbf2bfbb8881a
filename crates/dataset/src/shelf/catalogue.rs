//! The filings of a data set and where their rows lie.
//!
//! One pass over two or three narrow columns: which filing each row belongs to, its title, whether it has a position. Texts and
//! ids are not looked at.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::file::{Head, RowFile};
use super::runs::Runs;
use crate::DatasetError;
use crate::read::need_text;
use crate::read::rows::Text;

/// A filing as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShelfFiling {
    /// Groups the chunks of one filing.
    pub source_url: String,
    /// The title of its first chunk that has one, else of its row in `filings`; empty where neither has one.
    pub title: String,
    /// How many chunks it has; 0 for a filing that only `filings` knows.
    pub chunks: usize,
    /// Whether it has a row in `filings`, and so a text.
    pub has_row: bool,
}

/// What one pass over the files found.
pub(super) struct Catalogue {
    /// Sorted by `source_url`.
    pub(super) filings: Vec<ShelfFiling>,
    /// Rows of `documents`, keyed by the filing's place in the list.
    pub(super) documents: Runs,
    /// Rows of `filings`, keyed likewise; `None` where the data set has no such config.
    pub(super) rows: Option<Runs>,
    pub(super) has_title: bool,
    /// Whether a chunk has, or lacks, a `chunk_idx`.
    pub(super) has_idx: bool,
    pub(super) lacks_idx: bool,
}

impl Catalogue {
    pub(super) fn new(documents: &[PathBuf], filings: &[PathBuf]) -> Result<Self, DatasetError> {
        let mut names = Names::default();
        let (mut has_title, mut has_idx, mut lacks_idx) = (false, false, false);
        let mut chunks = names.collect(documents, &["source_url", "title", "chunk_idx"], &mut |head| {
            has_title |= head.title.is_some();
            has_idx |= head.has_idx;
            lacks_idx |= !head.has_idx;
        })?;
        let rows = names.collect(filings, &["source_url", "title"], &mut |_| {})?;
        let mut rows = (!filings.is_empty()).then_some(rows);

        let (mut filings, renumber) = names.sorted();
        let renumber = |key: u32| renumber.get(key as usize).copied().unwrap_or(u32::MAX);
        chunks.sort(renumber);
        for (filing, count) in chunks.counts() {
            filings.get_mut(filing).into_iter().for_each(|f| f.chunks = count);
        }
        if let Some(rows) = &mut rows {
            rows.sort(renumber);
            for (filing, _) in rows.counts() {
                filings.get_mut(filing).into_iter().for_each(|f| f.has_row = true);
            }
        }
        Ok(Self { filings, documents: chunks, rows, has_title, has_idx, lacks_idx })
    }
}

/// Filings in the order in which they were met.
#[derive(Default)]
struct Names {
    /// Looked up, never walked: the map's order reaches no output.
    numbers: HashMap<String, u32>,
    met: Vec<ShelfFiling>,
}

impl Names {
    fn collect(
        &mut self,
        files: &[PathBuf],
        columns: &[&str],
        notice: &mut dyn FnMut(&Head<'_>),
    ) -> Result<Runs, DatasetError> {
        let mut runs = Runs::default();
        for path in files {
            runs.add(Arc::new(RowFile::open(path)?), |file, found| {
                let mut last = None;
                file.heads(columns, &mut |head| {
                    notice(&head);
                    let Some(source_url) = head.source_url else {
                        return need_text(&(head.place)(), "source_url", Text(None)).map(|_| ());
                    };
                    let key = match last {
                        Some(key) if self.is(key, source_url, head.title) => key,
                        _ => self.number(source_url, head.title),
                    };
                    last = Some(key);
                    found.push(key, head.at);
                    Ok(())
                })
            })?;
        }
        Ok(runs)
    }

    /// Whether a row belongs to this filing and tells nothing new of it.
    fn is(&self, number: u32, source_url: &str, title: Option<&str>) -> bool {
        let known = self.met.get(number as usize).filter(|filing| filing.source_url == source_url);
        known.is_some_and(|filing| !filing.title.is_empty() || title.is_none_or(str::is_empty))
    }

    /// The number of a filing, which is new or has been met.
    fn number(&mut self, source_url: &str, title: Option<&str>) -> u32 {
        let title = title.unwrap_or_default();
        if let Some(number) = self.numbers.get(source_url) {
            if let Some(filing) = self.met.get_mut(*number as usize).filter(|filing| filing.title.is_empty()) {
                title.clone_into(&mut filing.title);
            }
            return *number;
        }
        let number = u32::try_from(self.met.len()).unwrap_or(u32::MAX);
        self.numbers.insert(source_url.to_owned(), number);
        let (source_url, title) = (source_url.to_owned(), title.to_owned());
        self.met.push(ShelfFiling { source_url, title, chunks: 0, has_row: false });
        number
    }

    /// The filings sorted, and for each number its place among them.
    fn sorted(self) -> (Vec<ShelfFiling>, Vec<u32>) {
        let mut met: Vec<(ShelfFiling, u32)> = self.met.into_iter().zip(0..).collect();
        met.sort_unstable_by(|a, b| a.0.source_url.cmp(&b.0.source_url));
        let mut places = vec![0; met.len()];
        for (place, (_, number)) in (0..).zip(&met) {
            places.get_mut(*number as usize).into_iter().for_each(|p| *p = place);
        }
        (met.into_iter().map(|(filing, _)| filing).collect(), places)
    }
}
