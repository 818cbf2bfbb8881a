//! Time: the one place of the crate that reads a clock.
//!
//! Waiting is what this crate does most, so everything that waits takes its clock as a parameter: tests run ten minutes of pause in
//! milliseconds, with several threads, and see every request's time exactly. A mocked runtime would have done it for async code.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::stop::Stop;

/// How long a sleeping thread may miss a [`Stop`].
const NOTICE: Duration = Duration::from_millis(100);

/// Tells the time and waits.
pub trait Clock: Sync {
    /// Time since some fixed moment; never goes back.
    fn now(&self) -> Duration;

    /// The time of day. May jump; only for records and for what has to outlive the process.
    fn wall(&self) -> Timestamp;

    /// Waits, come what may.
    fn nap(&self, time: Duration);

    /// Waits, but ends within a tenth of a second after `stop` was set. Whether the whole time was waited.
    fn sleep(&self, time: Duration, stop: &Stop) -> bool {
        let end = self.now().saturating_add(time);
        loop {
            if stop.is_set() {
                return false;
            }
            let left = end.saturating_sub(self.now());
            if left.is_zero() {
                return true;
            }
            self.nap(left.min(NOTICE));
        }
    }
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

    fn nap(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

impl<C: Clock> Clock for &C {
    fn now(&self) -> Duration {
        (**self).now()
    }

    fn wall(&self) -> Timestamp {
        (**self).wall()
    }

    fn nap(&self, time: Duration) {
        (**self).nap(time);
    }
}

#[cfg(test)]
pub(crate) mod fake {
    //! Time that passes only while everybody sleeps.

    use std::collections::BTreeSet;
    use std::sync::{Condvar, Mutex, PoisonError};

    use super::*;

    struct State {
        now: Duration,
        /// Threads that are not asleep.
        awake: usize,
        /// Who sleeps until when.
        asleep: BTreeSet<(Duration, u64)>,
        next: u64,
    }

    impl State {
        /// When nobody is awake, jumps to the next time somebody wakes.
        fn advance(&mut self, bell: &Condvar) {
            let (0, Some(&(wake, _))) = (self.awake, self.asleep.first()) else { return };
            self.now = self.now.max(wake);
            while self.asleep.first().is_some_and(|(wake, _)| *wake <= self.now) {
                self.asleep.pop_first();
                self.awake += 1;
            }
            bell.notify_all();
        }
    }

    /// A clock for a stated number of threads, each of which calls [`FakeClock::thread`] once and keeps what it gets.
    pub(crate) struct FakeClock {
        state: Mutex<State>,
        bell: Condvar,
        wall: Mutex<Timestamp>,
    }

    /// A thread that takes part in the time; when dropped, time no longer waits for it.
    pub(crate) struct Part<'c>(&'c FakeClock);

    impl Drop for Part<'_> {
        fn drop(&mut self) {
            let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.awake -= 1;
            state.advance(&self.0.bell);
        }
    }

    impl FakeClock {
        pub(crate) fn new(threads: usize) -> Self {
            Self {
                state: Mutex::new(State {
                    now: Duration::from_secs(100),
                    awake: threads,
                    asleep: BTreeSet::new(),
                    next: 0,
                }),
                bell: Condvar::new(),
                wall: Mutex::new("2024-05-01T00:00:00Z".parse().unwrap()),
            }
        }

        pub(crate) fn thread(&self) -> Part<'_> {
            Part(self)
        }

        /// Moves the time of day only.
        pub(crate) fn set_wall(&self, to: Timestamp) {
            let now = self.now();
            *self.wall.lock().unwrap() = to - (now - Duration::from_secs(100));
        }
    }

    impl Clock for FakeClock {
        fn now(&self) -> Duration {
            self.state.lock().unwrap().now
        }

        fn wall(&self) -> Timestamp {
            *self.wall.lock().unwrap() + (self.now() - Duration::from_secs(100))
        }

        fn nap(&self, time: Duration) {
            let mut state = self.state.lock().unwrap();
            let me = (state.now + time, state.next);
            state.next += 1;
            state.asleep.insert(me);
            state.awake -= 1;
            state.advance(&self.bell);
            while state.asleep.contains(&me) {
                state = self.bell.wait(state).unwrap();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::fake::FakeClock;
    use super::*;

    #[test]
    fn fake_time_passes_in_order_for_all() {
        let clock = FakeClock::new(3);
        let seen = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for n in 1..=3_u64 {
                let (clock, seen) = (&clock, &seen);
                scope.spawn(move || {
                    let _part = clock.thread();
                    for _ in 0..4 {
                        assert!(clock.sleep(Duration::from_secs(n), &Stop::new()));
                        seen.lock().unwrap().push(clock.now());
                    }
                });
            }
        });
        let seen = seen.into_inner().unwrap();
        assert!(seen.is_sorted(), "{seen:?}");
        assert_eq!(seen.last(), Some(&Duration::from_secs(112)));
    }

    #[test]
    fn a_stop_ends_a_sleep_soon() {
        let (clock, stop) = (MachineClock::start(), Stop::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                clock.nap(Duration::from_millis(30));
                stop.set();
            });
            assert!(!clock.sleep(Duration::from_secs(60), &stop));
        });
        assert!(clock.now() < Duration::from_secs(10));
    }
}
