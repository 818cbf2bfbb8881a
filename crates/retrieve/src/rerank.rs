//! The best of a system, ordered anew by a model that reads query and chunk together.
//!
//! ```text
//! query ──▶ first stage ──▶ best n ──▶ texts, each once ──▶ Reranker ──▶ reranked, by its scores
//!                      └──▶ the rest ───────────────────────────────▶ below, in first-stage order
//! ```
//!
//! **Who is handed over.** The first stage's best n. Where several tie at rank n they go together or stay together: all of them, or
//! none where that would make more than 2n, so that no id decides who gets a second chance and no tie decides what it costs.
//!
//! **What is one score.** Reranked chunks keep the reranker's score. Below stand those that the reranker left out and those that it
//! never saw: the score of each is the lowest reranked score less 1 for every distinct first-stage score among them down to its own. So order
//! and ties are those of the first stage, and nothing of it gets between the reranked. Where nothing was reranked the first stage's own
//! scores stay.
//!
//! **Each text once.** Equal passages are sent once and score alike, which services do not promise for two places in a request.
//!
//! **A second run is free.** Scores are kept in the store of vectors.

mod compose;
mod kept;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use eightk_core::Hit;
use eightk_encode::{EncodeError, Reranker, Usage, VectorKey, VectorStore};

use crate::{Corpus, Description, FilingChunks, Findings, QueryInput, RetrieveError, System, TopK, View};

/// A first stage and the reranker of its best.
pub struct Reranked<'s, 'c, 'a> {
    corpus: &'c Corpus<'a>,
    filings: Vec<FilingChunks<'c, 'a>>,
    first: Box<dyn System + 's>,
    reranker: Arc<dyn Reranker>,
    n: usize,
    view: View,
    store: Option<&'c dyn VectorStore>,
    description: Description,
    spent: Mutex<Spent>,
}

/// What reranking took and where it fell short.
#[derive(Debug, Clone, Copy, Default)]
struct Spent {
    usage: Usage,
    /// Chunks that the reranker gave no score.
    left_out: u64,
    /// Queries whose tie at rank n stayed in the first stage.
    ties: u64,
}

impl std::fmt::Debug for Reranked<'_, '_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reranked").field("description", &self.description).finish_non_exhaustive()
    }
}

impl<'s, 'c, 'a> Reranked<'s, 'c, 'a> {
    /// Hands the best `n` of `first`, seen as `view` shows them, to a reranker.
    pub fn new(
        name: &str,
        corpus: &'c Corpus<'a>,
        first: Box<dyn System + 's>,
        reranker: Arc<dyn Reranker>,
        n: usize,
        view: View,
    ) -> Self {
        let of = first.description();
        let mut description = Description::new(name, "rerank", "The best of a system, ordered anew by a reranker")
            .with("reranked", n.to_string())
            .with("passage", view.to_string())
            .with("below", "what is not reranked, in first-stage order")
            .with("first stage", &of.name);
        for (setting, value) in reranker.identity().pairs() {
            description = description.with(&format!("reranker {setting}"), value);
        }
        for (setting, value) in &of.settings {
            description = description.with(&format!("first stage {setting}"), value);
        }
        description.view.clone_from(&of.view);
        let filings = corpus.filings().collect();
        Self { corpus, filings, first, reranker, n, view, store: None, description, spent: Mutex::default() }
    }

    /// The same with a store: what it knows is not asked for again.
    #[must_use]
    pub fn with_store(self, store: Option<&'c dyn VectorStore>) -> Self {
        Self { store, ..self }
    }

    /// A chunk as the view shows it.
    fn passage(&self, id: &str) -> Option<String> {
        let position = self.corpus.position(id)? as usize;
        let after = self.filings.partition_point(|filing| filing.first <= position);
        let filing = self.filings.get(after.checked_sub(1)?)?;
        Some(self.view.text(filing, position - filing.first))
    }

