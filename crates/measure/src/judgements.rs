//! Everything that is known about the queries before any system runs.

use std::collections::{BTreeMap, HashMap};

use eightk_core::Qrels;

/// Lists of chunk ids by query.
pub(crate) type Rivals = BTreeMap<String, Vec<String>>;

/// What scores are computed against.
#[derive(Debug, Clone, Default)]
pub struct Judgements {
    /// Grades by query and chunk.
    pub qrels: Qrels,
    /// Rivals by query: chunks of other companies that state the same fact. `None` when there are none to be had, which
    /// leaves the disambiguation scores undefined. Golds among them are ignored.
    pub rivals: Option<BTreeMap<String, Vec<String>>>,
    /// Further sentences of the gold filing that state the same fact, by query; for [`Metric::AnswerAny`](crate::Metric::AnswerAny).
    pub alternatives: BTreeMap<String, Vec<String>>,
    /// Which filing each chunk belongs to; for [`Metric::FilingResolvedAt1`](crate::Metric::FilingResolvedAt1).
    pub filing_of: Option<Filings>,
    /// Which filing each query is about: queries of one filing are no independent draws, so intervals and tests take them
    /// together. A query that is not listed is taken under the filing of its first answer, if `filing_of` knows it, else
    /// by itself.
    pub clusters: BTreeMap<String, String>,
}

/// Which filing each chunk belongs to. Chunk ids are looked up, never parsed.
#[derive(Debug, Clone, Default)]
pub struct Filings {
    of: HashMap<String, usize, foldhash::fast::RandomState>,
    filings: Vec<FilingChunks>,
}

/// One filing's chunks, as far as a ranking that retrieved none of them needs to know.
#[derive(Debug, Clone, Default)]
pub(crate) struct FilingChunks {
    pub(crate) name: String,
    pub(crate) chunks: usize,
    /// The chunk id that comes last in byte order, which `trec_eval`'s tie order puts first.
    pub(crate) last: String,
}

impl Filings {
    /// From pairs of chunk id and filing. A chunk named twice counts once, under the filing named last.
    pub fn new<C: Into<String>, F: AsRef<str>>(pairs: impl IntoIterator<Item = (C, F)>) -> Self {
        let mut index: HashMap<String, usize, foldhash::fast::RandomState> = HashMap::default();
        let mut names: Vec<String> = Vec::new();
        let mut chunks: BTreeMap<String, usize> = BTreeMap::new();
        for (chunk, filing) in pairs {
            let filing = filing.as_ref();
            let at = index.get(filing).copied().unwrap_or_else(|| {
                index.insert(filing.to_owned(), names.len());
                names.push(filing.to_owned());
                names.len() - 1
            });
            chunks.insert(chunk.into(), at);
        }
        let mut filings: Vec<FilingChunks> =
            names.into_iter().map(|name| FilingChunks { name, ..FilingChunks::default() }).collect();
        let mut of: HashMap<String, usize, foldhash::fast::RandomState> = HashMap::default();
        of.reserve(chunks.len());
        // In byte order, so the last one seen of a filing is its last.
        for (chunk, at) in chunks {
            if let Some(filing) = filings.get_mut(at) {
                filing.chunks += 1;
                filing.last.clone_from(&chunk);
            }
            of.insert(chunk, at);
        }
        Self { of, filings }
    }

    /// The filing of a chunk.
    pub fn get(&self, chunk: &str) -> Option<&str> {
        self.index(chunk).and_then(|i| self.filings.get(i)).map(|f| f.name.as_str())
    }

    pub(crate) fn index(&self, chunk: &str) -> Option<usize> {
        self.of.get(chunk).copied()
    }

    pub(crate) fn chunks(&self, filing: usize) -> Option<&FilingChunks> {
        self.filings.get(filing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filing_knows_its_chunks() {
        let filings = Filings::new([("a#s1", "a"), ("b#s9", "b"), ("a#s10", "a"), ("a#s1", "a")]);
        assert_eq!(filings.get("a#s10"), Some("a"));
        assert_eq!(filings.get("c#s1"), None);
        let a = filings.chunks(filings.index("a#s1").unwrap()).unwrap();
        assert_eq!((a.chunks, a.last.as_str()), (2, "a#s10"));
    }
}
