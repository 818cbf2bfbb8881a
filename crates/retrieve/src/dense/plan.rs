//! What a run would take, before anything is encoded.

use std::collections::BTreeSet;
use std::sync::Arc;

use eightk_encode::{Encoder, Estimate, FilingInput, Role, VectorKey, estimated_tokens};
use foldhash::{HashSet, HashSetExt};

use super::encoding::Encoding;
use super::feed::group;
use super::probe;
use super::system::refuse;
use crate::{
    Control, Corpus, DenseSpec, Encoders, Knowledge, QueryInput, RerankerSpec, RetrieveError, SystemSpec,
    filing_inputs, swaps,
};

/// What one system would take.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// Distinct vectors that it needs: of texts, of chunks in context, of queries.
    pub vectors: u64,
    /// How many of them the store has, or will have when the systems planned before this one have run.
    pub stored: u64,
    /// What the others take.
    pub estimate: Estimate,
}

impl Plan {
    fn add(&mut self, other: &Estimate) {
        let sum = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(a + b),
            (one, other) => one.or(other),
        };
        let estimate = &mut self.estimate;
        estimate.requests += other.requests;
        estimate.tokens += other.tokens;
        estimate.dollars = sum(estimate.dollars, other.dollars);
        estimate.seconds = sum(estimate.seconds, other.seconds);
    }
}

/// Plans the systems of one run one after another: what one encodes, the next finds in the store, where there is one.
pub struct Planner<'p, 'a> {
    corpus: &'p Corpus<'a>,
    knowledge: &'p Knowledge<'p>,
    queries: &'p [QueryInput<'p>],
    encoders: &'p dyn Encoders,
    /// What will be in the store.
    earlier: HashSet<Half>,
}

/// Half of a key: two of a billion share it with a chance of one in 10^20, and then a plan is off by one.
type Half = u128;

impl<'p, 'a> Planner<'p, 'a> {
    /// Nothing planned so far.
    pub fn new(
        corpus: &'p Corpus<'a>,
        knowledge: &'p Knowledge<'p>,
        queries: &'p [QueryInput<'p>],
        encoders: &'p dyn Encoders,
    ) -> Self {
        Self { corpus, knowledge, queries, encoders, earlier: HashSet::new() }
    }

    /// What a system would take. Encodes nothing and sends nothing; encoders are made, which reads models and starts programs.
    ///
    /// # Errors
    ///
    /// What making the system would refuse without encoding anything.
    pub fn plan(&mut self, spec: &SystemSpec) -> Result<Plan, RetrieveError> {
        let mut plan = Plan::default();
        let mut open = vec![spec];
        while let Some(spec) = open.pop() {
            match spec {
                SystemSpec::Dense(dense) => self.dense(dense, &mut plan)?,
                SystemSpec::Rrf { parts, .. } => open.extend(parts.iter().rev()),
                SystemSpec::WeightedSum { parts, .. } => open.extend(parts.iter().rev().map(|(_, part)| part)),
                SystemSpec::Rerank { first, reranker, n, .. } => {
                    self.encoders.reranker(reranker)?;
                    plan.add(&self.reranking(reranker, *n));
                    open.push(first);
                }
                _ => {}
            }
        }
        Ok(plan)
    }

    /// One request per query, with as many mean chunks as are handed over: which they are is not known yet.
    fn reranking(&self, spec: &RerankerSpec, n: usize) -> Estimate {
        let all: u64 = self.corpus.chunks().iter().map(|c| estimated_tokens(&c.text)).sum();
        let mean = all / (self.corpus.len() as u64).max(1);
        let passages = n.min(self.corpus.len()) as u64;
        let one = |query: &QueryInput<'_>| passages * (mean + estimated_tokens(query.text));
        let tokens = self.queries.iter().map(one).sum();
        let price = spec.settings.get("price").and_then(|price| price.parse::<f64>().ok());
        let dollars = price.map(|price| price * tokens as f64 / 1e6);
        Estimate { requests: self.queries.len() as u64, tokens, dollars, seconds: None }
    }

    fn dense(&mut self, spec: &DenseSpec, plan: &mut Plan) -> Result<(), RetrieveError> {
        let encoder = self.encoders.encoder(&spec.encoder)?;
        refuse(&SystemSpec::Dense(spec.clone()).label(), spec, &*encoder)?;
        let inputs = filing_inputs(self.corpus, &spec.view, spec.control.as_ref(), self.knowledge)?;
        let texts: Vec<&str> = self.queries.iter().map(|q| q.text).collect::<BTreeSet<_>>().into_iter().collect();
        if encoder.goes_by_id() {
            let all = (self.corpus.len() + texts.len()) as u64;
            plan.vectors += all;
            plan.stored += all;
            return Ok(());
        }
        let encoding = Encoding::new(Arc::clone(&encoder), self.encoders.store());
        let (earlier, own) = (&self.earlier, HashSet::new());
        let mut work = Work { encoder: &*encoder, encoding, earlier, own, plan };
        if spec.view.sees_filing() {
            work.filings(&probe::filings())?;
        }
        let mut next = 0;
        while let Some(group) = group(&inputs, next) {
            next = group.filings.end;
            work.filings(&group.jobs.into_iter().map(|job| job.input).collect::<Vec<_>>())?;
        }
        if spec.control == Some(Control::Swap) {
            let swaps = swaps(self.corpus, &spec.view, self.knowledge)?;
            for n in 0..swaps.plan().len() {
                work.filings(&swaps.jobs(n).into_iter().flatten().map(|job| job.input).collect::<Vec<_>>())?;
            }
        }
        work.queries(&texts)?;
        let own = work.own;
        if self.encoders.store().is_some() {
            self.earlier.extend(own);
        }
        Ok(())
    }
}

