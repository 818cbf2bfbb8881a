//! The block: when EDGAR says that requests come too fast, nobody asks anything for a while.
//!
//! EDGAR lifts a block only after some minutes of silence, and every request during it starts it anew. So a pause stops the
//! whole process, counts from the last refusal, and is remembered in a file: killing and starting again would otherwise renew the block for ever.
//! A back-off of the one request that was refused, as clients usually do it, keeps the block alive.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::WebError;
use super::clock::Clock;
use super::limiter::Limiter;
use super::stop::Stop;
use crate::event::{Event, Watcher};

/// No `Retry-After` is honoured beyond this.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// How often a wait tells how long it still lasts.
const TELL: Duration = Duration::from_secs(1);

/// The pause as it is kept on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Remembered {
    /// Nothing is asked before.
    until: Timestamp,
    /// The last refusal.
    since: Timestamp,
    /// What was refused.
    url: String,
    /// Its status.
    status: u16,
    /// What `Retry-After` asked for, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
}

/// Whether, and until when, nothing is asked.
#[derive(Debug)]
pub struct Pause<C> {
    clock: C,
    path: PathBuf,
    length: Duration,
    allowed: u32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    until: Option<Duration>,
    why: String,
    told: Option<Duration>,
    /// Pauses since the last whole answer.
    in_a_row: u32,
}

impl<C: Clock> Pause<C> {
    /// Pauses of `length`, remembered at `path`; after `allowed` of them without a whole answer in between, the run ends. What an
    /// earlier process left there is waited out first, but never longer than a pause can be: clocks are set back, files edited.
    ///
    /// # Errors
    ///
    /// [`WebError::Record`] when there is a file that cannot be read.
    pub fn open(
        path: PathBuf,
        length: Duration,
        allowed: u32,
        limiter: &Limiter<C>,
        clock: C,
    ) -> Result<Self, WebError> {
        let left = match fs::read(&path) {
            Ok(bytes) => match serde_json::from_slice::<Remembered>(&bytes) {
                Ok(kept) => {
                    let left = Duration::try_from(kept.until.duration_since(clock.wall())).unwrap_or_default();
                    let longest =
                        Duration::from_secs(kept.retry_after.unwrap_or(0)).min(LONGEST).max(length.saturating_mul(2));
                    if left > longest { length } else { left }
                }
                // There was a block; when is not known any more.
                Err(_) => length,
            },
            Err(e) if e.kind() == io::ErrorKind::NotFound => Duration::ZERO,
            Err(source) => return Err(WebError::Record { path, source }),
        };
        let mut state = State::default();
        if left.is_zero() {
            forget(&path)?;
        } else {
            let until = clock.now() + left;
            limiter.hold_until(until);
            state.until = Some(until);
            state.why = "EDGAR refused an earlier run: requests came too fast".to_owned();
        }
        Ok(Self { clock, path, length, allowed, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// EDGAR refused `url`: nothing is asked from now on for the length of a pause, or for `retry_after` when that is longer.
    ///
    /// # Errors
    ///
    /// [`WebError::StillBlocked`] when there were enough pauses already, [`WebError::Record`] when the file cannot be written.
    pub fn begin(
        &self,
        limiter: &Limiter<C>,
        url: &str,
        status: u16,
        retry_after: Option<Duration>,
    ) -> Result<(), WebError> {
        let now = self.clock.now();
        let length = self.length.max(retry_after.unwrap_or_default().min(LONGEST));
        let mut state = self.state();
        let until = state.until.unwrap_or_default().max(now + length);
        limiter.hold_until(until);
        // Answers to requests that were under way prolong the pause and are no pause of their own.
        if state.until.is_none_or(|until| until <= now) {
            state.in_a_row += 1;
        }
        state.until = Some(until);
        state.why = format!("EDGAR refused: requests came too fast (status {status})");
        let wall = self.clock.wall();
        let until = wall.checked_add(until - now).unwrap_or(Timestamp::MAX);
        let kept = Remembered {
            until,
            since: wall,
            url: url.to_owned(),
            status,
            retry_after: retry_after.map(|d| d.as_secs()),
        };
        remember(&self.path, &kept)?;
        if state.in_a_row > self.allowed {
            return Err(WebError::StillBlocked { pauses: self.allowed });
        }
        Ok(())
    }

    /// A whole answer came.
    pub fn good(&self) {
        let now = self.clock.now();
        let mut state = self.state();
        // One that was under way when the pause began says nothing about its end.
        if state.until.is_none_or(|until| until <= now) {
            state.in_a_row = 0;
        }
    }

    /// Waits as long as there is a pause. `false`: stopped.
    ///
    /// # Errors
    ///
    /// [`WebError::Record`] when the file cannot be removed.
    pub fn wait(&self, limiter: &Limiter<C>, stop: &Stop, watch: &dyn Watcher) -> Result<bool, WebError> {
        loop {
            let mut tell = None;
            let left = {
                let mut state = self.state();
                let now = self.clock.now();
                let Some(until) = state.until else { return Ok(true) };
                let left = until.saturating_sub(now);
                if left.is_zero() {
                    state.until = None;
                    state.told = None;
                    forget(&self.path)?;
                    limiter.trouble();
                    drop(state);
                    watch.see(Event::Resumed);
                    return Ok(true);
                }
                // Of all that wait, one tells.
                if state.told.is_none_or(|told| now >= told + TELL) {
                    state.told = Some(now);
                    tell = Some(Event::Waiting { left, why: state.why.clone() });
                }
                left
            };
            if let Some(event) = tell {
                watch.see(event);
            }
            if !self.clock.sleep(left.min(TELL), stop) {
                return Ok(false);
            }
        }
    }
}

fn record(path: &Path) -> impl Fn(io::Error) -> WebError {
    let path = path.to_owned();
    move |source| WebError::Record { path: path.clone(), source }
}

/// Writes the file whole: a new one, synced, in the old one's place.
fn remember(path: &Path, kept: &Remembered) -> Result<(), WebError> {
    let mut text = serde_json::to_vec_pretty(kept).map_err(|e| record(path)(e.into()))?;
    text.push(b'\n');
    let temporary = path.with_extension("json.tmp");
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(&text)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
            _ => Ok(()),
        }
    };
    write().map_err(record(path))
}

fn forget(path: &Path) -> Result<(), WebError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(record(path)(e)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
