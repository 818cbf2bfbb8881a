//! A flag that ends a run between two steps.
//!
//! A flag and not a channel: a signal handler may do nothing more than set one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says that the run is to end. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    above: Option<Arc<AtomicBool>>,
}

impl Stop {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag of somebody else's, such as a signal handler's.
    pub fn shared(flag: Arc<AtomicBool>) -> Self {
        Self { flag, above: None }
    }

    /// The flag itself, for a signal handler.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// A flag that is set when this one is, and can be set without setting this one.
    pub fn below(&self) -> Self {
        Self { flag: Arc::default(), above: Some(Arc::clone(&self.flag)) }
    }

    /// Sets it.
    pub fn set(&self) {
        self.flag.store(true, Ordering::SeqCst);
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.flag.load(Ordering::SeqCst) || self.above.as_ref().is_some_and(|above| above.load(Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_below_follows_but_does_not_lead() {
        let (a, b) = (Stop::new(), Stop::new());
        let (below_a, below_b) = (a.below(), b.below());
        a.set();
        below_b.set();
        assert!(below_a.is_set() && below_b.is_set() && !b.is_set());
        assert!(Stop::shared(a.flag()).is_set());
    }
}
