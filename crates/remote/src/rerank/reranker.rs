//! A service as a reranker.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use eightk_encode::{EncodeError, Estimate, Identity, Reranker, Similarity, Usage, estimated_tokens};

use super::answer::read;
use super::batch::batches;
use super::dialect::Dialect;
use super::kind::RerankKind;
use crate::settings::Settings;
use crate::web::{Access, Client, Endpoint, Need, Refused, Used};

/// Longest name of a model.
const LONGEST_NAME: usize = 200;

/// Bytes of an answer per passage, and for what is around them: more than any service writes, unless it repeats the texts.
const BYTES_A_RESULT: u64 = 1 << 10;
const BYTES_AROUND: u64 = 1 << 20;

/// A reranking service.
pub struct RemoteReranker {
    identity: Identity,
    dialect: Dialect,
    client: Client,
    /// Most passages and tokens in a request.
    most: usize,
    tokens: u64,
    /// Most passages that the service has let through.
    learned: AtomicUsize,
    /// Dollars per million tokens.
    price: Option<f64>,
    /// What to say where the service wants a key and there is none.
    no_key: Option<String>,
}

impl std::fmt::Debug for RemoteReranker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RemoteReranker")
            .field("identity", &self.identity)
            .field("client", &self.client)
            .finish_non_exhaustive()
    }
}

impl RemoteReranker {
    /// A reranker of this kind. `name` is the model; for TEI the server's address. Asks nobody.
    ///
    /// Settings are those of [`RerankKind::settings`]. The key, if the service wants one, comes with `access`; where to find it says
    /// [`RerankKind::key_variable`].
    ///
    /// # Errors
    ///
    /// [`EncodeError::Usage`]: a setting that is not known or has no such value, an address that could hold a secret.
    pub fn new(
        kind: RerankKind,
        name: &str,
        settings: &BTreeMap<String, String>,
        access: Access,
    ) -> Result<Self, EncodeError> {
        let usage = |problem: &str| Err(EncodeError::Usage(format!("rerank, {kind}: {problem}")));
        let is_tei = kind == RerankKind::Tei;
        if access.key().is_some_and(|key| key.is_in(name) || settings.values().any(|v| key.is_in(v))) {
            return usage(
                "the key stands in the spec, which is printed and stored; it comes from the environment, see key-env=",
            );
        }
        let name = name.trim();
        if is_tei && settings.contains_key("url") {
            return usage("the address stands right after `tei:`, url= is not needed");
        }
        if name.is_empty() {
            return usage(if is_tei { "no address; write tei:http://host:port" } else { "no name of a model" });
        }
        if !is_tei && (name.len() > LONGEST_NAME || name.contains(char::is_control)) {
            return usage("that is no name of a model");
        }
        let shown = if is_tei { kind.to_string() } else { format!("{kind}:{name}") };
        let values = Settings::new(&shown, settings, kind.settings())?;
        let dialect = Dialect::new(kind, name, &values)?;
        let address = match (is_tei, values.text("url").or(dialect.home)) {
            (true, _) if !name.contains("://") => format!("http://{name}"),
            (true, _) => name.to_owned(),
            (false, Some(url)) => url.to_owned(),
            (false, None) => return usage("no address; set url="),
        };
        let endpoint = Endpoint::parse(&address, access.key())?.completed(dialect.path);
        let at_home = dialect.home == Some(endpoint.as_str());
        let model = match values.text("model").filter(|m| !m.is_empty()) {
            Some(model) => model.to_owned(),
            None if is_tei => endpoint.authority(),
            None => name.to_owned(),
        };
        let mut facts = dialect.facts.clone();
        facts.insert("endpoint".to_owned(), endpoint.as_str().to_owned());
        let identity = Identity {
            provider: kind.to_string(),
            model: model.clone(),
            revision: values.text("revision").unwrap_or_default().to_owned(),
            dims: None,
            // No vectors are compared here; the field wants a value.
            similarity: Similarity::Dot,
            query_prompt: String::new(),
            passage_prompt: String::new(),
            settings: facts,
        };
        let no_key = (at_home && access.key().is_none()).then(|| {
            let variable = kind.usual_key_variable().unwrap_or_default();
            format!("{kind}:{model} needs a key: set {variable}, or name another variable by key-env=")
        });
        Ok(Self {
            most: values.number("batch")?.unwrap_or(dialect.most),
            tokens: values.number("max-tokens")?.unwrap_or(dialect.tokens),
            learned: AtomicUsize::new(usize::MAX),
            price: values.price()?,
            client: Client::new(format!("{kind}:{model}"), endpoint, values.timeout()?, access),
            no_key,
            identity,
            dialect,
        })
    }

