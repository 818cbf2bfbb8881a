//! Nobody is asked.

use super::{Answer, Wanted, Web, WebError};

/// A web without answers: what is not in the store is missing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Offline;

impl Web for Offline {
    fn get(&self, _: &str, _: Wanted) -> Result<Answer, WebError> {
        Err(WebError::Offline)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_that_nobody_was_asked_and_lets_the_run_go_on() {
        let error = Offline.get("https://www.sec.gov/x", Wanted::Document).unwrap_err();
        assert!(matches!(error, WebError::Offline) && !error.ends_the_run());
    }
}
