//! Units sent and brought home: a few requests at a time, each wave kept before the next is sent.
//!
//! In waves and not from a queue: what a wave brought is handed over, and kept, in order before anything more is paid for, so that a run that is killed
//! loses one wave at most, and two runs hand over in the same order. A queue would save the wait for the slowest of a wave.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use eightk_encode::{EncodeError, Role, Vector};

use super::dialects::Dialect;
use super::plan::{Limits, Unit, batch, need};
use crate::web::{Client, Need, Refused, Reservation};

/// Bytes of an answer per text and dimension, and for what is around them: more than any service writes.
const BYTES_A_NUMBER: u64 = 32;
const BYTES_AROUND: u64 = 1 << 20;

/// Dimensions of a vector where they are not known: more than any model has.
const MOST_DIMS: usize = 16_384;

/// Most bytes of any answer: several requests are under way at once, and each answer is held whole.
const LONGEST_ANSWER: u64 = 256 << 20;

/// All that the requests of one call share.
pub(crate) struct Run<'a> {
    pub(crate) client: &'a Client,
    pub(crate) dialect: &'a dyn Dialect,
    pub(crate) limits: Limits,
    /// Most units that a request may hold, as the service's refusals have taught.
    pub(crate) learned: &'a AtomicUsize,
    pub(crate) parallel: usize,
    pub(crate) role: Role,
    pub(crate) in_context: bool,
    /// Stands before each text.
    pub(crate) prompt: &'a str,
    pub(crate) dims: Option<usize>,
}

/// Takes a unit's vectors, one per text.
pub(crate) type Home<'h> = dyn FnMut(&Unit<'_>, Vec<Vector>) -> Result<(), Trouble> + 'h;

/// Why vectors were not taken.
pub(crate) enum Trouble {
    /// They are bad. Others of the same wave are still wanted, as they are paid for.
    Bad(EncodeError),
    /// Nothing more is wanted.
    Stop(EncodeError),
}

/// Requests, each with what it takes from the budget.
type Wave<'c> = Vec<(Range<usize>, Reservation<'c>)>;

/// What one request, or the parts that it fell into, brought.
type Brought = (Vec<(Range<usize>, Vec<Vec<Vector>>)>, Option<EncodeError>);

impl Run<'_> {
    /// Sends all units. `home` is called for each, in order within a wave.
    ///
    /// # Errors
    ///
    /// The first in the units' order, after everything else of its wave was handed over; or that with which `home` stops, at once.
    pub(crate) fn send(&self, units: &[Unit<'_>], home: &mut Home<'_>) -> Result<(), EncodeError> {
        let mut next = 0;
        while next < units.len() {
            let (wave, after, short) = self.wave(units, next);
            next = after;
            let mut stopped: Option<EncodeError> = None;
            let mut refused: Option<EncodeError> = None;
            let mut hand_over = |(brought, error): Brought| {
                for (range, vectors) in brought {
                    for (unit, vectors) in units.get(range).unwrap_or_default().iter().zip(vectors) {
                        if stopped.is_some() {
                            return;
                        }
                        match home(unit, vectors) {
                            Ok(()) => {}
                            Err(Trouble::Bad(error)) => refused = refused.take().or(Some(error)),
                            Err(Trouble::Stop(error)) => stopped = Some(error),
                        }
                    }
                }
                refused = refused.take().or(error);
            };
            if wave.len() == 1 {
                wave.into_iter().for_each(|(range, reserved)| hand_over(self.ask(units, range, reserved)));
            } else {
                std::thread::scope(|scope| {
                    let threads: Vec<_> = wave
                        .into_iter()
                        .map(|(range, reserved)| scope.spawn(move || self.ask(units, range, reserved)))
                        .collect();
                    for thread in threads {
                        let died =
                            |_| (Vec::new(), Some(EncodeError::Bug("a request's thread ended early".to_owned())));
                        hand_over(thread.join().unwrap_or_else(died));
                    }
                });
            }
            if let Some(error) = stopped.or(refused).or(short) {
                return Err(error);
            }
        }
        Ok(())
    }

    /// The next requests with what they take from the budget, where they end, and why they are not more.
    fn wave(&self, units: &[Unit<'_>], from: usize) -> (Wave<'_>, usize, Option<EncodeError>) {
        let limits = self.limits();
        let (mut wave, mut at) = (Vec::new(), from);
        while wave.len() < self.parallel.max(1) && at < units.len() {
            let rest = units.get(at..).unwrap_or_default();
            let end = at + batch(rest, &limits);
            let tokens = tokens(units.get(at..end).unwrap_or_default());
            match self.client.reserve(tokens, || need(rest, &limits)) {
                Ok(reserved) => wave.push((at..end, reserved)),
                Err(error) => return (wave, at, Some(error)),
            }
            at = end;
        }
        (wave, at, None)
    }

    fn limits(&self) -> Limits {
        Limits { units: self.limits.units.min(self.learned.load(Ordering::Relaxed)), ..self.limits }
    }

    /// One request, in halves where the service takes no more.
    fn ask<'c>(&'c self, units: &[Unit<'_>], range: Range<usize>, reserved: Reservation<'c>) -> Brought {
        let mut brought = Vec::new();
        let mut reserved = Some(reserved);
        let (mut todo, mut most) = (vec![range], usize::MAX);
        while let Some(range) = todo.pop() {
            if range.len() > most {
                let middle = range.start + most;
                todo.extend([middle..range.end, range.start..middle]);
                continue;
            }
            let part = units.get(range.clone()).unwrap_or_default();
            let rest = || Need { requests: 1 + todo.len() as u64, tokens: tokens(part) };
            let reserved = match reserved.take().map_or_else(|| self.client.reserve(tokens(part), rest), Ok) {
                Ok(reserved) => reserved,
                Err(error) => return (brought, Some(error)),
            };
            match self.post(part, reserved) {
                Ok(vectors) => brought.push((range, vectors)),
                Err(Refused::TooLarge(_)) if range.len() > 1 => {
                    most = range.len().div_ceil(2);
                    self.learned.fetch_min(most, Ordering::Relaxed);
                    todo.push(range);
                }
                Err(refused) => return (brought, Some(refused.into())),
            }
        }
        (brought, None)
    }

    fn post(&self, units: &[Unit<'_>], reserved: Reservation<'_>) -> Result<Vec<Vec<Vector>>, Refused> {
        let documents: Vec<Vec<Cow<'_, str>>> =
            units.iter().map(|u| u.texts.iter().map(|text| prompted(self.prompt, text)).collect()).collect();
        let shape: Vec<usize> = documents.iter().map(Vec::len).collect();
        let body = self.dialect.body(self.role, self.in_context, &documents).to_string();
        // A service may repeat the texts beside their vectors.
        let numbers = self.dims.unwrap_or(MOST_DIMS) as u64 * BYTES_A_NUMBER;
        let texts = shape.iter().sum::<usize>() as u64;
        let limit = BYTES_AROUND.saturating_add(numbers.saturating_mul(texts)).saturating_add(6 * body.len() as u64);
        let limit = limit.min(LONGEST_ANSWER);
        let read = |answer: &[u8]| self.dialect.read(self.in_context, &shape, answer);
        self.client.send(reserved, self.client.endpoint(), Some(body.as_bytes()), limit, read)
    }
}

fn prompted<'t>(prompt: &str, text: &'t str) -> Cow<'t, str> {
    if prompt.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(format!("{prompt}{text}")) }
}

fn tokens(units: &[Unit<'_>]) -> u64 {
    units.iter().map(|u| u.tokens).fold(0, u64::saturating_add)
}
