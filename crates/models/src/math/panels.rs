//! Matrix products with a matrix that stays: the weights.
//!
//! Every element of a product is one chain of fused multiply-adds over the inner dimension, in order, beginning with the
//! bias. So a row of the result depends on its own row of the input and on nothing else: not on how many rows there are,
//! where it stands among them, or how many threads work. Equal texts get equal vectors, bit for bit. General libraries (and
//! with them every tensor framework) choose their blocking of the inner dimension by the shape of the whole product, and
//! round a row differently in a batch of one and a batch of sixty-four.
//!
//! What makes it fast is the layout: the weights are cut once into panels three vector registers wide, which the inner loop reads
//! from beginning to end, and the rows that it works on stay in the second-level cache.

use pulp::{Arch, Simd, WithSimd};

/// Vector registers across a panel.
const ACROSS: usize = 3;
/// Floats of input rows that are multiplied with every panel before the next rows: 256 KiB, half of a common second-level cache.
const GROUP: usize = 1 << 16;

/// A matrix [inner × columns] with a bias, cut into panels for multiplication from the right.
#[derive(Debug, Clone)]
pub(crate) struct Panels {
    inner: usize,
    columns: usize,
    /// Floats in a vector register when this was laid out.
    lanes: usize,
    /// Panel after panel, each [inner × its width]; all but the last are `ACROSS` registers wide.
    numbers: Vec<f32>,
    /// One per column, and zeros up to a whole register.
    bias: Vec<f32>,
}

/// Rows of a matrix: row `i` is the `width` numbers from `i * stride`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) numbers: &'a [f32],
    pub(crate) width: usize,
    pub(crate) stride: usize,
}

impl<'a> Rows<'a> {
    /// Rows that follow on each other.
    pub(crate) const fn dense(numbers: &'a [f32], width: usize) -> Self {
        Self { numbers, width, stride: width }
    }

    #[inline(always)]
    fn row(&self, i: usize) -> &'a [f32] {
        self.numbers.get(i * self.stride..).and_then(|r| r.get(..self.width)).unwrap_or_default()
    }
}

struct Lanes;
impl WithSimd for Lanes {
    type Output = usize;
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        S::F32_LANES
    }
}

/// Floats in a vector register of this processor.
pub(crate) fn lanes() -> usize {
    Arch::new().dispatch(Lanes)
}

impl Panels {
    /// Of a matrix whose element (inner `i`, column `c`) is `element(i, c)`.
    pub(crate) fn of(
        inner: usize,
        columns: usize,
        bias: Option<&[f32]>,
        element: impl Fn(usize, usize) -> f32,
    ) -> Self {
        let mut panels = Self { inner: 0, columns: 0, lanes: lanes(), numbers: Vec::new(), bias: Vec::new() };
        panels.refill(inner, columns, bias, element);
        panels
    }

    /// Of a weight as models store it: [columns × inner], row by row.
    pub(crate) fn of_weight(inner: usize, columns: usize, weight: &[f32], bias: Option<&[f32]>) -> Self {
        Self::of(inner, columns, bias, |i, c| weight.get(c * inner + i).copied().unwrap_or(0.0))
    }

    /// Takes another matrix, in the memory of the one before.
    pub(crate) fn refill(
        &mut self,
        inner: usize,
        columns: usize,
        bias: Option<&[f32]>,
        element: impl Fn(usize, usize) -> f32,
    ) {
        let padded = columns.div_ceil(self.lanes) * self.lanes;
        (self.inner, self.columns) = (inner, columns);
        self.bias.clear();
        self.bias.extend(bias.unwrap_or_default().iter().take(columns));
        self.bias.resize(padded, 0.0);
        self.numbers.clear();
        self.numbers.reserve(inner * padded);
        let width = ACROSS * self.lanes;
        for first in (0..padded).step_by(width) {
            let here = width.min(padded - first);
            for i in 0..inner {
                self.numbers.extend((first..first + here).map(|c| if c < columns { element(i, c) } else { 0.0 }));
            }
        }
    }

