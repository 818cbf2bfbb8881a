//! One limit for the whole process.
//!
//! The promise is about what the server sees: never more than the rate asked for in any second. Spacing the starts is not enough for
//! that: a request that was started early and delayed (a busy machine, a lost packet) arrives together with later ones. When it
//! arrived is not known here, but it is known to lie between its start and its answer. So, with `n` requests a second allowed, a
//! request starts only while fewer than `n` others are unanswered or were answered within the last second. Proof: of the requests
//! that arrive within one second, look at the one that started last. All others had not been answered a second before it
//! started, so it counted them, and they are fewer than `n`. A token bucket allows bursts and knows nothing of arrivals; the price here is that
//! slow answers lower the rate: each takes one place of `n` for as long as it lasts.
//!
//! A request without answer counts as arrived after ten seconds, which is as long as a connection may take to be made.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::clock::Clock;
use super::pace::Pace;
use super::stop::Stop;

/// After this long a request has reached the server, answered or not.
const ARRIVED_AFTER: Duration = Duration::from_secs(10);

/// Kept over the second, so that whoever rounds times still counts right.
const MARGIN: Duration = Duration::from_millis(10);

/// Hands out slots, one per request, in the order in which they were asked for.
#[derive(Debug)]
pub struct Limiter<C> {
    clock: C,
    /// Requests allowed in one `window`.
    allowed: usize,
    window: Duration,
    /// Spacing at the rate asked for: those behind in the queue need not look sooner.
    least_spacing: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    queue: VecDeque<u64>,
    next_ticket: u64,
    pace: Pace,
    last_start: Option<Duration>,
    /// Requests that may have arrived within the last window, or still may.
    recent: Vec<Request>,
    next_request: u64,
    not_before: Duration,
    held_until: Duration,
}

#[derive(Debug)]
struct Request {
    number: u64,
    start: Duration,
    arrived: Option<Duration>,
}

/// What came of asking for a slot.
#[derive(Debug)]
pub enum Turn<'l, C: Clock> {
    /// Ask now.
    Granted(Slot<'l, C>),
    /// Nothing is asked at the moment; see [`Limiter::hold_until`].
    Held,
    /// The run is to end.
    Stopped,
}

/// Leave for one request.
#[derive(Debug)]
pub struct Slot<'l, C: Clock> {
    limiter: &'l Limiter<C>,
    number: u64,
}

impl<C: Clock> Limiter<C> {
    /// A limit of `rate` requests a second; below one, of one request every `1/rate` seconds. The first slot comes after `quiet`.
    pub fn new(rate: f64, quiet: Duration, clock: C) -> Self {
        let rate = if rate.is_finite() { rate.clamp(0.001, 1000.0) } else { 1.0 };
        let not_before = clock.now() + quiet;
        Self {
            clock,
            // Below one a second: one request in so many seconds.
            allowed: (rate.floor() as usize).max(1),
            window: Duration::from_secs_f64(1.0 / rate.min(1.0)) + MARGIN,
            least_spacing: Duration::from_secs_f64(1.0 / rate),
            state: Mutex::new(State {
                queue: VecDeque::new(),
                next_ticket: 0,
                pace: Pace::new(rate),
                last_start: None,
                recent: Vec::new(),
                next_request: 0,
                not_before,
                held_until: Duration::ZERO,
            }),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a slot.
    pub fn acquire(&self, stop: &Stop) -> Turn<'_, C> {
        let ticket = {
            let mut state = self.state();
            let ticket = state.next_ticket;
            state.next_ticket += 1;
            state.queue.push_back(ticket);
            ticket
        };
        loop {
            let wait = {
                let mut state = self.state();
                let now = self.clock.now();
                if stop.is_set() || now < state.held_until {
                    state.queue.retain(|t| *t != ticket);
                    return if stop.is_set() { Turn::Stopped } else { Turn::Held };
                }
                let place = state.queue.iter().position(|t| *t == ticket).unwrap_or(0);
                let wait = self.wait(&mut state, now, place);
                if place == 0 && wait.is_zero() {
                    state.queue.pop_front();
                    return Turn::Granted(self.grant(&mut state, now));
                }
                wait.max(Duration::from_millis(1))
            };
            self.clock.sleep(wait, stop);
        }
    }

    /// How long whoever stands at `place` has to wait at least; zero: not at all.
    fn wait(&self, state: &mut State, now: Duration, place: usize) -> Duration {
        state.recent.retain(|request| self.over_at(request, now).is_some_and(|over| over > now));
        let spaced = state.last_start.map_or(Duration::ZERO, |last| last + state.pace.spacing());
        let mut until = spaced.max(state.not_before);
        if let Some(more) = state.recent.len().checked_sub(self.allowed) {
            // So many have to be over, and one more.
            let mut over: Vec<Duration> = state.recent.iter().filter_map(|r| self.over_at(r, now)).collect();
            over.sort_unstable();
            until = until.max(over.get(more).copied().unwrap_or(until));
        }
        until.saturating_sub(now) + self.least_spacing * u32::try_from(place).unwrap_or(u32::MAX)
    }

    /// When a request counts no more; for one without answer, when that can be at the earliest.
    fn over_at(&self, request: &Request, now: Duration) -> Option<Duration> {
        let arrived = request.arrived.unwrap_or_else(|| now.min(request.start + ARRIVED_AFTER));
        arrived.checked_add(self.window)
    }

    fn grant(&self, state: &mut State, now: Duration) -> Slot<'_, C> {
        let number = state.next_request;
        state.next_request += 1;
        state.last_start = Some(now);
        state.recent.push(Request { number, start: now, arrived: None });
        Slot { limiter: self, number }
    }

