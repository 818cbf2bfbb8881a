//! Asking EDGAR: every request in turn, every answer judged, every try written down.
//!
//! Whoever calls sees a whole answer or the reason why there is none. Which thread's request was refused or cut makes no
//! difference to the others: the rate, the pause and the end of the run are those of the process.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::agent::UserAgent;
use super::clock::{Clock, MachineClock};
use super::limiter::{Limiter, Slot, Turn};
use super::log::{Entry, RequestLog};
use super::pause::Pause;
use super::sent::Sent;
use super::settings::Settings;
use super::stop::Stop;
use super::transport::{Ask, Http, Transport};
use super::verdict::{RetryAfter, Verdict, is_page, judge};
use super::{Answer, Wanted, Web, WebError};
use crate::address::Hosts;
use crate::digest::sha256_hex;
use crate::event::{Event, Watcher};

/// A wait that a struggling server asks for is honoured up to this.
const LONGEST_WISH: Duration = Duration::from_secs(120);

/// The polite web, for any number of threads.
pub struct Polite<'w, T: Transport, C: Clock + Clone> {
    hosts: Hosts,
    agent: UserAgent,
    settings: Settings,
    transport: T,
    clock: C,
    limiter: Limiter<C>,
    pause: Pause<C>,
    log: RequestLog,
    /// Set when the run is to end, by whoever runs it or by an answer.
    stop: Stop,
    /// Why an answer ended the run.
    ended: OnceLock<End>,
    watch: &'w dyn Watcher,
}

/// What is known of a document whose end is not marked.
#[derive(Debug, Default)]
struct Unclosed {
    /// Hash of what came last.
    hash: Option<String>,
    /// Whether the same came again.
    taken: bool,
}

/// Answers that end the run for all threads.
#[derive(Debug, Clone, Copy)]
enum End {
    Undeclared,
    StillBlocked { pauses: u32 },
}

/// Where the records of a run are, and how long nothing is asked at first.
#[derive(Debug)]
pub struct Records {
    /// The log of requests.
    pub log: RequestLog,
    /// Where a pause is remembered.
    pub pause: PathBuf,
    /// No request before: long enough that what an earlier process asked last counts no more.
    pub quiet: Duration,
}

impl<'w> Polite<'w, Http, MachineClock> {
    /// Asks over the network.
    ///
    /// # Errors
    ///
    /// [`WebError::Record`] when a remembered pause cannot be read.
    pub fn new(
        hosts: Hosts,
        agent: UserAgent,
        settings: Settings,
        records: Records,
        stop: &Stop,
        watch: &'w dyn Watcher,
    ) -> Result<Self, WebError> {
        let stop = stop.below();
        let transport = Http::new(settings.timeouts, stop.clone());
        Self::with(transport, MachineClock::start(), hosts, agent, settings, records, stop, watch)
    }
}

impl<'w, T: Transport, C: Clock + Clone> Polite<'w, T, C> {
    /// Asks through any transport, by any clock. `stop` is this one's own: an answer may set it.
    ///
    /// # Errors
    ///
    /// As [`Polite::new`].
    #[allow(clippy::too_many_arguments, reason = "the parts of one thing, named where it is put together")]
    pub fn with(
        transport: T,
        clock: C,
        hosts: Hosts,
        agent: UserAgent,
        settings: Settings,
        records: Records,
        stop: Stop,
        watch: &'w dyn Watcher,
    ) -> Result<Self, WebError> {
        let limiter = Limiter::new(settings.rate, records.quiet, clock.clone());
        let pause = Pause::open(records.pause, settings.block_pause, settings.pauses, &limiter, clock.clone())?;
        Ok(Self {
            hosts,
            agent,
            settings,
            transport,
            clock,
            limiter,
            pause,
            log: records.log,
            stop,
            ended: OnceLock::new(),
            watch,
        })
    }

