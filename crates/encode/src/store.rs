//! Where vectors stay once they are made.

use eightk_core::Span;

use crate::{EncodeError, EncodedChunk, Identity, Vector, VectorKey};

/// What is kept of an encoded chunk: all of it.
pub type Stored = EncodedChunk;

/// Keeps vectors between runs. Safe to use from several threads; what `put` returned `Ok` for survives a kill.
pub trait VectorStore: Send + Sync {
    /// What is known under each key, in the keys' order.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Io`] and [`EncodeError::Data`]. A damaged entry is no error but is not known.
    fn get(&self, who: &Identity, keys: &[VectorKey]) -> Result<Vec<Option<Stored>>, EncodeError>;

    /// Keeps all of them or none.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Io`].
    fn put(&self, who: &Identity, entries: &[(VectorKey, Stored)]) -> Result<(), EncodeError>;
}

impl EncodedChunk {
    /// As bytes, the same for equal values: kind, truncation, what was seen, then the numbers in little-endian order.
    pub fn to_bytes(&self) -> Vec<u8> {
        let kind = match self.vector {
            Vector::F32(_) => 0u8,
            Vector::I8(_) => 1,
            Vector::Bits(_) => 2,
        };
        let mut bytes = vec![kind, u8::from(self.truncated), u8::from(self.seen.is_some())];
        if let Some(seen) = self.seen {
            bytes.extend_from_slice(&(seen.start as u64).to_le_bytes());
            bytes.extend_from_slice(&(seen.end as u64).to_le_bytes());
        }
        match &self.vector {
            Vector::F32(v) => bytes.extend(v.iter().flat_map(|x| x.to_le_bytes())),
            Vector::I8(v) => bytes.extend(v.iter().flat_map(|x| x.to_le_bytes())),
            Vector::Bits(v) => bytes.extend_from_slice(v),
        }
        bytes
    }

    /// Back from [`to_bytes`](Self::to_bytes); none where the bytes are something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let ([kind, truncated, has_seen], rest) = bytes.split_first_chunk::<3>().map(|(h, r)| (*h, r))?;
        let (seen, rest) = match has_seen {
            0 => (None, rest),
            1 => {
                let (start, rest) = rest.split_first_chunk::<8>()?;
                let (end, rest) = rest.split_first_chunk::<8>()?;
                let number = |b: &[u8; 8]| usize::try_from(u64::from_le_bytes(*b)).ok();
                (Some(Span::new(number(start)?, number(end)?)), rest)
            }
            _ => return None,
        };
        let vector = match kind {
            0 => {
                let (numbers, []) = rest.as_chunks::<4>() else { return None };
                Vector::F32(numbers.iter().map(|b| f32::from_le_bytes(*b)).collect())
            }
            1 => Vector::I8(rest.iter().map(|b| i8::from_le_bytes([*b])).collect()),
            2 => Vector::Bits(rest.to_vec()),
            _ => return None,
        };
        (truncated < 2).then_some(Self { vector, truncated: truncated == 1, seen })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn there_and_back(numbers in prop::collection::vec(-1e9f32..1e9, 0..9), kind in 0..3, truncated: bool, seen in prop::option::of((0usize..99, 0usize..99))) {
            let vector = match kind {
                0 => Vector::F32(numbers),
                1 => Vector::I8(numbers.iter().map(|x| *x as i8).collect()),
                _ => Vector::Bits(numbers.iter().map(|x| *x as u8).collect()),
            };
            let chunk = EncodedChunk { vector, truncated, seen: seen.map(|(a, b)| Span::new(a, b)) };
            prop_assert_eq!(EncodedChunk::from_bytes(&chunk.to_bytes()), Some(chunk));
        }

        #[test]
        fn other_bytes_are_nothing_or_something(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Some(chunk) = EncodedChunk::from_bytes(&bytes) {
                prop_assert_eq!(chunk.to_bytes(), bytes);
            }
        }
    }
}
