//! Attention within each sequence of a batch.

use pulp::{Arch, Simd, WithSimd};

use super::Scratch;
use super::panels::{Panels, Rows, lanes};
use super::vectors::{Times, add_to, each, exponentials};

/// Rows of queries whose scores are in memory at a time: bounds the memory of long sequences.
const BLOCK: usize = 64;

/// What is added to a score by how far the key stands from the query, in each head.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Distances {
    /// [heads × (2·furthest + 1)]: from a key `furthest` tokens before its query to one as far behind it.
    numbers: Vec<f32>,
    furthest: usize,
}

impl Distances {
    /// Of `added(head, key − query)`, for sequences of up to `furthest` tokens.
    pub(crate) fn of(heads: usize, furthest: usize, added: impl Fn(usize, isize) -> f32) -> Self {
        let from = -(furthest as isize);
        let numbers = (0..heads).flat_map(|head| (0..=2 * furthest).map(move |i| (head, from + i as isize)));
        Self { numbers: numbers.map(|(head, distance)| added(head, distance)).collect(), furthest }
    }

    /// For a query and these keys.
    fn row(&self, head: usize, query: usize, keys: &std::ops::Range<usize>) -> &[f32] {
        let start = (head * (2 * self.furthest + 1) + self.furthest + keys.start).saturating_sub(query);
        self.numbers.get(start..start + keys.len()).unwrap_or_default()
    }
}

/// The shape of an attention layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attention<'a> {
    /// Heads.
    pub(crate) heads: usize,
    /// Numbers in a head's queries, keys and values.
    pub(crate) head_width: usize,
    /// How far a token sees to each side; none for the whole sequence.
    pub(crate) reach: Option<usize>,
    /// Added to the scores.
    pub(crate) distances: Option<&'a Distances>,
}

/// Attention over a batch: `mixed` holds queries, keys and values of each token side by side, [tokens × 3·heads·head_width];
/// `out` gets [tokens × heads·head_width]. Scores are divided by the root of the head's width.
pub(crate) fn attend(
    shape: Attention<'_>,
    mixed: &[f32],
    sequences: impl Iterator<Item = std::ops::Range<usize>>,
    out: &mut [f32],
    scratch: &mut Scratch,
) {
    let width = shape.heads * shape.head_width;
    let empty = || Panels::of(0, 0, None, |_, _| 0.0);
    let mut keys = scratch.keys.take().unwrap_or_else(empty);
    let mut values = scratch.values.take().unwrap_or_else(empty);
    for sequence in sequences {
        let own = mixed.get(sequence.start * 3 * width..sequence.end * 3 * width).unwrap_or_default();
        let Some(out) = out.get_mut(sequence.start * width..sequence.end * width) else { continue };
        for head in 0..shape.heads {
            one_head(shape, head, own, out, &mut keys, &mut values, scratch);
        }
    }
    (scratch.keys, scratch.values) = (Some(keys), Some(values));
}

fn one_head(
    shape: Attention<'_>,
    head: usize,
    mixed: &[f32],
    out: &mut [f32],
    keys: &mut Panels,
    values: &mut Panels,
    scratch: &mut Scratch,
) {
    let Attention { heads, head_width, reach, distances } = shape;
    let (width, first) = (heads * head_width, head * head_width);
    let length = out.len() / width.max(1);
    let scale = 1.0 / (head_width as f32).sqrt();
    let mut filled = None;
    for from in (0..length).step_by(BLOCK) {
        let to = length.min(from + BLOCK);
        // The keys that any query of this block sees.
        let seen = match reach {
            Some(reach) => from.saturating_sub(reach)..length.min(to + reach),
            None => 0..length,
        };
        if filled.as_ref() != Some(&seen) {
            let part = |which: usize, token: usize, i: usize| {
                mixed.get((seen.start + token) * 3 * width + which * width + first + i).copied().unwrap_or(0.0)
            };
            keys.refill(head_width, seen.len(), None, |i, token| part(1, token, i) * scale);
            values.refill(seen.len(), head_width, None, |token, i| part(2, token, i));
            filled = Some(seen.clone());
        }
        // Each row of scores up to a whole number of vectors: the rest is what no exponential can see.
        let stride = seen.len().next_multiple_of(lanes());
        let mut scores = scratch.take((to - from) * stride);
        let queries = mixed.get(from * 3 * width + first..).unwrap_or_default();
        keys.multiply(Rows { numbers: queries, width: head_width, stride: 3 * width }, &mut scores, stride);
        let distances = distances.map(|d| (d, head));
        let weigh = Weigh { scores: &mut scores, stride, seen: seen.clone(), from, reach, distances };
        let sums = Arch::new().dispatch(weigh);
        let rows = Rows { numbers: &scores, width: seen.len(), stride };
        if let Some(out) = out.get_mut(from * width + first..(to - 1) * width + first + head_width) {
            values.multiply(rows, out, width);
            Arch::new().dispatch(Divide { out, sums: &sums, stride: width, width: head_width });
        }
        scratch.give(scores);
    }
}

/// Turns scores into the exponentials whose shares are the weights, and returns the sum of each row.
struct Weigh<'a> {
    scores: &'a mut [f32],
    stride: usize,
    seen: std::ops::Range<usize>,
    /// The first row's token.
    from: usize,
    reach: Option<usize>,
    /// And the head.
    distances: Option<(&'a Distances, usize)>,
}

impl WithSimd for Weigh<'_> {
    type Output = Vec<f32>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
        let mut sums = Vec::with_capacity(self.scores.len() / self.stride.max(1));
        for (i, row) in self.scores.chunks_exact_mut(self.stride.max(1)).enumerate() {
            let token = self.from + i;
            if let Some((distances, head)) = self.distances {
                let seen = row.get_mut(..self.seen.len()).unwrap_or_default();
                add_to(simd, seen, distances.row(head, token, &self.seen));
            }
            hide(row, self.seen.len()..row.len());
            if let Some(reach) = self.reach {
                hide(row, 0..token.saturating_sub(reach).saturating_sub(self.seen.start));
                hide(row, (token + reach + 1).saturating_sub(self.seen.start)..row.len());
            }
            sums.push(exponentials(simd, row));
        }
        sums
    }
}

/// Makes scores what no exponential can see.
fn hide(row: &mut [f32], range: std::ops::Range<usize>) {
    row.get_mut(range).unwrap_or_default().fill(f32::NEG_INFINITY);
}

/// Divides each row by its sum: cheaper after the product than before.
struct Divide<'a> {
    out: &'a mut [f32],
    sums: &'a [f32],
    stride: usize,
    width: usize,
}

impl WithSimd for Divide<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (row, sum) in self.out.chunks_mut(self.stride.max(1)).zip(self.sums) {
            each(simd, row.get_mut(..self.width).unwrap_or_default(), Times(1.0 / sum));
        }
    }
}
