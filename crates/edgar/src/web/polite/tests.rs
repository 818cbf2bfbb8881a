use std::collections::VecDeque;
use std::sync::Mutex;

use super::super::clock::fake::FakeClock;
use super::super::log;
use super::super::sent::SendError;
use super::*;
use crate::event::Unwatched;

const URL: &str = "https://www.sec.gov/Archives/edgar/data/7/000123456724000001/a.htm";
const HTML: &[u8] = b"<html><head><title>8-K</title></head><body>We plan to close a plant.</body></html>\n";
const BLOCK: &[u8] = b"<html><title>SEC.gov | Request Rate Threshold Exceeded</title></html>";
const TOOL: &[u8] = b"<html><title>SEC.gov | Your Request Originates from an Undeclared Automated Tool</title></html>";

fn sent(status: u16, body: &[u8]) -> Sent {
    Sent {
        status,
        length: Some(body.len() as u64),
        body: body.to_vec(),
        ended: true,
        etag: Some("\"e\"".to_owned()),
        ..Sent::default()
    }
}

fn reset() -> Sent {
    Sent { error: Some(SendError::Connection("reset by peer".to_owned())), ..Sent::default() }
}

/// Answers by a script, and by the last line of it for ever; each request takes 40 ms.
struct Script<'c> {
    clock: &'c FakeClock,
    answers: Mutex<VecDeque<Sent>>,
    asked: Mutex<Vec<(Duration, String)>>,
}

impl Transport for Script<'_> {
    fn get(&self, ask: Ask<'_>, head: &mut dyn FnMut()) -> Sent {
        assert_eq!(ask.agent.as_str(), "Jane jane@acme.io");
        self.asked.lock().unwrap().push((self.clock.now(), ask.url.to_owned()));
        self.clock.nap(Duration::from_millis(40));
        head();
        let mut answers = self.answers.lock().unwrap();
        if answers.len() > 1 { answers.pop_front().unwrap() } else { answers[0].clone() }
    }
}

struct Seen(Mutex<Vec<Event>>);

impl Watcher for Seen {
    fn see(&self, event: Event) {
        self.0.lock().unwrap().push(event);
    }
}

/// What one run left.
struct Run {
    results: Vec<Result<Answer, WebError>>,
    /// When each request was sent, from the first on, and where.
    asked: Vec<(Duration, String)>,
    logged: Vec<Entry>,
    events: Vec<Event>,
    rate: f64,
}

/// `threads` threads get the URL `each` times by a script.
fn run_with(answers: Vec<Sent>, threads: usize, each: usize, settings: Settings) -> Run {
    let (clock, folder) = (FakeClock::new(threads), tempfile::tempdir().unwrap());
    let script = Script { clock: &clock, answers: Mutex::new(answers.into()), asked: Mutex::default() };
    let (seen, path) = (Seen(Mutex::default()), folder.path().join("requests.jsonl"));
    let records = Records {
        log: RequestLog::open(&path).unwrap(),
        pause: folder.path().join("pause.json"),
        quiet: Duration::ZERO,
    };
    let agent = UserAgent::parse("Jane jane@acme.io", true).unwrap();
    let polite = Polite::with(&script, &clock, Hosts::default(), agent, settings, records, Stop::new(), &seen).unwrap();
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let _part = clock.thread();
                for _ in 0..each {
                    let got = polite.get(URL, Wanted::Document);
                    results.lock().unwrap().push(got);
                }
            });
        }
    });
    let rate = polite.rate();
    let asked = script.asked.into_inner().unwrap();
    let start = asked[0].0;
    let asked = asked.into_iter().map(|(t, url)| (t - start, url)).collect();
    Run {
        results: results.into_inner().unwrap(),
        asked,
        logged: log::read(&path).unwrap().entries,
        events: seen.0.into_inner().unwrap(),
        rate,
    }
}

fn run(answers: Vec<Sent>) -> Run {
    run_with(answers, 1, 1, Settings::default())
}

impl Run {
    fn verdicts(&self) -> Vec<&str> {
        self.logged.iter().map(|e| e.verdict.as_str()).collect()
    }

    fn only(&self) -> &Result<Answer, WebError> {
        assert_eq!(self.results.len(), 1);
        &self.results[0]
    }
}

