//! The arithmetic of transformers on plain slices, with the processor's widest vectors, found at run time.
//!
//! The road not taken is a tensor framework. Its products are no faster than these (measured), its small operations each pass
//! over memory once more and ask for fresh memory to do so, and it makes no promise that a row comes out the same in another
//! batch. What a handful of encoders need is little enough to own. There is no `unsafe` here: `pulp` picks the instructions.

mod attention;
mod layers;
mod panels;
mod rotary;
mod vectors;

pub(crate) use attention::{Attention, Distances, attend};
pub(crate) use layers::{LayerNorm, Linear};
pub(crate) use panels::{Panels, Rows};
pub(crate) use rotary::{Rotary, Stretch};
pub(crate) use vectors::{Activation, activate, add, multiply};

/// Memory that is used again from batch to batch, one for each thread.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    spare: Vec<Vec<f32>>,
    /// For attention: keys and values of one head.
    pub(crate) keys: Option<Panels>,
    pub(crate) values: Option<Panels>,
}

impl Scratch {
    /// A buffer of this many numbers, of any value.
    pub(crate) fn take(&mut self, length: usize) -> Vec<f32> {
        let mut buffer = self.spare.pop().unwrap_or_default();
        buffer.resize(length, 0.0);
        buffer
    }

    /// Gives one back.
    pub(crate) fn give(&mut self, buffer: Vec<f32>) {
        self.spare.push(buffer);
    }
}
