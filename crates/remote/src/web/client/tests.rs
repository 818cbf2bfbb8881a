use serde_json::{Value, json};

use std::sync::Arc;

use super::*;
use crate::support::{CHANCE, Reply, Server, TestClock};
use crate::web::{Clock, Used, json as read_json};

/// An answer of a shape that the errors of these tests do not have.
#[derive(Debug, serde::Deserialize)]
struct Tokens {
    #[allow(dead_code)]
    tokens: u64,
}

const LIMIT: u64 = 1 << 20;

const KEY: &str = "kiln-key-00112233";

struct Bench {
    client: Client,
    clock: Arc<TestClock>,
    budget: Arc<Budget>,
}

fn bench_with(server: &Server, timeout: Duration, budget: Budget) -> Bench {
    let (clock, budget) = (TestClock::new(), Arc::new(budget));
    let key = Secret::new(KEY, "KILN_KEY").unwrap();
    let access = Access::new(key, Arc::clone(&budget)).with_clock(Arc::clone(&clock) as Arc<dyn Clock>);
    let endpoint = Endpoint::parse(&server.url, None).unwrap();
    Bench { client: Client::new("kiln:clay".into(), endpoint, timeout, access), clock, budget }
}

fn bench(server: &Server) -> Bench {
    bench_with(server, Duration::from_secs(20), Budget::default())
}

impl Bench {
    fn post(&self) -> Result<Value, Refused> {
        let reserved = self.client.reserve(10, || Need { requests: 1, tokens: 10 }).map_err(Refused::Failed)?;
        self.client.send(reserved, self.client.endpoint(), Some(b"{\"fire\":1}"), LIMIT, |body| {
            let value: Value = read_json(body)?;
            let tokens = value["tokens"].as_u64();
            Ok((value, tokens))
        })
    }

    fn failed(&self) -> EncodeError {
        match self.post().unwrap_err() {
            Refused::Failed(error) => error,
            other => panic!("{other:?}"),
        }
    }
}

fn well() -> Reply {
    Reply::json(&json!({"glaze": true, "tokens": 7}))
}

#[test]
fn a_request_and_its_answer() {
    let server = Server::start(|_| well());
    let bench = bench(&server);
    assert_eq!(bench.post().unwrap()["glaze"], true);
    let asked = server.asked().remove(0);
    assert_eq!((asked.method.as_str(), &asked.body), ("POST", &json!({"fire": 1})));
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(asked.headers["content-type"], "application/json");
    assert_eq!(bench.budget.used(), Used { requests: 1, tokens: 7, retries: 0 });
    assert_eq!(bench.client.used(), bench.budget.used());
}

#[test]
fn passing_troubles_are_waited_out() {
    let server = Server::start(|asked| match asked.nth {
        0 => Reply::text(429, "slow").header("Retry-After", "7"),
        1 => Reply::text(503, "busy").header("Retry-After", "Sun, 01 Mar 2026 12:00:30 GMT"),
        2 => Reply::text(500, "oops"),
        3 => Reply::text(429, "").header("x-ratelimit-reset-tokens", "1m30s"),
        4 => Reply::Close,
        _ => well(),
    });
    let bench = bench(&server);
    assert!(bench.post().is_ok());
    // As asked, as asked, drawn (bound 4 s), as asked, drawn (bound 16 s).
    assert_eq!(bench.clock.pauses(), [7.0, 30.0, 4.0 * CHANCE, 90.0, 16.0 * CHANCE]);
    assert_eq!(bench.budget.used(), Used { requests: 6, tokens: 7, retries: 5 });
}

#[test]
fn patience_ends() {
    let server = Server::start(|_| Reply::text(502, "<html>gateway</html>"));
    let bench = bench(&server);
    let error = bench.failed();
    assert!(
        matches!(&error, EncodeError::Unavailable(m) if m.contains("502") && m.contains("tried 7 times") && m.contains("a web page")),
        "{error}"
    );
    assert_eq!(bench.clock.pauses().len(), 6);
    assert_eq!(bench.budget.used(), Used { requests: 7, tokens: 0, retries: 6 });
}

#[test]
fn final_refusals_are_not_repeated() {
    for status in [400, 401, 403, 404, 422] {
        let server = Server::start(move |_| Reply::text(status, "{\"error\":{\"message\":\"no\"}}"));
        let error = bench(&server).failed();
        assert_eq!(server.asked().len(), 1, "{error}");
        assert!(error.to_string().contains(&status.to_string()) && error.to_string().contains("\"no\""), "{error}");
    }
    let quota = Server::start(|_| Reply::text(429, "{\"error\":{\"message\":\"no\",\"code\":\"insufficient_quota\"}}"));
    assert!(matches!(bench(&quota).failed(), EncodeError::Unavailable(_)));
    assert_eq!(quota.asked().len(), 1);
    let large = Server::start(|_| Reply::text(413, ""));
    assert!(matches!(bench(&large).post(), Err(Refused::TooLarge(_))));
}