    /// Scores for hits, in their order; none where the reranker gave none.
    fn scores(&self, query: &str, hits: &[Hit]) -> Result<Vec<Option<f64>>, RetrieveError> {
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let mut number_of = Vec::with_capacity(hits.len());
        let mut texts = Vec::new();
        for hit in hits {
            let text = self.passage(&hit.id).ok_or_else(|| {
                EncodeError::Bug(format!("{} returned chunk {}, which is not in the corpus", self.first.name(), hit.id))
            })?;
            let number = *numbers.entry(text.clone()).or_insert(texts.len());
            if number == texts.len() {
                texts.push(text);
            }
            number_of.push(number);
        }
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let passages: Vec<&str> = texts.iter().map(String::as_str).collect();
        let who = self.reranker.identity();
        let key = VectorKey::of_reranking(who, query, &passages);
        let of_hits = |scores: &[Option<f64>]| {
            number_of.iter().map(|number| scores.get(*number).copied().flatten()).collect::<Vec<_>>()
        };
        if let Some(store) = self.store
            && let Some(scores) = kept::get(store, who, key, passages.len())?
        {
            return Ok(of_hits(&scores));
        }
        let before = self.reranker.usage();
        let scores = self.reranker.rerank(query, &passages);
        self.spend(|spent| {
            let after = self.reranker.usage();
            spent.usage.requests += after.requests.saturating_sub(before.requests);
            spent.usage.tokens += after.tokens.saturating_sub(before.tokens);
        });
        let scores = scores?;
        if scores.len() != texts.len() {
            let (expected, given) = (texts.len(), scores.len());
            let wrong = format!("{}: {given} scores came back for the {expected} passages of a query", who.model);
            return Err(EncodeError::Data(wrong).into());
        }
        if let Some(score) = scores.iter().flatten().find(|score| !score.is_finite()) {
            return Err(EncodeError::Data(format!("{}: {score} came back as a score", who.model)).into());
        }
        if let Some(store) = self.store {
            kept::put(store, who, key, &scores)?;
        }
        Ok(of_hits(&scores))
    }

    fn spend(&self, how: impl FnOnce(&mut Spent)) {
        how(&mut self.spent.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn rerank(&self, query: &QueryInput<'_>, mut hits: Vec<Hit>, k: usize) -> Result<Vec<Hit>, RetrieveError> {
        hits.sort_by(|a, b| b.score.total_cmp(&a.score));
        let handed = compose::handed_over(&hits, self.n);
        let (best, _) = hits.split_at_checked(handed).unwrap_or((&hits, &[]));
        let scores = self.scores(query.text, best)?;
        self.spend(|spent| {
            spent.left_out += scores.iter().filter(|score| score.is_none()).count() as u64;
            spent.ties += u64::from(handed < self.n.min(hits.len()));
        });
        compose::compose(&mut hits, scores);
        let mut top = TopK::new(k);
        (0u32..).zip(&hits).for_each(|(at, hit)| top.push(at, hit.score));
        Ok(top.finish().into_iter().filter_map(|s| hits.get(s.position as usize).cloned()).map(plain_zero).collect())
    }
}

/// −0 counts as 0 wherever scores are compared.
fn plain_zero(hit: Hit) -> Hit {
    Hit { score: hit.score + 0.0, ..hit }
}

impl System for Reranked<'_, '_, '_> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn search(&self, query: &QueryInput<'_>, k: usize) -> Result<Vec<Hit>, RetrieveError> {
        Ok(self.search_all(std::slice::from_ref(query), k)?.pop().unwrap_or_default())
    }

    /// One query after the other: a service is asked no faster than it answers, and the first failure is the same in every run.
    fn search_all(&self, queries: &[QueryInput<'_>], k: usize) -> Result<Vec<Vec<Hit>>, RetrieveError> {
        let found = self.first.search_all(queries, k.max(self.n))?;
        queries.iter().zip(found).map(|(query, hits)| self.rerank(query, hits, k)).collect()
    }

    fn findings(&self) -> Findings {
        let mut findings = self.first.findings();
        let spent = *self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        findings.requests += spent.usage.requests;
        findings.tokens += spent.usage.tokens;
        if spent.left_out > 0 {
            let note = "chunks handed to the reranker came back without a score and stand below all that have one";
            findings.notes.push(format!("{} {note}", spent.left_out));
        }
        if spent.ties > 0 {
            let (n, name) = (self.n, self.first.name());
            findings.notes.push(format!(
                "in {} queries so many chunks tie at rank {n} of {name} that they were not reranked",
                spent.ties
            ));
        }
        findings
    }
}
