//! From golds to judgements: which chunks answer which query.
//!
//! A chunk is gold where it shares the filing and its half-open span overlaps the fragment's. Gold is thus independent of
//! how the corpus was cut: a re-chunked corpus is judged by the same queries. The naive way compares every fragment with every
//! chunk of its filing; here each filing's spans lie sorted under a tree of maximal ends, so that a fragment costs the
//! logarithm of the filing's chunks plus what it finds, even when chunks overlap or one of them covers everything.

use std::collections::BTreeMap;

use eightk_core::{CharSpan, Qrels, query_id};

use crate::DataSet;

/// One gold fragment of one query.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct GoldRef {
    /// Query id.
    pub query: String,
    /// Position among the query's golds.
    pub gold: usize,
}

/// The judgements of a data set and what was odd about them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Judged {
    /// Grades by query and chunk id. Every query has an entry, an empty one where no gold was matched. A chunk matched by
    /// several golds has the highest score.
    pub qrels: Qrels,
    /// For queries that have them: ids of the chunks that state the same fact in the gold's filing and are not gold,
    /// sorted.
    pub alternatives: BTreeMap<String, Vec<String>>,
    /// Golds that no chunk overlaps: what they ask for cannot be found.
    pub dangling: Vec<GoldRef>,
    /// Golds that several chunks overlap, with those chunks' ids in document order. Normal in a re-chunked corpus, wrong
    /// in a sentence-level one.
    pub several: Vec<(GoldRef, Vec<String>)>,
}

/// Matches every gold and every alternative against the chunks.
pub fn judge(dataset: &DataSet) -> Judged {
    let index = SpanIndex::new(dataset);
    let mut judged = Judged::default();
    for (row, query) in dataset.queries.iter().enumerate() {
        let id = query_id(row);
        let grades = judged.qrels.queries.entry(id.clone()).or_default();
        for (gold_row, gold) in query.golds.iter().enumerate() {
            let found = index.overlapping(&gold.source_url, gold.span);
            let ids = found.iter().filter_map(|i| dataset.chunks.get(*i)).map(|c| &c.id);
            for chunk in ids.clone() {
                let grade = grades.entry(chunk.clone()).or_insert(gold.score);
                *grade = gold.score.max(*grade);
            }
            let gold = || GoldRef { query: id.clone(), gold: gold_row };
            match found.len() {
                0 => judged.dangling.push(gold()),
                1 => {}
                _ => judged.several.push((gold(), ids.cloned().collect())),
            }
        }
        let mut others: Vec<String> = Vec::new();
        for alternative in &query.alternatives {
            let found = index.overlapping(&alternative.source_url, alternative.span);
            let ids = found.iter().filter_map(|i| dataset.chunks.get(*i)).map(|c| &c.id);
            others.extend(ids.filter(|c| !grades.contains_key(*c)).cloned());
        }
        others.sort_unstable();
        others.dedup();
        if !others.is_empty() {
            judged.alternatives.insert(id, others);
        }
    }
    judged
}

/// Finds the chunks of a filing that overlap a span.
pub struct SpanIndex<'d> {
    filings: BTreeMap<&'d str, Filing>,
}

/// One filing's spans by start, under a binary tree of maximal ends.
#[derive(Default)]
struct Filing {
    /// Span and chunk index, sorted by start.
    spans: Vec<(CharSpan, usize)>,
    /// Heap order: node `n` has children `2n` and `2n + 1`, the leaves are `size..2 * size`; each holds the largest end below.
    ends: Vec<usize>,
    size: usize,
}

impl<'d> SpanIndex<'d> {
    /// Indexes every chunk of a data set.
    pub fn new(dataset: &'d DataSet) -> Self {
        let mut filings: BTreeMap<&str, Filing> = BTreeMap::new();
        // A filing's chunks mostly stand together: one look-up per run of them.
        let mut first = 0;
        for run in dataset.chunks.chunk_by(|a, b| a.source_url == b.source_url) {
            if let Some(chunk) = run.first() {
                let filing = filings.entry(&chunk.source_url).or_default();
                filing.spans.extend(run.iter().zip(first..).map(|(chunk, i)| (chunk.span, i)));
            }
            first += run.len();
        }
        for filing in filings.values_mut() {
            filing.finish();
        }
        Self { filings }
    }

    /// Whether the filing has any chunk.
    pub fn knows(&self, source_url: &str) -> bool {
        self.filings.contains_key(source_url)
    }

    /// Indices into [`DataSet::chunks`] of the chunks that overlap, in the order of their starts. An empty span overlaps nothing.
    pub fn overlapping(&self, source_url: &str, span: CharSpan) -> Vec<usize> {
        if span.is_empty() {
            return Vec::new();
        }
        self.filings.get(source_url).map(|f| f.overlapping(span)).unwrap_or_default()
    }
}

impl Filing {
    fn finish(&mut self) {
        // An empty chunk covers no code point: it can never match.
        self.spans.retain(|(span, _)| !span.is_empty());
        self.spans.sort_unstable();
        self.size = self.spans.len().next_power_of_two();
        self.ends = vec![0; 2 * self.size];
        for (leaf, (span, _)) in self.ends.iter_mut().skip(self.size).zip(&self.spans) {
            *leaf = span.end;
        }
        for node in (1..self.size).rev() {
            self.ends[node] = self.ends[2 * node].max(self.ends[2 * node + 1]);
        }
    }

