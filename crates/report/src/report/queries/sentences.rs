//! Chunks by id: their text, whose they are, what they are to a query.

use std::collections::BTreeMap;

use eightk_runs::{Account, FilingFacts, TextRow};
use maud::{Markup, html};

use super::matrix::Query;
use crate::components::link::{self, filing_address};
use crate::components::marks::Mark;
use crate::components::safe_text::{foreign, title as titled, visible};

/// What is known of chunks.
#[derive(Debug)]
pub(super) struct Sentences<'a> {
    account: &'a Account,
    /// By filing, where it was published.
    published: BTreeMap<&'a str, String>,
}

/// Where a filing is published: as its data set says, else where EDGAR keeps the filings of its filer.
fn address(filing: &FilingFacts) -> Option<String> {
    let made = || {
        let cik = filing.cik.as_deref()?.parse().ok().filter(|cik| *cik > 0)?;
        filing_address(filing.accession.as_deref()?, cik)
    };
    filing.url.clone().or_else(made)
}

impl<'a> Sentences<'a> {
    pub(super) fn new(account: &'a Account) -> Self {
        let published = account.filings.iter().filter_map(|f| Some((f.filing.as_str(), address(f)?)));
        Self { account, published: published.collect() }
    }

    pub(super) fn text(&self, chunk: &str) -> Option<&'a str> {
        self.row(chunk).map(|row| row.text.as_str())
    }

    fn row(&self, chunk: &str) -> Option<&'a TextRow> {
        self.account.texts.get(chunk)
    }

    /// The filing a chunk stands in, as its id says where its text was not kept.
    fn filing_of<'c>(&self, chunk: &'c str) -> &'c str
    where
        'a: 'c,
    {
        self.row(chunk)
            .map_or_else(|| chunk.rsplit_once('#').map_or(chunk, |(filing, _)| filing), |row| row.source_url.as_str())
    }

    /// Its filing's title, linked where its address is known; the filing's name where there is no title.
    pub(super) fn from(&self, chunk: &str) -> Markup {
        let filing = self.filing_of(chunk);
        let title = self.row(chunk).map_or("", |row| row.title.as_str());
        link::filing(title, filing, self.published.get(filing).map(String::as_str))
    }

    /// The same without link, for tables.
    pub(super) fn short_from(&self, chunk: &str) -> Markup {
        let title = self.row(chunk).map_or("", |row| row.title.as_str());
        titled(if title.is_empty() { self.filing_of(chunk) } else { title })
    }

    /// Its text; its id where that was not kept.
    pub(super) fn shown(&self, chunk: &str) -> Markup {
        match self.text(chunk) {
            Some(text) => foreign(text),
            None => html! { code { (visible(chunk)) } " " span.muted { "(its text was not kept with the runs)" } },
        }
    }

    /// What a chunk is to a query, and the word for it.
    pub(super) fn kind(&self, query: &Query<'_>, chunk: &str) -> (Mark, &'static str) {
        let facts = query.facts;
        let among =
            |of: fn(&eightk_runs::QueryFacts) -> &Vec<String>| facts.is_some_and(|f| of(f).iter().any(|c| c == chunk));
        let is_rival = query.set.is_some_and(|s| s.rivals.iter().any(|c| c == chunk));
        match () {
            () if among(|f| &f.answers) => (Mark::Gold, "gold"),
            () if among(|f| &f.evidence) => (Mark::Evidence, "evidence"),
            () if among(|f| &f.alternatives) => (Mark::Alternative, "same fact, same filing"),
            () if is_rival => (Mark::Rival, "impostor"),
            () if facts.and_then(|f| f.filing.as_deref()) == Some(self.filing_of(chunk)) => {
                (Mark::Plain, "same filing")
            }
            () => (Mark::Plain, "other filing"),
        }
    }
}
