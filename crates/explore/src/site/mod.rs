//! What pages are made from: the data set, the runs, and the look-ups that no page can afford to make anew.

mod filings;
mod kept;
mod outcomes;
mod passages;
mod resolved;
mod uses;

use std::collections::BTreeMap;
use std::sync::Arc;

use eightk_core::Chunk;
use eightk_report::components::safe_text::foreign;
use maud::{Markup, html};
use tokio::sync::Semaphore;

use crate::explorer::Explorer;
use crate::link;
use crate::pages::failure::Failure;
use crate::pages::layout::{Page, Part};
use crate::server::options::Limits;
pub(crate) use filings::{Entry, Filings, Order};
use kept::Kept;
pub(crate) use outcomes::{Fate, Outcomes};
pub(crate) use passages::{Kind, Passage, passages};
pub(crate) use resolved::{Rival, Rivals, Roles, Sentence};
pub(crate) use uses::Use;

/// All of it, shared by every request.
pub(crate) struct Site {
    pub(crate) explorer: Explorer,
    pub(crate) filings: Filings,
    pub(crate) outcomes: Option<Outcomes>,
    /// Facts that queries ask for, with the number of their queries.
    pub(crate) facts: BTreeMap<String, usize>,
    kept: Kept,
    /// Queries by their text.
    by_text: BTreeMap<String, usize>,
    pub(crate) query_chars: usize,
    pub(crate) pages: Arc<Semaphore>,
    pub(crate) searches: Arc<Semaphore>,
    pub(crate) downloads: Arc<Semaphore>,
}

impl Site {
    pub(crate) fn new(explorer: Explorer, limits: &Limits) -> Self {
        let room = |n: usize| Arc::new(Semaphore::new(n.max(1)));
        let queries = explorer.shelf.queries();
        let mut facts = BTreeMap::new();
        for fact in queries.iter().filter_map(|q| q.fact.as_ref()) {
            *facts.entry(fact.clone()).or_default() += 1;
        }
        // Where two queries have one text, the first counts: inserted last.
        let by_text = queries.iter().enumerate().rev().map(|(i, q)| (asked(&q.query), i)).collect();
        Self {
            filings: Filings::new(|i| entry(&explorer, i), explorer.shelf.filings().len()),
            outcomes: explorer.account.as_ref().map(|account| Outcomes::new(Arc::clone(account))),
            facts,
            by_text,
            kept: Kept::default(),
            query_chars: limits.query_chars,
            pages: room(limits.pages),
            searches: room(limits.searches),
            downloads: room(limits.downloads),
            explorer,
        }
    }

    /// A filing as it is looked for.
    pub(crate) fn entry(&self, index: usize) -> Option<Entry<'_>> {
        entry(&self.explorer, index)
    }

    /// Where a filing stands.
    pub(crate) fn filing_position(&self, source_url: &str) -> Option<usize> {
        self.explorer.shelf.position(source_url)
    }

    /// The chunks of a filing, in order.
    pub(crate) fn chunks(&self, source_url: &str) -> Result<Arc<Vec<Chunk>>, Failure> {
        self.kept.chunks(source_url, || Ok(self.explorer.shelf.chunks(source_url)?))
    }

    /// A chunk by its id.
    pub(crate) fn chunk(&self, id: &str) -> Result<Option<Chunk>, Failure> {
        // Ids of ours name their filing, whose chunks may be at hand.
        if let Some((source_url, _)) = id.rsplit_once("#s")
            && let Some(found) = self.chunks(source_url)?.iter().find(|chunk| chunk.id == id)
        {
            return Ok(Some(found.clone()));
        }
        Ok(self.explorer.shelf.chunk(id)?)
    }

    /// Makes what would be made at the first look, so that nobody waits for it.
    pub(crate) fn warm(&self) {
        if let Err(error) = self.explorer.shelf.warm() {
            (self.explorer.complain)(&error.to_string());
        }
        if let Some(outcomes) = &self.outcomes {
            outcomes.sections();
        }
    }

    /// The data set's query that has this text, whatever its case and blanks.
    pub(crate) fn query_asked(&self, text: &str) -> Option<usize> {
        self.by_text.get(&asked(text)).copied()
    }

    /// A page of a part of the site.
    pub(crate) fn page(&self, part: Part, title: &str, body: Markup) -> Page {
        Page {
            title: title.to_owned(),
            part,
            scores: self.outcomes.is_some(),
            set: self.explorer.name.clone(),
            crumbs: Vec::new(),
            again: None,
            body,
        }
    }

    /// Whose sentence a chunk is, linked to its place there.
    pub(crate) fn from(&self, chunk: &Chunk) -> Markup {
        let title = if chunk.title.trim().is_empty() { &chunk.source_url } else { &chunk.title };
        html! {
            @match self.filing_position(&chunk.source_url) {
                Some(filing) => a href=(link::sentence(filing, chunk.idx)) { (foreign(title)) },
                None => (foreign(title)),
            }
        }
    }
}

/// A query's text as it is compared.
fn asked(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn entry(explorer: &Explorer, index: usize) -> Option<Entry<'_>> {
    let filing = explorer.shelf.filings().get(index)?;
    Some(Entry { source_url: &filing.source_url, title: &filing.title, chunks: filing.chunks })
}
