//! Control `swap`: for its query, the answer has the vector it gets in a rival's filing, and the rival the one it gets in the answer's.

use std::collections::BTreeMap;

use eightk_encode::{FilingInput, Vector};

use super::encoding::Encoding;
use crate::{Corpus, Job, RetrieveError, Swaps};

/// How many exchanges are encoded at a time.
const GROUP: usize = 256;

/// What stands elsewhere for one query.
#[derive(Debug)]
pub(super) struct Swapped {
    /// Id of the rival.
    pub(super) with: String,
    /// Positions with the vectors that stand there.
    pub(super) replaced: Vec<(u32, Vector)>,
}

/// The vectors of all exchanges by query, and how many of them were cut.
pub(super) fn swapped(
    corpus: &Corpus<'_>,
    swaps: &Swaps<'_, '_>,
    encoding: &mut Encoding<'_>,
) -> Result<(BTreeMap<String, Swapped>, u64), RetrieveError> {
    let (mut by_query, mut truncated) = (BTreeMap::new(), 0);
    let plan: Vec<_> = swaps.plan().iter().enumerate().collect();
    for group in plan.chunks(GROUP) {
        let made = group.iter().filter_map(|(n, swap)| Some((*swap, swaps.jobs(*n)?)));
        let (of, jobs): (Vec<_>, Vec<[Job<'_>; 2]>) = made.unzip();
        let inputs: Vec<FilingInput<'_>> = jobs.iter().flatten().map(|job| job.input.clone()).collect();
        let mut encoded = encoding.filings(&inputs)?.into_iter();
        for (swap, pair) in of.into_iter().zip(&jobs) {
            let mut replaced = Vec::with_capacity(pair.len());
            for (job, encoded) in pair.iter().zip(encoded.by_ref().take(pair.len())) {
                let (Some(position), Some(encoded)) = (job.positions.first(), encoded.into_iter().next()) else {
                    continue;
                };
                truncated += u64::from(encoded.truncated);
                replaced.push((*position, encoded.vector));
            }
            by_query.insert(swap.query.clone(), Swapped { with: corpus.id(swap.rival).to_owned(), replaced });
        }
    }
    Ok((by_query, truncated))
}
