//! From plan to documents.

use std::sync::Mutex;

use eightk_core::Accession;
use serde::Serialize;

use super::documents;
use super::plan::Plan;
use super::streak::Streak;
use super::workers;
use crate::find::Found;
use crate::store::{Record, State, Store};
use crate::web::Web;
use crate::{EdgarError, Event, Watcher};

/// A filing of the plan that is not in the store, and why.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct NotFetched {
    /// Its number.
    pub accession: Accession,
    /// Why not.
    pub reason: String,
}

/// How far the plan is done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progressed {
    /// In the store.
    pub whole: usize,
    /// In the store, but not as they were fetched: number and what is wrong. They are fetched again.
    pub damaged: Vec<(Accession, String)>,
    /// To fetch, in plan order: the damaged ones too.
    pub missing: Vec<Found>,
    /// Of the missing ones, those that were read before to be judged: no request is needed.
    pub at_hand: usize,
}

/// What a download did. Of a plan's picks each is counted once: `stored + downloaded + adopted + refused + left`.
#[derive(Debug, Default)]
pub struct Downloaded {
    /// Already in the store.
    pub stored: usize,
    /// Fetched now.
    pub downloaded: usize,
    /// Read before to be judged, now taken over without a request.
    pub adopted: usize,
    /// Of those fetched now, the full submission because EDGAR has no file of the document alone.
    pub submissions: usize,
    /// Of those fetched now, documents whose end is not marked; taken because they came twice the same.
    pub unclosed: usize,
    /// Bytes of the documents fetched now.
    pub bytes: u64,
    /// Asked for and not got. A later run asks again.
    pub refused: Vec<NotFetched>,
    /// Not asked for, because the run ended.
    pub left: usize,
    /// What ended the run before its time.
    pub ended_by: Option<EdgarError>,
}

/// Holds a plan against the store; re-hashes every document.
pub fn look(plan: &Plan, store: &Store) -> Result<Progressed, EdgarError> {
    let mut out = Progressed::default();
    for pick in &plan.picks {
        match store.filing(&pick.accession)? {
            State::Whole(_) => out.whole += 1,
            State::Missing => {
                out.at_hand += usize::from(matches!(store.candidate(&pick.accession)?, State::Whole(_)));
                out.missing.push(pick.clone());
            }
            State::Damaged(reason) => {
                out.damaged.push((pick.accession.clone(), reason));
                out.missing.push(pick.clone());
            }
        }
    }
    Ok(out)
}

/// One filing, done.
enum Got {
    Fetched { submission: bool, unclosed: bool, bytes: u64 },
    Adopted,
    Refused(String),
}

/// Fetches what is missing, on `threads` threads that wait for answers; the pace is the web's affair.
pub fn download(
    progressed: &Progressed,
    store: &Store,
    web: &dyn Web,
    threads: usize,
    watch: &dyn Watcher,
) -> Downloaded {
    let missing = &progressed.missing;
    watch.see(Event::Planned { total: progressed.whole + missing.len(), stored: progressed.whole });
    // Writing is short and ordered; waiting for EDGAR is what the threads are for.
    let writing = Mutex::new(());
    let streak = Streak::default();
    let (got, ended_by) = workers::each(missing, threads, |found| {
        let got = one(found, store, web, &writing, &streak)?;
        let bytes = if let Got::Fetched { bytes, .. } = got { bytes } else { 0 };
        if let Got::Refused(reason) = &got {
            watch.see(Event::Refused { accession: found.accession.clone(), reason: reason.clone() });
        }
        watch.see(Event::Done { bytes });
        Ok(got)
    });
    let mut out = Downloaded { stored: progressed.whole, ended_by, ..Downloaded::default() };
    for (found, got) in missing.iter().zip(got) {
        match got {
            None => out.left += 1,
            Some(Got::Adopted) => out.adopted += 1,
            Some(Got::Fetched { submission, unclosed, bytes }) => {
                out.downloaded += 1;
                out.unclosed += usize::from(unclosed);
                out.submissions += usize::from(submission);
                out.bytes += bytes;
            }
            Some(Got::Refused(reason)) => {
                out.refused.push(NotFetched { accession: found.accession.clone(), reason });
            }
        }
    }
    out
}

fn one(found: &Found, store: &Store, web: &dyn Web, writing: &Mutex<()>, streak: &Streak) -> Result<Got, EdgarError> {
    // Not among the picked ones, so it can only be what was read to be judged.
    if let Some((seen, bytes)) = store.document(&found.accession)? {
        if store.is_writable() {
            // What is known of it may have grown since it was looked at: which filing it amends.
            let mut record = match Record::new(found, &seen.file, &seen.url, &bytes) {
                Ok(record) => record,
                Err(reason) => return Ok(Got::Refused(reason)),
            };
            record.unclosed = seen.unclosed;
            if record != seen {
                store.put_candidate(&record, &bytes)?;
            }
            store.adopt(&found.accession)?;
        }
        return Ok(Got::Adopted);
    }
    let fetched = match documents::fetch(web, found) {
        Ok(fetched) => fetched,
        Err((url, source)) => {
            let reason = streak.failed(&url, source)?;
            return Ok(Got::Refused(format!("{url}: {reason}")));
        }
    };
    streak.broken();
    let record = match fetched.record(found) {
        Ok(record) => record,
        Err(reason) => return Ok(Got::Refused(reason)),
    };
    let _turn = writing.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    store.put_filing(&record, &fetched.bytes)?;
    Ok(Got::Fetched { submission: fetched.submission, unclosed: fetched.unclosed, bytes: fetched.bytes.len() as u64 })
}
