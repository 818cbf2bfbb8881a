//! Scores between runs.
//!
//! They lie in the store of vectors, under the reranker's own identity: the bytes of an f64 for each passage, NaN where the reranker gave no
//! score. One entry a query and list of passages, since some services score a list as a whole.

use eightk_encode::{EncodeError, EncodedChunk, Identity, Vector, VectorKey, VectorStore};

/// The scores that are kept for so many passages; none where there are none, or they are something else.
pub(super) fn get(
    store: &dyn VectorStore,
    who: &Identity,
    key: VectorKey,
    passages: usize,
) -> Result<Option<Vec<Option<f64>>>, EncodeError> {
    let found = store.get(who, &[key])?.pop().flatten();
    let Some(EncodedChunk { vector: Vector::Bits(bytes), .. }) = found else { return Ok(None) };
    let (numbers, []) = bytes.as_chunks::<8>() else { return Ok(None) };
    let score = |bytes: &[u8; 8]| Some(f64::from_le_bytes(*bytes)).filter(|score| score.is_finite());
    Ok((numbers.len() == passages).then(|| numbers.iter().map(score).collect()))
}

/// Keeps them.
pub(super) fn put(
    store: &dyn VectorStore,
    who: &Identity,
    key: VectorKey,
    scores: &[Option<f64>],
) -> Result<(), EncodeError> {
    let bytes = scores.iter().flat_map(|score| score.unwrap_or(f64::NAN).to_le_bytes()).collect();
    store.put(who, &[(key, EncodedChunk::whole(Vector::Bits(bytes)))])
}
