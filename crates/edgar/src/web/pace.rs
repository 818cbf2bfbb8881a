//! How fast to ask: slower when EDGAR struggles, faster again when it answers.
//!
//! All requests share the rate. Backing off only with the request that failed does not help a server that is shedding load: the
//! others keep coming. Halving fast and adding slowly is what lets many clients share a server without agreeing on anything.

use std::time::Duration;

/// What a good answer adds to the rate: ten of them one request a second.
const STEP: f64 = 0.1;

/// The rate is not halved below this, unless a lower one was asked for.
const FLOOR: f64 = 1.0;

/// The rate of the moment.
#[derive(Debug, Clone)]
pub struct Pace {
    asked: f64,
    current: f64,
    slowed: Option<Duration>,
}

impl Pace {
    /// Begins at the rate asked for, in requests a second.
    pub fn new(asked: f64) -> Self {
        Self { asked, current: asked, slowed: None }
    }

    /// Requests a second at the moment.
    pub fn rate(&self) -> f64 {
        self.current
    }

    /// Time between the starts of two requests.
    pub fn spacing(&self) -> Duration {
        Duration::from_secs_f64(1.0 / self.current)
    }

    /// A whole answer came.
    pub fn good(&mut self) {
        self.current = (self.current + STEP).min(self.asked);
    }

    /// EDGAR struggles: half the rate. Answers to requests that were under way together count once: a second halving comes no
    /// sooner than half a second after the first, or two requests' time at low rates.
    pub fn trouble(&mut self, now: Duration) {
        let apart = Duration::from_secs_f64((2.0 / self.asked).max(0.5));
        if self.slowed.is_some_and(|last| now.saturating_sub(last) < apart) {
            return;
        }
        self.slowed = Some(now);
        self.current = (self.current / 2.0).max(self.asked.min(FLOOR));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn halves_once_and_climbs_slowly() {
        let at = Duration::from_millis;
        let mut pace = Pace::new(8.0);
        pace.trouble(at(1000));
        pace.trouble(at(1400));
        assert_eq!(pace.rate(), 4.0);
        pace.trouble(at(1500));
        assert_eq!(pace.rate(), 2.0);
        (0..10).for_each(|_| pace.good());
        assert!((pace.rate() - 3.0).abs() < 1e-9);
        (0..100).for_each(|_| pace.good());
        assert_eq!(pace.rate(), 8.0);
    }

    proptest! {
        #[test]
        fn never_above_what_was_asked_nor_still(asked in 0.1_f64..9.0, steps in prop::collection::vec((any::<bool>(), 0_u64..2000), 0..80)) {
            let mut pace = Pace::new(asked);
            let mut now = 0;
            for (good, after) in steps {
                now += after;
                if good { pace.good() } else { pace.trouble(Duration::from_millis(now)) }
                prop_assert!(pace.rate() <= asked && pace.rate() >= asked.min(FLOOR));
            }
        }
    }
}
