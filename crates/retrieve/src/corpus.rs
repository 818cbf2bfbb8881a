//! The chunks to search, grouped by filing.
//!
//! Borrows the data set's rows and orders references to them, so that a row order that differs (some readers shuffle)
//! changes nothing. The road not taken is to demand sorted input and refuse the rest: whoever calls would sort anyway.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use eightk_core::{Chunk, Hit};

use crate::{RetrieveError, Scored};

/// All chunks of a data set, ordered by filing and by position in it.
#[derive(Debug, Clone)]
pub struct Corpus<'a> {
    chunks: Vec<&'a Chunk>,
    filings: Vec<Filing<'a>>,
    positions: HashMap<&'a str, u32>,
}

#[derive(Debug, Clone)]
struct Filing<'a> {
    range: Range<usize>,
    title: &'a str,
    text: Option<&'a str>,
}

/// One filing as an encoder sees it.
#[derive(Debug, Clone, Copy)]
pub struct FilingChunks<'c, 'a> {
    /// What groups its chunks.
    pub source_url: &'a str,
    /// Its title; empty where the data set has none.
    pub title: &'a str,
    /// Its chunks in document order, never empty.
    pub chunks: &'c [&'a Chunk],
    /// Its full narrative, where known.
    pub text: Option<&'a str>,
    /// Position in the corpus of its first chunk.
    pub first: usize,
}

impl<'a> Corpus<'a> {
    /// Groups and orders the chunks: by `source_url`, then `idx`, then start.
    ///
    /// # Errors
    ///
    /// [`RetrieveError::DuplicateChunk`] when an id occurs twice, [`RetrieveError::TooLarge`] beyond 2³² − 2 chunks.
    pub fn new(chunks: &'a [Chunk]) -> Result<Self, RetrieveError> {
        if u32::try_from(chunks.len()).is_ok_and(|n| n < u32::MAX) {
            let mut chunks: Vec<&Chunk> = chunks.iter().collect();
            let key = |c: &'a Chunk| (c.source_url.as_str(), c.idx, c.span.start, c.id.as_str());
            chunks.sort_by(|a, b| key(a).cmp(&key(b)));
            Self::of_sorted(chunks)
        } else {
            Err(RetrieveError::TooLarge(chunks.len()))
        }
    }

    fn of_sorted(chunks: Vec<&'a Chunk>) -> Result<Self, RetrieveError> {
        let mut positions = HashMap::with_capacity(chunks.len());
        for (position, chunk) in (0u32..).zip(&chunks) {
            if positions.insert(chunk.id.as_str(), position).is_some() {
                return Err(RetrieveError::DuplicateChunk(chunk.id.clone()));
            }
        }
        let mut filings = Vec::new();
        let mut start = 0;
        for group in chunks.chunk_by(|a, b| a.source_url == b.source_url) {
            let title = group.iter().map(|c| c.title.as_str()).find(|t| !t.is_empty()).unwrap_or_default();
            filings.push(Filing { range: start..start + group.len(), title, text: None });
            start += group.len();
        }
        Ok(Self { chunks, filings, positions })
    }

    /// The same corpus with the filings' full narratives, by `source_url`. Filings that have no chunk are ignored.
    #[must_use]
    pub fn with_texts(mut self, texts: &BTreeMap<&str, &'a str>) -> Self {
        for filing in &mut self.filings {
            let source_url = self.chunks.get(filing.range.start).map_or("", |c| c.source_url.as_str());
            filing.text = texts.get(source_url).copied();
        }
        self
    }

    /// How many chunks.
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Whether there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Every chunk, in the order that positions count.
    pub fn chunks(&self) -> &[&'a Chunk] {
        &self.chunks
    }

    /// The id of the chunk at a position; empty past the end.
    pub fn id(&self, position: u32) -> &'a str {
        self.chunks.get(position as usize).map_or("", |c| c.id.as_str())
    }

    /// Scored positions as hits, in the same order.
    pub(crate) fn hits(&self, scored: Vec<Scored>) -> Vec<Hit> {
        scored.into_iter().map(|s| Hit { id: self.id(s.position).to_owned(), score: s.score }).collect()
    }

    /// Where a chunk stands.
    pub fn position(&self, id: &str) -> Option<u32> {
        self.positions.get(id).copied()
    }

    /// The filings in order of `source_url`.
    pub fn filings(&self) -> impl ExactSizeIterator<Item = FilingChunks<'_, 'a>> {
        self.filings.iter().map(|filing| self.shown(filing))
    }

    /// Filing number `n` of them.
    pub fn filing(&self, n: usize) -> Option<FilingChunks<'_, 'a>> {
        self.filings.get(n).map(|filing| self.shown(filing))
    }

    /// The number of the filing that holds the chunk at a position.
    pub fn filing_of(&self, position: u32) -> Option<usize> {
        let n = self.filings.partition_point(|f| f.range.end <= position as usize);
        (n < self.filings.len()).then_some(n)
    }

    fn shown(&self, filing: &Filing<'a>) -> FilingChunks<'_, 'a> {
        let chunks = self.chunks.get(filing.range.clone()).unwrap_or_default();
        let source_url = chunks.first().map_or("", |c| c.source_url.as_str());
        FilingChunks { source_url, title: filing.title, chunks, text: filing.text, first: filing.range.start }
    }

    /// How many filings have a title.
    pub fn titled(&self) -> usize {
        self.filings.iter().filter(|f| !f.title.is_empty()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::chunk;

    #[test]
    fn row_order_does_not_matter() {
        let rows = [chunk("b", "T", 0, "x"), chunk("a", "", 1, "z"), chunk("b", "T", 1, "w"), chunk("a", "A", 0, "y")];
        let corpus = Corpus::new(&rows).unwrap();
        let ids: Vec<_> = corpus.chunks().iter().map(|c| c.id.as_str()).collect();
        assert_eq!(ids, ["a#s0", "a#s1", "b#s0", "b#s1"]);
        let filings: Vec<_> = corpus.filings().map(|f| (f.source_url, f.title, f.chunks.len(), f.first)).collect();
        assert_eq!(filings, [("a", "A", 2, 0), ("b", "T", 2, 2)]);
        assert_eq!((corpus.position("b#s0"), corpus.position("c#s0")), (Some(2), None));
        assert_eq!(corpus.titled(), 2);
        assert_eq!([0, 1, 2, 3, 4].map(|p| corpus.filing_of(p)), [Some(0), Some(0), Some(1), Some(1), None]);
        assert_eq!(corpus.filing(1).map(|f| f.source_url), Some("b"));
        assert!(corpus.filing(2).is_none());
    }

    #[test]
    fn narratives_go_to_their_filings() {
        let rows = [chunk("a", "", 0, "x"), chunk("b", "", 0, "y")];
        let corpus = Corpus::new(&rows).unwrap().with_texts(&BTreeMap::from([("b", "whole"), ("zz", "nowhere")]));
        assert_eq!(corpus.filings().map(|f| f.text).collect::<Vec<_>>(), [None, Some("whole")]);
    }

    #[test]
    fn one_id_is_one_chunk() {
        let rows = [chunk("a", "", 0, "x"), chunk("a", "", 0, "y")];
        assert_eq!(Corpus::new(&rows).unwrap_err(), RetrieveError::DuplicateChunk("a#s0".into()));
    }

    #[test]
    fn nothing_is_a_corpus_too() {
        let corpus = Corpus::new(&[]).unwrap();
        assert!(corpus.is_empty() && corpus.filings().len() == 0 && corpus.id(0).is_empty());
    }
}
