//! Spans that do not fit their text, and their repair.
//!
//! Published sets have been seen whose `chunk_end_char` lies before the start, or somewhere inside the chunk. The start
//! is sound there (it is part of the id), so the end is restored from the length of the text. Repair is never silent and
//! never the default: whoever reads a data set is told, and asks for it.

use std::collections::BTreeMap;

use eightk_core::CharSpan;

use crate::DataSet;

/// A chunk whose span does not fit its text: the end is not the start plus the number of code points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnfitSpan {
    /// The chunk.
    pub chunk_id: String,
    /// `chunk_start_char` as stored.
    pub start: i64,
    /// `chunk_end_char` as stored.
    pub end: i64,
    /// Code points in the chunk.
    pub chars: usize,
}

/// How many spans were restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Repaired {
    /// Ends of chunks.
    pub chunks: usize,
    /// Ends of gold fragments.
    pub golds: usize,
}

/// Whether a span is as long as its text.
pub(crate) fn fits(span: CharSpan, text: &str) -> bool {
    !span.is_empty() && span.len() == text.chars().count()
}

/// Restores the end of every chunk whose span does not fit: start plus the number of code points.
///
/// The end of a gold fragment is restored too, where the text decides: it ends before it begins, or a chunk of the same
/// filing begins where it begins and has its text. Elsewhere the gold's text may be a rewording, and its span stays.
pub fn repair_spans(dataset: &mut DataSet) -> Repaired {
    let mut done = Repaired::default();
    for chunk in &mut dataset.chunks {
        if !fits(chunk.span, &chunk.text) {
            chunk.span.end = chunk.span.start.saturating_add(chunk.text.chars().count());
            done.chunks += 1;
        }
    }
    let DataSet { chunks, queries, .. } = dataset;
    let mut begins: BTreeMap<(&str, usize), &str> = BTreeMap::new();
    for chunk in chunks.iter() {
        begins.entry((&chunk.source_url, chunk.span.start)).or_insert(&chunk.text);
    }
    for gold in queries.iter_mut().flat_map(|q| &mut q.golds) {
        let is_chunk = || begins.get(&(gold.source_url.as_str(), gold.span.start)) == Some(&gold.text.as_str());
        if !fits(gold.span, &gold.text) && (gold.span.is_empty() || is_chunk()) {
            gold.span.end = gold.span.start.saturating_add(gold.text.chars().count());
            done.golds += 1;
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn ends_are_restored_in_code_points() {
        let mut set = testing::dataset(2);
        let sound = set.clone();
        assert_eq!(repair_spans(&mut set), Repaired::default());
        set.chunks[0].span.end = 0;
        set.chunks[2].span.end -= 7;
        set.queries[0].golds[0].span.end += 30;
        assert_eq!(repair_spans(&mut set), Repaired { chunks: 2, golds: 1 });
        assert_eq!(set, sound);
    }

    #[test]
    fn a_reworded_gold_keeps_its_span() {
        let mut set = testing::dataset(1);
        set.queries[0].golds[0].text = "About four million.".to_owned();
        let before = set.clone();
        assert_eq!(repair_spans(&mut set), Repaired::default());
        assert_eq!(set, before);
    }
}
