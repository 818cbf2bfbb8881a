//! Filings read a moment ago.
//!
//! A page of rivals looks into dozens of filings, and the next page into the same ones. What is kept is bounded by the size of the texts, and
//! least recently used goes first. Files do not change under a shelf: it says so when they do.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use eightk_core::Chunk;

use crate::pages::failure::Failure;

/// Bytes of text that are kept.
const MOST: usize = 16 << 20;

/// The chunks of some filings.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<Held>);

#[derive(Debug, Default)]
struct Held {
    /// By filing: when it was last used, and its chunks.
    filings: BTreeMap<String, (u64, Arc<Vec<Chunk>>)>,
    /// The least recently used first.
    order: BTreeMap<u64, String>,
    clock: u64,
    bytes: usize,
}

/// What a filing takes, roughly.
fn size(chunks: &[Chunk]) -> usize {
    chunks.iter().map(|c| c.text.len() + c.id.len() + c.source_url.len() + c.title.len() + 128).sum::<usize>() + 128
}

impl Kept {
    /// The chunks of a filing: those kept, else those that `read` gives. Nobody waits while another reads.
    pub(crate) fn chunks(
        &self,
        source_url: &str,
        read: impl FnOnce() -> Result<Vec<Chunk>, Failure>,
    ) -> Result<Arc<Vec<Chunk>>, Failure> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().touch(source_url) {
            return Ok(found);
        }
        let chunks = Arc::new(read()?);
        lock().keep(source_url, &chunks);
        Ok(chunks)
    }
}

impl Held {
    fn touch(&mut self, source_url: &str) -> Option<Arc<Vec<Chunk>>> {
        self.clock += 1;
        let (used, chunks) = self.filings.get_mut(source_url)?;
        let name = self.order.remove(used)?;
        *used = self.clock;
        self.order.insert(self.clock, name);
        Some(Arc::clone(chunks))
    }

    fn keep(&mut self, source_url: &str, chunks: &Arc<Vec<Chunk>>) {
        let bytes = size(chunks);
        // Another thread may have read it as well; what would fill it alone is not worth the others.
        if bytes > MOST / 4 || chunks.is_empty() || self.filings.contains_key(source_url) {
            return;
        }
        self.clock += 1;
        self.bytes += bytes;
        self.order.insert(self.clock, source_url.to_owned());
        self.filings.insert(source_url.to_owned(), (self.clock, Arc::clone(chunks)));
        while self.bytes > MOST {
            let Some((_, oldest)) = self.order.pop_first() else { break };
            let gone = self.filings.remove(&oldest).map_or(0, |(_, chunks)| size(&chunks));
            self.bytes = self.bytes.saturating_sub(gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eightk_core::CharSpan;

    fn filing(name: &str, bytes: usize) -> Vec<Chunk> {
        vec![Chunk {
            id: format!("{name}#s0"),
            text: "x".repeat(bytes),
            source_url: name.to_owned(),
            title: String::new(),
            idx: 0,
            span: CharSpan::new(0, bytes),
        }]
    }

    #[test]
    fn what_was_used_last_stays_and_the_rest_is_bounded() {
        let kept = Kept::default();
        let read = |name: &str| {
            let mut asked = false;
            let found = kept.chunks(name, || {
                asked = true;
                Ok(filing(name, MOST / 5))
            });
            assert_eq!(found.unwrap()[0].source_url, name);
            asked
        };
        assert!(read("a") && read("b") && !read("a"));
        for name in ["c", "d", "e"] {
            assert!(read(name));
            assert!(!read("a"), "used a moment ago");
        }
        assert!(read("b"), "unused for longest");
        let held = kept.0.lock().unwrap();
        assert!(held.bytes <= MOST && held.order.len() == held.filings.len());
        assert_eq!(held.bytes, held.filings.values().map(|(_, c)| size(c)).sum::<usize>());
    }

    #[test]
    fn one_that_is_too_large_is_read_each_time() {
        let kept = Kept::default();
        for _ in 0..2 {
            kept.chunks("big", || Ok(filing("big", MOST))).unwrap();
            assert!(kept.0.lock().unwrap().filings.is_empty());
        }
        assert!(kept.chunks("bad", || Err(Failure::NotFound("filing"))).is_err());
    }
}