/// One system being planned.
struct Work<'w, 'e> {
    encoder: &'w dyn Encoder,
    encoding: Encoding<'e>,
    earlier: &'w HashSet<Half>,
    /// What this system has needed so far.
    own: HashSet<Half>,
    plan: &'w mut Plan,
}

impl Work<'_, '_> {
    /// Whether a vector must be looked for: it has not been needed by this system, nor made for one before.
    fn wanted(&mut self, VectorKey(key): VectorKey) -> bool {
        let half = key.first_chunk::<16>().map_or(0, |half| Half::from_le_bytes(*half));
        if !self.own.insert(half) {
            return false;
        }
        let there = self.earlier.contains(&half);
        self.plan.vectors += 1;
        self.plan.stored += u64::from(there);
        !there
    }

    fn filings(&mut self, inputs: &[FilingInput<'_>]) -> Result<(), RetrieveError> {
        let mut fresh = Vec::new();
        for input in inputs {
            let keys = VectorKey::of_filing(self.encoder.identity(), input);
            let mut wanted = keys.into_iter().map(|key| self.wanted(key)).collect::<Vec<_>>().into_iter();
            let mut input = input.clone();
            // In a context all are wanted or none: they have one key but for their place.
            input.chunks.retain(|_| wanted.next().unwrap_or(true));
            if !input.chunks.is_empty() {
                fresh.push(input);
            }
        }
        let todo: Vec<_> = self.encoding.look_up(&fresh)?.todo.into_iter().map(|todo| todo.input).collect();
        let chunks = |inputs: &[FilingInput<'_>]| inputs.iter().map(|input| input.chunks.len()).sum::<usize>();
        self.plan.stored += (chunks(&fresh) - chunks(&todo)) as u64;
        if !todo.is_empty() {
            self.plan.add(&self.encoder.estimate(&todo, &[]));
        }
        Ok(())
    }

    fn queries(&mut self, texts: &[&str]) -> Result<(), RetrieveError> {
        let who = self.encoder.identity();
        let keyed = texts.iter().map(|text| (*text, VectorKey::of_text(who, Role::Query, text)));
        let fresh: Vec<&str> = keyed.filter(|(_, key)| self.wanted(*key)).map(|(text, _)| text).collect();
        let (_, missing) = self.encoding.look_up_queries(&fresh)?;
        let todo: Vec<&str> = missing.iter().filter_map(|(at, _)| fresh.get(*at).copied()).collect();
        self.plan.stored += (fresh.len() - todo.len()) as u64;
        if !todo.is_empty() {
            self.plan.add(&self.encoder.estimate(&[], &todo));
        }
        Ok(())
    }
}