#[test]
fn silence_and_stalls_end() {
    for stall in [false, true] {
        let server = Server::start(move |asked| match asked.nth {
            0 if stall => Reply::Stall(b"{".to_vec()),
            0 => Reply::Hang,
            _ => well(),
        });
        let bench = bench_with(&server, Duration::from_millis(400), Budget::default());
        assert!(bench.post().is_ok());
        // Once because of the silence; more often where this machine is busy.
        assert!(bench.budget.used().retries >= 1);
    }
    let server = Server::start(|_| Reply::Hang);
    let error = bench_with(&server, Duration::from_millis(50), Budget::default()).failed();
    assert!(error.to_string().contains("within 0.05 s (timeout=)"), "{error}");
}

#[test]
fn cut_answers_are_asked_for_again() {
    let server = Server::start(|asked| match asked.nth {
        0 => Reply::Cut(b"{\"glaze\":".to_vec()),
        1 => Reply::Unmeasured(b"{\"glaze\":".to_vec()),
        2 => Reply::text(200, ""),
        _ => well(),
    });
    let bench = bench(&server);
    assert!(bench.post().is_ok());
    assert_eq!(bench.budget.used().retries, 3);
}

#[test]
fn a_flood_is_dammed() {
    let server = Server::start(|_| Reply::Flood);
    let error = bench(&server).failed();
    assert!(error.to_string().contains("more than the 1048576 bytes"), "{error}");
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn a_redirect_takes_no_key_along() {
    let other = Server::start(|_| well());
    let to = other.url.clone();
    let server = Server::start(move |_| Reply::text(307, "").header("Location", &format!("{to}/x?key={KEY}")));
    let error = bench(&server).failed().to_string();
    assert!(error.contains("redirects to") && error.contains(&other.url) && !error.contains(KEY), "{error}");
    assert_eq!(other.asked().len(), 0);
}

#[test]
fn the_key_is_in_no_message() {
    let bodies = [
        (401, format!("{{\"error\":{{\"message\":\"Incorrect API key: {KEY}\"}}}}")),
        (400, format!("Bearer {KEY}")),
        (200, format!("{{\"error\":{{\"message\":\"{KEY}\"}}}}")),
        (200, format!("{{\"tokens\":{KEY}}}")),
        // Where a quote would be cut in the middle of the key.
        (200, format!("{{\"tokens\": NaN, \"pad\":{KEY}}}")),
        (200, format!("{{\"message\":\"{}{KEY}\"}}", "x".repeat(295))),
        (400, format!("{{\"message\":\"{}{KEY}\"}}", "x".repeat(295))),
        (200, format!("<html>{KEY}</html>")),
        (500, format!("{{\"detail\":[\"{KEY}\"]}}")),
    ];
    for (status, body) in bodies {
        let server = Server::start(move |_| Reply::text(status, &body));
        let bench = bench(&server);
        let reserved = bench.client.reserve(1, Need::default).unwrap();
        let typed = |body: &[u8]| Ok((read_json::<Tokens>(body)?, None));
        let Refused::Failed(error) =
            bench.client.send(reserved, bench.client.endpoint(), Some(b"{}"), LIMIT, typed).unwrap_err()
        else {
            panic!("{status}")
        };
        let all = format!("{error} {error:?} {:?} {:?}", bench.client, bench.client.access);
        assert!(!all.contains("kiln-key") && !all.contains("kiln-k") && !all.contains("112233"), "{all}");
    }
}

#[test]
fn the_budget_counts_attempts_and_stops_them() {
    let server = Server::start(|_| Reply::text(503, ""));
    let bench = bench_with(&server, Duration::from_secs(20), Budget::new(Some(3), None));
    let error = bench.failed();
    assert!(matches!(&error, EncodeError::Budget(m) if m.contains("answered 503")), "{error}");
    assert_eq!(server.asked().len(), 3);
    assert_eq!(bench.budget.used(), Used { requests: 3, tokens: 0, retries: 2 });
}

#[test]
fn a_pause_is_for_all_and_is_told() {
    let server =
        Server::start(|asked| if asked.nth == 0 { Reply::text(429, "").header("Retry-After", "30") } else { well() });
    let mut bench = bench(&server);
    let told = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&told);
    bench.client.access = bench.client.access.clone().watched(move |w| log.lock().unwrap().push(w.clone()));
    assert!(bench.post().is_ok());
    bench.client.hold_for(Duration::from_secs(5));
    assert!(bench.post().is_ok());
    assert_eq!(bench.clock.pauses(), [30.0, 5.0]);
    let told = told.lock().unwrap();
    assert_eq!(
        (told.len(), told[0].pause.as_secs(), told[0].retry, told[0].reason.as_str()),
        (1, 30, (1, 6), "answered 429")
    );
}

#[test]
fn nobody_there() {
    // A port that was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut server = Server::start(|_| well());
    server.url = format!("http://127.0.0.1:{port}");
    let bench = bench(&server);
    let error = bench.failed();
    assert!(error.to_string().contains("refuses connections"), "{error}");
    assert_eq!(bench.budget.used(), Used { requests: 7, tokens: 0, retries: 6 });
}
