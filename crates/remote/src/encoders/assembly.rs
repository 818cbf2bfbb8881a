//! Vectors back into filings.
//!
//! A filing's chunks may come home in several requests, out of order, and beside vectors that nobody asked for.

use eightk_encode::{EncodedChunk, FilingInput, Vector};

use super::plan::Unit;

/// Chunks' vectors until their filing is complete.
pub(crate) struct Assembly(Vec<(Vec<Option<EncodedChunk>>, usize)>);

impl Assembly {
    pub(crate) fn new(filings: &[FilingInput<'_>]) -> Self {
        Self(filings.iter().map(|f| (vec![None; f.chunks.len()], f.chunks.len())).collect())
    }

    /// Puts a unit's vectors where they belong; the owner's chunks where that was the last of them.
    pub(crate) fn put(&mut self, unit: &Unit<'_>, vectors: Vec<Vector>) -> Option<Vec<EncodedChunk>> {
        let (slots, missing) = self.0.get_mut(unit.owner)?;
        let mut vectors: Vec<Option<Vector>> = vectors.into_iter().map(Some).collect();
        for place in &unit.places {
            let vector = vectors.get_mut(place.text)?.take()?;
            let slot = slots.get_mut(place.chunk)?;
            if slot.is_none() {
                *missing -= 1;
            }
            *slot = Some(EncodedChunk { vector, truncated: place.truncated, seen: place.seen });
        }
        (*missing == 0).then(|| std::mem::take(slots).into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoders::plan::Place;

    #[test]
    fn chunks_come_home_from_several_units() {
        let chunk = |id| eightk_encode::ChunkInput { id, text: "x".into() };
        let filing = FilingInput { source_url: "f", title: "", chunks: vec![chunk("a"), chunk("b")], context: None };
        let mut assembly = Assembly::new(&[filing.clone(), filing]);
        let unit = |owner, chunk, text| {
            let places = vec![Place { text, chunk, truncated: chunk == 1, seen: None }];
            Unit { owner, texts: vec!["t", "x"], tokens: 1, places }
        };
        let vectors = || vec![Vector::F32(vec![1.0]), Vector::F32(vec![2.0])];
        assert_eq!(assembly.put(&unit(1, 1, 1), vectors()), None);
        assert_eq!(assembly.put(&unit(0, 0, 0), vectors()), None);
        let done = assembly.put(&unit(1, 0, 0), vectors()).unwrap();
        assert_eq!(
            done.iter().map(|c| (c.vector.to_f32()[0], c.truncated)).collect::<Vec<_>>(),
            [(1.0, false), (2.0, true)]
        );
    }
}