    /// Requests a second at the moment.
    pub fn rate(&self) -> f64 {
        self.limiter.rate()
    }

    fn stopped(&self) -> WebError {
        match self.ended.get() {
            Some(End::Undeclared) => WebError::Undeclared,
            Some(End::StillBlocked { pauses }) => WebError::StillBlocked { pauses: *pauses },
            None => WebError::Stopped,
        }
    }

    fn end(&self, end: End) -> WebError {
        // The first reason counts; whoever comes later reports the same.
        let _ = self.ended.set(end);
        self.stop.set();
        self.stopped()
    }

    /// Waits until one request may be sent.
    fn slot(&self) -> Result<Slot<'_, C>, WebError> {
        loop {
            if !self.pause.wait(&self.limiter, &self.stop, self.watch)? {
                return Err(self.stopped());
            }
            match self.limiter.acquire(&self.stop) {
                Turn::Granted(slot) => return Ok(slot),
                Turn::Held => {}
                Turn::Stopped => return Err(self.stopped()),
            }
        }
    }

    /// Sends one request, judges and records it. `unclosed`: hash of the document that came last and did not close; the same
    /// again is good.
    fn ask(&self, url: &str, wanted: Wanted, unclosed: &mut Unclosed) -> Result<(Sent, Verdict), WebError> {
        let slot = self.slot()?;
        let (time, start) = (self.clock.wall(), self.clock.now());
        let sent = self.transport.get(Ask { url, agent: &self.agent, wanted }, &mut || slot.arrived());
        let ms = self.clock.now().saturating_sub(start).as_millis();
        drop(slot);
        let mut verdict = match judge(wanted, &sent) {
            Verdict::Good(body) if wanted == Wanted::Document && !is_page(url, &body) => {
                Verdict::Again { reason: "bare text in place of a page".to_owned(), struggling: true, after: None }
            }
            verdict => verdict,
        };
        if let Verdict::Unclosed(body) = verdict {
            let hash = Some(sha256_hex(&body));
            if unclosed.hash == hash {
                unclosed.taken = true;
                self.watch.see(Event::Note(format!(
                    "{url}: its end is not marked, but it came twice the same and in full length; taken as EDGAR has it"
                )));
                verdict = Verdict::Good(body);
            } else {
                unclosed.hash = hash;
                verdict = Verdict::Unclosed(body);
            }
        }
        // The pause begins before anything else can be sent, and before the disk is waited for.
        let blocked = match &verdict {
            Verdict::Blocked(after) => self.pause.begin(&self.limiter, url, sent.status, after.map(|a| self.until(a))),
            _ => Ok(()),
        };
        let (bytes, sha256) = match &verdict {
            Verdict::Good(body) => (body.len(), Some(sha256_hex(body))),
            Verdict::Unclosed(body) => (body.len(), None),
            _ => (sent.body.len(), None),
        };
        let reason = match &verdict {
            Verdict::Again { reason, .. } | Verdict::Never(reason) => Some(reason.clone()),
            Verdict::Moved(place) => Some(place.clone()),
            _ => None,
        };
        self.log.append(&Entry {
            time,
            url: url.to_owned(),
            wanted: wanted.to_string(),
            status: sent.status,
            bytes: bytes as u64,
            sha256,
            etag: sent.etag.clone(),
            last_modified: sent.last_modified.clone(),
            ms: u64::try_from(ms).unwrap_or(u64::MAX),
            verdict: verdict.word().to_owned(),
            reason,
        })?;
        match blocked {
            Err(WebError::StillBlocked { pauses }) => Err(self.end(End::StillBlocked { pauses })),
            Err(other) => Err(other),
            Ok(()) => Ok((sent, verdict)),
        }
    }

    fn until(&self, after: RetryAfter) -> Duration {
        match after {
            RetryAfter::Seconds(n) => Duration::from_secs(n.into()),
            RetryAfter::At(time) => Duration::try_from(time.duration_since(self.clock.wall())).unwrap_or_default(),
        }
    }

    /// Wait before the try after this one: doubled each time, and spread over half to one and a half of it, so that threads that failed
    /// together do not come back together. The spread hangs on the address: the same run waits the same.
    fn back_off(&self, url: &str, tried: u32) -> Duration {
        let doubled = self
            .settings
            .back_off
            .saturating_mul(1 << (tried.saturating_sub(1)).min(16))
            .min(self.settings.longest_back_off);
        let digest = Sha256::new().chain_update(url).chain_update(tried.to_le_bytes()).finalize();
        let share = f64::from(digest.first().copied().unwrap_or(0)) / 255.0;
        doubled.mul_f64(0.5 + share)
    }
}

