//! One row per token, as the file has it.
//!
//! Halves and bytes stay what they are and are widened row by row: a table is the whole model, and widening it at loading would
//! take two or four times the memory for nothing. Sums are in f64, which costs nothing beside reading the rows.

use eightk_encode::EncodeError;
use half::{bf16, f16};

use crate::folder::{RawTensor, Weights};

/// Numbers as stored.
#[derive(Debug, PartialEq)]
enum Numbers {
    F64(Vec<f64>),
    F32(Vec<f32>),
    F16(Vec<f16>),
    Bf16(Vec<bf16>),
    I8(Vec<i8>),
}

impl Numbers {
    fn read(tensor: &RawTensor) -> Result<Self, String> {
        let data = &tensor.bytes;
        let numbers = match tensor.dtype.as_str() {
            "F64" => Self::F64(data.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect()),
            "F32" => Self::F32(data.as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()),
            "F16" => Self::F16(data.as_chunks().0.iter().map(|b| f16::from_le_bytes(*b)).collect()),
            "BF16" => Self::Bf16(data.as_chunks().0.iter().map(|b| bf16::from_le_bytes(*b)).collect()),
            "I8" => Self::I8(data.iter().map(|b| i8::from_le_bytes([*b])).collect()),
            other => return Err(format!("is written in {other}; F64, F32, F16, BF16 and I8 can be read")),
        };
        Ok(numbers)
    }

    /// Adds `weight` times the numbers from `start` on to `sum`.
    fn add(&self, start: usize, weight: f64, sum: &mut [f64]) {
        fn add<T: Copy>(from: Option<&[T]>, weight: f64, sum: &mut [f64], widen: impl Fn(T) -> f64) {
            for (sum, x) in sum.iter_mut().zip(from.unwrap_or_default()) {
                *sum += weight * widen(*x);
            }
        }
        match self {
            Self::F64(v) => add(v.get(start..), weight, sum, |x| x),
            Self::F32(v) => add(v.get(start..), weight, sum, f64::from),
            Self::F16(v) => add(v.get(start..), weight, sum, f64::from),
            Self::Bf16(v) => add(v.get(start..), weight, sum, f64::from),
            Self::I8(v) => add(v.get(start..), weight, sum, f64::from),
        }
    }

    fn to_f64(&self) -> Vec<f64> {
        match self {
            Self::F64(v) => v.clone(),
            Self::F32(v) => v.iter().map(|x| f64::from(*x)).collect(),
            Self::F16(v) => v.iter().map(|x| x.to_f64()).collect(),
            Self::Bf16(v) => v.iter().map(|x| x.to_f64()).collect(),
            Self::I8(v) => v.iter().map(|x| f64::from(*x)).collect(),
        }
    }
}

/// The vectors of all tokens.
#[derive(Debug, PartialEq)]
pub(super) struct Table {
    rows: Numbers,
    count: usize,
    dims: usize,
    /// Which row a token has; none: its own number.
    mapping: Option<Vec<usize>>,
    /// How much each token counts; none: all the same.
    weights: Option<Vec<f64>>,
    /// As in the file: `f32`, `i8`, …
    dtype: String,
}

impl Table {
    /// The tensor `name`, and `mapping` and `weights` beside it.
    pub(super) fn read(weights: &Weights, name: &str) -> Result<Self, EncodeError> {
        let bad = |tensor: &str, why: String| weights.bad(tensor, why);
        let raw = |name: &str| weights.shape(name).is_some().then(|| weights.raw(name)).transpose();
        let tensor = weights.raw(name)?;
        let &[count, dims] = tensor.shape.as_slice() else {
            return Err(bad(name, format!("has the shape {:?}; one row per token is expected", tensor.shape)));
        };
        if dims == 0 || count == 0 {
            return Err(bad(name, "is empty".to_owned()));
        }
        let mapping = raw("mapping")?.map(|t| positions(&t, count).map_err(|e| bad("mapping", e))).transpose()?;
        let each = raw("weights")?.map(|t| Numbers::read(&t).map_err(|e| bad("weights", e))).transpose()?;
        let rows = Numbers::read(&tensor).map_err(|e| bad(name, e))?;
        let dtype = tensor.dtype.to_lowercase();
        Ok(Self { rows, count, dims, mapping, weights: each.map(|w| w.to_f64()), dtype })
    }

    /// Numbers per row.
    pub(super) const fn dims(&self) -> usize {
        self.dims
    }

    /// What the numbers were stored as.
    pub(super) fn dtype(&self) -> &str {
        &self.dtype
    }

    /// Whether every token below `vocabulary` has a row, and a weight where there are any.
    pub(super) fn covers(&self, vocabulary: usize) -> bool {
        self.mapping.as_ref().map_or(self.count, Vec::len) >= vocabulary
            && self.weights.as_ref().is_none_or(|w| w.len() >= vocabulary)
    }

