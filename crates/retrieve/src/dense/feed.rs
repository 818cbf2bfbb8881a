//! Vectors in the order of the corpus, made as they are drawn.

use eightk_encode::{EncodeError, EncodedChunk, FilingInput, Vector};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

use super::binding::Bindings;
use super::encoding::Encoding;
use super::repeats::Repeats;
use super::twins::Twins;
use crate::{Corpus, FilingInputs, Job, RetrieveError};

/// How much is handed to an encoder at a time: enough for it to order texts by length, little enough to hold.
const GROUP_CHUNKS: usize = 4096;
const GROUP_BYTES: usize = 8 << 20;

/// The jobs of consecutive filings.
pub(super) struct Group<'s> {
    /// Number of the first filing, and of the one after the last.
    pub(super) filings: std::ops::Range<usize>,
    pub(super) jobs: Vec<Job<'s>>,
}

/// The group that begins with filing number `first`; none past the end.
pub(super) fn group<'s, 'a: 's>(inputs: &FilingInputs<'s, 'a>, first: usize) -> Option<Group<'s>> {
    let (mut jobs, mut end, mut chunks, mut bytes) = (Vec::new(), first, 0, 0);
    while end < inputs.len() && chunks < GROUP_CHUNKS && bytes < GROUP_BYTES {
        for job in inputs.of_filing(end) {
            chunks += job.positions.len();
            bytes += job.input.chunks.iter().map(|c| c.text.len()).sum::<usize>();
            bytes += job.input.context.as_ref().map_or(0, |c| c.text().len());
            jobs.push(job);
        }
        end += 1;
    }
    (end > first).then_some(Group { filings: first..end, jobs })
}

/// What is noticed on the way.
#[derive(Default)]
pub(super) struct Noticed {
    /// Chunks part of whose own text was cut off.
    pub(super) truncated: u64,
    /// Contexts, and those of them that were not seen whole by all their chunks.
    pub(super) contexts: u64,
    pub(super) windowed: u64,
    /// In views with a context.
    pub(super) bindings: Option<Bindings>,
    /// For vectors made elsewhere.
    pub(super) twins: Option<Twins>,
}

/// An iterator over the vectors of a corpus. It ends early where something failed.
pub(super) struct Feed<'f, 's, 'a, 'e> {
    corpus: &'s Corpus<'a>,
    inputs: &'f FilingInputs<'s, 'a>,
    encoding: &'f mut Encoding<'e>,
    repeats: Repeats,
    /// Vectors of texts that are still to come, by text.
    kept: HashMap<u32, EncodedChunk>,
    next_filing: usize,
    ready: std::vec::IntoIter<EncodedChunk>,
    pub(super) noticed: Noticed,
    pub(super) failed: Option<RetrieveError>,
}

impl<'f, 's, 'a: 's, 'e> Feed<'f, 's, 'a, 'e> {
    pub(super) fn new(
        corpus: &'s Corpus<'a>,
        inputs: &'f FilingInputs<'s, 'a>,
        encoding: &'f mut Encoding<'e>,
        noticed: Noticed,
    ) -> Result<Self, RetrieveError> {
        let encoder = encoding.encoder();
        let repeats = if encoder.goes_by_id() {
            Repeats::none(corpus.len())
        } else {
            Repeats::count(encoder.identity(), inputs, corpus.len())?
        };
        let (kept, ready) = (HashMap::new(), Vec::new().into_iter());
        Ok(Self { corpus, inputs, encoding, repeats, kept, next_filing: 0, ready, noticed, failed: None })
    }

    /// The next group's vectors, in the order of the corpus.
    fn advance(&mut self) -> Result<bool, RetrieveError> {
        let Some(group) = group(self.inputs, self.next_filing) else { return Ok(false) };
        self.next_filing = group.filings.end;
        let first = self.corpus.filing(group.filings.start).map_or(0, |f| f.first);
        let size = group.jobs.iter().map(|j| j.positions.len()).sum();
        let mut encoded = self.encode(&group.jobs, first, size)?;
        for (offset, slot) in encoded.iter_mut().enumerate() {
            let position = u32::try_from(first + offset).unwrap_or(u32::MAX);
            if let (None, Some(text)) = (&slot, self.repeats.text_of(position)) {
                *slot = if self.repeats.take(text) { self.kept.remove(&text) } else { self.kept.get(&text).cloned() };
            }
        }
        let encoded = encoded.into_iter().collect::<Option<Vec<_>>>();
        let encoded = encoded.ok_or_else(|| EncodeError::Bug("a position was left without its vector".to_owned()))?;
        self.noticed.truncated += encoded.iter().filter(|e| e.truncated).count() as u64;
        if let Some(twins) = &mut self.noticed.twins {
            for n in group.filings {
                let Some(filing) = self.corpus.filing(n) else { continue };
                twins.look(n, &filing, encoded.iter().skip(filing.first - first));
            }
        }
        self.ready = encoded.into_iter();
        Ok(true)
    }

    /// Encodes what has not been encoded before. Chunks in a context come back at their places; texts are kept.
    fn encode(
        &mut self,
        jobs: &[Job<'s>],
        first: usize,
        size: usize,
    ) -> Result<Vec<Option<EncodedChunk>>, RetrieveError> {
        let by_id = self.encoding.encoder().goes_by_id();
        let (mut inputs, mut chosen, mut fresh) = (Vec::new(), Vec::new(), HashSet::new());
        for (at, job) in jobs.iter().enumerate() {
            let mut places: Vec<usize> = (0..job.positions.len()).collect();
            if job.input.context.is_none() || by_id {
                places.retain(|i| {
                    let text = job.positions.get(*i).and_then(|position| self.repeats.text_of(*position));
                    // The first occurrence is encoded, inside its filing.
                    text.is_none_or(|text| !self.kept.contains_key(&text) && fresh.insert(text))
                });
                let chunks = places.iter().filter_map(|i| job.input.chunks.get(*i).cloned()).collect();
                inputs.push(FilingInput { chunks, context: None, ..job.input });
            } else {
                inputs.push(job.input.clone());
            }
            if places.is_empty() {
                inputs.pop();
            } else {
                chosen.push((at, places));
            }
        }
        let mut found: Vec<Option<EncodedChunk>> = vec![None; size];
        for ((at, places), encoded) in chosen.into_iter().zip(self.encoding.filings(&inputs)?) {
            let Some(job) = jobs.get(at) else { continue };
            if let Some(bindings) = &mut self.noticed.bindings {
                bindings.look(job, &encoded);
            }
            if job.input.context.is_some() && !by_id {
                self.noticed.contexts += 1;
                self.noticed.windowed += u64::from(encoded.iter().any(|e| e.seen.is_some()));
            }
            for (place, encoded) in places.into_iter().zip(encoded) {
                let Some(position) = job.positions.get(place) else { continue };
                match self.repeats.text_of(*position) {
                    Some(text) => {
                        self.kept.insert(text, encoded);
                    }
                    None => {
                        let offset = (*position as usize).checked_sub(first);
                        if let Some(slot) = offset.and_then(|offset| found.get_mut(offset)) {
                            *slot = Some(encoded);
                        }
                    }
                }
            }
        }
        Ok(found)
    }
}

impl<'s, 'a: 's> Iterator for Feed<'_, 's, 'a, '_> {
    type Item = Vector;

    fn next(&mut self) -> Option<Vector> {
        loop {
            if let Some(encoded) = self.ready.next() {
                return Some(encoded.vector);
            }
            if self.failed.is_some() {
                return None;
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(failed) => {
                    self.failed = Some(failed);
                    return None;
                }
            }
        }
    }
}
