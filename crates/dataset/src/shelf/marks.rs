//! What queries make of a filing's chunks: gold, evidence, alternative, rival.
//!
//! Golds and alternatives are spans, found among the chunks of one filing as [`crate::judge()`] finds them in all. Rivals are ids: from
//! which queries one is told apart is known only after every line was read. What is kept of that is one list of query numbers per
//! rival, as differences of one or two bytes: a sentence that is a rival is mostly a rival of many queries.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use eightk_core::{CharSpan, Chunk, Role};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Shelf;
use super::lines::KeyedLines;
use super::rivals::query_number;
use crate::judge::SpanIndex;
use crate::{DataSet, DatasetError};

/// What queries make of a chunk. Queries are numbers of their rows in [`Shelf::queries`], ascending.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChunkMarks {
    /// The chunk.
    pub chunk_id: String,
    /// Queries whose golds it overlaps, one entry each.
    pub golds: Vec<GoldMark>,
    /// Queries for which it states the same fact without being gold.
    pub alternative_of: Vec<usize>,
    /// Queries for which it is a rival.
    pub rival_of: Vec<usize>,
}

/// A chunk that is gold for a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GoldMark {
    /// The query.
    pub query: usize,
    /// Which of its golds; where several overlap the chunk, the first of those with the highest score.
    pub gold: usize,
    /// That gold's score.
    pub score: i64,
    /// What it is for the query.
    pub role: Role,
}

impl Shelf {
    /// The marks of every chunk of a filing, in the order of [`Shelf::chunks`].
    ///
    /// The first call reads every line of rivals once, and keeps per rival its id and one or two bytes for each query it is
    /// a rival for (see [`Shelf::warm`]).
    ///
    /// # Errors
    /// As [`Shelf::chunks`], and as [`Shelf::rivals`] for any line of rivals.
    pub fn facts_of(&self, source_url: &str) -> Result<Vec<ChunkMarks>, DatasetError> {
        self.marks(&self.chunks(source_url)?)
    }

    /// The same for chunks that are at hand: all of a filing or of several.
    ///
    /// # Errors
    /// As [`Shelf::facts_of`].
    pub fn marks(&self, chunks: &[Chunk]) -> Result<Vec<ChunkMarks>, DatasetError> {
        let mut filings: Vec<u32> = chunks.iter().filter_map(|chunk| self.number(&chunk.source_url)).collect();
        filings.sort_unstable();
        filings.dedup();
        let set = DataSet { chunks: chunks.to_vec(), ..DataSet::default() };
        let index = SpanIndex::new(&set);
        let rivals = self.rival_index()?;
        let of = |chunk: &Chunk| ChunkMarks {
            chunk_id: chunk.id.clone(),
            rival_of: rivals.as_ref().map(|rivals| rivals.queries(&chunk.id)).unwrap_or_default(),
            ..ChunkMarks::default()
        };
        let mut marks: Vec<ChunkMarks> = chunks.iter().map(of).collect();
        for part in filings.iter().flat_map(|filing| self.asked.of(*filing)) {
            let Some(query) = self.queries.get(part.query as usize) else { continue };
            let (number, place) = (part.query as usize, part.place as usize);
            if part.is_alternative {
                let Some(other) = query.alternatives.get(place) else { continue };
                self.alternative(&index, &mut marks, number, &other.source_url, other.span);
            } else if let Some(gold) = query.golds.get(place) {
                let mark = GoldMark { query: number, gold: place, score: gold.score, role: gold.role };
                for at in index.overlapping(&gold.source_url, gold.span) {
                    marks.get_mut(at).into_iter().for_each(|marks| marks.gold(mark));
                }
            }
        }
        Ok(marks)
    }

    /// Marks an alternative; a chunk that is gold for the query is none. Golds come before alternatives.
    fn alternative(&self, index: &SpanIndex<'_>, marks: &mut [ChunkMarks], query: usize, url: &str, span: CharSpan) {
        for at in index.overlapping(url, span) {
            let Some(marks) = marks.get_mut(at) else { continue };
            let is_gold = marks.golds.last().is_some_and(|mark| mark.query == query);
            if !is_gold && marks.alternative_of.last() != Some(&query) {
                marks.alternative_of.push(query);
            }
        }
    }

    /// Which queries each rival is told apart from; `None` without rivals. Made at the first call; others wait.
    pub(super) fn rival_index(&self) -> Result<Option<Arc<RivalIndex>>, DatasetError> {
        let Some(lines) = &self.rivals else { return Ok(None) };
        let mut index = self.rival_of.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(index) = &*index {
            return Ok(Some(index.clone()));
        }
        let made = Arc::new(RivalIndex::new(lines, self.queries.len())?);
        Ok(Some(index.insert(made).clone()))
    }
}

impl ChunkMarks {
    /// Adds a gold. Queries come in ascending order, the golds of each in theirs.
    fn gold(&mut self, mark: GoldMark) {
        match self.golds.last_mut().filter(|last| last.query == mark.query) {
            Some(last) if last.score >= mark.score => {}
            Some(last) => *last = mark,
            None => self.golds.push(mark),
        }
    }
}

