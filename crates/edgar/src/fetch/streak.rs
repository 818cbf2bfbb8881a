//! Failures in a row.
//!
//! A file that EDGAR does not give is left for the next run, and the others go on. But where one after the other fails, each after all its
//! tries, it is not the files: a run over thousands of them would take a day to learn nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::EdgarError;
use crate::web::WebError;

/// How many files in a row may fail before the run gives up.
const ALLOWED: usize = 12;

/// Counts failures between two successes, of all threads.
#[derive(Debug, Default)]
pub(super) struct Streak(AtomicUsize);

impl Streak {
    /// A file came.
    pub(super) fn broken(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// A file did not come. What ends the run is the error; the rest is given back, to be kept with the file.
    pub(super) fn failed(&self, url: &str, source: WebError) -> Result<WebError, EdgarError> {
        if source.ends_the_run() {
            return Err(EdgarError::Web { url: url.to_owned(), source });
        }
        if !matches!(source, WebError::Unanswered { .. }) {
            return Ok(source);
        }
        let in_a_row = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        if in_a_row < ALLOWED { Ok(source) } else { Err(EdgarError::Failing { in_a_row, url: url.to_owned(), source }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unanswered() -> WebError {
        WebError::Unanswered { reason: "status 503".into(), tries: 6 }
    }

    #[test]
    fn a_dozen_in_a_row_is_enough_and_a_success_begins_anew() {
        let streak = Streak::default();
        for _ in 0..3 {
            assert!((1..ALLOWED).all(|_| streak.failed("u", unanswered()).is_ok()));
            streak.broken();
        }
        assert!(
            (0..100).all(|_| streak.failed("u", WebError::NotFound { status: 404 }).is_ok()),
            "an answer of its kind"
        );
        assert!((1..ALLOWED).all(|_| streak.failed("u", unanswered()).is_ok()));
        let error = streak.failed("u", unanswered()).unwrap_err();
        assert!(error.to_string().contains("12 documents in a row"), "{error}");
        assert!(matches!(streak.failed("u", WebError::Stopped), Err(EdgarError::Web { .. })));
    }
}
