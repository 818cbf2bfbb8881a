use super::super::clock::fake::FakeClock;
use super::*;
use crate::event::Unwatched;

const PAUSE: Duration = Duration::from_secs(600);

#[derive(Default)]
struct Seen(Mutex<Vec<Event>>);

impl Watcher for Seen {
    fn see(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }
}

struct Case {
    clock: FakeClock,
    folder: tempfile::TempDir,
}

impl Case {
    fn new() -> Self {
        Self { clock: FakeClock::new(1), folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("pause.json")
    }

    fn open(&self) -> (Pause<&FakeClock>, Limiter<&FakeClock>) {
        let limiter = Limiter::new(4.0, Duration::ZERO, &self.clock);
        let pause = Pause::open(self.path(), PAUSE, 3, &limiter, &self.clock).unwrap();
        (pause, limiter)
    }

    /// How long a process that starts now waits.
    fn waits(&self) -> Duration {
        let (pause, limiter) = self.open();
        let start = self.clock.now();
        assert!(pause.wait(&limiter, &Stop::new(), &Unwatched).unwrap());
        assert!(!self.path().exists());
        self.clock.now() - start
    }
}

#[test]
fn a_pause_counts_from_the_last_refusal_and_tells_each_second() {
    let case = Case::new();
    let (pause, limiter) = case.open();
    let (seen, start) = (Seen::default(), case.clock.now());
    pause.begin(&limiter, "u", 429, None).unwrap();
    case.clock.nap(Duration::from_secs(7));
    pause.begin(&limiter, "v", 403, None).unwrap();
    assert!(case.path().exists());
    assert!(pause.wait(&limiter, &Stop::new(), &seen).unwrap());
    assert_eq!(case.clock.now() - start, PAUSE + Duration::from_secs(7));
    assert!(!case.path().exists());
    assert_eq!(limiter.rate(), 2.0);
    let seen = seen.0.into_inner().unwrap();
    assert_eq!(seen.len(), 601);
    assert!(matches!(&seen[0], Event::Waiting { left, why } if *left == PAUSE && why.contains("403")));
    assert!(matches!(&seen[599], Event::Waiting { left, .. } if *left == Duration::from_secs(1)));
    assert_eq!(seen[600], Event::Resumed);
    // Nothing to wait for any more.
    assert!(pause.wait(&limiter, &Stop::new(), &Unwatched).unwrap());
}

#[test]
fn a_longer_retry_after_is_honoured_and_a_shorter_one_is_not() {
    let case = Case::new();
    for (asked, waited) in [(30, PAUSE), (3000, Duration::from_secs(3000)), (10_000_000, LONGEST)] {
        let (pause, limiter) = case.open();
        pause.begin(&limiter, "u", 429, Some(Duration::from_secs(asked))).unwrap();
        assert_eq!(case.waits(), waited, "{asked}");
    }
}

#[test]
fn a_restart_waits_out_the_rest() {
    let case = Case::new();
    let (pause, limiter) = case.open();
    pause.begin(&limiter, "u", 429, None).unwrap();
    case.clock.nap(Duration::from_secs(250));
    assert_eq!(case.waits(), Duration::from_secs(350));
    assert_eq!(case.waits(), Duration::ZERO);
    pause.begin(&limiter, "u", 429, None).unwrap();
    case.clock.nap(Duration::from_secs(601));
    assert_eq!(case.waits(), Duration::ZERO);
}

#[test]
fn a_clock_set_back_or_a_spoilt_file_costs_one_pause() {
    let case = Case::new();
    let (pause, limiter) = case.open();
    pause.begin(&limiter, "u", 429, None).unwrap();
    case.clock.set_wall("2020-01-01T00:00:00Z".parse().unwrap());
    assert_eq!(case.waits(), PAUSE);
    for spoilt in [
        "",
        "{}",
        "nonsense",
        "{\"until\":\"9999-01-01T00:00:00Z\",\"since\":\"2020-01-01T00:00:00Z\",\"url\":\"u\",\"status\":429}",
    ] {
        fs::write(case.path(), spoilt).unwrap();
        assert_eq!(case.waits(), PAUSE, "{spoilt}");
    }
}

#[test]
fn enough_pauses_end_the_run_unless_something_good_came_between() {
    let case = Case::new();
    let (pause, limiter) = case.open();
    let stop = Stop::new();
    for round in 0..6 {
        pause.begin(&limiter, "u", 429, None).unwrap();
        pause.good(); // Was under way; says nothing.
        assert!(pause.wait(&limiter, &stop, &Unwatched).unwrap());
        if round == 2 {
            pause.good();
        }
    }
    let end = pause.begin(&limiter, "u", 429, None);
    assert!(matches!(end, Err(WebError::StillBlocked { pauses: 3 })), "{end:?}");
    // The next run has to wait all the same.
    assert_eq!(case.waits(), PAUSE);
}

#[test]
fn a_stop_ends_the_wait_and_keeps_the_file() {
    let case = Case::new();
    let (pause, limiter) = case.open();
    pause.begin(&limiter, "u", 429, None).unwrap();
    let stop = Stop::new();
    stop.set();
    assert!(!pause.wait(&limiter, &stop, &Unwatched).unwrap());
    assert!(case.path().exists());
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let case = Case::new();
    let limiter = Limiter::new(4.0, Duration::ZERO, &case.clock);
    let path = case.folder.path().join("gone").join("pause.json");
    let pause = Pause::open(path.clone(), PAUSE, 3, &limiter, &case.clock).unwrap();
    assert!(matches!(pause.begin(&limiter, "u", 429, None), Err(WebError::Record { path: p, .. }) if p == path));
}