    fn overlapping(&self, wanted: CharSpan) -> Vec<usize> {
        // Those that begin before the wanted end; among them, those that end after the wanted start.
        let limit = self.spans.partition_point(|(span, _)| span.start < wanted.end);
        let mut found = Vec::new();
        let mut open = vec![(1, 0, self.size)];
        while let Some((node, first, width)) = open.pop() {
            if first >= limit || self.ends.get(node).is_none_or(|end| *end <= wanted.start) {
                continue;
            }
            if width == 1 {
                found.extend(self.spans.get(first).map(|(_, i)| *i));
            } else {
                let half = width / 2;
                open.push((2 * node + 1, first + half, half));
                open.push((2 * node, first, half));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use eightk_core::{Chunk, Gold, Query, Role};
    use proptest::prelude::*;

    fn naive(dataset: &DataSet) -> BTreeMap<String, BTreeMap<String, i64>> {
        let mut out = BTreeMap::new();
        for (row, query) in dataset.queries.iter().enumerate() {
            let grades: &mut BTreeMap<String, i64> = out.entry(query_id(row)).or_default();
            for gold in &query.golds {
                for chunk in &dataset.chunks {
                    let units = (gold.span.start..gold.span.end).any(|u| chunk.span.start <= u && u < chunk.span.end);
                    if chunk.source_url == gold.source_url && units {
                        let grade = grades.entry(chunk.id.clone()).or_insert(gold.score);
                        *grade = gold.score.max(*grade);
                    }
                }
            }
        }
        out
    }

    fn span() -> impl Strategy<Value = CharSpan> {
        (0usize..60, 0usize..30).prop_map(|(start, len)| CharSpan::new(start, (start + len).saturating_sub(3)))
    }

    proptest! {
        #[test]
        fn agrees_with_comparing_everything(
            chunks in prop::collection::vec((0usize..3, span()), 0..40),
            golds in prop::collection::vec((0usize..3, span(), 0i64..4), 0..8),
        ) {
            let chunks = chunks.into_iter().enumerate().map(|(i, (filing, span))| Chunk {
                id: format!("c{i}"), text: String::new(), source_url: format!("f{filing}"), title: String::new(), idx: i, span,
            });
            let golds = golds.into_iter().map(|(filing, span, score)| Gold {
                text: String::new(), score, role: Role::Answer, source_url: format!("f{filing}"), span,
            });
            let query = Query { original_query: String::new(), query: String::new(), golds: golds.collect(), fact: None, alternatives: vec![] };
            let set = DataSet { chunks: chunks.collect(), queries: vec![query], ..DataSet::default() };
            prop_assert_eq!(judge(&set).qrels.queries, naive(&set));
        }
    }

    #[test]
    fn touching_is_no_match() {
        let mut set = testing::dataset(1);
        let start = set.chunks[0].span.start;
        set.queries[0].golds[0].span = CharSpan::new(0, start);
        let judged = judge(&set);
        assert_eq!(judged.dangling, [GoldRef { query: "q0".into(), gold: 0 }]);
        set.queries[0].golds[0].span = CharSpan::new(0, start + 1);
        assert!(judge(&set).dangling.is_empty());
    }

    #[test]
    fn own_data_map_one_to_one() {
        let set = testing::dataset(3);
        let judged = judge(&set);
        assert!(judged.dangling.is_empty() && judged.several.is_empty());
        let grades = [0, 1].map(|i| judged.qrels.queries["q0"][&set.chunks[i].id]);
        assert_eq!((grades, judged.qrels.queries["q0"].len()), ([1, 2], 2));
        assert_eq!(judged.alternatives["q0"].len(), 1);
        assert!(!judged.qrels.queries["q0"].contains_key(&judged.alternatives["q0"][0]));
    }

    #[test]
    fn a_coarser_corpus_takes_the_highest_score() {
        let mut set = testing::dataset(1);
        let end = set.chunks.last().unwrap().span.end;
        set.chunks.truncate(1);
        set.chunks[0].span = CharSpan::new(0, end);
        let judged = judge(&set);
        assert_eq!(judged.qrels.queries["q0"].values().copied().collect::<Vec<_>>(), [2]);
        assert!(judged.alternatives.is_empty(), "the only chunk is gold");
    }

    #[test]
    fn one_chunk_over_everything_stays_cheap() {
        let n = 50_000;
        let chunk = |i: usize, span| Chunk {
            id: format!("c{i}"),
            text: String::new(),
            source_url: "f".into(),
            title: String::new(),
            idx: i,
            span,
        };
        let mut chunks: Vec<Chunk> = (1..n).map(|i| chunk(i, CharSpan::new(10 * i, 10 * i + 9))).collect();
        chunks.push(chunk(0, CharSpan::new(0, 10 * n)));
        let gold = |i: usize| Gold {
            text: String::new(),
            score: 2,
            role: Role::Answer,
            source_url: "f".into(),
            span: CharSpan::new(10 * i, 10 * i + 5),
        };
        let query = Query {
            original_query: String::new(),
            query: String::new(),
            golds: (1..n).map(gold).collect(),
            fact: None,
            alternatives: vec![],
        };
        let judged = judge(&DataSet { chunks, queries: vec![query], ..DataSet::default() });
        assert!(judged.several.iter().all(|(_, ids)| ids.len() == 2));
        assert_eq!(judged.several.len(), n - 1);
    }
}
