//! A service as an encoder.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::AtomicUsize;

use eightk_encode::{
    EncodeError, EncodedChunk, Encoder, Estimate, FilingInput, Identity, OnFiling, OnQuery, Role, Usage, Vector,
    check_filing, check_vector,
};
use serde::Deserialize;

use super::assembly::Assembly;
use super::dialects::Dialect;
use super::kind::RemoteKind;
use super::plan::{Limits, Rules, Unit, alone, document, need};
use super::run::{Run, Trouble};
use crate::web::{Access, Client, Need, Used, json};

/// An embedding service.
///
/// Texts go out in batches, several at a time; each finished filing is told before more is asked for. A filing with a context goes as one document;
/// where it is longer than the service takes, in overlapping windows of whole passages, and what its chunks saw is recorded.
pub struct RemoteEncoder {
    pub(super) kind: RemoteKind,
    pub(super) identity: Identity,
    pub(super) dialect: Box<dyn Dialect>,
    pub(super) client: Client,
    /// Of texts alone, of filings.
    pub(super) limits: [Limits; 2],
    /// Most units a request that the service has let through: texts alone, filings.
    pub(super) learned: [AtomicUsize; 2],
    pub(super) parallel: usize,
    pub(super) truncate: bool,
    pub(super) sees_context: bool,
    /// Dollars per million tokens.
    pub(super) price: Option<f64>,
    /// What to say where the service wants a key and there is none.
    pub(super) no_key: Option<String>,
    /// Whether it is known which model answers.
    pub(super) named: bool,
    /// The first vector that came: all others have its kind and length.
    pub(super) like: OnceLock<Vector>,
}

impl std::fmt::Debug for RemoteEncoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteEncoder")
            .field("identity", &self.identity)
            .field("client", &self.client)
            .finish_non_exhaustive()
    }
}

/// What a TEI server says of itself.
#[derive(Deserialize)]
struct Info {
    model_id: String,
    model_sha: Option<String>,
    max_client_batch_size: Option<usize>,
}

/// Most bytes of [`Info`].
const LONGEST_INFO: u64 = 1 << 16;

impl RemoteEncoder {
    /// An encoder of this kind. `name` is the model; for TEI the server's address. Asks nobody.
    ///
    /// Settings are those of [`RemoteKind::settings`]. The key, if the service wants one, comes with `access`; where to find it says
    /// [`RemoteKind::key_variable`].
    ///
    /// # Errors
    ///
    /// [`EncodeError::Usage`]: a setting that is not known or has no such value, an address that could hold a secret.
    pub fn new(
        kind: RemoteKind,
        name: &str,
        settings: &BTreeMap<String, String>,
        access: Access,
    ) -> Result<Self, EncodeError> {
        super::build::build(kind, name, settings, access)
    }

    /// Asks a TEI server which model it serves, so that vectors are not kept under the name of a port. Others, and one whose model the spec
    /// names (`model=`), are not asked. To be called once before encoding, and not for an estimate.
    ///
    /// # Errors
    ///
    /// Those of a request; [`EncodeError::Data`] where the server does not say.
    pub fn introduce(&mut self) -> Result<(), EncodeError> {
        if self.named {
            return Ok(());
        }
        let info: Result<Info, _> = self.client.get("/info", LONGEST_INFO, json);
        let info = info.map_err(|e| match e {
            EncodeError::Usage(m) => {
                EncodeError::Usage(format!("{m}; if the server has no /info, name the model by model="))
            }
            EncodeError::Data(m) => {
                EncodeError::Data(format!("{m}; if the server has no /info, name the model by model="))
            }
            other => other,
        })?;
        // A local path says where the model lies on the server, which is nobody's business.
        let name = info.model_id.trim_end_matches('/');
        let name = if name.starts_with(['/', '.']) { name.rsplit('/').next().unwrap_or(name) } else { name };
        self.identity.model = name.to_owned();
        if let Some(sha) = info.model_sha.filter(|_| self.identity.revision.is_empty()) {
            self.identity.revision = sha;
        }
        if let Some(most) = info.max_client_batch_size.filter(|n| *n > 0) {
            self.learned = [AtomicUsize::new(most), AtomicUsize::new(most)];
        }
        self.named = true;
        Ok(())
    }

    /// Which service it is.
    pub fn kind(&self) -> RemoteKind {
        self.kind
    }

    /// What it alone has used so far.
    pub fn used(&self) -> Used {
        self.client.used()
    }

