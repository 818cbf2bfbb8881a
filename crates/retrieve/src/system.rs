//! What every system can do, and how one is made from its spec.

use std::collections::BTreeMap;

use eightk_core::{Hit, Qrels, RivalSet, Run};
use eightk_text::names::Names;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{
    Bm25, Corpus, Dense, Encoders, Findings, Fused, NameFilter, Oracle, Random, Reranked, RetrieveError, SystemSpec,
    View,
};

/// A query as a system sees it: no judgements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryInput<'q> {
    /// What runs call it.
    pub id: &'q str,
    /// What is asked.
    pub text: &'q str,
}

/// What is known besides the chunks: of the right answers, for floors, ceilings and controls only; of names and contexts, for views.
#[derive(Debug, Clone, Default)]
pub struct Knowledge<'k> {
    /// Grades by query and chunk.
    pub qrels: Qrels,
    /// Rivals by query; queries may be missing.
    pub rivals: &'k [RivalSet],
    /// The filer's names by `source_url`: for the controls that take them out.
    pub aliases: BTreeMap<String, Names>,
    /// Contexts made elsewhere, by file as the view names it, then by chunk id.
    pub prefixes: BTreeMap<String, BTreeMap<String, String>>,
}

/// What a system is, in full: goes into results, so that a score never stands without its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The spec that makes it: `bm25:title`.
    pub name: String,
    /// How it scores: `BM25`.
    pub scorer: String,
    /// One sentence for people.
    pub summary: String,
    /// What of its filing a chunk is seen with; none where the system looks at no text.
    pub view: Option<String>,
    /// Everything that could change a score: parameters, analyzer, seed.
    pub settings: BTreeMap<String, String>,
}

impl Description {
    /// A description without view and settings.
    pub fn new(name: &str, scorer: &str, summary: &str) -> Self {
        let (name, scorer, summary) = (name.to_owned(), scorer.to_owned(), summary.to_owned());
        Self { name, scorer, summary, view: None, settings: BTreeMap::new() }
    }

    /// The same with a view.
    #[must_use]
    pub fn with_view(mut self, view: &View) -> Self {
        self.view = Some(view.to_string());
        self
    }

    /// The same with one more setting.
    #[must_use]
    pub fn with(mut self, setting: &str, value: impl Into<String>) -> Self {
        self.settings.insert(setting.to_owned(), value.into());
        self
    }
}

/// Something that ranks the chunks of a corpus for a query.
pub trait System: Send + Sync {
    /// What it is.
    fn description(&self) -> &Description;

    /// What runs and tables call it.
    fn name(&self) -> &str {
        &self.description().name
    }

