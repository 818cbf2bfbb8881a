//! The kinds once more, as their papers write them: every token by itself, in f64, nothing packed and nothing blocked.

mod kin;
mod modernbert;
mod nomic;
mod refused;

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Architecture, Batch};
use crate::folder::{ModelFolder, Weights};
use crate::math::Scratch;
use crate::statics::testing::safetensors;

type Rows = Vec<Vec<f64>>;

/// Weights of any numbers, the same in every run.
#[derive(Default)]
struct Made {
    tensors: BTreeMap<String, (Vec<usize>, Vec<f32>)>,
    state: u64,
}

impl Made {
    fn number(&mut self) -> f32 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Numbers around 0, of a size that keeps attention peaked but not saturated.
    fn matrix(&mut self, name: &str, shape: [usize; 2]) {
        let size = 3.0 / (shape[1] as f32).sqrt();
        let numbers = (0..shape[0] * shape[1]).map(|_| self.number() * size).collect();
        self.tensors.insert(name.to_owned(), (shape.to_vec(), numbers));
    }

    fn vector(&mut self, name: &str, length: usize, around: f32) {
        let numbers = (0..length).map(|_| around + 0.3 * self.number()).collect();
        self.tensors.insert(name.to_owned(), (vec![length], numbers));
    }

    fn get(&self, name: &str) -> Option<Rows> {
        let (shape, numbers) = self.tensors.get(name)?;
        let numbers: Vec<f64> = numbers.iter().map(|x| f64::from(*x)).collect();
        Some(numbers.chunks(*shape.last().unwrap()).map(<[f64]>::to_vec).collect())
    }

    fn linear(&self, name: &str, rows: &Rows) -> Rows {
        let weight = self.get(&format!("{name}.weight")).unwrap();
        let bias = self.get(&format!("{name}.bias"));
        let one = |x: &Vec<f64>| -> Vec<f64> {
            let mut y: Vec<f64> = weight.iter().map(|w| w.iter().zip(x).map(|(a, b)| a * b).sum()).collect();
            bias.iter().for_each(|b| y.iter_mut().zip(&b[0]).for_each(|(y, b)| *y += b));
            y
        };
        rows.iter().map(one).collect()
    }

    fn norm(&self, name: &str, rows: &Rows, epsilon: f64) -> Rows {
        let scale = self.get(&format!("{name}.weight")).unwrap().remove(0);
        let shift = self.get(&format!("{name}.bias")).map_or_else(|| vec![0.0; scale.len()], |mut b| b.remove(0));
        let one = |x: &Vec<f64>| -> Vec<f64> {
            let mean = x.iter().sum::<f64>() / x.len() as f64;
            let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / x.len() as f64;
            let unit = |(i, x): (usize, &f64)| (x - mean) / (variance + epsilon).sqrt() * scale[i] + shift[i];
            x.iter().enumerate().map(unit).collect()
        };
        rows.iter().map(one).collect()
    }

    fn load(&self, config: &Value) -> Box<dyn Architecture> {
        let dir = tempfile::tempdir().unwrap();
        let bytes = |numbers: &[f32]| numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        let tensors: Vec<_> =
            self.tensors.iter().map(|(n, (shape, x))| (n.as_str(), "F32", shape.as_slice(), bytes(x))).collect();
        std::fs::write(dir.path().join("model.safetensors"), safetensors(&tensors)).unwrap();
        let folder = ModelFolder::open(dir.path()).unwrap();
        crate::arch::load(&folder, config, &Weights::open(&folder).unwrap()).unwrap()
    }
}

fn plus(a: &Rows, b: &Rows) -> Rows {
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a + b).collect()).collect()
}

/// Attention over rows of queries, keys and values, turned by `angle(token, pair)`; `pair` of number `i` is `pairs(i)` with its fellow.
struct Heads<'a> {
    count: usize,
    width: usize,
    /// Numbers of a head that are turned.
    turned: usize,
    interleaved: bool,
    base: f64,
    sees: &'a dyn Fn(usize, usize) -> bool,
    /// What is added to a score, by head, query and key.
    added: &'a dyn Fn(usize, usize, usize) -> f64,
}

