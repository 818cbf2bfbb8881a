//! Scoring term by term into one accumulator per thread.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use eightk_core::Hit;

use super::index::Index;
use super::{Bm25Options, Explanation, TermScore, idf};
use crate::{
    Analyzer, Control, Corpus, Description, Findings, Knowledge, QueryInput, RetrieveError, Scored, System, TopK, View,
    filing_inputs,
};

/// BM25 over a corpus under one view.
#[derive(Debug)]
pub struct Bm25<'c, 'a> {
    corpus: &'c Corpus<'a>,
    index: Index,
    analyzer: Analyzer,
    /// k1 · (1 − b + b · length / average) per chunk.
    norms: Vec<f64>,
    description: Description,
    notes: Vec<String>,
    /// Accumulators not in use. One per thread ever exists, not one per query.
    spare: Mutex<Vec<Accumulator>>,
}

/// Scores of one query so far.
#[derive(Debug, Default)]
struct Accumulator {
    /// By position; 0 where nothing matched.
    scores: Vec<f64>,
    /// Positions whose score is not 0.
    touched: Vec<u32>,
}

/// A term of a query and how often it is there.
struct QueryTerm {
    term: String,
    count: u32,
}

impl<'c, 'a> Bm25<'c, 'a> {
    /// Indexes a corpus. `name` is what results call the system.
    ///
    /// # Errors
    ///
    /// [`RetrieveError::ViewOf`] when the view is the whole filing, or sees contexts made elsewhere ([`composed`](Self::composed) takes
    /// them); [`RetrieveError::NoTitles`] when it sees titles and no filing has one; [`RetrieveError::TooLarge`].
    pub fn new(name: &str, corpus: &'c Corpus<'a>, view: &View, options: Bm25Options) -> Result<Self, RetrieveError> {
        refuse(name, view)?;
        if view.prefix_file().is_some() {
            let why = "the contexts of its file were not handed over";
            return Err(RetrieveError::ViewOf { system: name.to_owned(), view: view.to_string(), why });
        }
        if view.sees_title() && corpus.titled() == 0 && !corpus.is_empty() {
            return Err(RetrieveError::NoTitles(name.to_owned()));
        }
        let index = Index::build(corpus, view, &options.analyzer())?;
        Ok(Self::of_index(name, corpus, view, options, index))
    }

    /// Indexes a corpus as a view shows it under a control, or with contexts made elsewhere. `name` is what results call the system.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new) and [`filing_inputs`]; [`RetrieveError::ViewOf`] also for [`Control::Swap`], which BM25 has not.
    pub fn composed(
        name: &str,
        corpus: &'c Corpus<'a>,
        (view, control): (&View, Option<&Control>),
        options: Bm25Options,
        knowledge: &Knowledge<'_>,
    ) -> Result<Self, RetrieveError> {
        refuse(name, view)?;
        if control == Some(&Control::Swap) {
            return Err(RetrieveError::ViewOf { system: name.to_owned(), view: view.to_string(), why: NO_SWAP });
        }
        let inputs = filing_inputs(corpus, view, control, knowledge)?;
        let mut texts = vec![Cow::Borrowed(""); corpus.len()];
        for job in inputs.jobs() {
            for (chunk, position) in job.input.chunks.into_iter().zip(job.positions) {
                if let Some(text) = texts.get_mut(position as usize) {
                    *text = chunk.text;
                }
            }
        }
        let index = Index::of_texts(&texts, &options.analyzer())?;
        let mut bm25 = Self::of_index(name, corpus, view, options, index);
        if let Some(control) = control {
            bm25.description.summary += &format!(", under control `{control}`");
            bm25.description.settings.insert("control".to_owned(), control.to_string());
        }
        bm25.notes = inputs.notes().to_vec();
        Ok(bm25)
    }

    fn of_index(name: &str, corpus: &'c Corpus<'a>, view: &View, options: Bm25Options, index: Index) -> Self {
        let analyzer = options.analyzer();
        let lengths = index.lengths();
        let total: u64 = lengths.iter().copied().map(u64::from).sum();
        let average = if total == 0 { 1.0 } else { total as f64 / lengths.len() as f64 };
        let (k1, b) = (options.k1(), options.b());
        let norms = lengths.iter().map(|l| k1 * (1.0 - b + b * f64::from(*l) / average)).collect();
        let description = describe(name, corpus, view, options, &analyzer, &index, average);
        Self { corpus, index, analyzer, norms, description, notes: Vec::new(), spare: Mutex::default() }
    }

    /// What the chunks at `positions` score for a text, 0 where they share no term with it, and beside it the best `k` of all
    /// chunks, ties at the border whole. One pass for both: how a known few stand among all the others.
    pub fn scores_of(&self, text: &str, positions: &[u32], k: usize) -> (Vec<f64>, Vec<Scored>) {
        let mut scores = vec![0.0; positions.len()];
        let best = self.top_and(
            text,
            k,
            |_| true,
            |all| {
                for (score, position) in scores.iter_mut().zip(positions) {
                    *score = all.get(*position as usize).copied().unwrap_or(0.0);
                }
            },
        );
        (scores, best)
    }