    /// What it alone has used so far.
    pub fn used(&self) -> Used {
        self.client.used()
    }

    /// What scoring these would take. Asks nobody.
    pub fn estimate(&self, query: &str, passages: &[&str]) -> Estimate {
        let lengths: Vec<u64> = passages.iter().filter(|p| !is_blank(p)).map(|p| length(query, p)).collect();
        let requests = batches(&lengths, self.most, self.tokens).len() as u64;
        let tokens = lengths.iter().fold(0, |sum: u64, n| sum.saturating_add(*n));
        Estimate { requests, tokens, dollars: self.price.map(|p| p * tokens as f64 / 1e6), seconds: None }
    }

    /// Scores of passages that are not blank, in their order.
    fn scores(&self, query: &str, passages: &[&str]) -> Result<Vec<Option<f64>>, EncodeError> {
        let lengths: Vec<u64> = passages.iter().map(|p| length(query, p)).collect();
        let most = self.most.min(self.learned.load(Ordering::Relaxed));
        let mut todo = batches(&lengths, most, self.tokens);
        if self.dialect.listwise && todo.len() > 1 {
            return Err(self.side_by_side(passages.len()));
        }
        todo.reverse();
        let mut scores = Vec::with_capacity(passages.len());
        // Each taken from the end, so that scores come in order; what is too large goes back in halves.
        while let Some(range) = todo.pop() {
            let part = passages.get(range.clone()).unwrap_or_default();
            let tokens = |range: &std::ops::Range<usize>| {
                lengths.get(range.clone()).unwrap_or_default().iter().fold(0, |sum: u64, n| sum.saturating_add(*n))
            };
            let rest = || {
                let more = todo.iter().map(tokens).fold(tokens(&range), u64::saturating_add);
                Need { requests: 1 + todo.len() as u64, tokens: more }
            };
            match self.ask(query, part, tokens(&range), rest) {
                Ok(scored) => scores.extend(scored),
                Err(Refused::TooLarge(error)) if self.dialect.listwise => return Err(error),
                Err(Refused::TooLarge(_)) if range.len() > 1 => {
                    let half = range.len().div_ceil(2);
                    self.learned.fetch_min(half, Ordering::Relaxed);
                    let middle = range.start + half;
                    todo.extend([middle..range.end, range.start..middle]);
                }
                Err(refused) => return Err(refused.into()),
            }
        }
        Ok(scores)
    }

    fn ask(
        &self,
        query: &str,
        passages: &[&str],
        tokens: u64,
        rest: impl FnOnce() -> Need,
    ) -> Result<Vec<Option<f64>>, Refused> {
        let reserved = self.client.reserve(tokens, rest).map_err(Refused::Failed)?;
        let body = self.dialect.body(query, passages).to_string();
        let results = BYTES_A_RESULT.saturating_mul(passages.len() as u64);
        let limit = BYTES_AROUND.saturating_add(results).saturating_add(6 * body.len() as u64);
        let read = |answer: &[u8]| read(self.dialect.results, passages.len(), answer);
        self.client.send(reserved, self.client.endpoint(), Some(body.as_bytes()), limit, read)
    }

    fn side_by_side(&self, passages: usize) -> EncodeError {
        EncodeError::Usage(format!(
            "{} scores passages side by side, and {passages} do not fit into one request: rerank fewer (n=), or raise batch= and max-tokens= \
             if the service takes more",
            self.client.who()
        ))
    }
}

fn is_blank(passage: &str) -> bool {
    passage.trim().is_empty()
}

/// Tokens that a pair costs, by estimate.
fn length(query: &str, passage: &str) -> u64 {
    estimated_tokens(query).saturating_add(estimated_tokens(passage))
}

impl Reranker for RemoteReranker {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn rerank(&self, query: &str, passages: &[&str]) -> Result<Vec<Option<f64>>, EncodeError> {
        if let Some(why) = &self.no_key {
            return Err(EncodeError::Usage(why.clone()));
        }
        if is_blank(query) {
            return Err(EncodeError::Usage(format!("{}: a query without text cannot be scored", self.client.who())));
        }
        let (places, sent): (Vec<usize>, Vec<&str>) =
            passages.iter().copied().enumerate().filter(|(_, p)| !is_blank(p)).unzip();
        let mut scores = vec![None; passages.len()];
        for (place, score) in places.into_iter().zip(self.scores(query, &sent)?) {
            if let Some(slot) = scores.get_mut(place) {
                *slot = score;
            }
        }
        Ok(scores)
    }

    fn usage(&self) -> Usage {
        let Used { requests, tokens, .. } = self.client.used();
        Usage { requests, tokens }
    }
}