impl Heads<'_> {
    fn turn(&self, head: &[f64], token: usize) -> Vec<f64> {
        let mut out = head.to_vec();
        for pair in 0..self.turned / 2 {
            let (a, b) = if self.interleaved { (2 * pair, 2 * pair + 1) } else { (pair, pair + self.turned / 2) };
            let angle = token as f64 / self.base.powf(2.0 * pair as f64 / self.turned as f64);
            out[a] = head[a] * angle.cos() - head[b] * angle.sin();
            out[b] = head[b] * angle.cos() + head[a] * angle.sin();
        }
        out
    }

    fn attend(&self, mixed: &Rows) -> Rows {
        let width = self.count * self.width;
        let mut out = vec![vec![0.0; width]; mixed.len()];
        for head in 0..self.count {
            let part = |which: usize, t: usize| &mixed[t][which * width + head * self.width..][..self.width];
            let keys: Rows = (0..mixed.len()).map(|t| self.turn(part(1, t), t)).collect();
            for (t, out) in out.iter_mut().enumerate() {
                let query = self.turn(part(0, t), t);
                let score =
                    |k: &Vec<f64>| query.iter().zip(k).map(|(a, b)| a * b).sum::<f64>() / (self.width as f64).sqrt();
                let whole = |j: usize| score(&keys[j]) + (self.added)(head, t, j);
                let weight = |j: usize| if (self.sees)(t, j) { whole(j).exp() } else { 0.0 };
                let weights: Vec<f64> = (0..mixed.len()).map(weight).collect();
                let total: f64 = weights.iter().sum();
                for (j, w) in weights.iter().enumerate() {
                    let values = part(2, j).iter().zip(&mut out[head * self.width..]);
                    values.for_each(|(v, out)| *out += w / total * v);
                }
            }
        }
        out
    }
}

fn gelu(x: f64) -> f64 {
    // erf by its series: exact enough for |x| below 6.
    let z = x / 2f64.sqrt();
    let (mut term, mut total) = (z, z);
    for n in 1..150 {
        term *= -z * z / f64::from(n);
        total += term / f64::from(2 * n + 1);
    }
    let erf = if z.abs() > 4.0 { z.signum() } else { total * 2.0 / std::f64::consts::PI.sqrt() };
    x * 0.5 * (1.0 + erf)
}

fn silu(x: f64) -> f64 {
    x / (1.0 + (-x).exp())
}

/// Sequences around the sizes at which the fast path changes its ways.
fn sequences() -> Vec<Vec<u32>> {
    [1usize, 9, 63, 64, 65, 150].iter().map(|n| (0..*n).map(|i| (i * i + 3 * n) as u32 % 40).collect()).collect()
}

fn check(model: &dyn Architecture, naive: impl Fn(&[u32]) -> Rows) {
    let mut scratch = Scratch::default();
    let mut all = Batch::default();
    sequences().into_iter().for_each(|s| all.push(s));
    let together = model.states(&all, &mut scratch);
    for (range, ids) in all.sequences().zip(sequences()) {
        let states = &together[range.start * model.width()..range.end * model.width()];
        let mut alone = Batch::default();
        alone.push(ids.iter().copied());
        assert_eq!(model.states(&alone, &mut scratch), states, "{} tokens alone and among others", ids.len());
        for (t, (state, expected)) in states.chunks(model.width()).zip(naive(&ids)).enumerate() {
            for (x, y) in state.iter().zip(&expected) {
                assert!((f64::from(*x) - y).abs() < 2e-4, "token {t} of {}: {state:?}, not {expected:?}", ids.len());
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Size {
    width: usize,
    heads: usize,
    inner: usize,
    layers: usize,
}

const SMALL: Size = Size { width: 18, heads: 3, inner: 10, layers: 4 };
