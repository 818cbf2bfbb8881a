//! Encoders that a test can see through.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use eightk_core::Span;
use eightk_encode::{
    EncodeError, EncodedChunk, Encoder, FilingInput, Identity, OnFiling, OnQuery, Reranker, Similarity, Stored, Usage,
    Vector, VectorKey, VectorStore,
};

use crate::{EncoderSpec, Encoders, RerankerSpec};

const DIMS: usize = 64;

/// What a toy does with its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Toy {
    /// Counts words.
    Words,
    /// Counts the words of the context too, at half the weight.
    Late,
    /// The same, but sees only so many bytes to each side of a chunk.
    Window(usize),
    /// Says that it sees context and looks at each chunk alone.
    Deaf,
    /// Goes by chunk ids: a vector of the id's own words, or of the text where `true`.
    ById(bool),
    /// Errs.
    Faulty(Fault),
}

/// How.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    OneTooFew,
    OneTooMany,
    NotANumber,
    Zeros,
    OtherSize,
    Skips,
    Twice,
    OutOfRange,
    QueryOfOtherSize,
    NoQueries,
    Dies,
}

/// A toy with its counters.
pub(super) struct Counting {
    toy: Toy,
    identity: Identity,
    /// Calls of `encode_filings` and `encode_queries`.
    pub(super) calls: AtomicUsize,
    /// Chunks encoded.
    pub(super) chunks: AtomicUsize,
    /// Every filing handed over: `source_url`, how many chunks, whether in a context.
    pub(super) handed: Mutex<Vec<(String, usize, bool)>>,
    /// Stops with an error after so many filings.
    pub(super) fails_after: AtomicUsize,
}

impl Counting {
    pub(super) fn new(toy: Toy) -> Self {
        let identity = Identity {
            provider: "toy".into(),
            model: format!("{toy:?}").to_lowercase(),
            revision: "1".into(),
            dims: None,
            similarity: Similarity::Cosine,
            query_prompt: "ask ".into(),
            passage_prompt: String::new(),
            settings: BTreeMap::from([("pooling".into(), "sum".into())]),
        };
        let (calls, chunks) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { toy, identity, calls, chunks, handed: Mutex::default(), fails_after: AtomicUsize::new(usize::MAX) }
    }

    fn chunk(&self, input: &FilingInput<'_>, at: usize) -> EncodedChunk {
        let chunk = &input.chunks[at];
        let mut vector = match self.toy {
            Toy::ById(false) => words(chunk.id),
            _ => words(&chunk.text),
        };
        let mut seen = None;
        if let (Some(context), Toy::Late | Toy::Window(_)) = (&input.context, self.toy) {
            let mut around = context.text();
            if let (Toy::Window(reach), Some(span)) = (self.toy, context.span_of(at)) {
                let window = Span::new(span.start.saturating_sub(reach), (span.end + reach).min(around.len()));
                around = &around[window.start..window.end];
                seen = Some(window);
            }
            vector.iter_mut().zip(words(around)).for_each(|(x, c)| *x += c / 2.0);
        }
        EncodedChunk { vector: Vector::F32(vector), truncated: chunk.text.contains("endless"), seen }
    }
}

/// A bag of words, hashed.
pub(super) fn words(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMS];
    vector[0] = 0.01;
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
        let hash = word.to_lowercase().bytes().fold(7u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        vector[1 + ((hash ^ (hash >> 40)) % 61) as usize] += 1.0;
    }
    vector
}

impl Encoder for Counting {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn sees_context(&self) -> bool {
        matches!(self.toy, Toy::Late | Toy::Window(_) | Toy::Deaf)
    }

    fn goes_by_id(&self) -> bool {
        matches!(self.toy, Toy::ById(_))
    }

    fn encode_filings(&self, filings: &[FilingInput<'_>], finished: &mut OnFiling<'_>) -> Result<(), EncodeError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        // Last first: nobody may rely on an order.
        for (i, filing) in filings.iter().enumerate().rev() {
            if self.fails_after.load(Ordering::Relaxed) == 0 {
                return Err(EncodeError::Unavailable("the toy is broken".into()));
            }
            self.fails_after.fetch_sub(1, Ordering::Relaxed);
            let (url, chunks) = (filing.source_url.to_owned(), filing.chunks.len());
            self.handed.lock().unwrap().push((url, chunks, filing.context.is_some()));
            self.chunks.fetch_add(chunks, Ordering::Relaxed);
            let mut encoded: Vec<EncodedChunk> = (0..chunks).map(|at| self.chunk(filing, at)).collect();
            let Toy::Faulty(fault) = self.toy else {
                finished(i, encoded)?;
                continue;
            };
            let floats = |encoded: &mut Vec<EncodedChunk>, change: &dyn Fn(&mut Vec<f32>)| {
                if let Some(EncodedChunk { vector: Vector::F32(v), .. }) = encoded.last_mut() {
                    change(v);
                }
            };
            match fault {
                Fault::OneTooFew => drop(encoded.pop()),
                Fault::OneTooMany => encoded.push(encoded[0].clone()),
                Fault::NotANumber => floats(&mut encoded, &|v| v[3] = f32::NAN),
                Fault::Zeros => floats(&mut encoded, &|v| v.fill(0.0)),
                Fault::OtherSize => floats(&mut encoded, &|v| v.truncate(9)),
                Fault::Skips if i == 1 => continue,
                Fault::Twice => finished(i, encoded.clone())?,
                Fault::OutOfRange => finished(filings.len(), encoded.clone())?,
                Fault::Dies => return Err(EncodeError::Unavailable("the toy died".into())),
                _ => {}
            }
            finished(i, encoded)?;
        }
        Ok(())
    }

