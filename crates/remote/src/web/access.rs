//! What a client is given besides its settings, by whoever runs it.

use std::sync::Arc;
use std::time::Duration;

use super::{Budget, Clock, MachineClock, Secret};

/// Called before each pause.
type Watch = dyn Fn(&Waiting) + Send + Sync;

/// A pause before a request is sent again, for whoever watches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// Which service.
    pub who: String,
    /// Why, in a few words.
    pub reason: String,
    /// For how long.
    pub pause: Duration,
    /// Which retry it will be, from 1, and how many there may be.
    pub retry: (u32, u32),
}

/// What a remote encoder or reranker needs besides its settings.
#[derive(Clone)]
pub struct Access {
    key: Option<Secret>,
    pub(super) budget: Arc<Budget>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) watch: Option<Arc<Watch>>,
}

impl Access {
    /// With a key, where the service wants one, and what the run may spend.
    pub fn new(key: Option<Secret>, budget: Arc<Budget>) -> Self {
        Self { key, budget, clock: Arc::new(MachineClock::start()), watch: None }
    }

    /// Tells `watch` of every pause, from whatever thread makes it.
    #[must_use]
    pub fn watched(self, watch: impl Fn(&Waiting) + Send + Sync + 'static) -> Self {
        Self { watch: Some(Arc::new(watch)), ..self }
    }

    /// With another clock than the machine's.
    #[must_use]
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// The key.
    pub(crate) fn key(&self) -> Option<&Secret> {
        self.key.as_ref()
    }
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Access").field("key", &self.key).field("budget", &self.budget).finish_non_exhaustive()
    }
}
