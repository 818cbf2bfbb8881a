//! A vector as its maker gives it.
//!
//! Kept as sent: int8 and binary vectors are what some services serve, and turning them into f32 would hide from the
//! search that they need an eighth or a thirtieth of the memory.

/// One embedding.
#[derive(Debug, Clone, PartialEq)]
pub enum Vector {
    /// Floats.
    F32(Vec<f32>),
    /// Signed bytes, not normalised: only their cosine means something.
    I8(Vec<i8>),
    /// Bits, eight to a byte, the lowest first; a set bit is +1, a clear one −1.
    Bits(Vec<u8>),
}

impl Vector {
    /// Number of dimensions.
    pub const fn dims(&self) -> usize {
        match self {
            Self::F32(v) => v.len(),
            Self::I8(v) => v.len(),
            Self::Bits(v) => v.len() * 8,
        }
    }

    /// `f32`, `int8` or `binary`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::F32(_) => "f32",
            Self::I8(_) => "int8",
            Self::Bits(_) => "binary",
        }
    }

    /// The same as floats; bits become ±1.
    pub fn to_f32(&self) -> Vec<f32> {
        match self {
            Self::F32(v) => v.clone(),
            Self::I8(v) => v.iter().map(|x| f32::from(*x)).collect(),
            Self::Bits(v) => {
                let bit = |byte: u8, i: u8| if byte >> i & 1 == 1 { 1.0 } else { -1.0 };
                v.iter().flat_map(|byte| (0..8).map(move |i| bit(*byte, i))).collect()
            }
        }
    }

    /// Length in the Euclidean sense, summed in f64.
    pub fn norm(&self) -> f64 {
        let squares = |v: &[f32]| v.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
        match self {
            Self::F32(v) => squares(v),
            Self::I8(v) => v.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt(),
            Self::Bits(v) => ((v.len() * 8) as f64).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_as_floats() {
        assert_eq!(Vector::I8(vec![-128, 0, 3]).to_f32(), [-128.0, 0.0, 3.0]);
        let bits = Vector::Bits(vec![0b0000_0101]);
        assert_eq!(bits.to_f32(), [1.0, -1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0]);
        assert_eq!((bits.dims(), bits.kind()), (8, "binary"));
        assert!((Vector::F32(vec![3.0, 4.0]).norm() - 5.0).abs() < 1e-12);
        assert!((bits.norm() - 8f64.sqrt()).abs() < 1e-12);
    }
}