impl<T: Transport, C: Clock + Clone> Web for Polite<'_, T, C> {
    fn get(&self, url: &str, wanted: Wanted) -> Result<Answer, WebError> {
        let mut place = self.hosts.resolve(url);
        let (mut tries, mut moves, mut blocks, mut unclosed) = (0, 0, 0, Unclosed::default());
        loop {
            let (sent, verdict) = self.ask(&place, wanted, &mut unclosed)?;
            tries += 1;
            let (reason, wait) = match verdict {
                Verdict::Good(body) => {
                    self.limiter.good();
                    self.pause.good();
                    return Ok(Answer { body, unclosed: unclosed.taken });
                }
                Verdict::Unclosed(_) => {
                    self.pause.good();
                    ("the document does not close: it may be cut".to_owned(), Duration::ZERO)
                }
                Verdict::Again { reason, struggling, after } => {
                    if struggling {
                        self.limiter.trouble();
                    }
                    (reason, after.map_or(Duration::ZERO, |after| self.until(after).min(LONGEST_WISH)))
                }
                Verdict::Moved(to) => {
                    moves += 1;
                    match on_same_host(&place, &to) {
                        Some(next) if moves <= self.settings.redirects => {
                            place = next;
                            tries -= 1;
                            continue;
                        }
                        _ => {
                            return Err(WebError::Unanswered {
                                reason: format!("status {}: it points to {to}, which is not followed", sent.status),
                                tries,
                            });
                        }
                    }
                }
                // Says nothing about this file: it is asked for again after the pause, which is counted there. But where others
                // come and this one is refused time after time, it must not cost a pause for ever.
                Verdict::Blocked(_) => {
                    tries -= 1;
                    blocks += 1;
                    if blocks > self.settings.pauses {
                        return Err(WebError::Unanswered {
                            reason: format!("status {}: EDGAR refused after each of {blocks} pauses", sent.status),
                            tries: blocks,
                        });
                    }
                    continue;
                }
                Verdict::Undeclared => return Err(self.end(End::Undeclared)),
                Verdict::NotFound => {
                    self.limiter.good();
                    self.pause.good();
                    return Err(WebError::NotFound { status: sent.status });
                }
                Verdict::Never(reason) => return Err(WebError::Unanswered { reason, tries }),
            };
            if tries >= self.settings.tries {
                return Err(WebError::Unanswered { reason, tries });
            }
            if !self.clock.sleep(self.back_off(&place, tries).max(wait), &self.stop) {
                return Err(self.stopped());
            }
        }
    }
}

/// Where a redirect leads, when it stays on the host that was asked.
fn on_same_host(asked: &str, to: &str) -> Option<String> {
    let (scheme, rest) = asked.split_once("://")?;
    let origin = format!("{scheme}://{}", rest.split(['/', '?']).next()?);
    if to.contains(char::is_control) || to.contains(' ') {
        return None;
    }
    if to.starts_with('/') && !to.starts_with("//") {
        return Some(format!("{origin}{to}"));
    }
    let path = to.strip_prefix(&origin)?;
    (path.is_empty() || path.starts_with(['/', '?'])).then(|| to.to_owned())
}

#[cfg(test)]
mod tests;
