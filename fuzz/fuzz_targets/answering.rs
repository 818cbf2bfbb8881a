//! An EDGAR that gives the fuzzer's bodies one after the other, each of them once, and then stops.

use std::sync::atomic::{AtomicUsize, Ordering};

use eightk_edgar::web::{Answer, Wanted, Web, WebError};

/// The bodies, and which comes next.
pub struct Bodies<'a> {
    bodies: &'a [&'a [u8]],
    next: AtomicUsize,
}

impl<'a> Bodies<'a> {
    /// Answers from the first on.
    pub fn new(bodies: &'a [&'a [u8]]) -> Self {
        Self { bodies, next: AtomicUsize::new(0) }
    }
}

impl Web for Bodies<'_> {
    fn get(&self, _: &str, _: Wanted) -> Result<Answer, WebError> {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        self.bodies.get(n).map(|body| Answer { body: body.to_vec() }).ok_or(WebError::Stopped)
    }
}
