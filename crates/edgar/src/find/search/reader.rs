//! Reads the pages of a search until they are whole.
//!
//! An answer that is not about the question, or lacks a part of the index, is asked for again with a parameter that changes
//! nothing: the same address would bring the same answer from a cache. Documents are collected under their names over all
//! readings, so that one which slipped from a page between two readings is still found.

use std::collections::{BTreeMap, BTreeSet};

use super::Searched;
use super::answer::{self, Hit, Page};
use super::echo::{self, Echo};
use super::request::Request;
use super::window::{SHOWN, Window};
use crate::event::{Event, Watcher};
use crate::web::{Wanted, Web};
use crate::{EdgarError, address};

/// How often a window is read before it is left incomplete.
const READINGS: usize = 3;

/// How often a page is asked for before an answer to another question is an error.
pub(super) const ASKED: usize = 5;

/// Reads pages until they are whole.
pub(super) struct Reader<'a> {
    web: &'a dyn Web,
    watch: &'a dyn Watcher,
    /// Which harmless parameter goes along.
    variation: usize,
    /// Filters that answers lacked even when asked again.
    pub(super) wider: BTreeSet<&'static str>,
    /// Documents under their names.
    pub(super) hits: BTreeMap<String, Hit>,
    /// Accession numbers so far.
    filings: BTreeSet<String>,
    pub(super) out: Searched,
}

impl<'a> Reader<'a> {
    /// Nothing read yet.
    pub(super) fn new(web: &'a dyn Web, watch: &'a dyn Watcher) -> Self {
        let (wider, hits, filings) = (BTreeSet::new(), BTreeMap::new(), BTreeSet::new());
        Self { web, watch, variation: 0, wider, hits, filings, out: Searched::default() }
    }

    /// Tells something that a person should know, once.
    pub(super) fn note(&mut self, line: String) {
        if !self.out.notes.contains(&line) {
            self.watch.see(Event::Note(line.clone()));
            self.out.notes.push(line);
        }
    }

    /// Whether a window is a part by item that would bring the whole again, as the search does not heed items.
    pub(super) fn is_vain(&self, window: &Window) -> bool {
        window.last && !window.counts && self.wider.contains("items")
    }

    /// A page that answers the question; `None` where the search puts in days although none were asked.
    pub(super) fn page(&mut self, asked: &Request, from: u64) -> Result<Option<Page>, EdgarError> {
        let mut tries = 0;
        loop {
            let url = address::search(&asked.query_string(from, self.variation));
            let answer = self.web.get(&url, Wanted::Search);
            let answer = answer.map_err(|source| EdgarError::Web { url: url.clone(), source })?;
            let read = answer::read(&answer.body);
            let echo = match &read {
                Ok(page) => page.query.as_ref().map_or(Echo::Same, |query| echo::compare(query, asked, from)),
                Err(problem) => Echo::Other(problem.clone()),
            };
            let partial = read.as_ref().is_ok_and(|page| page.partial);
            tries += 1;
            let accepted = !partial && matches!((&echo, &read), (Echo::Same | Echo::Dated | Echo::Wider(_), Ok(_)));
            if !accepted {
                self.web.reject(&url);
            }
            match (echo, read) {
                (Echo::Same, Ok(page)) if !partial => return Ok(Some(page)),
                (Echo::Dated, _) => return Ok(None),
                (Echo::Wider(filter), Ok(page)) if !partial && self.wider.contains(filter) => return Ok(Some(page)),
                _ if tries < ASKED => {}
                (Echo::Same, Ok(page)) => {
                    self.out.partial += 1;
                    self.note(
                        "a part of EDGAR's index did not answer; filings may be missing, search again later".to_owned(),
                    );
                    return Ok(Some(page));
                }
                (Echo::Wider(filter), Ok(page)) => {
                    self.wider.insert(filter);
                    self.note(format!(
                        "the search does not say whether it heeded the {filter}; the hits are filtered by it here"
                    ));
                    return Ok(Some(page));
                }
                (Echo::Other(problem), Ok(_)) => {
                    let problem = format!("asked {ASKED} times for {}, {problem}", asked.described());
                    return Err(EdgarError::Answer { url, problem });
                }
                (_, Err(problem)) => return Err(EdgarError::Answer { url, problem }),
            }
            self.variation += 1;
        }
    }