    /// The mean of the tokens' rows, each times its weight; none without tokens, or where one has no row.
    pub(super) fn mean(&self, tokens: &[u32]) -> Option<Vec<f64>> {
        let mut sum = vec![0.0; self.dims];
        for token in tokens {
            let token = *token as usize;
            let row = match &self.mapping {
                Some(mapping) => *mapping.get(token)?,
                None => (token < self.count).then_some(token)?,
            };
            let weight = match &self.weights {
                Some(weights) => *weights.get(token)?,
                None => 1.0,
            };
            self.rows.add(row * self.dims, weight, &mut sum);
        }
        let count = tokens.len() as f64;
        (!tokens.is_empty()).then(|| {
            sum.iter_mut().for_each(|x| *x /= count);
            sum
        })
    }
}

/// Row numbers, all below `count`.
fn positions(tensor: &RawTensor, count: usize) -> Result<Vec<usize>, String> {
    let data = &tensor.bytes;
    let read: Vec<i64> = match tensor.dtype.as_str() {
        "I64" => data.as_chunks().0.iter().map(|b| i64::from_le_bytes(*b)).collect(),
        "I32" => data.as_chunks().0.iter().map(|b| i64::from(i32::from_le_bytes(*b))).collect(),
        "U32" => data.as_chunks().0.iter().map(|b| i64::from(u32::from_le_bytes(*b))).collect(),
        "U16" => data.as_chunks().0.iter().map(|b| i64::from(u16::from_le_bytes(*b))).collect(),
        other => return Err(format!("is written in {other}, not in integers")),
    };
    let row = |(token, row): (usize, i64)| {
        let valid = usize::try_from(row).ok().filter(|r| *r < count);
        valid.ok_or_else(|| format!("sends token {token} to row {row} of {count}"))
    };
    read.into_iter().enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::ModelFolder;
    use crate::statics::testing::safetensors;

    fn table(tensors: &[(&str, &str, &[usize], Vec<u8>)]) -> Result<Table, EncodeError> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("model.safetensors"), safetensors(tensors)).unwrap();
        Table::read(&Weights::open(&ModelFolder::open(dir.path()).unwrap())?, "embeddings")
    }

    fn bytes<const N: usize, T>(numbers: impl IntoIterator<Item = T>, to: impl Fn(T) -> [u8; N]) -> Vec<u8> {
        numbers.into_iter().flat_map(to).collect()
    }

    #[test]
    fn every_kind_of_number_gives_the_same_mean() {
        let numbers = [1.0f32, -2.0, 3.0, 4.0, 0.5, 8.0];
        let kinds = [
            ("F32", bytes(numbers, f32::to_le_bytes)),
            ("F64", bytes(numbers, |x| f64::from(x).to_le_bytes())),
            ("F16", bytes(numbers, |x| f16::from_f32(x).to_le_bytes())),
            ("BF16", bytes(numbers, |x| bf16::from_f32(x).to_le_bytes())),
        ];
        for (dtype, data) in kinds {
            let table = table(&[("embeddings", dtype, &[3, 2], data)]).unwrap();
            assert_eq!(table.mean(&[0, 2, 2]), Some(vec![2.0 / 3.0, 14.0 / 3.0]), "{dtype}");
            assert_eq!((table.mean(&[]), table.mean(&[3])), (None, None));
            assert!(table.covers(3) && !table.covers(4));
            assert_eq!((table.dims(), table.dtype()), (2, dtype.to_lowercase().as_str()));
        }
        let bytes = table(&[("embeddings", "I8", &[2, 2], vec![1, 255, 3, 128])]).unwrap();
        assert_eq!(bytes.mean(&[0, 1]), Some(vec![2.0, -64.5]));
    }

    #[test]
    fn shared_rows_count_by_the_weight_of_each_token() {
        let table = table(&[
            ("embeddings", "F32", &[2, 1], bytes([10.0f32, 1.0], f32::to_le_bytes)),
            ("mapping", "I64", &[3], bytes([1i64, 0, 1], i64::to_le_bytes)),
            ("weights", "F32", &[3], bytes([0.5f32, 2.0, 3.0], f32::to_le_bytes)),
        ])
        .unwrap();
        assert_eq!(table.mean(&[0, 1, 2]), Some(vec![(0.5 + 20.0 + 3.0) / 3.0]));
        assert!(table.covers(3) && !table.covers(4));
        assert_eq!(table.mean(&[3]), None, "no such token");
    }

    #[test]
    fn foreign_files_are_refused_in_words() {
        let said = |tensors: &[(&str, &str, &[usize], Vec<u8>)]| table(tensors).unwrap_err().to_string();
        let row = || ("embeddings", "F32", &[1usize, 1] as &[usize], vec![0; 4]);
        assert!(said(&[("other", "F32", &[1, 1], vec![0; 4])]).contains("no tensor embeddings"));
        assert!(said(&[("embeddings", "F32", &[1], vec![0; 4])]).contains("shape"));
        assert!(said(&[("embeddings", "F32", &[0, 3], vec![])]).contains("empty"));
        assert!(said(&[("embeddings", "U8", &[1, 1], vec![0])]).contains("U8"));
        assert!(said(&[("embeddings", "F32", &[2, 1], vec![0; 4])]).contains("cannot be"));
        let mapping = bytes([-1i64], i64::to_le_bytes);
        assert!(said(&[row(), ("mapping", "I64", &[1], mapping)]).contains("token 0 to row -1 of 1"));
        assert!(said(&[row(), ("weights", "I64", &[1], vec![0; 8])]).contains("I64"));
    }
}
