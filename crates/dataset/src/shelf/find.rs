//! Filings whose title or name holds some words.
//!
//! All titles and names in one string in lower case, looked through from end to end: 100,000 filings are five megabytes,
//! less than what a page takes to be drawn. An index of words would be larger and find less ("ostrav" in a name).

use std::sync::OnceLock;

use memchr::memmem::Finder;

use super::Shelf;
use super::catalogue::ShelfFiling;

/// One page of what was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundFilings {
    /// How many filings were found in all.
    pub total: usize,
    /// Those of this page, as places in [`Shelf::filings`], ascending.
    pub page: Vec<usize>,
}

/// Titles and names in lower case, made at the first search.
#[derive(Default)]
pub(super) struct LazyFolded(OnceLock<Folded>);

struct Folded {
    /// Title and name of each filing, one after the other.
    text: String,
    /// Where each of them ends: two per filing.
    ends: Vec<usize>,
}

impl Folded {
    fn new(filings: &[ShelfFiling]) -> Self {
        let (mut text, mut ends) = (String::new(), Vec::with_capacity(2 * filings.len()));
        for part in filings.iter().flat_map(|filing| [&filing.title, &filing.source_url]) {
            text.push_str(&part.to_lowercase());
            ends.push(text.len());
        }
        Self { text, ends }
    }
}

impl Shelf {
    /// Filings whose title or `source_url` contains `text`, whatever the case of its letters: of all that do, `limit` from number
    /// `from` on. Empty text is in every one.
    pub fn find_filings(&self, text: &str, from: usize, limit: usize) -> FoundFilings {
        let text = text.to_lowercase();
        if text.is_empty() {
            let total = self.filings().len();
            return FoundFilings { total, page: (from.min(total)..from.saturating_add(limit).min(total)).collect() };
        }
        let folded = self.folded.0.get_or_init(|| Folded::new(self.filings()));
        let finder = Finder::new(&text);
        let mut found = FoundFilings::default();
        let (mut at, mut part) = (0, 0);
        while let Some(begin) = folded.text.get(at..).and_then(|rest| finder.find(rest.as_bytes())).map(|n| at + n) {
            // The part in which the match begins; a match that goes on into the next is none.
            part += folded.ends.get(part..).unwrap_or_default().partition_point(|end| *end <= begin);
            let Some(end) = folded.ends.get(part) else { break };
            if begin + text.len() > *end {
                at = begin + folded.text.get(begin..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
                continue;
            }
            let filing = part / 2;
            if found.total >= from && found.page.len() < limit {
                found.page.push(filing);
            }
            found.total += 1;
            // On with the next filing.
            part = 2 * filing + 2;
            at = folded.ends.get(part - 1).copied().unwrap_or(folded.text.len());
        }
        found
    }
}