    fn rules(&self, in_context: bool, role: Role) -> Rules<'_> {
        let most = self.limits[usize::from(in_context)].unit_tokens;
        Rules { who: self.client.who(), most, truncate: self.truncate, prompt: self.identity.prompt(role) }
    }

    /// Units of filings without a context, and of those with one.
    fn plan<'t>(&'t self, filings: &'t [FilingInput<'_>]) -> Result<[Vec<Unit<'t>>; 2], EncodeError> {
        let mut whole = Vec::new();
        for (owner, filing) in filings.iter().enumerate() {
            let Some(context) = &filing.context else { continue };
            if !self.sees_context {
                let who = self.client.who();
                return Err(EncodeError::Usage(format!(
                    "{who} represents texts each for itself; a view of the whole filing needs a contextual model (voyage, perplexity, jina, or a \
                     local one)"
                )));
            }
            if !filing.chunks.is_empty() {
                whole.extend(document(owner, filing, context, &self.rules(true, Role::Passage))?);
            }
        }
        let texts = filings.iter().enumerate().filter(|(_, f)| f.context.is_none());
        let texts = texts.flat_map(|(owner, f)| f.chunks.iter().enumerate().map(move |(i, c)| (owner, i, &*c.text)));
        let name = |owner: usize, chunk: usize| {
            let filing = filings.get(owner);
            let id = filing.and_then(|f| f.chunks.get(chunk)).map_or_else(String::new, |c| format!("chunk {}", c.id));
            (id, filing.map_or_else(String::new, |f| f.source_url.to_owned()))
        };
        Ok([alone(texts, name, &self.rules(false, Role::Passage))?, whole])
    }

    fn plan_queries<'t>(&'t self, queries: &'t [&str]) -> Result<Vec<Unit<'t>>, EncodeError> {
        let texts = queries.iter().enumerate().map(|(i, q)| (i, 0, *q));
        let name = |owner: usize, _: usize| (format!("query {}", owner + 1), "those handed over".to_owned());
        alone(texts, name, &self.rules(false, Role::Query))
    }

    fn run(&self, in_context: bool, role: Role) -> Run<'_> {
        let at = usize::from(in_context);
        Run {
            client: &self.client,
            dialect: &*self.dialect,
            limits: self.limits[at],
            learned: &self.learned[at],
            parallel: self.parallel,
            role,
            in_context,
            // In a context it is a passage of its own, already among the texts.
            prompt: if in_context { "" } else { self.identity.prompt(role) },
            dims: self.identity.dims.or_else(|| self.like.get().map(Vector::dims)),
        }
    }

    fn ready(&self) -> Result<(), EncodeError> {
        self.no_key.as_ref().map_or(Ok(()), |why| Err(EncodeError::Usage(why.clone())))
    }

    /// Keeps the first vector, which passed its checks, as what others must be like.
    fn learn(&self, vector: &Vector) {
        if self.like.get().is_none() {
            // Only its kind and length count, so it does not matter which of two wins.
            let _ = self.like.set(vector.clone());
        }
    }
}

impl Encoder for RemoteEncoder {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn sees_context(&self) -> bool {
        self.sees_context
    }

    fn encode_filings(&self, filings: &[FilingInput<'_>], finished: &mut OnFiling<'_>) -> Result<(), EncodeError> {
        self.ready()?;
        let plans = self.plan(filings)?;
        let mut assembly = Assembly::new(filings);
        for (owner, _) in filings.iter().enumerate().filter(|(_, f)| f.chunks.is_empty()) {
            finished(owner, Vec::new())?;
        }
        for (units, in_context) in plans.iter().zip([false, true]) {
            self.run(in_context, Role::Passage).send(units, &mut |unit, vectors| {
                let (Some(filing), Some(chunks)) = (filings.get(unit.owner), assembly.put(unit, vectors)) else {
                    return Ok(());
                };
                check_filing(&self.identity, filing, &chunks, self.like.get()).map_err(Trouble::Bad)?;
                if let Some(first) = chunks.first() {
                    self.learn(&first.vector);
                }
                finished(unit.owner, chunks).map_err(Trouble::Stop)
            })?;
        }
        Ok(())
    }

    fn encode_queries(&self, queries: &[&str], finished: &mut OnQuery<'_>) -> Result<(), EncodeError> {
        self.ready()?;
        let units = self.plan_queries(queries)?;
        self.run(false, Role::Query).send(&units, &mut |unit, vectors| {
            let truncated = unit.places.iter().any(|p| p.truncated);
            let count = vectors.len();
            let Some(vector) = vectors.into_iter().next() else {
                return Err(Trouble::Bad(EncodeError::Bug(format!("{count} vectors of a query"))));
            };
            check_vector(&self.identity, &format!("query {}", unit.owner + 1), &vector, self.like.get())
                .map_err(Trouble::Bad)?;
            self.learn(&vector);
            finished(unit.owner, EncodedChunk { vector, truncated, seen: None }).map_err(Trouble::Stop)
        })
    }

    fn estimate(&self, filings: &[FilingInput<'_>], queries: &[&str]) -> Estimate {
        let planned = self.plan(filings).and_then(|[alone, whole]| Ok([alone, whole, self.plan_queries(queries)?]));
        let [limits, context_limits] = self.limits;
        let (requests, tokens) = match planned {
            Ok([alone, whole, queries]) => {
                let parts = [need(&alone, &limits), need(&whole, &context_limits), need(&queries, &limits)];
                let Need { requests, tokens } = parts.into_iter().fold(Need::default(), |a, b| a + b);
                (requests, tokens)
            }
            // What cannot be planned fails before it is sent, with its reason; an estimate has nowhere to say so.
            Err(_) => (0, Estimate::by_length(filings, queries).tokens),
        };
        let dollars = self.price.map(|price| price * tokens as f64 / 1e6);
        // What a service takes nobody knows beforehand: a second a request, so many at a time.
        let seconds = requests as f64 / self.parallel.max(1) as f64;
        Estimate { requests, tokens, dollars, seconds: Some(seconds) }
    }

    fn usage(&self) -> Usage {
        let Used { requests, tokens, .. } = self.client.used();
        Usage { requests, tokens }
    }
}