    /// No slot before this time of the clock.
    pub fn hold_until(&self, time: Duration) {
        let mut state = self.state();
        state.held_until = state.held_until.max(time);
    }

    /// A whole answer came.
    pub fn good(&self) {
        self.state().pace.good();
    }

    /// EDGAR struggles.
    pub fn trouble(&self) {
        let now = self.clock.now();
        self.state().pace.trouble(now);
    }

    /// Requests a second at the moment.
    pub fn rate(&self) -> f64 {
        self.state().pace.rate()
    }

    fn arrived(&self, number: u64) {
        let now = self.clock.now();
        let mut state = self.state();
        if let Some(request) = state.recent.iter_mut().find(|r| r.number == number && r.arrived.is_none()) {
            request.arrived = Some(now);
        }
    }
}

impl<C: Clock> Slot<'_, C> {
    /// The answer has begun, or failed: the request is no longer under way.
    pub fn arrived(&self) {
        self.limiter.arrived(self.number);
    }
}

impl<C: Clock> Drop for Slot<'_, C> {
    fn drop(&mut self) {
        self.arrived();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::clock::fake::FakeClock;
    use super::*;

    /// Runs `threads` threads that send `each` requests; a request arrives at a share of its latency and is answered at its end.
    /// Gives the arrivals, sorted.
    fn arrivals(rate: f64, quiet: Duration, latencies: &[(u64, f64)], threads: usize) -> Vec<Duration> {
        let clock = FakeClock::new(threads);
        let limiter = Limiter::new(rate, quiet, &clock);
        let (seen, next) = (Mutex::new(Vec::new()), Mutex::new(latencies.iter()));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let _part = clock.thread();
                    let stop = Stop::new();
                    loop {
                        let Some((latency, share)) = next.lock().unwrap().next().copied() else { break };
                        let Turn::Granted(slot) = limiter.acquire(&stop) else { panic!("no slot") };
                        let before = Duration::from_millis(latency).mul_f64(share);
                        clock.nap(before);
                        seen.lock().unwrap().push(clock.now() - Duration::from_secs(100));
                        clock.nap(Duration::from_millis(latency) - before);
                        slot.arrived();
                    }
                });
            }
        });
        let mut seen = seen.into_inner().unwrap();
        seen.sort();
        seen
    }

    /// The most arrivals in any window of this length.
    fn most_within(window: Duration, arrivals: &[Duration]) -> usize {
        (0..arrivals.len())
            .map(|i| arrivals[i..].iter().take_while(|t| **t < arrivals[i] + window).count())
            .max()
            .unwrap_or(0)
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn quick_answers_come_at_the_rate_and_without_a_burst() {
        let seen = arrivals(4.0, Duration::ZERO, &[(1, 0.5); 40], 3);
        assert!(seen[1] - seen[0] >= Duration::from_millis(249), "{seen:?}");
        assert_eq!(most_within(SECOND, &seen), 4);
        // 39 spacings of a quarter second, and the margins.
        assert!(seen[39] < Duration::from_millis(10_400), "{:?}", seen[39]);
    }

    #[test]
    fn nothing_is_caught_up_after_idling() {
        let clock = FakeClock::new(1);
        let limiter = Limiter::new(4.0, Duration::ZERO, &clock);
        let mut seen = Vec::new();
        for n in 0..6 {
            let Turn::Granted(slot) = limiter.acquire(&Stop::new()) else { panic!() };
            seen.push(clock.now());
            drop(slot);
            if n == 0 {
                clock.nap(Duration::from_secs(30));
            }
        }
        assert!(seen.windows(2).all(|w| w[1] - w[0] >= Duration::from_millis(250)), "{seen:?}");
    }

    #[test]
    fn the_first_waits_for_quiet() {
        let seen = arrivals(4.0, Duration::from_millis(1100), &[(1, 0.0); 2], 2);
        assert!(seen[0] >= Duration::from_millis(1100), "{seen:?}");
    }

    #[test]
    fn below_one_a_second() {
        let seen = arrivals(0.5, Duration::ZERO, &[(700, 1.0), (1, 0.0), (700, 0.0)], 3);
        assert_eq!(most_within(2 * SECOND, &seen), 1, "{seen:?}");
    }

    #[test]
    fn one_slow_answer_does_not_stop_the_others_for_long() {
        let mut latencies = vec![(1, 0.0); 20];
        latencies[0] = (60_000, 0.0);
        let seen = arrivals(4.0, Duration::ZERO, &latencies, 2);
        // One place of four is taken.
        assert!(*seen.last().unwrap() < Duration::from_secs(8), "{seen:?}");
    }

    #[test]
    fn a_hold_sends_everybody_back_and_a_stop_too() {
        let clock = FakeClock::new(1);
        let (limiter, stop) = (Limiter::new(4.0, Duration::ZERO, &clock), Stop::new());
        limiter.hold_until(clock.now() + SECOND);
        assert!(matches!(limiter.acquire(&stop), Turn::Held));
        clock.nap(SECOND);
        assert!(matches!(limiter.acquire(&stop), Turn::Granted(_)));
        stop.set();
        assert!(matches!(limiter.acquire(&stop), Turn::Stopped));
    }

    #[test]
    fn first_come_first_served() {
        let clock = FakeClock::new(4);
        let limiter = Limiter::new(2.0, Duration::ZERO, &clock);
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for n in 0..4_u64 {
                let (clock, limiter, order) = (&clock, &limiter, &order);
                scope.spawn(move || {
                    let _part = clock.thread();
                    clock.nap(Duration::from_millis(1 + 5 * n));
                    for _ in 0..5 {
                        let turn = limiter.acquire(&Stop::new());
                        assert!(matches!(turn, Turn::Granted(_)));
                        order.lock().unwrap().push(n);
                    }
                });
            }
        });
        let order = order.into_inner().unwrap();
        // The first thread has its slot before the others come, and queues again.
        assert!(order[1..17].chunks(4).all(|round| round == [0, 1, 2, 3]), "{order:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn never_more_than_the_rate_in_any_second(
            rate in prop_oneof![Just(1.0), Just(4.0), Just(9.0), 1.0_f64..9.0],
            threads in 1_usize..9,
            latencies in prop::collection::vec((prop_oneof![1_u64..50, 1_u64..2000, 1_u64..10_000], 0.0_f64..=1.0), 1..60),
        ) {
            let seen = arrivals(rate, Duration::ZERO, &latencies, threads);
            prop_assert_eq!(seen.len(), latencies.len());
            prop_assert!(most_within(SECOND, &seen) <= rate.floor() as usize, "{:?}", seen);
        }
    }
}