#[test]
fn a_good_answer_is_written_down() {
    let run = run(vec![sent(200, HTML)]);
    assert_eq!(run.only().as_ref().unwrap().body, HTML);
    let entry = &run.logged[0];
    assert_eq!((entry.url.as_str(), entry.status, entry.bytes, entry.ms), (URL, 200, HTML.len() as u64, 40));
    assert_eq!((entry.etag.as_deref(), entry.sha256.as_ref().unwrap()), (Some("\"e\""), &sha256_hex(HTML)));
    assert_eq!((run.logged.len(), run.events.len()), (1, 0));
}

#[test]
fn back_off_doubles_and_ends() {
    let run = run(vec![sent(503, b"busy")]);
    assert!(
        matches!(run.only(), Err(WebError::Unanswered { tries: 6, reason }) if reason.contains("503")),
        "{:?}",
        run.only()
    );
    assert_eq!(run.verdicts(), ["again"; 6]);
    let waits: Vec<f64> = run.asked.windows(2).map(|w| (w[1].0 - w[0].0).as_secs_f64() - 0.04).collect();
    for (wait, about) in waits.iter().zip([1.0, 2.0, 4.0, 8.0, 16.0]) {
        assert!((about * 0.5..about * 1.5 + 1.1).contains(wait), "{waits:?}");
    }
    assert_eq!(run.rate, 1.0);
}

#[test]
fn every_fault_is_got_over() {
    let cut = Sent {
        body: HTML[..30].to_vec(),
        ended: false,
        error: Some(SendError::Connection("reset".to_owned())),
        ..sent(200, HTML)
    };
    for fault in [
        reset(),
        cut,
        sent(200, b""),
        sent(500, b"x"),
        sent(503, b"x"),
        sent(403, b"<title>Access Denied</title>"),
        sent(200, b"<html><title>EDGAR Filing Documents</title></html>"),
    ] {
        let run = run(vec![fault.clone(), sent(200, HTML)]);
        assert!(run.only().is_ok(), "{fault:?}");
        assert_eq!(run.verdicts(), ["again", "good"], "{fault:?}");
        assert!(run.logged[0].reason.is_some() && run.logged[0].sha256.is_none());
    }
}

#[test]
fn a_missing_file_is_asked_for_once() {
    let run = run(vec![sent(404, b"<html>Not Found</html>")]);
    assert!(matches!(run.only(), Err(WebError::NotFound { status: 404 })));
    assert_eq!(run.asked.len(), 1);
}

#[test]
fn a_document_without_its_end_has_to_come_twice_the_same() {
    let open = &HTML[..HTML.len() - 12];
    let first = run(vec![sent(200, open), sent(200, open)]);
    assert_eq!(first.only().as_ref().unwrap().body, open);
    assert!(matches!(&first.events[0], Event::Note(text) if text.contains(URL)));
    assert_eq!(first.verdicts(), ["unclosed", "good"]);
    assert_eq!(first.logged[1].sha256.as_ref(), Some(&sha256_hex(open)));
    let second = run(vec![sent(200, &open[..20]), sent(200, &open[..30]), sent(200, HTML)]);
    assert_eq!(second.only().as_ref().unwrap().body, HTML);
    assert_eq!(second.verdicts(), ["unclosed", "unclosed", "good"]);
}

#[test]
fn redirects_stay_on_the_host_and_are_few() {
    let moved = |to: &str| Sent { location: Some(to.to_owned()), ..sent(302, b"") };
    let near = run(vec![moved("/other.htm"), moved("https://www.sec.gov/third.htm"), sent(200, HTML)]);
    assert!(near.only().is_ok());
    assert_eq!(
        near.asked.iter().map(|(_, url)| url.as_str()).collect::<Vec<_>>(),
        [URL, "https://www.sec.gov/other.htm", "https://www.sec.gov/third.htm"]
    );
    assert!(near.asked[2].0 >= Duration::from_millis(500), "each has its slot: {:?}", near.asked);
    let far = run(vec![moved("https://elsewhere.io/x")]);
    assert!(matches!(far.only(), Err(WebError::Unanswered { reason, .. }) if reason.contains("elsewhere.io")));
    let round = run(vec![moved("/x")]);
    assert!(round.only().is_err());
    assert_eq!(round.asked.len(), 4);
    for away in ["//elsewhere.io/x", "https://www.sec.gov.elsewhere.io/", "http://www.sec.gov/x", "relative", "/a\nb"] {
        assert_eq!(on_same_host(URL, away), None, "{away}");
    }
}

