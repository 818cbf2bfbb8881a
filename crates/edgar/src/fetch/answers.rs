//! Answers to searches, indexes and headers, remembered in the store.
//!
//! A search of thousands of pages that is killed goes on where it was, and an offline run can search. Documents are not kept
//! here: they have a place of their own.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use eightk_core::Accession;

use crate::EdgarError;
use crate::store::Store;
use crate::web::{Answer, Wanted, Web, WebError};

/// Asks the store first, then the web, and keeps what the web says.
pub struct Remembered<'a> {
    store: &'a Store,
    web: &'a dyn Web,
    from_store: AtomicUsize,
    /// Where everything is asked anew: what this run has asked.
    anew: Option<Mutex<BTreeSet<String>>>,
}

impl<'a> Remembered<'a> {
    /// In front of `web`. `anew`: what earlier runs remembered of searches and indexes is asked for again, once, and replaced as it
    /// comes; should nothing come, it is still there. Headers never change.
    pub fn new(store: &'a Store, web: &'a dyn Web, anew: bool) -> Self {
        Self { store, web, from_store: AtomicUsize::new(0), anew: anew.then(Mutex::default) }
    }

    /// Whether what the store knows of `url` is of use.
    fn may_recall(&self, url: &str) -> bool {
        let Some(asked) = &self.anew else { return true };
        !asked.lock().unwrap_or_else(PoisonError::into_inner).insert(url.to_owned())
    }

    /// How many answers the store gave.
    pub fn from_store(&self) -> usize {
        self.from_store.load(Ordering::Relaxed)
    }
}

impl Web for Remembered<'_> {
    fn get(&self, url: &str, wanted: Wanted) -> Result<Answer, WebError> {
        if wanted == Wanted::Document {
            return self.web.get(url, wanted);
        }
        let header = if wanted == Wanted::Header { accession(url) } else { None };
        let known = match &header {
            Some(of) => self.store.header(of),
            None if self.may_recall(url) => self.store.answer(url),
            None => None,
        };
        if let Some(body) = known {
            self.from_store.fetch_add(1, Ordering::Relaxed);
            return Ok(Answer { body, unclosed: false });
        }
        let answer = self.web.get(url, wanted)?;
        let kept = match &header {
            Some(of) => self.store.put_header(of, &answer.body),
            None => self.store.put_answer(url, &answer.body),
        };
        kept.map_err(unwritten)?;
        Ok(answer)
    }

    fn reject(&self, url: &str) {
        // Where nothing can be removed, as in a store that is only looked at, nothing was kept either.
        let _ = self.store.forget_answer(url);
        if let Some(of) = accession(url) {
            let _ = self.store.forget_header(&of);
        }
    }
}

/// The filing whose full submission is at `url`.
fn accession(url: &str) -> Option<Accession> {
    url.rsplit('/').next()?.strip_suffix(".txt")?.parse().ok()
}

/// A store that cannot be written ends the run.
fn unwritten(e: EdgarError) -> WebError {
    match e {
        EdgarError::Io { path, source, .. } => WebError::Record { path, source },
        other => WebError::Record { path: "answers".into(), source: std::io::Error::other(other.to_string()) },
    }
}