    /// The best k chunks for a text, among those that `keep` lets in; ties at the border whole.
    pub(crate) fn top(&self, text: &str, k: usize, keep: impl Fn(u32) -> bool) -> Vec<Scored> {
        self.top_and(text, k, keep, |_| {})
    }

    /// The same, with a look at the scores of all chunks by position while they are there.
    fn top_and(&self, text: &str, k: usize, keep: impl Fn(u32) -> bool, look: impl FnOnce(&[f64])) -> Vec<Scored> {
        let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let mut top = TopK::new(k);
        self.accumulate(text, &mut spare);
        look(&spare.scores);
        for position in spare.touched.drain(..) {
            let Some(score) = spare.scores.get_mut(position as usize) else { continue };
            if keep(position) {
                top.push(position, *score);
            }
            *score = 0.0;
        }
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(spare);
        top.finish()
    }

    fn accumulate(&self, text: &str, into: &mut Accumulator) {
        into.scores.resize(self.corpus.len(), 0.0);
        for QueryTerm { term, count } in self.query_terms(text) {
            let postings = self.index.postings(&term);
            let weight = f64::from(count) * idf(self.corpus.len(), postings.len());
            for posting in postings {
                let at = posting.chunk as usize;
                if let (Some(score), Some(norm)) = (into.scores.get_mut(at), self.norms.get(at)) {
                    // Every summand is positive, so 0 means not yet touched.
                    if *score == 0.0 {
                        into.touched.push(posting.chunk);
                    }
                    *score += weight * saturation(posting.tf, *norm);
                }
            }
        }
    }

    /// Terms of a query in the order they first occur.
    fn query_terms(&self, text: &str) -> Vec<QueryTerm> {
        let mut terms: Vec<QueryTerm> = Vec::new();
        let mut seen = std::collections::HashMap::new();
        for term in self.analyzer.terms(text) {
            let at = *seen.entry(term.clone()).or_insert(terms.len());
            match terms.get_mut(at) {
                Some(known) => known.count = known.count.saturating_add(1),
                None => terms.push(QueryTerm { term, count: 1 }),
            }
        }
        terms
    }

    /// Why a chunk scores what it scores; `None` when there is no such chunk.
    ///
    /// Added up in order, the terms' scores are the chunk's score to the last bit.
    pub fn explain(&self, query: &str, chunk_id: &str) -> Option<Explanation> {
        let position = self.corpus.position(chunk_id)?;
        let norm = *self.norms.get(position as usize)?;
        let term_score = |QueryTerm { term, count }| {
            let postings = self.index.postings(&term);
            let found = postings.binary_search_by_key(&position, |p| p.chunk).ok().and_then(|at| postings.get(at));
            let (idf, tf) = (idf(self.corpus.len(), postings.len()), found.map_or(0, |p| p.tf));
            let score = if tf == 0 { 0.0 } else { f64::from(count) * idf * saturation(tf, norm) };
            TermScore { term, count, chunks: postings.len(), idf, tf, score }
        };
        let terms: Vec<_> = self.query_terms(query).into_iter().map(term_score).collect();
        let score = terms.iter().fold(0.0, |sum, t| sum + t.score);
        Some(Explanation { score, length: *self.index.lengths().get(position as usize)?, terms })
    }
}

impl System for Bm25<'_, '_> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn search(&self, query: &QueryInput<'_>, k: usize) -> Result<Vec<Hit>, RetrieveError> {
        Ok(self.corpus.hits(self.top(query.text, k, |_| true)))
    }

    fn findings(&self) -> Findings {
        Findings { notes: self.notes.clone(), ..Findings::default() }
    }
}

const NO_SWAP: &str =
    "control `swap` exchanges two chunks for one query each time, and BM25 has one index for all; take another control";

fn refuse(name: &str, view: &View) -> Result<(), RetrieveError> {
    if view.sees_filing() {
        let why = "BM25 counts words and would see the same in every chunk of a filing; take lead or window";
        return Err(RetrieveError::ViewOf { system: name.to_owned(), view: view.to_string(), why });
    }
    Ok(())
}

fn saturation(tf: u32, norm: f64) -> f64 {
    f64::from(tf) / (f64::from(tf) + norm)
}

fn describe(
    name: &str,
    corpus: &Corpus<'_>,
    view: &View,
    options: Bm25Options,
    analyzer: &Analyzer,
    index: &Index,
    average: f64,
) -> Description {
    let mut description =
        Description::new(name, "BM25", &format!("BM25 over each chunk seen as `{view}`")).with_view(view);
    for (setting, value) in [
        ("k1", options.k1().to_string()),
        ("b", options.b().to_string()),
        ("idf", "ln(1 + (N - n + 0.5) / (n + 0.5))".to_owned()),
        ("tf", "tf / (tf + k1 (1 - b + b length / average)), without the factor k1 + 1".to_owned()),
        ("analyzer", analyzer.describe()),
        ("chunks", corpus.len().to_string()),
        ("average length", format!("{average:.2}")),
        ("vocabulary", index.vocabulary().to_string()),
    ] {
        description = description.with(setting, value);
    }
    if view.sees_title() {
        description =
            description.with("filings with a title", format!("{} of {}", corpus.titled(), corpus.filings().len()));
    }
    description
}

#[cfg(test)]
mod tests;