/// Which queries ask about which filing.
#[derive(Default)]
pub(super) struct Asked(Vec<Part>);

/// A gold or an alternative of a query. Ordered by filing, query, golds before alternatives, place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    filing: u32,
    query: u32,
    is_alternative: bool,
    place: u32,
}

impl Asked {
    pub(super) fn new(shelf: &Shelf) -> Self {
        let mut parts = Vec::new();
        for (query, row) in (0..).zip(&shelf.queries) {
            let golds = row.golds.iter().map(|gold| &gold.source_url).zip(0..).map(|(url, i)| (url, false, i));
            let others = row.alternatives.iter().map(|other| &other.source_url).zip(0..).map(|(url, i)| (url, true, i));
            for (url, is_alternative, place) in golds.chain(others) {
                parts.extend(shelf.number(url).map(|filing| Part { filing, query, is_alternative, place }));
            }
        }
        parts.sort_unstable();
        Self(parts)
    }

    fn of(&self, filing: u32) -> &[Part] {
        let from = self.0.partition_point(|part| part.filing < filing);
        let rest = self.0.get(from..).unwrap_or_default();
        rest.get(..rest.partition_point(|part| part.filing == filing)).unwrap_or_default()
    }
}

/// Made at the first look at marks.
#[derive(Default)]
pub(super) struct LazyRivals(Mutex<Option<Arc<RivalIndex>>>);

/// For each chunk that is a rival, the queries it is a rival for.
#[derive(Default)]
pub(super) struct RivalIndex(HashMap<String, Numbers>);

impl RivalIndex {
    fn new(lines: &KeyedLines, queries: usize) -> Result<Self, DatasetError> {
        let mut index = Self::default();
        lines.each(&mut |place, key, line| {
            let query = query_number(key).filter(|query| (*query as usize) < queries);
            let Some(query) = query else { return Ok(()) };
            let mut take = |id: &str| match index.0.get_mut(id) {
                Some(numbers) => numbers.push(query),
                None => index.0.entry(id.to_owned()).or_default().push(query),
            };
            let mut json = serde_json::Deserializer::from_slice(line);
            let read = json.deserialize_map(RivalsOf(&mut take)).and_then(|()| json.end());
            read.map_err(|error| crate::read::jsonl::no_row(place, line, &error))
        })?;
        index.0.shrink_to_fit();
        Ok(index)
    }

    fn queries(&self, id: &str) -> Vec<usize> {
        self.0.get(id).map(Numbers::all).unwrap_or_default()
    }
}

/// Numbers as differences, each in as few bytes as it needs: seven bits at a time, the lowest first.
#[derive(Default)]
struct Numbers {
    last: u32,
    bytes: Vec<u8>,
}

impl Numbers {
    fn push(&mut self, number: u32) {
        // Mostly ascending. Going back is a difference too, told by the lowest bit.
        let (step, is_back) = (number.abs_diff(self.last), number < self.last);
        let mut left = u64::from(step) << 1 | u64::from(is_back);
        while left >= 0x80 {
            self.bytes.push((left & 0x7f) as u8 | 0x80);
            left >>= 7;
        }
        self.bytes.push(left as u8);
        self.last = number;
    }

    /// All of them, ascending, each once.
    fn all(&self) -> Vec<usize> {
        let (mut numbers, mut last, mut value, mut shift) = (Vec::new(), 0_u32, 0_u64, 0_u32);
        for byte in &self.bytes {
            value |= u64::from(byte & 0x7f).unbounded_shl(shift);
            shift += 7;
            if byte & 0x80 == 0 {
                let step = u32::try_from(value >> 1).unwrap_or(u32::MAX);
                last = if value & 1 == 0 { last.saturating_add(step) } else { last.saturating_sub(step) };
                numbers.push(last as usize);
                (value, shift) = (0, 0);
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// Reads a line of rivals for the ids in it, without making strings of them.
struct RivalsOf<'f>(&'f mut dyn FnMut(&str));

impl<'de> Visitor<'de> for RivalsOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the rivals of a query")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Key>()? {
            match key {
                Key::Rivals => map.next_value_seed(Ids(&mut *self.0))?,
                Key::Other => map.next_value::<IgnoredAny>().map(|_| ())?,
            }
        }
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Key {
    Rivals,
    #[serde(other)]
    Other,
}

struct Ids<'f>(&'f mut dyn FnMut(&str));

impl<'de> DeserializeSeed<'de> for Ids<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Ids<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of chunk ids")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Id(&mut *self.0))?.is_some() {}
        Ok(())
    }
}

struct Id<'f>(&'f mut dyn FnMut(&str));

impl<'de> DeserializeSeed<'de> for Id<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Id<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a chunk id")
    }

    fn visit_str<E>(self, id: &str) -> Result<(), E> {
        (self.0)(id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back_sorted(numbers in prop::collection::vec(any::<u32>(), 0..50)) {
            let mut kept = Numbers::default();
            numbers.iter().for_each(|n| kept.push(*n));
            let mut wanted: Vec<usize> = numbers.iter().map(|n| *n as usize).collect();
            wanted.sort_unstable();
            wanted.dedup();
            prop_assert_eq!(kept.all(), wanted);
        }
    }
}
