//! Each chunk in a random other filing.
//!
//! It is put between two chunks of the other filing, as far from its beginning as it was from that of its own, and nothing is taken out:
//! what tells whose the other filing is stays in view, and is wrong. Chunks do not meet their neighbours there, so each is a job of
//! its own.

use std::borrow::Cow;

use eightk_core::short_name;
use eightk_encode::ChunkInput;

use super::filter::Filter;
use super::{FilingInputs, Job};
use crate::FilingChunks;
use crate::seeded::Seeded;

/// How often another filing is drawn where the one drawn is of the same company.
const DRAWS: usize = 32;

pub(super) fn jobs<'s, 'a: 's>(
    inputs: &FilingInputs<'s, 'a>,
    n: usize,
    filing: &FilingChunks<'s, 'a>,
    seed: u64,
) -> Vec<Job<'s>> {
    let Some(host) = another(inputs, n, filing, seed) else { return Vec::new() };
    let whole = inputs.view.sees_filing().then(|| inputs.sheet(&host));
    let mut texts: Vec<&str> = host.chunks.iter().map(|c| c.text.as_str()).collect();
    let mut one = |(i, chunk): (usize, &&'a eightk_core::Chunk)| {
        let place = place(i, filing.chunks.len(), host.chunks.len());
        let seat = host.chunks.get(place).or(host.chunks.last());
        let prefix = seat.map_or("", |seat| inputs.prefix(&seat.id));
        let (text, context) = if let Some(sheet) = &whole {
            let mut sheet = sheet.clone();
            sheet.insert(place, prefix, &chunk.text);
            (Cow::Borrowed(chunk.text.as_str()), sheet.context_of_guest())
        } else {
            texts.insert(place, &chunk.text);
            let text = inputs.alone(host.title, prefix, &texts, place, Filter::All);
            texts.remove(place);
            (text, None)
        };
        inputs.job(&host, vec![ChunkInput { id: &chunk.id, text }], context, [filing.first + i])
    };
    filing.chunks.iter().enumerate().map(&mut one).collect()
}

/// Which filing stands for filing number `n`: any other, all as likely; drawn again while it goes by the same short name.
fn another<'s, 'a: 's>(
    inputs: &FilingInputs<'s, 'a>,
    n: usize,
    filing: &FilingChunks<'s, 'a>,
    seed: u64,
) -> Option<FilingChunks<'s, 'a>> {
    let mut seeded = Seeded::of(seed, filing.source_url);
    let mut draw = || {
        let drawn = seeded.below(inputs.len().saturating_sub(1));
        inputs.corpus.filing(if drawn < n { drawn } else { drawn + 1 })
    };
    let own = short_name(filing.title);
    let same = |other: &Option<FilingChunks<'_, '_>>| {
        own.is_some() && other.as_ref().is_some_and(|o| short_name(o.title) == own)
    };
    let mut other = draw();
    for _ in 1..DRAWS {
        if !same(&other) {
            break;
        }
        other = draw();
    }
    other
}

/// Before which of `there` chunks the chunk `i` of `here` is put: the middle of its own place, scaled.
fn place(i: usize, here: usize, there: usize) -> usize {
    let slots = there as u128 + 1;
    let at = (2 * i as u128 + 1) * slots / (2 * (here as u128).max(1));
    usize::try_from(at).unwrap_or(there).min(there)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_scaled() {
        assert_eq!([0, 1, 2].map(|i| place(i, 3, 2)), [0, 1, 2]);
        assert_eq!(place(0, 1, 1), 1);
        assert_eq!((place(0, 10, 4), place(9, 10, 4)), (0, 4));
        assert_eq!(place(usize::MAX - 1, usize::MAX, 7), 7);
    }
}
