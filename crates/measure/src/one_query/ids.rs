//! Finds ids in one query's hits, and repetitions among them.
//!
//! A table of positions, not of ids: four bytes an entry, so that a thousand hits stay in the nearest cache, and an id is
//! read a second time only where two hashes agree. Filled for every query, so this is the inner loop of all scoring.

use std::hash::BuildHasher;

use eightk_core::Hit;
use hashbrown::HashTable;

/// Positions of hits by id.
#[derive(Debug, Default)]
pub(crate) struct IdTable {
    /// Positions with the upper half of their hash. Positions are below 2^32: as many hits of one query would be 140 GB.
    table: HashTable<(u32, u32)>,
    hasher: foldhash::fast::RandomState,
}

impl IdTable {
    /// Replaces the contents.
    ///
    /// # Errors
    /// An id stands twice: the position of the repetition.
    pub(crate) fn fill(&mut self, hits: &[Hit]) -> Result<(), usize> {
        self.table.clear();
        let hasher = &self.hasher;
        let rehash = |e: &(u32, u32)| hits.get(e.1 as usize).map_or(0, |hit| hasher.hash_one(hit.id.as_str()));
        self.table.reserve(hits.len(), rehash);
        for (at, hit) in hits.iter().enumerate() {
            let hash = hasher.hash_one(hit.id.as_str());
            let tag = (hash >> 32) as u32;
            let same = |e: &(u32, u32)| e.0 == tag && hits.get(e.1 as usize).is_some_and(|h| h.id == hit.id);
            match self.table.entry(hash, same, rehash) {
                hashbrown::hash_table::Entry::Occupied(_) => return Err(at),
                hashbrown::hash_table::Entry::Vacant(free) => {
                    free.insert((tag, at as u32));
                }
            }
        }
        Ok(())
    }

    /// The position of an id among the hits the table was filled with.
    pub(crate) fn find(&self, hits: &[Hit], id: &str) -> Option<usize> {
        let hash = self.hasher.hash_one(id);
        let tag = (hash >> 32) as u32;
        let same = |e: &(u32, u32)| e.0 == tag && hits.get(e.1 as usize).is_some_and(|h| h.id == id);
        self.table.find(hash, same).map(|e| e.1 as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hits(ids: &[String]) -> Vec<Hit> {
        ids.iter().map(|id| Hit { id: id.clone(), score: 0.0 }).collect()
    }

    proptest! {
        /// One table, filled again and again, against a search through the list.
        #[test]
        fn finds_what_a_search_finds(lists in prop::collection::vec(prop::collection::vec("[ab]{0,3}", 0..20), 1..4)) {
            let mut table = IdTable::default();
            for list in lists {
                let hits = hits(&list);
                let repeated = (0..list.len()).find(|i| list[..*i].contains(&list[*i]));
                prop_assert_eq!(table.fill(&hits).err(), repeated);
                if repeated.is_none() {
                    for id in ["", "a", "b", "ab", "aba", "bbb"] {
                        prop_assert_eq!(table.find(&hits, id), list.iter().position(|i| i == id));
                    }
                }
            }
        }
    }
}
