//! What the newer kinds share: feed-forward layers with a gate, `down(activation(gate x) · up x)`, and embeddings without positions.

use eightk_encode::EncodeError;

use crate::folder::Tensors;
use crate::math::{Activation, Linear, Rows, activate, multiply};

/// Rows that go through a feed-forward layer together: what stands between its halves then stays in the second-level cache.
pub(super) const ROWS: usize = 64;

/// The rows of a table [vocabulary × width] for these tokens, [tokens × width].
pub(super) fn embed(words: &[f32], width: usize, ids: &[u32]) -> Vec<f32> {
    let mut states = Vec::with_capacity(ids.len() * width);
    for (i, id) in ids.iter().enumerate() {
        let from = *id as usize * width;
        states.extend_from_slice(words.get(from..from + width).unwrap_or_default());
        states.resize((i + 1) * width, 0.0);
    }
    states
}

/// The layer; gate and up are one product, side by side.
pub(super) struct Gated {
    both: Linear,
    down: Linear,
    activation: Activation,
    inner: usize,
}

impl Gated {
    /// With gate and up in two tensors, whose outputs are as wide as the first of them is high.
    pub(super) fn of_two(
        tensors: &Tensors<'_>,
        [gate, up, down]: [&str; 3],
        width: usize,
        activation: Activation,
    ) -> Result<Self, EncodeError> {
        let gate = tensors.sub(gate);
        // The configuration does not tell: the library that made these models rounds its number up.
        let inner = gate.shape("weight").and_then(|s| s.first()).copied().unwrap_or(0);
        let both = Linear::load_together(&[gate, tensors.sub(up)], width, inner)?;
        Ok(Self { both, down: Linear::load(&tensors.sub(down), inner, width)?, activation, inner })
    }

    /// With both in one tensor, the gate first.
    pub(super) fn of_one(
        tensors: &Tensors<'_>,
        [both, down]: [&str; 2],
        width: usize,
        inner: usize,
        activation: Activation,
    ) -> Result<Self, EncodeError> {
        let both = Linear::load(&tensors.sub(both), width, 2 * inner)?;
        Ok(Self { both, down: Linear::load(&tensors.sub(down), inner, width)?, activation, inner })
    }

    /// Numbers in memory for each row.
    pub(super) const fn room(&self) -> usize {
        2 * self.inner
    }

    /// Maps rows [n × width] to `out` [n × width] through `half` [n × [`room`](Self::room)].
    pub(super) fn apply(&self, rows: Rows<'_>, half: &mut [f32], out: &mut [f32]) {
        self.both.apply(rows, half);
        for row in half.chunks_exact_mut(self.room().max(1)) {
            let (gate, up) = row.split_at_mut(self.inner);
            activate(self.activation, gate);
            multiply(gate, up);
        }
        self.down.apply(Rows { numbers: half, width: self.inner, stride: self.room() }, out);
    }
}
