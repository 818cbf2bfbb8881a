//! A request until it is answered.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use eightk_encode::EncodeError;

use super::refusal::{Refusal, Then, judge};
use super::wire::Wire;
use super::{Access, Budget, Endpoint, Need, Reservation, Secret, Unread, Waiting, pause};

/// A request that failed for good.
#[derive(Debug, PartialEq)]
pub(crate) enum Refused {
    /// It was too large; smaller ones may pass.
    TooLarge(EncodeError),
    /// Else.
    Failed(EncodeError),
}

impl From<Refused> for EncodeError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::TooLarge(error) | Refused::Failed(error) => error,
        }
    }
}

/// One service at one address. Safe to use from several threads at once.
pub(crate) struct Client {
    who: String,
    endpoint: Endpoint,
    wire: Wire,
    access: Access,
    /// Counts what this client alone used.
    own: Budget,
    /// The service asked for a pause: nobody asks it before this time of the clock.
    hold: Mutex<Duration>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("who", &self.who).field("endpoint", &self.endpoint).finish_non_exhaustive()
    }
}

impl Client {
    /// `who` stands first in every message: kind and model.
    pub(crate) fn new(who: String, endpoint: Endpoint, timeout: Duration, access: Access) -> Self {
        let wire = Wire::new(&endpoint, timeout);
        Self { who, endpoint, wire, access, own: Budget::default(), hold: Mutex::default() }
    }

    /// Who is asked, for messages.
    pub(crate) fn who(&self) -> &str {
        &self.who
    }

    /// Where.
    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// The key, if there is one.
    pub(crate) fn key(&self) -> Option<&Secret> {
        self.access.key()
    }

    /// What this client has used so far.
    pub(crate) fn used(&self) -> super::Used {
        self.own.used()
    }

