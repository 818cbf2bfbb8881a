//! What must be true of vectors that come back, whoever made them.

use crate::{EncodeError, EncodedChunk, FilingInput, Identity, Vector};

/// Checks one filing's vectors: exactly one per chunk, and each as [`check_vector`] wants it. `like` is any vector accepted before.
///
/// # Errors
///
/// [`EncodeError::Count`] and those of [`check_vector`].
pub fn check_filing(
    who: &Identity,
    filing: &FilingInput<'_>,
    encoded: &[EncodedChunk],
    like: Option<&Vector>,
) -> Result<(), EncodeError> {
    if encoded.len() != filing.chunks.len() {
        return Err(EncodeError::Count {
            encoder: who.model.clone(),
            what: filing.source_url.to_owned(),
            expected: filing.chunks.len(),
            given: encoded.len(),
        });
    }
    let like = like.or_else(|| encoded.first().map(|e| &e.vector));
    for (chunk, encoded) in filing.chunks.iter().zip(encoded) {
        check_vector(who, chunk.id, &encoded.vector, like)?;
    }
    Ok(())
}

/// Checks one vector: of the kind and dimension of `like` and of the identity, finite, not all zero.
///
/// # Errors
///
/// [`EncodeError::Dimension`], [`EncodeError::NotFinite`], [`EncodeError::Zero`].
pub fn check_vector(who: &Identity, what: &str, vector: &Vector, like: Option<&Vector>) -> Result<(), EncodeError> {
    let (encoder, what) = (|| who.model.clone(), || what.to_owned());
    let size = |v: &Vector| format!("{} dimensions ({})", v.dims(), v.kind());
    let expected = match like {
        Some(like) if (like.dims(), like.kind()) != (vector.dims(), vector.kind()) => Some(size(like)),
        _ => who.dims.filter(|d| *d != vector.dims()).map(|d| format!("{d} dimensions")),
    };
    if let Some(expected) = expected {
        return Err(EncodeError::Dimension { encoder: encoder(), what: what(), expected, given: size(vector) });
    }
    let zero = match vector {
        Vector::F32(v) => {
            if let Some((at, value)) = v.iter().enumerate().find(|(_, x)| !x.is_finite()) {
                return Err(EncodeError::NotFinite { encoder: encoder(), what: what(), at, value: *value });
            }
            v.iter().all(|x| *x == 0.0)
        }
        Vector::I8(v) => v.iter().all(|x| *x == 0),
        // Clear bits are −1: every pattern has a direction.
        Vector::Bits(v) => v.is_empty(),
    };
    if zero { Err(EncodeError::Zero { encoder: encoder(), what: what() }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ChunkInput;
    use crate::identity::example;

    fn filing(ids: &[&'static str]) -> FilingInput<'static> {
        let chunks = ids.iter().map(|id| ChunkInput { id, text: "x".into() }).collect();
        FilingInput { source_url: "f", title: "", chunks, context: None }
    }

    fn encoded(vectors: &[&[f32]]) -> Vec<EncodedChunk> {
        vectors.iter().map(|v| EncodedChunk::whole(Vector::F32(v.to_vec()))).collect()
    }

    #[test]
    fn each_fault_has_its_name() {
        let who = example();
        let check =
            |ids: &[&'static str], vectors: &[&[f32]]| check_filing(&who, &filing(ids), &encoded(vectors), None);
        assert_eq!(check(&["a", "b"], &[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]]), Ok(()));
        assert!(matches!(
            check(&["a", "b"], &[&[1.0, 0.0, 0.0]]),
            Err(EncodeError::Count { expected: 2, given: 1, .. })
        ));
        assert!(matches!(check(&["a"], &[&[1.0, 0.0]]), Err(EncodeError::Dimension { .. })));
        assert!(matches!(check(&["a"], &[&[1.0, f32::NAN, 0.0]]), Err(EncodeError::NotFinite { at: 1, .. })));
        assert!(matches!(check(&["a"], &[&[1.0, f32::INFINITY, 0.0]]), Err(EncodeError::NotFinite { .. })));
        assert!(matches!(check(&["a"], &[&[0.0, -0.0, 0.0]]), Err(EncodeError::Zero { .. })));
    }

    #[test]
    fn kinds_are_not_mixed() {
        let who = Identity { dims: None, ..example() };
        let like = Vector::F32(vec![1.0; 8]);
        assert!(matches!(
            check_vector(&who, "a", &Vector::I8(vec![1; 8]), Some(&like)),
            Err(EncodeError::Dimension { .. })
        ));
        assert_eq!(check_vector(&who, "a", &Vector::Bits(vec![0]), None), Ok(()));
        assert!(matches!(check_vector(&who, "a", &Vector::I8(vec![0; 8]), None), Err(EncodeError::Zero { .. })));
    }
}