    /// The best k chunks, best first. Fewer where less matches; more where several score as the k-th does
    /// ([`TopK`](crate::TopK)): those are returned together or, beyond [`MAX_BOUNDARY_TIES`](crate::MAX_BOUNDARY_TIES), not at all.
    ///
    /// # Errors
    ///
    /// When there can be no ranking. Nothing found is no error.
    fn search(&self, query: &QueryInput<'_>, k: usize) -> Result<Vec<Hit>, RetrieveError>;

    /// The rankings of several queries, in their order. By default each for itself, over the current rayon pool; systems
    /// that gain by batches (encoders) do otherwise.
    ///
    /// # Errors
    ///
    /// As [`search`](Self::search): the first query's that fails.
    fn search_all(&self, queries: &[QueryInput<'_>], k: usize) -> Result<Vec<Vec<Hit>>, RetrieveError> {
        // All results first: collecting into a `Result` in parallel would report whichever error came first in time.
        let rankings: Vec<_> = queries.par_iter().map(|query| self.search(query, k)).collect();
        rankings.into_iter().collect()
    }

    /// What it found out about itself so far: complete once all queries have been searched.
    fn findings(&self) -> Findings {
        Findings::default()
    }
}

/// Makes a system: indexes or encodes the corpus as the spec says. Calls itself for the systems in a system: a parsed spec is nested a few
/// levels deep at most.
///
/// # Errors
///
/// Whatever the system needs and there is not: titles, judgements, names, an encoder that sees what the view shows.
pub fn build<'s, 'c: 's, 'a: 's>(
    spec: &SystemSpec,
    corpus: &'c Corpus<'a>,
    knowledge: &Knowledge<'_>,
    encoders: &'c dyn Encoders,
) -> Result<Box<dyn System + 's>, RetrieveError> {
    let name = spec.label();
    Ok(match spec {
        SystemSpec::Bm25 { view, options, control: None, .. } if view.prefix_file().is_none() => {
            Box::new(Bm25::new(&name, corpus, view, *options)?)
        }
        SystemSpec::Bm25 { view, options, control, .. } => {
            Box::new(Bm25::composed(&name, corpus, (view, control.as_ref()), *options, knowledge)?)
        }
        SystemSpec::NameFilter { options } => Box::new(NameFilter::new(&name, corpus, *options)?),
        SystemSpec::Random { seed } => Box::new(Random::new(&name, corpus, knowledge, *seed)),
        SystemSpec::Oracle => Box::new(Oracle::new(&name, corpus, knowledge)?),
        SystemSpec::Dense(dense) => Box::new(Dense::new(&name, dense, corpus, knowledge, encoders)?),
        SystemSpec::Rrf { parts, k, .. } => {
            let parts = parts.iter().map(|part| build(part, corpus, knowledge, encoders)).collect::<Result<_, _>>()?;
            Box::new(Fused::rrf(&name, parts, *k))
        }
        SystemSpec::WeightedSum { parts, .. } => {
            let part = |(weight, part): &(f64, SystemSpec)| Ok((*weight, build(part, corpus, knowledge, encoders)?));
            Box::new(Fused::weighted_sum(&name, parts.iter().map(part).collect::<Result<_, RetrieveError>>()?)?)
        }
        SystemSpec::Rerank { first, reranker, n, view, .. } => {
            // The reranker first: it is quickly refused, and a corpus is not quickly encoded.
            let reranker = encoders.reranker(reranker)?;
            let first = build(first, corpus, knowledge, encoders)?;
            Box::new(Reranked::new(&name, corpus, first, reranker, *n, view.clone()).with_store(encoders.store()))
        }
    })
}

/// Runs a system over all queries. The result is the same whatever the number of threads.
///
/// # Errors
///
/// [`RetrieveError::DuplicateQuery`], and whatever the system cannot do.
pub fn run_system(system: &dyn System, queries: &[QueryInput<'_>], k: usize) -> Result<Run, RetrieveError> {
    let mut run = Run { system: system.name().to_owned(), queries: BTreeMap::new() };
    for query in queries {
        if run.queries.insert(query.id.to_owned(), Vec::new()).is_some() {
            return Err(RetrieveError::DuplicateQuery(query.id.to_owned()));
        }
    }
    for (query, hits) in queries.iter().zip(system.search_all(queries, k)?) {
        run.queries.insert(query.id.to_owned(), hits);
    }
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoEncoders;
    use crate::testing::filings;

    #[test]
    fn one_query_id_is_one_ranking() {
        let rows = filings(&[("A", &["mill closure"])]);
        let corpus = Corpus::new(&rows).unwrap();
        let system = build(&"bm25".parse().unwrap(), &corpus, &Knowledge::default(), &NoEncoders).unwrap();
        let query = |id| QueryInput { id, text: "mill" };
        let run = run_system(&*system, &[query("q1"), query("q0")], 10).unwrap();
        assert_eq!(run.system, "bm25");
        assert_eq!(run.queries["q0"], run.queries["q1"]);
        let twice = run_system(&*system, &[query("q1"), query("q1")], 10);
        assert_eq!(twice.unwrap_err(), RetrieveError::DuplicateQuery("q1".into()));
    }

    #[test]
    fn a_query_that_finds_nothing_is_in_the_run() {
        let rows = filings(&[("A", &["mill closure"])]);
        let corpus = Corpus::new(&rows).unwrap();
        let system = build(&"bm25".parse().unwrap(), &corpus, &Knowledge::default(), &NoEncoders).unwrap();
        let run = run_system(&*system, &[QueryInput { id: "q0", text: "zebra" }], 10).unwrap();
        assert_eq!(run.queries["q0"], []);
    }
}
