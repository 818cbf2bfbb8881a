//! Token sequences through the model, on all cores.
//!
//! Sequences are packed into batches of a bounded number of tokens, in the order in which they come; each batch goes through the whole
//! model on one core. Sorting by length, which padded batches need, would gain nothing: packed ones have no padding. One batch per
//! core keeps every core busy without a word between them, where products split among cores wait for each other at every layer.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::arch::{Architecture, Batch};
use crate::folder::PoolingMode;
use crate::math::Scratch;
use crate::pooling::{Wanted, pool};

/// Most and fewest tokens of a batch of several sequences. Past some hundreds, larger batches are no faster, and each core holds one in
/// memory; below some dozens, reading the weights costs more than using them.
const MOST: usize = 1024;
const FEWEST: usize = 64;
/// Batches for each core, where there are tokens enough: the last ones then end at about the same time.
const EACH: usize = 4;

/// Tokens that go through the model together, and what is to be made of their states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sequence {
    /// Ids, with marks.
    pub(crate) ids: Vec<u32>,
    pub(crate) wanted: Vec<Wanted>,
}

/// One wanted vector of one sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) sequence: usize,
    pub(crate) wanted: usize,
}

/// Memory for batches, kept from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Workspace(Mutex<Vec<Scratch>>);

impl Workspace {
    fn with<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let spare = self.0.lock().ok().and_then(|mut spare| spare.pop());
        let mut scratch = spare.unwrap_or_default();
        let result = work(&mut scratch);
        if let Ok(mut spare) = self.0.lock() {
            spare.push(scratch);
        }
        result
    }
}

/// The pooled vectors of every sequence.
pub(crate) fn run(
    model: &dyn Architecture,
    sequences: &[&Sequence],
    modes: &[PoolingMode],
    workspace: &Workspace,
) -> Vec<Vec<Vec<f32>>> {
    let tokens: usize = sequences.iter().map(|s| s.ids.len()).sum();
    let limit = (tokens / (EACH * rayon::current_num_threads().max(1))).clamp(FEWEST, MOST);
    let one = |batch: &[&Sequence]| workspace.with(|scratch| run_batch(model, batch, modes, scratch));
    let done: Vec<Vec<Vec<Vec<f32>>>> = batches(sequences, limit).into_par_iter().map(one).collect();
    done.into_iter().flatten().collect()
}

fn run_batch(
    model: &dyn Architecture,
    sequences: &[&Sequence],
    modes: &[PoolingMode],
    scratch: &mut Scratch,
) -> Vec<Vec<Vec<f32>>> {
    let mut batch = Batch::default();
    for sequence in sequences {
        batch.push(sequence.ids.iter().copied());
    }
    let states = model.states(&batch, scratch);
    let width = model.width();
    let of = |(range, sequence): (std::ops::Range<usize>, &&Sequence)| {
        let own = states.get(range.start * width..range.end * width).unwrap_or_default();
        sequence.wanted.iter().map(|wanted| pool(own, width, wanted, modes)).collect()
    };
    batch.sequences().zip(sequences).map(of).collect()
}

/// Cuts a list into stretches of at most `limit` tokens, or of one sequence that is longer.
fn batches<'a, 's>(mut sequences: &'a [&'s Sequence], limit: usize) -> Vec<&'a [&'s Sequence]> {
    let mut batches = Vec::new();
    while !sequences.is_empty() {
        let (mut tokens, mut count) = (0, 0);
        for sequence in sequences {
            tokens += sequence.ids.len();
            if count > 0 && tokens > limit {
                break;
            }
            count += 1;
        }
        let (batch, rest) = sequences.split_at(count);
        batches.push(batch);
        sequences = rest;
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn batches_are_all_of_it_in_order(lengths in prop::collection::vec(0usize..700, 0..40), limit in 1usize..2000) {
            let all: Vec<Sequence> = lengths.iter().map(|n| Sequence { ids: vec![0; *n], wanted: Vec::new() }).collect();
            let all: Vec<&Sequence> = all.iter().collect();
            let cut = batches(&all, limit);
            let rejoined: Vec<&Sequence> = cut.iter().flat_map(|b| b.iter().copied()).collect();
            prop_assert_eq!(&rejoined, &all);
            for batch in cut {
                let tokens: usize = batch.iter().map(|s| s.ids.len()).sum();
                prop_assert!(tokens <= limit || batch.len() == 1);
            }
        }
    }
}
