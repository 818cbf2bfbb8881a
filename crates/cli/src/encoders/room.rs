//! Where the systems of a run get their encoders from.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use eightk_encode::{EncodeError, Encoder, Reranker, Similarity, VectorStore};
use eightk_remote::{Budget, RemoteReranker, RerankKind};
use eightk_retrieve::{EncoderKind, EncoderSpec, Encoders, RerankerKind, RerankerSpec};
use eightk_vectors::{Cache, Precomputed};

use super::EncodingArgs;
use super::make::{access, make};
use super::watched::{Shown, Watched};
use crate::evaluation::JudgedSet;
use crate::failure::Outcome;
use crate::output::{Ticker, printable};

/// Makes encoders and rerankers, each once.
pub(crate) struct Room<'d> {
    cache: Option<Cache>,
    budget: Arc<Budget>,
    /// The data set: vectors made elsewhere go by its ids.
    set: &'d JudgedSet,
    encoders: Mutex<BTreeMap<EncoderSpec, Arc<dyn Encoder>>>,
    rerankers: Mutex<BTreeMap<RerankerSpec, Arc<dyn Reranker>>>,
    /// Nothing is asked of anybody: for plans.
    dry: bool,
    shown: Shown,
}

impl<'d> Room<'d> {
    /// As the command line says, for this data set.
    pub(crate) fn new(args: &EncodingArgs, set: &'d JudgedSet, dry: bool) -> Outcome<Self> {
        Ok(Self {
            cache: args.cache()?,
            budget: args.budget(),
            set,
            encoders: Mutex::default(),
            rerankers: Mutex::default(),
            dry,
            shown: Shown::default(),
        })
    }

    /// From now on progress is shown there.
    pub(crate) fn shows(&self, ticker: Ticker) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = Some(ticker);
    }

    /// What people should know about the cache by now.
    pub(crate) fn notes(&self) -> Vec<String> {
        self.cache.as_ref().map(Cache::notes).unwrap_or_default()
    }

    fn made(&self, spec: &EncoderSpec) -> Result<Arc<dyn Encoder>, EncodeError> {
        if spec.kind != EncoderKind::Vectors {
            return make(spec, &self.budget, self.dry);
        }
        let similarity = spec.settings.get("similarity").map(|s| similarity(s)).transpose()?;
        let chunks = self.set.dataset.chunks.iter().map(|c| c.id.as_str());
        let ids = self.set.query_ids();
        let texts = self.set.dataset.queries.iter().map(|q| q.query.as_str());
        let queries = ids.iter().map(String::as_str).zip(texts);
        let folder = Precomputed::open(Path::new(&spec.name), similarity, chunks, queries)?;
        for note in folder.notes() {
            let _ = writeln!(std::io::stderr(), "note: vectors:{}: {note}", printable(&spec.name));
        }
        Ok(Arc::new(folder))
    }
}

/// As a spec writes it.
fn similarity(name: &str) -> Result<Similarity, EncodeError> {
    match name {
        "cosine" => Ok(Similarity::Cosine),
        "dot" => Ok(Similarity::Dot),
        "hamming" => Ok(Similarity::Hamming),
        _ => Err(EncodeError::Usage(format!("similarity={name}: it is cosine, dot or hamming"))),
    }
}

impl Encoders for Room<'_> {
    fn encoder(&self, spec: &EncoderSpec) -> Result<Arc<dyn Encoder>, EncodeError> {
        // Held while one is made: two threads that want the same model must not load it twice.
        let mut known = self.encoders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(encoder) = known.get(spec) {
            return Ok(Arc::clone(encoder));
        }
        let encoder: Arc<dyn Encoder> = Arc::new(Watched::new(self.made(spec)?, Arc::clone(&self.shown)));
        known.insert(spec.clone(), Arc::clone(&encoder));
        Ok(encoder)
    }

    fn reranker(&self, spec: &RerankerSpec) -> Result<Arc<dyn Reranker>, EncodeError> {
        let mut known = self.rerankers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reranker) = known.get(spec) {
            return Ok(Arc::clone(reranker));
        }
        let kind = match spec.kind {
            RerankerKind::Cohere => RerankKind::Cohere,
            RerankerKind::Jina => RerankKind::Jina,
            RerankerKind::Vllm => RerankKind::Vllm,
            RerankerKind::Tei => RerankKind::Tei,
            RerankerKind::Voyage => RerankKind::Voyage,
            other => return Err(EncodeError::Bug(format!("nothing makes rerankers of kind {}", other.as_str()))),
        };
        let access = access(kind.key_variable(&spec.settings), &spec.settings, &self.budget)?;
        let reranker = Arc::new(RemoteReranker::new(kind, &spec.name, &spec.settings, access)?);
        known.insert(spec.clone(), Arc::clone(&reranker) as Arc<dyn Reranker>);
        Ok(reranker)
    }

    fn store(&self) -> Option<&dyn VectorStore> {
        self.cache.as_ref().map(|cache| cache as &dyn VectorStore)
    }
}