    /// Number of columns.
    pub(crate) const fn columns(&self) -> usize {
        self.columns
    }

    /// `out = rows × self + bias`. `out` has as many rows as it has stretches of `stride` numbers, and gets the columns at their beginning.
    pub(crate) fn multiply(&self, rows: Rows<'_>, out: &mut [f32], stride: usize) {
        debug_assert_eq!(rows.width, self.inner);
        Arch::new().dispatch(Product { rows, panels: self, out, stride });
    }
}

struct Product<'a> {
    rows: Rows<'a>,
    panels: &'a Panels,
    out: &'a mut [f32],
    stride: usize,
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, panels, out, stride } = self;
        let count = out.len().div_ceil(stride.max(1));
        // Eight rows by three registers of sums, where there are registers for them.
        let step = if S::REGISTER_COUNT >= 32 { 8 } else { 4 };
        let group = (GROUP / panels.inner.max(1)).next_multiple_of(step).max(step);
        for from in (0..count).step_by(group) {
            let to = count.min(from + group);
            let mut column = 0;
            for panel in panels.numbers.chunks((ACROSS * S::F32_LANES * panels.inner).max(1)) {
                let (panel, _) = S::as_simd_f32s(panel);
                let across = panel.len() / panels.inner.max(1);
                let bias = panels.bias.get(column..).unwrap_or_default();
                let mut task =
                    Strip { simd, rows, panel, bias, out: &mut *out, stride, column, columns: panels.columns };
                match across {
                    3 => task.run::<3>(from, to),
                    2 => task.run::<2>(from, to),
                    1 => task.run::<1>(from, to),
                    _ => {}
                }
                column += across * S::F32_LANES;
            }
        }
    }
}

/// One panel against rows.
struct Strip<'a, 'o, S: Simd> {
    simd: S,
    rows: Rows<'a>,
    panel: &'a [S::f32s],
    bias: &'a [f32],
    out: &'o mut [f32],
    stride: usize,
    /// First column of the panel.
    column: usize,
    /// Columns of the matrix.
    columns: usize,
}

impl<S: Simd> Strip<'_, '_, S> {
    #[inline(always)]
    fn run<const ACROSS: usize>(&mut self, from: usize, to: usize) {
        let mut row = from;
        if S::REGISTER_COUNT >= 32 {
            while row + 8 <= to {
                self.tile::<8, ACROSS>(row);
                row += 8;
            }
        }
        while row + 4 <= to {
            self.tile::<4, ACROSS>(row);
            row += 4;
        }
        while row < to {
            self.tile::<1, ACROSS>(row);
            row += 1;
        }
    }

