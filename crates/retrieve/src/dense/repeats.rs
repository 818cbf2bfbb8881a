//! Which chunks are represented by the same text.

use std::collections::hash_map::Entry;

use eightk_encode::{Identity, Role, VectorKey};
use foldhash::{HashMap, HashMapExt};

use crate::{FilingInputs, RetrieveError};

/// Marks a chunk that is represented in a context, which it shares with nobody.
const ALONE: u32 = u32::MAX;

/// Numbers texts in the order they first occur, and counts how often each is still to come.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    /// By position in the corpus.
    text_of: Vec<u32>,
    /// By text.
    left: Vec<u32>,
}

impl Repeats {
    /// Looks at every text once. Nothing of them is kept but half of their hash while they are counted.
    pub(super) fn count(who: &Identity, inputs: &FilingInputs<'_, '_>, chunks: usize) -> Result<Self, RetrieveError> {
        let mut repeats = Self { text_of: vec![ALONE; chunks], left: Vec::new() };
        let mut known: HashMap<u128, u32> = HashMap::new();
        for job in inputs.jobs().filter(|job| job.input.context.is_none()) {
            for (chunk, position) in job.input.chunks.iter().zip(&job.positions) {
                let VectorKey(key) = VectorKey::of_text(who, Role::Passage, &chunk.text);
                // 128 of 256 bits: two texts of a billion share them with a chance of one in 10^20.
                let key = key.first_chunk::<16>().map_or(0, |half| u128::from_le_bytes(*half));
                let next = u32::try_from(repeats.left.len()).ok().filter(|n| *n != ALONE);
                let text = match known.entry(key) {
                    Entry::Occupied(text) => *text.get(),
                    Entry::Vacant(free) => {
                        repeats.left.push(0);
                        *free.insert(next.ok_or(RetrieveError::TooLarge(repeats.left.len()))?)
                    }
                };
                if let Some(left) = repeats.left.get_mut(text as usize) {
                    *left += 1;
                }
                if let Some(slot) = repeats.text_of.get_mut(*position as usize) {
                    *slot = text;
                }
            }
        }
        Ok(repeats)
    }

    /// Nothing repeats.
    pub(super) fn none(chunks: usize) -> Self {
        Self { text_of: vec![ALONE; chunks], left: Vec::new() }
    }

    /// The text at a position; none where it is represented in a context.
    pub(super) fn text_of(&self, position: u32) -> Option<u32> {
        self.text_of.get(position as usize).copied().filter(|text| *text != ALONE)
    }

    /// Takes one occurrence; whether it was the last.
    pub(super) fn take(&mut self, text: u32) -> bool {
        self.left.get_mut(text as usize).is_none_or(|left| {
            *left = left.saturating_sub(1);
            *left == 0
        })
    }
}
