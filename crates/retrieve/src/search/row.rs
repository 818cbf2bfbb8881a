//! One vector as it is stored, and the product that scores are made of.

use std::borrow::Cow;

use eightk_encode::{Similarity, Vector};
use half::f16;
use half::slice::HalfFloatSliceExt;

use super::Storage;

/// Sums that are kept apart in f64. Part of what a score is: another number rounds otherwise.
const LANES: usize = 8;
/// Added and taken away again it leaves a small f64 rounded to a whole number, half to even: `f64::round` is a call where the
/// binary is built for any x86.
const TO_WHOLE: f64 = 6_755_399_441_055_744.0;

/// One vector as it is stored, before it takes its place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row<'v> {
    pub(super) cells: RowCells<'v>,
    /// What the product with the cells is multiplied by: 1/length for the cosine, the scale of the cells otherwise.
    pub(super) factor: f64,
    /// Length of the cells.
    pub(super) length: f64,
}

/// The numbers of one row.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum RowCells<'v> {
    F32(Cow<'v, [f32]>),
    F16(Vec<f16>),
    I8(Cow<'v, [i8]>),
}

impl<'v> Row<'v> {
    /// How `storage` keeps a vector; none for bits, which are no numbers, and for vectors without direction.
    pub(super) fn of(vector: &'v Vector, storage: Storage, similarity: Similarity) -> Option<Self> {
        let (cells, scale) = match vector {
            Vector::F32(v) => RowCells::of_floats(v, storage)?,
            Vector::I8(v) => (RowCells::I8(Cow::Borrowed(v)), 1.0),
            Vector::Bits(_) => return None,
        };
        let length = match &cells {
            RowCells::F32(v) => length(v),
            // All at once: one by one each asks anew what the CPU can do.
            RowCells::F16(v) => length(&v.to_f32_vec()),
            RowCells::I8(v) => length(v),
        };
        let factor = if similarity == Similarity::Cosine { 1.0 / length } else { scale };
        (length > 0.0 && length.is_finite()).then_some(Self { cells, factor, length })
    }

    /// The product with a query's values, in the one order there is, times the factor.
    pub(super) fn product(&self, query: &[f64]) -> f64 {
        self.factor
            * match &self.cells {
                RowCells::F32(v) => product(v.iter().copied().map(f64::from), query),
                RowCells::F16(v) => product(v.iter().copied().map(f64::from), query),
                RowCells::I8(v) => product(v.iter().copied().map(f64::from), query),
            }
    }
}

impl<'v> RowCells<'v> {
    /// The numbers and what they are to be multiplied by; none where there is nothing to scale by.
    fn of_floats(v: &'v [f32], storage: Storage) -> Option<(Self, f64)> {
        if storage == Storage::F32 {
            return Some((Self::F32(Cow::Borrowed(v)), 1.0));
        }
        let largest = v.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        if !(largest > 0.0 && v.iter().all(|x| x.is_finite())) {
            return None;
        }
        Some(if storage == Storage::F16 {
            // A power of two at or below the largest: scaling loses nothing, and the largest becomes 1 to 2. The quotients are f32
            // again, or so small that half precision makes them 0.
            let scale = f64::from_bits(f64::from(largest).to_bits() & (0x7ff << 52));
            let scaled: Vec<f32> = v.iter().map(|x| (f64::from(*x) * (1.0 / scale)) as f32).collect();
            let mut halves = vec![f16::ZERO; v.len()];
            halves.convert_from_f32_slice(&scaled);
            (Self::F16(halves), scale)
        } else {
            let to_cell = 127.0 / f64::from(largest);
            let cell = |x: &f32| ((f64::from(*x) * to_cell + TO_WHOLE) - TO_WHOLE) as i8;
            (Self::I8(v.iter().map(cell).collect()), f64::from(largest) / 127.0)
        })
    }

    /// The bits of the numbers, eight bytes at a time or fewer, for hashing.
    pub(super) fn each_word(&self, mut visit: impl FnMut(u64)) {
        match self {
            Self::F32(v) => v.chunks(2).for_each(|c| visit(c.iter().fold(0, |w, x| w << 32 | u64::from(x.to_bits())))),
            Self::F16(v) => v.chunks(4).for_each(|c| visit(c.iter().fold(0, |w, x| w << 16 | u64::from(x.to_bits())))),
            Self::I8(v) => {
                v.chunks(8).for_each(|c| visit(c.iter().fold(0, |w, x| w << 8 | u64::from(x.cast_unsigned()))));
            }
        }
    }
}

/// A sum of products in [`LANES`] interleaved sums. Products of numbers that were f32 or less are exact in f64, so it does not matter
/// whether they are fused.
pub(super) fn product(row: impl Iterator<Item = f64>, query: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    for (i, (a, b)) in row.zip(query).enumerate() {
        sums[i % LANES] += a * b;
    }
    total(sums)
}

/// The Euclidean length, summed as [`product`] sums.
pub(super) fn length<T: Copy + Into<f64>>(v: &[T]) -> f64 {
    let mut sums = [0.0; LANES];
    let (chunks, rest) = v.as_chunks::<LANES>();
    for chunk in chunks.iter().map(<[T; LANES]>::as_slice).chain([rest]) {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            let x: f64 = (*x).into();
            *sum += x * x;
        }
    }
    total(sums).sqrt()
}

fn total([a, b, c, d, e, f, g, h]: [f64; LANES]) -> f64 {
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_the_root_of_the_product_with_itself() {
        let v: Vec<f32> = (0..37).map(|i| (i as f32 * 0.7).sin()).collect();
        let values: Vec<f64> = v.iter().copied().map(f64::from).collect();
        assert_eq!(length(&v), product(values.iter().copied(), &values).sqrt());
    }

    #[test]
    fn int8_cells_are_the_nearest_steps() {
        let v = Vector::F32(vec![2.54, -2.54, 0.0, 0.0101, -0.0099, 1.27]);
        let row = Row::of(&v, Storage::Int8, Similarity::Dot).unwrap();
        assert_eq!(row.cells, RowCells::I8(Cow::Owned(vec![127, -127, 0, 1, 0, 64])));
        assert!((row.factor - 0.02).abs() < 1e-9);
    }
}
