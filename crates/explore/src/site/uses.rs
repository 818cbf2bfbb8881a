//! What the sentences of a filing are to queries.

use std::collections::BTreeMap;

use eightk_core::{Chunk, Role};
use eightk_report::components::marks::Mark;

use super::Site;
use crate::pages::failure::Failure;

/// What a chunk is to one query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) mark: Mark,
    pub(crate) query: usize,
    pub(crate) fact: Option<String>,
}

impl Site {
    /// By chunk id, what each of these chunks is to which query.
    pub(crate) fn uses(&self, chunks: &[Chunk]) -> Result<BTreeMap<String, Vec<Use>>, Failure> {
        let shelf = &self.explorer.shelf;
        let mut all = BTreeMap::new();
        for marks in shelf.marks(chunks)? {
            let fact = |query: usize| shelf.queries().get(query).and_then(|q| q.fact.clone());
            let one = |mark: Mark, query: usize| Use { mark, query, fact: fact(query) };
            let golds = marks.golds.iter().map(|gold| match gold.role {
                Role::Answer => one(Mark::Gold, gold.query),
                Role::Evidence => one(Mark::Evidence, gold.query),
            });
            let alternatives = marks.alternative_of.iter().map(|query| one(Mark::Alternative, *query));
            let rivals = marks.rival_of.iter().map(|query| one(Mark::Rival, *query));
            let uses: Vec<Use> = golds.chain(alternatives).chain(rivals).collect();
            if !uses.is_empty() {
                all.insert(marks.chunk_id, uses);
            }
        }
        Ok(all)
    }
}