    /// Takes what a request needs from the budget. `rest` is what the work at hand needs in all, for the message.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Budget`].
    pub(crate) fn reserve(&self, tokens: u64, rest: impl FnOnce() -> Need) -> Result<Reservation<'_>, EncodeError> {
        self.access.budget.reserve(&self.own, &self.who, tokens, rest)
    }

    /// Gets another path of the same service: what it says about itself.
    ///
    /// # Errors
    ///
    /// As [`send`](Self::send).
    pub(crate) fn get<A>(
        &self,
        path: &str,
        limit: u64,
        read: impl Fn(&[u8]) -> Result<A, Unread>,
    ) -> Result<A, EncodeError> {
        let to = self.endpoint.at(path);
        let to = to.ok_or_else(|| EncodeError::Bug(format!("{path} is no path of {}", self.endpoint.as_str())))?;
        let reserved = self.reserve(0, || Need { requests: 1, tokens: 0 })?;
        Ok(self.send(reserved, &to, None, limit, |body| Ok((read(body)?, Some(0))))?)
    }

    /// Sends what is reserved, and again where it makes sense. A body is posted as JSON; without one it is a GET. `limit` is the most bytes that the
    /// answer can have, and `read` makes of it a value and, where it says so, the tokens that were counted.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Budget`], [`EncodeError::Usage`] (key, address), [`EncodeError::Unavailable`], [`EncodeError::Data`]. No message
    /// holds the key.
    pub(crate) fn send<A>(
        &self,
        reserved: Reservation<'_>,
        to: &Endpoint,
        body: Option<&[u8]>,
        limit: u64,
        read: impl Fn(&[u8]) -> Result<(A, Option<u64>), Unread>,
    ) -> Result<A, Refused> {
        let mut retry = 0;
        let estimated = reserved.tokens();
        loop {
            self.wait_for_hold();
            let (refusal, worked) = match self.wire.send(to, body, self.key(), limit) {
                Ok(answer) if (200..300).contains(&answer.status) => match read(&answer.body) {
                    Ok((value, counted)) => {
                        reserved.settle(counted.unwrap_or(estimated));
                        return Ok(value);
                    }
                    Err(unread) => (self.unreadable(to, &answer.body, unread, &read), true),
                },
                Ok(answer) => (judge(&self.who, to, self.key(), &answer, self.access.clock.wall()), false),
                Err(failure) => {
                    let error = format!("{}: {} {}", self.who, to.as_str(), failure.problem);
                    let error = self.redacted(&error);
                    let then = if failure.passing { Then::Again(None) } else { Then::Stop };
                    let refusal = Refusal {
                        error: EncodeError::Unavailable(error),
                        then,
                        reason: self.redacted(&failure.problem),
                    };
                    (refusal, !failure.unsent)
                }
            };
            let again = match refusal.then {
                Then::Again(asked) if retry < pause::MOST_RETRIES => asked,
                // A service that refused has counted nothing; one that was cut off may have.
                Then::Halve => {
                    reserved.settle(0);
                    return Err(Refused::TooLarge(refusal.error));
                }
                then => {
                    reserved.settle(if worked { estimated } else { 0 });
                    let tried = retry + 1;
                    return Err(Refused::Failed(if then == Then::Stop {
                        refusal.error
                    } else {
                        given_up(refusal.error, tried)
                    }));
                }
            };
            let pause = again.unwrap_or_else(|| pause::drawn(retry, self.access.clock.chance()));
            retry += 1;
            if let Err(error) = reserved.again(&self.who) {
                reserved.settle(if worked { estimated } else { 0 });
                let error = match error {
                    EncodeError::Budget(said) => {
                        EncodeError::Budget(format!("{said} (it was asked again because it {})", refusal.reason))
                    }
                    other => other,
                };
                return Err(Refused::Failed(error));
            }
            if let Some(watch) = &self.access.watch {
                let (who, reason) = (self.who.clone(), refusal.reason);
                watch(&Waiting { who, reason, pause, retry: (retry, pause::MOST_RETRIES) });
            }
            match again {
                // What it asks of one it means for all.
                Some(pause) => self.hold_for(pause),
                None => self.access.clock.sleep(pause),
            }
        }
    }

    fn unreadable<A>(
        &self,
        to: &Endpoint,
        body: &[u8],
        unread: Unread,
        read: impl Fn(&[u8]) -> Result<A, Unread>,
    ) -> Refusal {
        // Readers quote pieces, and a piece of a key would not be found in them: they are made to quote from a body without it.
        let text = String::from_utf8_lossy(body);
        let clean = self.redacted(&text);
        let unread = if clean == text {
            unread
        } else {
            match read(clean.as_bytes()) {
                Err(clean) => clean,
                Ok(_) => Unread::Wrong("repeats the key in the place of a number".to_owned()),
            }
        };
        let (why, then) = match &unread {
            Unread::BrokenOff(why) => (why, Then::Again(None)),
            Unread::Wrong(why) => (why, Then::Stop),
        };
        let error = self.redacted(&format!("{}: the answer of {} {why}", self.who, to.as_str()));
        Refusal { error: EncodeError::Data(error), then, reason: "sent an answer that breaks off".to_owned() }
    }

    fn redacted(&self, text: &str) -> String {
        self.key().map_or_else(|| text.to_owned(), |key| key.redact(text))
    }

    fn hold_for(&self, pause: Duration) {
        let until = self.access.clock.now().saturating_add(pause);
        let mut hold = self.hold.lock().unwrap_or_else(PoisonError::into_inner);
        *hold = until.max(*hold);
    }

    fn wait_for_hold(&self) {
        let hold = || *self.hold.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let left = hold().saturating_sub(self.access.clock.now());
            if left.is_zero() {
                return;
            }
            self.access.clock.sleep(left);
        }
    }
}

/// The same error with how often it was tried.
fn given_up(error: EncodeError, tried: u32) -> EncodeError {
    let add = |message: String| format!("{message} (tried {tried} times)");
    match error {
        EncodeError::Unavailable(message) => EncodeError::Unavailable(add(message)),
        EncodeError::Data(message) => EncodeError::Data(add(message)),
        other => other,
    }
}

#[cfg(test)]
mod tests;
