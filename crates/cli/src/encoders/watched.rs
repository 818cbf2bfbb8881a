//! An encoder whose progress is shown.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use eightk_encode::{EncodeError, Encoder, Estimate, FilingInput, Identity, OnFiling, OnQuery, Usage};

use crate::output::{Ticker, thousands};

/// Where progress is shown, once something shows it.
pub(super) type Shown = Arc<Mutex<Option<Ticker>>>;

/// Passes everything on and counts what is finished.
pub(super) struct Watched {
    inner: Arc<dyn Encoder>,
    shown: Shown,
    chunks: AtomicU64,
}

impl Watched {
    pub(super) fn new(inner: Arc<dyn Encoder>, shown: Shown) -> Self {
        Self { inner, shown, chunks: AtomicU64::new(0) }
    }

    fn finished(&self, chunks: usize) {
        let all = self.chunks.fetch_add(chunks as u64, Ordering::Relaxed) + chunks as u64;
        if let Some(ticker) = &*self.shown.lock().unwrap_or_else(PoisonError::into_inner) {
            let n = thousands(usize::try_from(all).unwrap_or(usize::MAX));
            ticker.say(format!("{}: {n} vectors", self.inner.identity().model));
        }
    }
}

impl Encoder for Watched {
    fn identity(&self) -> &Identity {
        self.inner.identity()
    }

    fn sees_context(&self) -> bool {
        self.inner.sees_context()
    }

    fn goes_by_id(&self) -> bool {
        self.inner.goes_by_id()
    }

    fn encode_filings(&self, filings: &[FilingInput<'_>], finished: &mut OnFiling<'_>) -> Result<(), EncodeError> {
        self.inner.encode_filings(filings, &mut |at, chunks| {
            let n = chunks.len();
            finished(at, chunks)?;
            self.finished(n);
            Ok(())
        })
    }

    fn encode_queries(&self, queries: &[&str], finished: &mut OnQuery<'_>) -> Result<(), EncodeError> {
        self.inner.encode_queries(queries, finished)
    }

    fn estimate(&self, filings: &[FilingInput<'_>], queries: &[&str]) -> Estimate {
        self.inner.estimate(filings, queries)
    }

    fn usage(&self) -> Usage {
        self.inner.usage()
    }
}
