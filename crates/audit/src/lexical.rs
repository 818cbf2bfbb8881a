//! Which words a query shares with a sentence, its company's name left out.
//!
//! The name is left out because it is what context is for: the question here is what the rest of the query gives away.

use std::collections::HashMap;

use eightk_retrieve::{Analyzer, StopWords};

use crate::contest::Contests;
use crate::subject::{Asked, Subject};

/// Sorted terms without repeats, as numbers.
type Terms = Vec<u32>;

/// The terms of every query and of every sentence that it contends with.
pub(crate) struct Lexical {
    queries: HashMap<usize, Terms>,
    chunks: HashMap<usize, Terms>,
}

/// Numbers terms; remembers words, so that each is stemmed once.
struct Interner<'t> {
    analyzer: Analyzer,
    words: HashMap<&'t str, Option<u32>>,
    terms: HashMap<String, u32>,
}

impl<'t> Interner<'t> {
    fn terms(&mut self, text: &'t str) -> Terms {
        let mut out: Terms = Analyzer::words(text).filter_map(|word| self.term(word)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    fn term(&mut self, word: &'t str) -> Option<u32> {
        if let Some(known) = self.words.get(word) {
            return *known;
        }
        let next = u32::try_from(self.terms.len()).unwrap_or(u32::MAX);
        let number = self.analyzer.term(word).map(|term| *self.terms.entry(term).or_insert(next));
        self.words.insert(word, number);
        number
    }
}

impl Lexical {
    pub(crate) fn new(subject: &Subject<'_>, contests: &Contests) -> Self {
        let nameless: Vec<(usize, String)> = contests
            .members()
            .filter_map(|(query, _)| Some((query, without_name(subject.asked.get(query)?))))
            .collect();
        let mut words =
            Interner { analyzer: Analyzer::new(StopWords::default()), words: HashMap::new(), terms: HashMap::new() };
        let queries = nameless.iter().map(|(query, text)| (*query, words.terms(text))).collect();
        let mut chunks = HashMap::new();
        for chunk in contests.members().flat_map(|(_, members)| members) {
            chunks.entry(*chunk).or_insert_with(|| words.terms(subject.text(*chunk)));
        }
        Self { queries, chunks }
    }

    /// The share of a query's terms that a sentence has; 0 where there are none.
    pub(crate) fn overlap(&self, query: usize, chunk: usize) -> f64 {
        let (Some(asked), Some(there)) = (self.queries.get(&query), self.chunks.get(&chunk)) else { return 0.0 };
        if asked.is_empty() {
            return 0.0;
        }
        asked.iter().filter(|t| there.binary_search(t).is_ok()).count() as f64 / asked.len() as f64
    }
}

/// A query with every mention of its company cut out.
pub(crate) fn without_name(asked: &Asked<'_>) -> String {
    let (mut rest, mut out) = (asked.query.query.as_str(), String::new());
    while let Some(span) = asked.names.mention(rest).filter(|s| s.end > s.start) {
        out.push_str(rest.get(..span.start).unwrap_or_default());
        out.push(' ');
        rest = rest.get(span.end..).unwrap_or_default();
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use eightk_mine::AuditLimits;

    #[test]
    fn the_name_does_not_count() {
        let set = testing::dataset(3);
        let limits = AuditLimits::default();
        let subject = Subject::new(&set, &limits);
        assert_eq!(without_name(&subject.asked[0]), "What charges does   expect from its plan?");
        let lexical = Lexical::new(&subject, &Contests::new(&subject).unwrap());
        // Of "charges", "expect" and "plan" the answer has all three.
        assert_eq!(lexical.overlap(0, subject.asked[0].answers[0]), 1.0);
        assert_eq!(lexical.overlap(9, 0), 0.0);
    }
}