    fn encode_queries(&self, queries: &[&str], finished: &mut OnQuery<'_>) -> Result<(), EncodeError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        for (i, query) in queries.iter().enumerate().rev() {
            let mut vector = words(query);
            match self.toy {
                Toy::Faulty(Fault::QueryOfOtherSize) => vector.truncate(9),
                Toy::Faulty(Fault::NoQueries) => continue,
                _ => {}
            }
            let truncated = query.contains("endless");
            finished(i, EncodedChunk { vector: Vector::F32(vector), truncated, seen: None })?;
        }
        Ok(())
    }

    fn usage(&self) -> Usage {
        let requests = self.calls.load(Ordering::Relaxed) as u64;
        Usage { requests, tokens: 10 * self.chunks.load(Ordering::Relaxed) as u64 }
    }
}

/// Prefers passages with more of the query's words, and leaves out those of one word.
pub(super) struct Overlap(Identity);

impl Reranker for Overlap {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn rerank(&self, query: &str, passages: &[&str]) -> Result<Vec<Option<f64>>, EncodeError> {
        let score = |passage: &&str| {
            let shared = query.split(' ').filter(|word| passage.contains(word)).count();
            (passage.split(' ').count() > 1).then_some(shared as f64)
        };
        Ok(passages.iter().map(score).collect())
    }
}

/// A store in memory that counts.
#[derive(Default)]
pub(crate) struct MemoryStore {
    pub(super) entries: Mutex<BTreeMap<VectorKey, Stored>>,
    /// How many entries came with each call of `put`.
    pub(super) puts: Mutex<Vec<usize>>,
    /// The disk is full.
    pub(super) full: AtomicBool,
}

impl VectorStore for MemoryStore {
    fn get(&self, _: &Identity, keys: &[VectorKey]) -> Result<Vec<Option<Stored>>, EncodeError> {
        let entries = self.entries.lock().unwrap();
        Ok(keys.iter().map(|key| entries.get(key).cloned()).collect())
    }

    fn put(&self, _: &Identity, entries: &[(VectorKey, Stored)]) -> Result<(), EncodeError> {
        if self.full.load(Ordering::Relaxed) {
            return Err(EncodeError::Io { path: "vectors.db".into(), why: "no space left".into() });
        }
        self.puts.lock().unwrap().push(entries.len());
        self.entries.lock().unwrap().extend(entries.iter().cloned());
        Ok(())
    }
}

/// Every toy under the name of its model, made once.
pub(super) struct Toys {
    toys: BTreeMap<String, Arc<Counting>>,
    pub(super) store: Option<MemoryStore>,
}

impl Toys {
    pub(super) fn new(toys: &[Toy], store: bool) -> Self {
        let toys = toys.iter().map(|toy| Arc::new(Counting::new(*toy)));
        let toys = toys.map(|toy| (toy.identity.model.clone(), toy)).collect();
        Self { toys, store: store.then(MemoryStore::default) }
    }

    /// The only toy.
    pub(super) fn one(&self) -> &Counting {
        self.toys.values().next().unwrap()
    }
}

impl Encoders for Toys {
    fn encoder(&self, spec: &EncoderSpec) -> Result<Arc<dyn Encoder>, EncodeError> {
        match self.toys.get(&spec.name) {
            Some(toy) => Ok(Arc::clone(toy) as Arc<dyn Encoder>),
            None => Err(EncodeError::Usage(format!("there is no toy `{}`", spec.name))),
        }
    }

    fn reranker(&self, _: &RerankerSpec) -> Result<Arc<dyn Reranker>, EncodeError> {
        Ok(Arc::new(Overlap(Counting::new(Toy::Words).identity)))
    }

    fn store(&self) -> Option<&dyn VectorStore> {
        self.store.as_ref().map(|store| store as &dyn VectorStore)
    }
}
