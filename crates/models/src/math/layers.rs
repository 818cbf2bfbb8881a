//! Layers that work on one token at a time: linear maps and norms, with their weights.

use eightk_encode::EncodeError;
use pulp::{Arch, Simd, WithSimd};

use super::panels::{Panels, Rows};
use super::vectors::{Same, SquareFrom, sum};
use crate::folder::Tensors;

/// `x W + b`.
#[derive(Debug, Clone)]
pub(crate) struct Linear {
    panels: Panels,
}

impl Linear {
    /// Reads `weight` [to × from] and, where there is one, `bias` [to].
    pub(crate) fn load(tensors: &Tensors<'_>, from: usize, to: usize) -> Result<Self, EncodeError> {
        let weight = tensors.read("weight", &[to, from])?;
        let bias = tensors.read_if_there("bias", &[to])?;
        Ok(Self { panels: Panels::of_weight(from, to, &weight, bias.as_deref()) })
    }

    /// Several maps of the same input as one, their outputs side by side: one long product instead of three short ones.
    pub(crate) fn load_together(parts: &[Tensors<'_>], from: usize, each: usize) -> Result<Self, EncodeError> {
        let (mut weight, mut bias) = (Vec::new(), Vec::new());
        for part in parts {
            weight.extend(part.read("weight", &[each, from])?);
            bias.extend(part.read_if_there("bias", &[each])?.unwrap_or_else(|| vec![0.0; each]));
        }
        Ok(Self { panels: Panels::of_weight(from, each * parts.len(), &weight, Some(&bias)) })
    }

    /// Numbers that come out for each row.
    pub(crate) const fn width(&self) -> usize {
        self.panels.columns()
    }

    /// Maps rows [n × from] to `out` [n × to].
    pub(crate) fn apply(&self, rows: Rows<'_>, out: &mut [f32]) {
        self.panels.multiply(rows, out, self.panels.columns());
    }
}

/// Layer normalisation: mean 0 and variance 1 over a token's numbers, then scaled and shifted.
#[derive(Debug, Clone)]
pub(crate) struct LayerNorm {
    scale: Vec<f32>,
    /// Empty for none.
    shift: Vec<f32>,
    epsilon: f32,
}

impl LayerNorm {
    /// Reads `weight` and, where there is one, `bias` (in old files `gamma` and `beta`), each of `width` numbers.
    pub(crate) fn load(tensors: &Tensors<'_>, width: usize, epsilon: f64) -> Result<Self, EncodeError> {
        let (scale, shift) = if tensors.has("gamma") { ("gamma", "beta") } else { ("weight", "bias") };
        let scale = tensors.read(scale, &[width])?;
        let shift = tensors.read_if_there(shift, &[width])?.unwrap_or_default();
        Ok(Self { scale, shift, epsilon: epsilon as f32 })
    }

    /// Normalises each row of `rows` in place.
    pub(crate) fn apply(&self, rows: &mut [f32]) {
        Arch::new().dispatch(Normalise { norm: self, rows, added: &[] });
    }

    /// `rows = norm(rows + added)`, in one pass; both are as long.
    pub(crate) fn add_and_apply(&self, rows: &mut [f32], added: &[f32]) {
        Arch::new().dispatch(Normalise { norm: self, rows, added });
    }
}

struct Normalise<'a> {
    norm: &'a LayerNorm,
    rows: &'a mut [f32],
    added: &'a [f32],
}

impl WithSimd for Normalise<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { norm, rows, added } = self;
        let width = norm.scale.len().max(1);
        let mut added = added.chunks_exact(width);
        for row in rows.chunks_exact_mut(width) {
            if let Some(added) = added.next() {
                super::vectors::add_to(simd, row, added);
            }
            let mean = sum(simd, row, Same) / width as f32;
            let variance = sum(simd, row, SquareFrom(mean)) / width as f32;
            let factor = 1.0 / (variance + norm.epsilon).sqrt();
            scale_and_shift(simd, row, mean, factor, &norm.scale, &norm.shift);
        }
    }
}

#[inline(always)]
fn scale_and_shift<S: Simd>(simd: S, row: &mut [f32], mean: f32, factor: f32, scale: &[f32], shift: &[f32]) {
    let (about, by) = (simd.splat_f32s(mean), simd.splat_f32s(factor));
    let (whole, rest) = S::as_mut_simd_f32s(row);
    let ((scales, scale_rest), (shifts, shift_rest)) = (S::as_simd_f32s(scale), S::as_simd_f32s(shift));
    for (i, (x, scale)) in whole.iter_mut().zip(scales).enumerate() {
        let shift = if let Some(shift) = shifts.get(i) { *shift } else { simd.splat_f32s(0.0) };
        let unit = simd.mul_f32s(simd.sub_f32s(*x, about), by);
        *x = simd.mul_add_e_f32s(unit, *scale, shift);
    }
    for (i, (x, scale)) in rest.iter_mut().zip(scale_rest).enumerate() {
        *x = (*x - mean) * factor * scale + shift_rest.get(i).copied().unwrap_or(0.0);
    }
}
