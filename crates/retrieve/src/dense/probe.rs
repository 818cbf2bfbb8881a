//! Whether an encoder that says it sees context does.
//!
//! A server that takes a filing's chunks may treat each alone, by a wrong setting, a proxy that flattens lists or a model that is another
//! than its name says. Its scores would then be published as those of a contextual model. So one sentence is put into two invented
//! filings: if it gets the same vector twice, no context went into it.

use eightk_encode::{ChunkInput, Context, EncodeError, FilingInput, Vector};

use super::encoding::Encoding;

/// What two filings share.
const SENTENCE: &str = "The Company expects the work to be finished by the end of the year.";
/// What stands around it, which could hardly differ more.
const AROUND: [(&str, &str, &str); 2] = [
    (
        "probe-1",
        "Hartwick Lanterns Inc. (the \"Company\") makes lamps for lighthouses and paints them by hand.",
        "The kilns in its northern workshop will be rebuilt at a cost of $2 million.",
    ),
    (
        "probe-2",
        "Oriel Dredging Corporation (the \"Company\") deepens harbors with a fleet of nine ships.",
        "A channel of forty miles is being cleared of sand under a contract with the port.",
    ),
];
/// From this cosine on two vectors count as one: what batches, threads and half precision change is smaller, what a context
/// changes is larger by orders of magnitude.
const SAME: f64 = 1.0 - 1e-4;

/// The two filings; the shared sentence is the second chunk of each.
pub(super) fn filings() -> [FilingInput<'static>; 2] {
    AROUND.map(|(source_url, before, after)| {
        let texts = [before, SENTENCE, after];
        FilingInput {
            source_url,
            title: "",
            chunks: texts.iter().map(|text| ChunkInput { id: source_url, text: (*text).into() }).collect(),
            context: Some(Context::joined(texts.into_iter().enumerate().map(|(i, text)| (text, Some(i))))),
        }
    })
}

/// The cosine of the shared sentence's two vectors where they count as one: the encoder is context-free.
pub(super) fn context_free(encoding: &mut Encoding<'_>) -> Result<Option<f64>, EncodeError> {
    let encoded = encoding.filings(&filings())?;
    let vectors: Vec<&Vector> = encoded.iter().filter_map(|filing| filing.get(1)).map(|e| &e.vector).collect();
    let [one, two] = vectors.as_slice() else {
        return Err(EncodeError::Bug("the probe has not two vectors".to_owned()));
    };
    Ok(same(one, two))
}

/// The cosine of two vectors that count as one.
pub(super) fn same(one: &Vector, two: &Vector) -> Option<f64> {
    if one == two {
        return Some(1.0);
    }
    let cosine = cosine(one, two);
    (cosine >= SAME).then_some(cosine)
}

fn cosine(one: &Vector, two: &Vector) -> f64 {
    let product: f64 = one.to_f32().iter().zip(two.to_f32()).map(|(a, b)| f64::from(*a) * f64::from(b)).sum();
    product / (one.norm() * two.norm())
}
