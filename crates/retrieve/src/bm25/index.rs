//! Postings: for every term the chunks whose view holds it, and how often.
//!
//! Each distinct text, a chunk or a title, is split into terms once; a view's counts are added up from its pieces. One flat array of
//! postings, grouped by term and ordered by chunk, instead of a list per term: two allocations for any vocabulary.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt};

use crate::{Analyzer, Corpus, Piece, RetrieveError, View};

/// Marks a word that counts as no term.
const STOPPED: u32 = u32::MAX;

/// A chunk that holds a term.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Posting {
    /// Position of the chunk in the corpus.
    pub(crate) chunk: u32,
    /// How often the view shows the term.
    pub(crate) tf: u32,
}

/// The index of a corpus under one view.
#[derive(Debug)]
pub(crate) struct Index {
    terms: HashMap<String, u32>,
    /// Where the postings of term t begin; one more entry for the end.
    starts: Vec<usize>,
    postings: Vec<Posting>,
    /// Terms per chunk as the view shows it, repeats counted.
    lengths: Vec<u32>,
}

impl Index {
    /// Indexes every chunk of a corpus as `view` shows it.
    pub(crate) fn build(corpus: &Corpus<'_>, view: &View, analyzer: &Analyzer) -> Result<Self, RetrieveError> {
        let mut words = Interner { analyzer, words: HashMap::new(), terms: HashMap::new() };
        let mut counts = ChunkCounts::default();
        let (mut title, mut texts, mut shown) = (Vec::new(), Tokens::default(), Vec::new());
        for filing in corpus.filings() {
            title.clear();
            if view.sees_title() {
                words.terms_of(filing.title, &mut title)?;
            }
            texts.clear();
            for chunk in filing.chunks {
                words.terms_of(&chunk.text, &mut texts.terms)?;
                texts.ends.push(texts.terms.len());
            }
            for i in 0..filing.chunks.len() {
                shown.clear();
                for piece in view.pieces(filing.chunks.len(), i) {
                    shown.extend_from_slice(match piece {
                        Piece::Title => &title,
                        Piece::Prefix => &[],
                        Piece::Chunk(i) => texts.of(i),
                    });
                }
                counts.add(&mut shown);
            }
        }
        let (starts, postings) = counts.by_term(words.terms.len());
        Ok(Self { terms: words.terms, starts, postings, lengths: counts.lengths })
    }

    /// Indexes texts, one for each chunk, where a view is more than pieces of the corpus.
    pub(crate) fn of_texts(texts: &[Cow<'_, str>], analyzer: &Analyzer) -> Result<Self, RetrieveError> {
        let mut words = Interner { analyzer, words: HashMap::new(), terms: HashMap::new() };
        let (mut counts, mut shown) = (ChunkCounts::default(), Vec::new());
        for text in texts {
            shown.clear();
            words.terms_of(text, &mut shown)?;
            counts.add(&mut shown);
        }
        let (starts, postings) = counts.by_term(words.terms.len());
        Ok(Self { terms: words.terms, starts, postings, lengths: counts.lengths })
    }

    /// The postings of a term, ordered by chunk; none when it is unknown.
    pub(crate) fn postings(&self, term: &str) -> &[Posting] {
        let range = self.terms.get(term).and_then(|t| {
            let t = *t as usize;
            Some(*self.starts.get(t)?..*self.starts.get(t + 1)?)
        });
        range.and_then(|r| self.postings.get(r)).unwrap_or_default()
    }

    /// Terms per chunk, by position.
    pub(crate) fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// How many different terms there are.
    pub(crate) fn vocabulary(&self) -> usize {
        self.terms.len()
    }
}

/// Numbers terms in the order they first occur; remembers spelled words, so that each is lower-cased and stemmed once.
struct Interner<'a, 'x> {
    analyzer: &'x Analyzer,
    words: HashMap<&'a str, u32>,
    terms: HashMap<String, u32>,
}

impl<'a> Interner<'a, '_> {
    fn terms_of(&mut self, text: &'a str, out: &mut Vec<u32>) -> Result<(), RetrieveError> {
        for word in Analyzer::words(text) {
            let term = match self.words.get(word) {
                Some(term) => *term,
                None => {
                    let term = self.number(word)?;
                    self.words.insert(word, term);
                    term
                }
            };
            if term != STOPPED {
                out.push(term);
            }
        }
        Ok(())
    }

    fn number(&mut self, word: &str) -> Result<u32, RetrieveError> {
        let Some(term) = self.analyzer.term(word) else { return Ok(STOPPED) };
        let next = self.terms.len();
        let next = u32::try_from(next).ok().filter(|n| *n != STOPPED).ok_or(RetrieveError::TooLarge(next))?;
        Ok(*self.terms.entry(term).or_insert(next))
    }
}

/// The terms of several texts, end to end.
#[derive(Default)]
struct Tokens {
    terms: Vec<u32>,
    ends: Vec<usize>,
}

impl Tokens {
    fn clear(&mut self) {
        self.terms.clear();
        self.ends.clear();
    }

    fn of(&self, i: usize) -> &[u32] {
        let start = i.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(i).copied().unwrap_or(start);
        self.terms.get(start..end).unwrap_or_default()
    }
}

/// Term counts chunk by chunk, before they are turned round.
#[derive(Default)]
struct ChunkCounts {
    counts: Vec<(u32, u32)>,
    ends: Vec<usize>,
    lengths: Vec<u32>,
}

impl ChunkCounts {
    /// Adds the next chunk; sorts its terms in place.
    fn add(&mut self, terms: &mut [u32]) {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        self.lengths.push(count(terms.len()));
        terms.sort_unstable();
        let runs = terms.chunk_by(|a, b| a == b);
        self.counts.extend(runs.filter_map(|run| Some((*run.first()?, count(run.len())))));
        self.ends.push(self.counts.len());
    }

    /// A counting sort by term; within a term chunks stay in order.
    fn by_term(&self, terms: usize) -> (Vec<usize>, Vec<Posting>) {
        let mut starts = vec![0usize; terms + 1];
        for (term, _) in &self.counts {
            if let Some(next) = starts.get_mut(*term as usize + 1) {
                *next += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut free = starts.clone();
        let mut postings = vec![Posting { chunk: 0, tf: 0 }; self.counts.len()];
        let mut begin = 0;
        for (chunk, end) in (0u32..).zip(&self.ends) {
            for (term, tf) in self.counts.get(begin..*end).unwrap_or_default() {
                let Some(slot) = free.get_mut(*term as usize) else { continue };
                if let Some(posting) = postings.get_mut(*slot) {
                    *posting = Posting { chunk, tf: *tf };
                }
                *slot += 1;
            }
            begin = *end;
        }
        (starts, postings)
    }
}