#[test]
fn a_block_silences_all_threads() {
    let mut answers = vec![sent(200, HTML); 5];
    answers.extend([sent(429, b"x"), sent(403, BLOCK)]);
    answers.push(sent(200, HTML));
    let run = run_with(answers, 4, 5, Settings::default());
    assert!(run.results.len() == 20 && run.results.iter().all(Result::is_ok));
    let gaps: Vec<Duration> =
        run.asked.windows(2).map(|w| w[1].0 - w[0].0).filter(|gap| *gap > Duration::from_secs(10)).collect();
    let blocked = run.verdicts().iter().filter(|v| **v == "blocked").count();
    assert_eq!(blocked, 2);
    // The answer that blocked came 40 ms after its request: silence counts from the answer.
    assert!(!gaps.is_empty() && gaps.iter().all(|gap| *gap >= Duration::from_millis(600_040)), "{gaps:?}");
    assert!(run.events.iter().any(|e| matches!(e, Event::Waiting { .. })) && run.events.contains(&Event::Resumed));
    // Afterwards at half the rate.
    let resumed = run.asked.windows(2).position(|w| w[1].0 - w[0].0 > Duration::from_secs(10)).unwrap() + 1;
    if let [a, b, ..] = &run.asked[resumed..] {
        assert!(b.0 - a.0 >= Duration::from_millis(500), "{:?}", run.asked);
    }
}

#[test]
fn blocks_without_end_end_the_run_for_all() {
    let run = run_with(vec![sent(403, BLOCK)], 3, 1, Settings::default());
    assert_eq!(run.results.len(), 3);
    for got in &run.results {
        assert!(matches!(got, Err(WebError::StillBlocked { pauses: 3 })), "{got:?}");
    }
    assert!(run.asked.last().unwrap().0 > Duration::from_secs(1800));
}

#[test]
fn an_undeclared_tool_ends_the_run_at_once_for_all() {
    for status in [200, 403] {
        let run = run_with(vec![sent(200, HTML), sent(status, TOOL)], 4, 3, Settings::default());
        let refused = run.results.iter().filter(|r| matches!(r, Err(WebError::Undeclared))).count();
        assert_eq!(refused, run.results.len() - 1);
        assert!(run.asked.len() <= 2 + 4, "{:?}", run.asked);
    }
}

#[test]
fn a_slow_server_is_asked_for_its_time() {
    let busy = Sent { retry_after: Some("30".to_owned()), ..sent(503, b"x") };
    let run = run(vec![busy, sent(200, HTML)]);
    assert!(run.asked[1].0 >= Duration::from_secs(30));
}

#[test]
fn a_stop_ends_waits_and_asks_nothing() {
    let (clock, folder) = (FakeClock::new(1), tempfile::tempdir().unwrap());
    let script = Script { clock: &clock, answers: Mutex::new(vec![sent(200, HTML)].into()), asked: Mutex::default() };
    let records = Records {
        log: RequestLog::open(folder.path().join("l")).unwrap(),
        pause: folder.path().join("p"),
        quiet: Duration::ZERO,
    };
    let (agent, stop) = (UserAgent::parse("Jane jane@acme.io", true).unwrap(), Stop::new());
    let polite =
        Polite::with(&script, &clock, Hosts::default(), agent, Settings::default(), records, stop.below(), &Unwatched)
            .unwrap();
    stop.set();
    assert!(matches!(polite.get(URL, Wanted::Document), Err(WebError::Stopped)));
    assert!(script.asked.lock().unwrap().is_empty());
}

#[test]
fn all_threads_together_keep_the_rate() {
    let run = run_with(vec![sent(200, HTML)], 8, 5, Settings { rate: 9.0, ..Settings::default() });
    let times: Vec<_> = run.asked.iter().map(|(t, _)| *t).collect();
    for (i, t) in times.iter().enumerate() {
        assert!(times[i..].iter().take_while(|u| **u < *t + Duration::from_secs(1)).count() <= 9, "{times:?}");
    }
    assert_eq!(run.logged.len(), 40);
}