    /// Reads all pages of a window, again where documents are missing.
    pub(super) fn read(&mut self, asked: &Request, first: Page, window: &Window) -> Result<(), EdgarError> {
        let counted = first.counted;
        let capped = first.capped;
        let mut next = Some(first);
        let mut names = BTreeSet::new();
        let place = asked.described();
        let mut total = 0;
        let mut shown = 0;
        for reading in 1..=READINGS {
            let mut from = 0;
            let mut twice = 0;
            let mut now = BTreeSet::new();
            loop {
                let page = match next.take() {
                    Some(page) => page,
                    None => match self.page(asked, from)? {
                        Some(page) => page,
                        None => break,
                    },
                };
                // One that shrinks while it is read would hide what it no longer counts.
                total = total.max(page.total);
                let fresh = page.hits.len() as u64;
                let before = now.len();
                twice += self.keep(page.hits, from, &place, &mut now);
                self.watch.see(Event::Searched { found: self.filings.len(), total });
                from += fresh;
                // Beyond its limit a search shows nothing; one that shows the same again would do so for ever.
                if fresh == 0 || from >= total.min(SHOWN) || now.len() == before {
                    break;
                }
            }
            names.append(&mut now);
            // Twice on one page is twice in the index; on two pages, the index moved in between.
            shown = names.len() as u64 + twice;
            if shown >= total.min(SHOWN) {
                break;
            }
            if reading < READINGS {
                self.variation += 1;
            }
        }
        if shown < total.min(SHOWN) {
            self.out.missing += total.min(SHOWN) - shown;
            self.note(format!(
                "the search counts {total} documents and shows {shown} of them, read {READINGS} times ({})",
                asked.described()
            ));
        }
        if capped && window.counts {
            self.count_unreachable(asked, counted, &names);
        }
        Ok(())
    }

    /// Holds what all parts brought against what the whole counts.
    pub(super) fn hold_against(&mut self, counted: u64) {
        let accounted = self.hits.len() as u64 + self.out.missing + self.out.unreachable;
        if accounted < counted {
            let lost = counted - accounted;
            self.out.missing += lost;
            self.note(format!("the search counts {counted} documents in all; its parts by day show {lost} fewer"));
        }
    }

    /// Keeps the hits of a page; how many of them stand on it twice.
    fn keep(&mut self, hits: Vec<Hit>, from: u64, place: &str, names: &mut BTreeSet<String>) -> u64 {
        let mut here = BTreeSet::new();
        let all = hits.len();
        for (i, hit) in hits.into_iter().enumerate() {
            // One without name still counts towards the total.
            let name = if hit.id.is_empty() {
                format!("hit {} of {place}", from + i as u64)
            } else if hit.id.starts_with(&hit.accession) {
                hit.id.clone()
            } else {
                format!("{} of {}", hit.id, hit.accession)
            };
            here.insert(name.clone());
            names.insert(name.clone());
            self.filings.insert(hit.accession.clone());
            self.hits.entry(name).or_insert(hit);
        }
        (all - here.len()) as u64
    }

    /// What stays out of reach of a window that cannot be cut further. Parts of it may have brought more than it shows itself.
    fn count_unreachable(&mut self, asked: &Request, counted: u64, names: &BTreeSet<String>) {
        let day = asked.dates.map(|(first, _)| first.to_string());
        let reached = if asked.items.is_empty() && !self.wider.contains("days") {
            self.hits.values().filter(|h| day.as_ref().is_some_and(|d| h.filed.starts_with(d.as_str()))).count()
        } else {
            names.len()
        };
        let unreachable = counted.saturating_sub(reached as u64);
        self.out.unreachable += unreachable;
        if unreachable > 0 {
            self.note(format!(
                "{unreachable} documents or more are beyond the search's limit ({}); --from-index reaches them",
                asked.described()
            ));
        }
    }
}
