//! The corpus: from examined filings to queries and their rivals.
//!
//! ```text
//! records ─▶ companies (who is who) ─▶ one query per filing and fact, or a reason why not ─▶ rivals of each query
//! ```
//!
//! Everything here needs all filings at once; everything before it needs one. Cost: linear in the records but for the
//! rivals, which are queries × sentences of the same fact by definition: the output itself is that large.

mod companies;
mod left_out;
mod masked;
mod queries;
mod rivals;

use eightk_core::{CharIndex, CharSpan, Filing, Query, RivalSet, query_id};
use eightk_text::names::Names;

use crate::{Findings, Recipe};

pub use left_out::{LeftOut, LeftOutReason};

/// One filing, examined.
#[derive(Debug, Clone)]
pub struct Record {
    /// The filing.
    pub filing: Filing,
    /// What its filer is called.
    pub names: Names,
    /// What was found in it.
    pub findings: Findings,
}

impl Record {
    /// A filing with what was found in it.
    pub fn new(filing: Filing, names: Names, findings: Findings) -> Self {
        Self { filing, names, findings }
    }
}

/// A corpus's queries, their rivals, and every filing and fact that gave no query.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assembly {
    /// Queries by filing, then in the recipe's order of facts. Row `i` has the id [`query_id`]`(i)`.
    pub queries: Vec<Query>,
    /// The rivals of each query, in the order of `queries`.
    pub rivals: Vec<RivalSet>,
    /// What gave no query, by filing, then in the recipe's order of facts.
    pub left_out: Vec<LeftOut>,
    /// For each fact of the recipe, how many kept sentences of the corpus state it.
    pub fact_sentences: Vec<(String, usize)>,
    /// For each fact of the recipe, how many sentences are a rival of at least one query.
    pub rival_sentences: Vec<(String, usize)>,
    /// How many companies the corpus has.
    pub companies: usize,
}

/// Makes the queries of a corpus. `records` come sorted by `source_url`; the order of the output follows theirs.
pub fn assemble(records: &[Record], recipe: &Recipe) -> Assembly {
    let companies = companies::Companies::of(records);
    let (mut drafts, mut left_out) = (Vec::new(), Vec::new());
    for (r, record) in records.iter().enumerate() {
        for (f, fact) in recipe.facts().iter().enumerate() {
            match queries::draft(records, &companies, recipe, r, f) {
                Ok(Some(draft)) => drafts.push(draft),
                Ok(None) => {}
                Err((reason, detail)) => left_out.push(LeftOut {
                    source_url: record.filing.meta.source_url.clone(),
                    fact: fact.name.clone(),
                    reason,
                    detail,
                }),
            }
        }
    }
    queries::without_repeats(&mut drafts, &mut left_out, records, recipe);
    let pool = rivals::Pool::of(records, &companies, recipe);
    let rivals: Vec<RivalSet> = drafts.iter().enumerate().map(|(i, d)| pool.rivals(d, query_id(i), recipe)).collect();
    let count = |fact: &str| {
        let mut ids: Vec<&String> = rivals.iter().filter(|r| r.fact == fact).flat_map(|r| &r.rivals).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.len()
    };
    let rival_sentences = recipe.facts().iter().map(|f| (f.name.clone(), count(&f.name))).collect();
    Assembly {
        queries: drafts.into_iter().map(|d| d.query).collect(),
        rivals,
        left_out,
        fact_sentences: pool.sizes(recipe),
        rival_sentences,
        companies: companies.count(),
    }
}

/// The span of sentence number `sentence` in code points, and its text.
fn fragment(filing: &Filing, index: &CharIndex<'_>, sentence: usize) -> Option<(CharSpan, String)> {
    let s = filing.sentences.get(sentence)?;
    Some((index.to_chars(s.span), filing.sentence_text(s).to_owned()))
}
