//! Gold and rival, each in the other's place.
//!
//! If a system follows the context, the rival that stands in the gold's filing is now found, and the gold is not. Replaced and not
//! inserted: the two say the same kind of thing, and the filing that says it twice would be another filing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use eightk_core::RivalSet;
use eightk_encode::ChunkInput;

use super::filter::Filter;
use super::{FilingInputs, Job, filing_inputs};
use crate::{Control, Corpus, Knowledge, RetrieveError, View};

/// Which two chunks of one query change places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Swap {
    /// The query.
    pub query: String,
    /// Position in the corpus of its answer.
    pub gold: u32,
    /// Position of the rival that is most like the answer.
    pub rival: u32,
}

/// The exchanges of all queries.
#[derive(Debug, Clone)]
pub struct Swaps<'s, 'a> {
    inputs: FilingInputs<'s, 'a>,
    plan: Vec<Swap>,
    without: Vec<String>,
}

/// Plans the exchange of gold and rival for every query that has judgements or rivals.
///
/// The gold is the one that the rival set names or else, of the chunks judged as answers, the first in the corpus. The rival is the most
/// similar one on record that stands in another filing; of equally similar ones, or where similarities are not known, the first by id.
///
/// # Errors
///
/// As [`filing_inputs`]; [`RetrieveError::NothingToControl`] when no query has a rival.
pub fn swaps<'s, 'a>(
    corpus: &'s Corpus<'a>,
    view: &View,
    knowledge: &'s Knowledge<'_>,
) -> Result<Swaps<'s, 'a>, RetrieveError> {
    let inputs = filing_inputs(corpus, view, Some(&Control::Swap), knowledge)?;
    let (mut plan, mut without) = (Vec::new(), Vec::new());
    let mut queries: BTreeSet<&str> = knowledge.qrels.queries.keys().map(String::as_str).collect();
    queries.extend(knowledge.rivals.iter().map(|r| r.query.as_str()));
    let sets: BTreeMap<&str, &RivalSet> = knowledge.rivals.iter().rev().map(|r| (r.query.as_str(), r)).collect();
    for query in queries {
        let pair = sets.get(query).and_then(|set| {
            let gold = gold(corpus, knowledge, set)?;
            Some((gold, nearest(corpus, set, gold)?))
        });
        match pair {
            Some((gold, rival)) => plan.push(Swap { query: query.to_owned(), gold, rival }),
            None => without.push(query.to_owned()),
        }
    }
    if plan.is_empty() {
        let what = "a rival of some answer, in another filing, and none is known; the data set's audit/rivals.jsonl lists them";
        return Err(RetrieveError::NothingToControl { control: Control::Swap.to_string(), what });
    }
    Ok(Swaps { inputs, plan, without })
}

impl<'s, 'a: 's> Swaps<'s, 'a> {
    /// Who changes places with whom, in the order of query ids.
    pub fn plan(&self) -> &[Swap] {
        &self.plan
    }

    /// Queries in which nothing is exchanged, because no gold or no rival of theirs is in the corpus.
    pub fn without_rival(&self) -> &[String] {
        &self.without
    }

    /// What gives the two vectors of exchange number `n`: first the gold in the rival's place, then the rival in the gold's.
    /// Each job has one chunk, and the position of that chunk.
    pub fn jobs(&self, n: usize) -> Option<[Job<'s>; 2]> {
        let swap = self.plan.get(n)?;
        Some([self.moved(swap.gold, swap.rival)?, self.moved(swap.rival, swap.gold)?])
    }

    /// The chunk at `guest` in the place of the chunk at `seat`.
    fn moved(&self, guest: u32, seat: u32) -> Option<Job<'s>> {
        let corpus = self.inputs.corpus;
        let chunk = *corpus.chunks().get(guest as usize)?;
        let host = corpus.filing(corpus.filing_of(seat)?)?;
        let place = (seat as usize).checked_sub(host.first)?;
        let (text, context) = if self.inputs.view.sees_filing() {
            let mut sheet = self.inputs.sheet(&host);
            sheet.replace(place, &chunk.text);
            (Cow::Borrowed(chunk.text.as_str()), sheet.context_of_guest())
        } else {
            let mut texts: Vec<&str> = host.chunks.iter().map(|c| c.text.as_str()).collect();
            *texts.get_mut(place)? = &chunk.text;
            let prefix = self.inputs.prefix(&host.chunks.get(place)?.id);
            (self.inputs.alone(host.title, prefix, &texts, place, Filter::All), None)
        };
        Some(self.inputs.job(&host, vec![ChunkInput { id: &chunk.id, text }], context, [guest as usize]))
    }
}

fn gold(corpus: &Corpus<'_>, knowledge: &Knowledge<'_>, set: &RivalSet) -> Option<u32> {
    let answer = knowledge.qrels.answer_grade();
    let judged = knowledge.qrels.queries.get(&set.query).into_iter().flatten();
    let answers = judged.filter(|(_, grade)| **grade >= answer).filter_map(|(id, _)| corpus.position(id));
    corpus.position(&set.gold).or_else(|| answers.min())
}

fn nearest(corpus: &Corpus<'_>, set: &RivalSet, gold: u32) -> Option<u32> {
    let home = corpus.filing_of(gold);
    let similarity = |i: usize| set.similarity.get(i).copied().filter(|s| !s.is_nan()).unwrap_or(f64::NEG_INFINITY);
    let known = set.rivals.iter().enumerate().filter_map(|(i, id)| Some((similarity(i), id, corpus.position(id)?)));
    let elsewhere = known.filter(|(_, _, position)| corpus.filing_of(*position) != home);
    elsewhere.min_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1))).map(|(_, _, position)| position)
}

#[cfg(test)]
mod tests;
