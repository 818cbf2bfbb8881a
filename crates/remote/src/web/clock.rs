//! Time and chance: the one place of the crate that reads a clock.
//!
//! Waiting takes its clock as a value, so that tests see every pause and wait for none.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, Instant};

use jiff::Timestamp;

/// Tells the time, waits, and throws dice for the length of pauses. Nothing of it reaches a result.
pub trait Clock: Send + Sync {
    /// Time since some fixed moment; never goes back.
    fn now(&self) -> Duration;

    /// The time of day, for services that name the moment until which to wait.
    fn wall(&self) -> Timestamp;

    /// Waits.
    fn sleep(&self, time: Duration);

    /// A number in [0, 1), another one each time.
    fn chance(&self) -> f64;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy)]
pub struct MachineClock {
    start: Instant,
}

impl MachineClock {
    /// Starts at zero.
    pub fn start() -> Self {
        Self { start: Instant::now() }
    }
}

impl Clock for MachineClock {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn wall(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }

    fn chance(&self) -> f64 {
        // The standard library's per-map seeds: random enough to keep clients from asking in step.
        let bits = RandomState::new().build_hasher().finish() >> 11;
        bits as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_differ_and_lie_in_the_unit_interval() {
        let clock = MachineClock::start();
        let chances: Vec<f64> = (0..100).map(|_| clock.chance()).collect();
        assert!(chances.iter().all(|c| (0.0..1.0).contains(c)));
        assert!(chances.iter().any(|c| *c < 0.4) && chances.iter().any(|c| *c > 0.6));
    }
}
