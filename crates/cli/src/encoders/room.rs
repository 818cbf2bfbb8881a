//! Where the systems of a run get their encoders from.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use eightk_encode::{EncodeError, Encoder, Reranker, Similarity, VectorStore};
use eightk_models::{LocalSettings, open};
use eightk_remote::child::{CommandEncoder, CommandSettings};
use eightk_remote::{Access, Budget, RemoteEncoder, RemoteKind, RemoteReranker, RerankKind, Waiting};
use eightk_retrieve::{EncoderKind, EncoderSpec, Encoders, RerankerKind, RerankerSpec};
use eightk_vectors::{Cache, Precomputed};

use super::EncodingArgs;
use super::keys::key;
use super::watched::{Shown, Watched};
use crate::evaluation::JudgedSet;
use crate::failure::{Failure, Outcome};
use crate::model_name::NamedModel;
use crate::output::{Ticker, printable};

/// Shorter pauses are not worth a line.
const PAUSE_SHOWN: Duration = Duration::from_secs(2);

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

    fn access(&self, variable: Option<&str>) -> Result<Access, EncodeError> {
        Ok(Access::new(key(variable)?, Arc::clone(&self.budget)).watched(tell))
    }

    fn made(&self, spec: &EncoderSpec) -> Result<Arc<dyn Encoder>, EncodeError> {
        let pairs = &spec.settings;
        let remote = |kind: RemoteKind| -> Result<Arc<dyn Encoder>, EncodeError> {
            let mut encoder = RemoteEncoder::new(kind, &spec.name, pairs, self.access(kind.key_variable(pairs))?)?;
            if !self.dry {
                encoder.introduce()?;
            }
            Ok(Arc::new(encoder))
        };
        match spec.kind {
            EncoderKind::Dense => local(&spec.name, pairs),
            EncoderKind::Vectors => {
                let similarity = pairs.get("similarity").map(|s| similarity(s)).transpose()?;
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
            EncoderKind::Cmd => {
                let settings = CommandSettings::from_pairs(pairs)?;
                let say = |line: &str| {
                    let _ = writeln!(std::io::stderr(), "{}", printable(line));
                };
                Ok(Arc::new(CommandEncoder::new(&spec.name, settings, Arc::new(say))?))
            }
            EncoderKind::OpenAi => remote(RemoteKind::OpenAi),
            EncoderKind::Tei => remote(RemoteKind::Tei),
            EncoderKind::Voyage => remote(RemoteKind::Voyage),
            EncoderKind::Perplexity => remote(RemoteKind::Perplexity),
            EncoderKind::Jina => remote(RemoteKind::Jina),
            other => Err(EncodeError::Bug(format!("nothing makes encoders of kind {}", other.as_str()))),
        }
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

/// A model that runs here: from a folder, or from the Hub.
pub(crate) fn local(name: &str, pairs: &BTreeMap<String, String>) -> Result<Arc<dyn Encoder>, EncodeError> {
    let revision = pairs.get("revision").map(String::as_str);
    let model = NamedModel::find(name, revision).map_err(Failure::into_encode_error)?;
    let own = pairs.iter().filter(|(k, _)| *k != "revision").map(|(k, v)| (k.as_str(), v.as_str()));
    let settings = LocalSettings { name: Some(model.name), ..LocalSettings::from_pairs(own)? };
    open(&model.folder, &settings)
}

/// A pause that a service made.
fn tell(waiting: &Waiting) {
    if waiting.pause >= PAUSE_SHOWN {
        let (retry, most) = waiting.retry;
        let line =
            format!("{}: {}; retry {retry} of {most} in {} s", waiting.who, waiting.reason, waiting.pause.as_secs());
        let _ = writeln!(std::io::stderr(), "note: {}", printable(&line));
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
        let access = self.access(kind.key_variable(&spec.settings))?;
        let reranker = Arc::new(RemoteReranker::new(kind, &spec.name, &spec.settings, access)?);
        known.insert(spec.clone(), Arc::clone(&reranker) as Arc<dyn Reranker>);
        Ok(reranker)
    }

    fn store(&self) -> Option<&dyn VectorStore> {
        self.cache.as_ref().map(|cache| cache as &dyn VectorStore)
    }
}