    #[inline(always)]
    fn tile<const DOWN: usize, const ACROSS: usize>(&mut self, first: usize) {
        let simd = self.simd;
        let (bias, _) = S::as_simd_f32s(self.bias);
        let mut start = [simd.splat_f32s(0.0); ACROSS];
        for (s, b) in start.iter_mut().zip(bias) {
            *s = *b;
        }
        let mut sums = [start; DOWN];
        let (steps, _) = self.panel.as_chunks::<ACROSS>();
        let inner = steps.len();
        let rows: [&[f32]; DOWN] = std::array::from_fn(|d| self.rows.row(first + d).get(..inner).unwrap_or_default());
        if rows.iter().all(|r| r.len() == inner) {
            for (k, step) in steps.iter().enumerate() {
                for d in 0..DOWN {
                    let a = simd.splat_f32s(rows[d][k]);
                    for c in 0..ACROSS {
                        sums[d][c] = simd.mul_add_e_f32s(a, step[c], sums[d][c]);
                    }
                }
            }
        }
        for (d, sums) in sums.iter().enumerate() {
            let out = self.out.get_mut((first + d) * self.stride + self.column..).unwrap_or_default();
            let here = (ACROSS * S::F32_LANES).min(self.columns - self.column).min(out.len());
            let (whole, rest) = S::as_mut_simd_f32s(out.get_mut(..here).unwrap_or_default());
            for (o, s) in whole.iter_mut().zip(sums) {
                *o = *s;
            }
            if let Some(s) = sums.get(whole.len()).filter(|_| !rest.is_empty()) {
                simd.partial_store_f32s(rest, *s);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7919 + seed * 104_729) % 1999) as f32 / 999.5 - 1.0).collect()
    }

    proptest! {
        #[test]
        fn as_summing_in_f64(rows in 0usize..40, inner in 1usize..80, columns in 1usize..120, gap in 0usize..5) {
            let (a, w, bias) = (numbers(rows * (inner + gap), 1), numbers(columns * inner, 2), numbers(columns, 3));
            let panels = Panels::of_weight(inner, columns, &w, Some(&bias));
            let stride = columns + gap;
            let mut out = vec![7.0; rows * stride];
            panels.multiply(Rows { numbers: &a, width: inner, stride: inner + gap }, &mut out, stride);
            for (r, out) in out.chunks(stride).enumerate() {
                for (c, value) in out[..columns].iter().enumerate() {
                    let products = (0..inner).map(|k| f64::from(a[r * (inner + gap) + k]) * f64::from(w[c * inner + k]));
                    let expected = products.sum::<f64>() + f64::from(bias[c]);
                    prop_assert!((f64::from(*value) - expected).abs() < 3e-7 * (1 + inner) as f64, "row {r}, column {c}: {value}, not {expected}");
                }
                prop_assert!(out[columns..].iter().all(|x| *x == 7.0), "what is beside the columns is left alone");
            }
            // A row by itself has the same bits.
            for r in 0..rows {
                let mut alone = vec![0.0; columns];
                panels.multiply(Rows::dense(&a[r * (inner + gap)..][..inner], inner), &mut alone, columns);
                prop_assert_eq!(&alone, &out[r * stride..][..columns]);
            }
        }
    }

    /// The path of a processor with these vectors, whatever this one has.
    fn product_with<S: Simd>(simd: S, rows: usize, inner: usize, columns: usize) {
        let (a, w, bias) = (numbers(rows * inner, 1), numbers(inner * columns, 2), numbers(columns, 3));
        let mut panels = Panels { lanes: S::F32_LANES, ..Panels::of(0, 0, None, |_, _| 0.0) };
        panels.refill(inner, columns, Some(&bias), |i, c| w[c * inner + i]);
        let mut out = vec![0.0; rows * columns];
        simd.vectorize(Product { rows: Rows::dense(&a, inner), panels: &panels, out: &mut out, stride: columns });
        for (i, value) in out.iter().enumerate() {
            let (r, c) = (i / columns, i % columns);
            let products = (0..inner).map(|k| f64::from(a[r * inner + k]) * f64::from(w[c * inner + k]));
            let expected = products.sum::<f64>() + f64::from(bias[c]);
            assert!(
                (f64::from(*value) - expected).abs() < 3e-7 * (1 + inner) as f64,
                "{simd:?}, {i}: {value} {expected}"
            );
        }
    }

    #[test]
    fn every_width_of_vectors() {
        for (rows, inner, columns) in [(9, 20, 50), (3, 7, 1), (17, 33, 24), (4, 1, 29)] {
            product_with(pulp::Scalar::new(), rows, inner, columns);
            #[cfg(target_arch = "x86_64")]
            if let Some(simd) = pulp::x86::V3::try_new() {
                product_with(simd, rows, inner, columns);
            }
        }
    }

    #[test]
    fn memory_is_taken_over_with_nothing_left_in_it() {
        let (w, bias) = (numbers(60, 1), numbers(6, 2));
        let mut panels = Panels::of_weight(10, 6, &w, Some(&bias));
        panels.refill(2, 3, None, |i, c| (i + c) as f32);
        let mut out = [0.0; 3];
        panels.multiply(Rows::dense(&[1.0, 10.0], 2), &mut out, 3);
        assert_eq!(out, [10.0, 21.0, 32.0]);
        assert_eq!(panels.columns(), 3);
    }
}
