//! What a run may spend.
//!
//! Shared by everything that asks services in one run. Tokens are taken before a request by estimate, because afterwards is too late, and
//! set right by what the service says it counted.

use std::sync::{Mutex, PoisonError};

use eightk_encode::EncodeError;

/// Limits on requests and tokens, and what was used of them. Everything that asks services shares one, behind an `Arc`.
#[derive(Debug, Default)]
pub struct Budget {
    max_requests: Option<u64>,
    max_tokens: Option<u64>,
    used: Mutex<Used>,
}

/// What was asked of services.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Used {
    /// Requests that were sent, those sent again among them.
    pub requests: u64,
    /// Tokens as the services counted them; by estimate where they do not say, and of requests under way.
    pub tokens: u64,
    /// Of the requests, how many were sent again because one before failed.
    pub retries: u64,
}

/// Requests and tokens that something needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Need {
    pub(crate) requests: u64,
    pub(crate) tokens: u64,
}

impl std::ops::Add for Need {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            requests: self.requests.saturating_add(other.requests),
            tokens: self.tokens.saturating_add(other.tokens),
        }
    }
}

/// Tokens that were taken for a request, until it is known how many it used.
#[derive(Debug)]
pub(crate) struct Reservation<'b> {
    budget: &'b Budget,
    own: &'b Budget,
    tokens: u64,
}

impl Budget {
    /// With these limits; `None` is no limit.
    pub fn new(max_requests: Option<u64>, max_tokens: Option<u64>) -> Self {
        Self { max_requests, max_tokens, used: Mutex::default() }
    }

    /// What was used so far.
    pub fn used(&self) -> Used {
        *self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Used)) {
        change(&mut self.used.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Takes one request and its tokens, from this and from `own`, which only counts. `rest` is what the work at hand needs in all,
    /// this request included, for the message.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Budget`]: what was used, and what would be needed.
    pub(crate) fn reserve<'b>(
        &'b self,
        own: &'b Self,
        who: &str,
        tokens: u64,
        rest: impl FnOnce() -> Need,
    ) -> Result<Reservation<'b>, EncodeError> {
        self.take(who, tokens, rest)?;
        own.change(|used| {
            used.requests += 1;
            used.tokens = used.tokens.saturating_add(tokens);
        });
        Ok(Reservation { budget: self, own, tokens })
    }

    fn take(&self, who: &str, tokens: u64, rest: impl FnOnce() -> Need) -> Result<(), EncodeError> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let (requests, total) = (used.requests.saturating_add(1), used.tokens.saturating_add(tokens));
        let limit = match (self.max_requests, self.max_tokens) {
            (Some(most), _) if requests > most => format!("{most} requests (--max-requests)"),
            (_, Some(most)) if total > most => format!("{most} tokens (--max-tokens)"),
            _ => {
                (used.requests, used.tokens) = (requests, total);
                return Ok(());
            }
        };
        let rest = rest();
        Err(EncodeError::Budget(format!(
            "{who}: the budget of {limit} would be exceeded: {} requests and {} tokens are used, and the work at hand needs {} more \
             requests and about {} tokens; raise the limit and run again – what is finished is kept",
            used.requests, used.tokens, rest.requests, rest.tokens
        )))
    }
}

impl Reservation<'_> {
    /// How many were taken.
    pub(crate) const fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Takes one more request for the same tokens.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Budget`].
    pub(crate) fn again(&self, who: &str) -> Result<(), EncodeError> {
        self.budget.take(who, 0, || Need { requests: 1, tokens: self.tokens })?;
        self.own.change(|used| used.requests += 1);
        for budget in [self.budget, self.own] {
            budget.change(|used| used.retries += 1);
        }
        Ok(())
    }

    /// Ends it: the service counted this many tokens.
    pub(crate) fn settle(self, counted: u64) {
        for budget in [self.budget, self.own] {
            budget.change(|used| used.tokens = used.tokens.saturating_sub(self.tokens).saturating_add(counted));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_before_and_set_right_after() {
        let (budget, own) = (Budget::new(Some(3), Some(100)), Budget::default());
        let rest = || Need { requests: 7, tokens: 700 };
        let first = budget.reserve(&own, "kiln", 60, rest).unwrap();
        let error = budget.reserve(&own, "kiln", 60, rest).unwrap_err();
        assert!(
            matches!(&error, EncodeError::Budget(m) if m.contains("--max-tokens") && m.contains("1 requests and 60 tokens") && m.contains("7 more") && m.contains("700")),
            "{error}"
        );
        first.settle(30);
        let second = budget.reserve(&own, "kiln", 60, rest).unwrap();
        second.again("kiln").unwrap();
        let error = second.again("kiln").unwrap_err();
        assert!(matches!(&error, EncodeError::Budget(m) if m.contains("--max-requests")), "{error}");
        second.settle(0);
        assert_eq!(budget.used(), Used { requests: 3, tokens: 30, retries: 1 });
        assert_eq!(own.used(), budget.used());
    }

    #[test]
    fn what_nobody_settles_stays_taken() {
        let budget = Budget::default();
        let own = Budget::default();
        let _left = budget.reserve(&own, "kiln", u64::MAX, Need::default).unwrap();
        let _left = budget.reserve(&own, "kiln", 5, Need::default).unwrap();
        assert_eq!(budget.used().tokens, u64::MAX);
    }
}
