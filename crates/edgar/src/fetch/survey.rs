//! What filings of an index are about.
//!
//! An index names form, company and day, and nothing else. The full submission's header tells items and primary document; it is read
//! up to the document's text and no further. Where a query asks for words, or the header names no item, the document itself is
//! read: it is kept as a candidate, so that a filing which is picked later need not be fetched twice.

use std::collections::BTreeMap;

use super::documents;
use super::plan::Refusal;
use super::streak::Streak;
use super::workers;
use crate::find::index::Listed;
use crate::find::{Found, Query, header, text};
use crate::store::Store;
use crate::web::{Wanted, Web};
use crate::{EdgarError, Event, Watcher, address};

/// What the filings turned out to be.
#[derive(Debug, Default)]
pub(super) struct Surveyed {
    /// Those that the query means.
    pub(super) filings: Vec<Found>,
    /// The others, by reason.
    pub(super) left_out: BTreeMap<String, usize>,
    /// Those of which nothing could be known.
    pub(super) refused: Vec<Refusal>,
}

/// One filing, looked at.
enum Looked {
    Meant(Box<Found>),
    LeftOut(&'static str),
    Refused { reason: String, again: bool },
}

impl Looked {
    /// What the web did not give, or gave wrong: another time it may do better.
    fn for_now(reason: String) -> Self {
        Self::Refused { reason, again: true }
    }
}

/// How many of the headers the store does not hold yet.
pub(super) fn unread(store: &Store, listed: &[Listed]) -> usize {
    listed.iter().filter(|l| store.header(&l.accession).is_none()).count()
}

/// Looks at each listed filing. `web` remembers headers.
pub(super) fn survey(
    store: &Store,
    web: &dyn Web,
    query: &Query,
    listed: &[Listed],
    threads: usize,
    watch: &dyn Watcher,
) -> Result<Surveyed, EdgarError> {
    let streak = Streak::default();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let (looked, error) = workers::each(listed, threads, |l| {
        let looked = look(store, web, query, l, &streak);
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        watch.see(Event::Examined { done, total: listed.len() });
        looked
    });
    if let Some(e) = error {
        return Err(e);
    }
    let mut out = Surveyed::default();
    for (listed, looked) in listed.iter().zip(looked) {
        match looked {
            Some(Looked::Meant(found)) => out.filings.push(*found),
            Some(Looked::LeftOut(why)) => *out.left_out.entry(why.to_owned()).or_default() += 1,
            Some(Looked::Refused { reason, again }) => {
                out.refused.push(Refusal { what: listed.accession.to_string(), reason, again });
            }
            None => {}
        }
    }
    Ok(out)
}

fn look(store: &Store, web: &dyn Web, query: &Query, listed: &Listed, streak: &Streak) -> Result<Looked, EdgarError> {
    let url = address::archived(&listed.path);
    let head = match web.get(&url, Wanted::Header) {
        Ok(answer) => answer.body,
        Err(source) => return Ok(Looked::for_now(format!("its header: {}", streak.failed(&url, source)?))),
    };
    streak.broken();
    let header = match header::read(&head) {
        Ok(header) => header,
        Err(problem) => {
            web.reject(&url);
            return Ok(Looked::for_now(format!("its header: {problem}")));
        }
    };
    let mut found = match header::found(listed, &header) {
        Ok(found) => found,
        Err(problem) => {
            web.reject(&url);
            return Ok(Looked::for_now(problem));
        }
    };
    let asks_items = !query.items.is_empty();
    if !found.items.is_empty() && !header::matches_items(&found.items, &query.items) {
        return Ok(Looked::LeftOut("other-items"));
    }
    if query.phrase.is_empty() && !(asks_items && found.items.is_empty()) {
        return Ok(Looked::Meant(Box::new(found)));
    }
    let document = match candidate(store, web, &mut found)? {
        Ok(bytes) => bytes,
        Err(refused) => return Ok(refused),
    };
    if found.items.is_empty() {
        found.items = text::items_of(&document);
    }
    if !header::matches_items(&found.items, &query.items) {
        return Ok(Looked::LeftOut("other-items"));
    }
    if !text::holds_phrase(&document, &query.phrase) {
        return Ok(Looked::LeftOut("other-words"));
    }
    Ok(Looked::Meant(Box::new(found)))
}

/// The document of a filing that has to be read to be judged; `found` learns its real name.
fn candidate(store: &Store, web: &dyn Web, found: &mut Found) -> Result<Result<Vec<u8>, Looked>, EdgarError> {
    if let Some((record, bytes)) = store.document(&found.accession)? {
        found.document = Some(record.file);
        return Ok(Ok(bytes));
    }
    match documents::fetch(web, found) {
        Ok(fetched) => {
            found.document = Some(fetched.file.clone());
            let record = match fetched.record(found) {
                Ok(record) => record,
                Err(reason) => return Ok(Err(Looked::Refused { reason, again: false })),
            };
            store.put_candidate(&record, &fetched.bytes)?;
            Ok(Ok(fetched.bytes))
        }
        Err((url, source)) if source.ends_the_run() => Err(EdgarError::Web { url, source }),
        Err((url, e)) => Ok(Err(Looked::for_now(format!("{url}: {e}")))),
    }
}
