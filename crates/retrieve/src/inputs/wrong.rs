//! Each chunk in a random other filing.
//!
//! It is put between two chunks of the other filing, as far from its beginning as it was from that of its own, and nothing is taken out:
//! what tells whose the other filing is stays in view, and is wrong. Chunks do not meet their neighbours there, so each is a job of
//! its own.

use std::borrow::Cow;

use eightk_encode::ChunkInput;

use super::sheet::Kind;
use super::{FilingInputs, Job, seeded::Seeded};
use crate::FilingChunks;

pub(super) fn jobs<'s, 'a: 's>(
    inputs: &FilingInputs<'s, 'a>,
    n: usize,
    filing: &FilingChunks<'s, 'a>,
    seed: u64,
) -> Vec<Job<'s>> {
    let Some(host) = inputs.corpus.filing(another(inputs, n, filing, seed)) else { return Vec::new() };
    let whole = inputs.view.sees_filing().then(|| inputs.sheet(&host));
    let count = filing.chunks.len();
    let one = |(i, chunk): (usize, &&'a eightk_core::Chunk)| {
        let place = place(i, count, host.chunks.len());
        let (text, context) = match &whole {
            Some(sheet) => {
                let mut sheet = sheet.clone();
                sheet.insert(place, &chunk.text);
                (Cow::Borrowed(chunk.text.as_str()), sheet.context(|kind| (kind == Kind::Guest).then_some(0)))
            }
            None => {
                let mut texts: Vec<&str> = host.chunks.iter().map(|c| c.text.as_str()).collect();
                texts.insert(place.min(texts.len()), &chunk.text);
                (inputs.alone(host.title, &texts, place), None)
            }
        };
        let mut job = inputs.job(&host, vec![ChunkInput { id: &chunk.id, text }], context, []);
        job.positions = vec![u32::try_from(filing.first + i).unwrap_or(u32::MAX)];
        job
    };
    filing.chunks.iter().enumerate().map(one).collect()
}

/// Which filing stands for filing number `n`: any other, all as likely.
fn another(inputs: &FilingInputs<'_, '_>, n: usize, filing: &FilingChunks<'_, '_>, seed: u64) -> usize {
    let drawn = Seeded::of(seed, filing.source_url).below(inputs.len().saturating_sub(1));
    if drawn < n { drawn } else { drawn + 1 }
}

/// Before which of `there` chunks the chunk `i` of `here` is put: the middle of its own place, scaled.
fn place(i: usize, here: usize, there: usize) -> usize {
    let slots = there as u128 + 1;
    let at = (2 * i as u128 + 1) * slots / (2 * (here as u128).max(1));
    usize::try_from(at).unwrap_or(there).min(there)
}
