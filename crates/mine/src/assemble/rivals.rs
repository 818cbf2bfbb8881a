//! The sentences a gold has to be told apart from.
//!
//! *D_fact*: every kept sentence of another company that states the same fact. Exact copies of the gold's text in other
//! filings belong to it as well, whatever they state. Each rival carries its similarity to the gold, so that *D_near* at
//! any threshold can be read off; nothing is chained from rival to rival.
//!
//! Similarity is computed exactly for every pair: a merge of two short sorted lists, well under a microsecond. With
//! 100,000 sentences of which 5,000 state a fact, and 3,000 queries, that is seconds, and the rival lists are as long
//! whatever way they are found. MinHash would only pay if similar sentences were looked for among *all* sentences.
//!
//! All rivals of all queries are queries × sentences, which no memory holds for a corpus of tens of thousands of filings. So
//! a recipe lists at most so many per query, the most similar, and says how many there are.

use std::collections::{BTreeSet, HashMap};

use eightk_core::{CharIndex, RivalSet, chunk_id};

use super::companies::Companies;
use super::masked::{Interner, WordSet, jaccard};
use super::queries::Draft;
use super::{Record, fragment};
use crate::Recipe;

struct Member {
    record: usize,
    company: usize,
    sentence: usize,
    id: String,
    words: WordSet,
}

/// All sentences that state a fact, and where each text occurs.
pub(super) struct Pool<'r> {
    /// By fact of the recipe, then in the order of the corpus.
    facts: Vec<Vec<Member>>,
    /// Text of a kept sentence that states some fact → records and sentences that hold it.
    copies: HashMap<&'r str, Vec<(usize, usize)>>,
    records: &'r [Record],
}

impl<'r> Pool<'r> {
    pub(super) fn of(records: &'r [Record], companies: &Companies, recipe: &Recipe) -> Self {
        let mut interner = Interner::default();
        let facts = recipe.facts().iter().map(|_| Vec::new()).collect();
        let mut pool = Self { facts, copies: HashMap::new(), records };
        for (r, record) in records.iter().enumerate().filter(|(_, r)| !r.findings.mentions.is_empty()) {
            let filing = &record.filing;
            let index = CharIndex::new(&filing.text);
            for m in &record.findings.mentions {
                let Some(sentence) = filing.sentences.get(m.sentence).filter(|s| s.kept()) else { continue };
                let text = filing.sentence_text(sentence);
                pool.copies.entry(text).or_default();
                let fact = recipe.facts().iter().position(|f| f.name == m.fact);
                let Some(members) = fact.and_then(|f| pool.facts.get_mut(f)) else { continue };
                members.push(Member {
                    record: r,
                    company: companies.company(r),
                    sentence: m.sentence,
                    id: chunk_id(&filing.meta.source_url, index.to_chars(sentence.span).start),
                    words: interner.words(text, &record.names),
                });
            }
        }
        if recipe.exact_duplicates {
            pool.find_copies();
        }
        pool
    }

    /// Notes every kept sentence whose text is that of a sentence that states a fact.
    fn find_copies(&mut self) {
        // The cheap test first: most sentences differ in length from every one that states a fact.
        let lengths: BTreeSet<usize> = self.copies.keys().map(|t| t.len()).collect();
        for (r, record) in self.records.iter().enumerate() {
            for (s, sentence) in record.filing.sentences.iter().enumerate().filter(|(_, s)| s.kept()) {
                if !lengths.contains(&sentence.span.len()) {
                    continue;
                }
                if let Some(list) = self.copies.get_mut(record.filing.sentence_text(sentence)) {
                    list.push((r, s));
                }
            }
        }
    }

    /// For each fact, how many kept sentences state it.
    pub(super) fn sizes(&self, recipe: &Recipe) -> Vec<(String, usize)> {
        recipe.facts().iter().zip(&self.facts).map(|(f, m)| (f.name.clone(), m.len())).collect()
    }

    /// The rivals of one query, sorted by chunk id.
    pub(super) fn rivals(&self, draft: &Draft, query: String, recipe: &Recipe) -> RivalSet {
        let members = self.facts.get(draft.fact).map(Vec::as_slice).unwrap_or_default();
        let gold = members.iter().find(|m| m.record == draft.record && m.sentence == draft.answer);
        let copies: BTreeSet<String> = gold.map(|g| self.copies_of(g)).into_iter().flatten().collect();
        let mut listed: Vec<(&str, f64)> = copies.iter().map(|id| (id.as_str(), 1.0)).collect();
        if let Some(gold) = gold {
            let others = members.iter().filter(|m| m.company != gold.company && !copies.contains(&m.id));
            listed.extend(others.map(|m| (m.id.as_str(), jaccard(&gold.words, &m.words))));
        }
        let total = (listed.len() > recipe.at_most).then_some(listed.len());
        if total.is_some() {
            listed.select_nth_unstable_by(recipe.at_most, |a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
            listed.truncate(recipe.at_most);
        }
        listed.sort_unstable_by(|a, b| a.0.cmp(b.0));
        RivalSet {
            query,
            fact: recipe.facts().get(draft.fact).map(|f| f.name.clone()).unwrap_or_default(),
            gold: draft.gold.clone(),
            similarity: listed.iter().map(|(_, similarity)| *similarity).collect(),
            // Not `into_iter`: collecting in place would keep the capacity of the uncut list.
            rivals: listed.iter().map(|(id, _)| (*id).to_owned()).collect(),
            total,
        }
    }

    /// Chunk ids of the sentences in other filings whose text is the gold's.
    fn copies_of(&self, gold: &Member) -> Vec<String> {
        let filing = |r: usize| self.records.get(r).map(|r| &r.filing);
        let text = filing(gold.record).and_then(|f| Some(f.sentence_text(f.sentences.get(gold.sentence)?)));
        let places = text.and_then(|t| self.copies.get(t)).map(Vec::as_slice).unwrap_or_default();
        let others = places.iter().filter(|(r, _)| *r != gold.record).filter_map(|(r, s)| Some((filing(*r)?, *s)));
        let ids = others.filter_map(|(f, s)| {
            let (span, _) = fragment(f, &CharIndex::new(&f.text), s)?;
            Some(chunk_id(&f.meta.source_url, span.start))
        });
        ids.collect()
    }
}
