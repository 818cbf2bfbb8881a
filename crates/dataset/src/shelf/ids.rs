//! A chunk by its id.
//!
//! An id of ours names its filing, so the filing's chunks are read and the id is among them. Ids of other sets say nothing: for
//! them every id is looked at once and 12 bytes are kept of each, a hash and the filing.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, PoisonError};

use eightk_core::Chunk;

use super::Shelf;
use super::runs::Last;
use crate::DatasetError;

/// Which filing each id leads to.
pub(super) struct Ids {
    /// Seeded anew each time: nobody can choose ids that share a hash. It decides nothing but where is looked.
    hasher: RandomState,
    /// Ascending.
    hashes: Vec<u64>,
    filings: Vec<u32>,
}

/// Made at the first id that does not name its filing.
#[derive(Default)]
pub(super) struct LazyIds(Mutex<Option<Arc<Ids>>>);

impl Ids {
    /// The filings that may hold an id.
    fn filings(&self, id: &str) -> impl Iterator<Item = usize> {
        let hash = self.hasher.hash_one(id);
        let from = self.hashes.partition_point(|h| *h < hash);
        let same = self.hashes.iter().skip(from).take_while(move |h| **h == hash).count();
        self.filings.iter().skip(from).take(same).map(|filing| *filing as usize)
    }
}

impl Shelf {
    /// The chunk of this id; `None` where there is none.
    ///
    /// Looks into the filing that the id names. The first id that is not found this way makes an index of all ids, at 12 bytes per
    /// chunk and the time it takes to read them.
    ///
    /// # Errors
    /// As [`Shelf::chunks`].
    pub fn chunk(&self, id: &str) -> Result<Option<Chunk>, DatasetError> {
        let named = id.rsplit_once("#s").map(|(source_url, _)| source_url);
        if let Some(chunk) = self.chunk_of(named.unwrap_or_default(), id)? {
            return Ok(Some(chunk));
        }
        for filing in self.ids()?.filings(id) {
            let Some(filing) = self.filings().get(filing) else { continue };
            if let Some(chunk) = self.chunk_of(&filing.source_url, id)? {
                return Ok(Some(chunk));
            }
        }
        Ok(None)
    }

    fn chunk_of(&self, source_url: &str, id: &str) -> Result<Option<Chunk>, DatasetError> {
        Ok(self.chunks(source_url)?.into_iter().find(|chunk| chunk.id == id))
    }

    fn ids(&self) -> Result<Arc<Ids>, DatasetError> {
        let mut ids = self.ids.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ids) = &*ids {
            return Ok(ids.clone());
        }
        let hasher = RandomState::new();
        let mut found: Vec<(u64, u32)> = Vec::new();
        let mut last = Last::default();
        for file in self.catalogue.documents.files() {
            file.heads(&["source_url", "chunk_id"], &mut |head| {
                let filing = last.number(head.source_url.unwrap_or_default(), |s| self.number(s));
                found.extend(head.chunk_id.zip(filing).map(|(id, filing)| (hasher.hash_one(id), filing)));
                Ok(())
            })?;
        }
        found.sort_unstable();
        let (hashes, filings) = found.into_iter().unzip();
        Ok(ids.insert(Arc::new(Ids { hasher, hashes, filings })).clone())
    }
}
