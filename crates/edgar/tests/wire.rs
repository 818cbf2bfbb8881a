//! Requests over a real socket: what is on the wire, and what a broken answer looks like from here.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use eightk_edgar::web::sent::{SendError, Sent};
use eightk_edgar::web::settings::Timeouts;
use eightk_edgar::web::transport::{Ask, Http, Transport};
use eightk_edgar::web::verdict::{Verdict, judge};
use eightk_edgar::web::{Stop, UserAgent, Wanted};

const HTML: &[u8] = b"<html><head><title>8-K</title></head><body>We plan to close a plant.</body></html>\n";

/// A server that answers every request by one function. What it was asked, and over which of its connections.
struct Server {
    url: String,
    asked: Arc<Mutex<Vec<(usize, String)>>>,
}

impl Server {
    /// `answer` writes to the connection; whether to keep it.
    fn start(answer: impl Fn(&mut TcpStream) -> bool + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/a.htm", listener.local_addr().unwrap());
        let (asked, answer) = (Arc::new(Mutex::new(Vec::new())), Arc::new(answer));
        let seen = Arc::clone(&asked);
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let (Ok(mut stream), seen, answer) = (stream, Arc::clone(&seen), Arc::clone(&answer)) else { return };
                std::thread::spawn(move || {
                    while let Some(head) = read_head(&mut stream) {
                        seen.lock().unwrap().push((number, head));
                        if !answer(&mut stream) {
                            return;
                        }
                    }
                });
            }
        });
        Self { url, asked }
    }

    fn connections(&self) -> Vec<usize> {
        self.asked.lock().unwrap().iter().map(|(n, _)| *n).collect()
    }
}

fn read_head(stream: &mut TcpStream) -> Option<String> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    String::from_utf8(head).ok()
}

/// Writes an answer that declares `length` bytes.
fn write(stream: &mut TcpStream, headers: &str, length: usize, body: &[u8]) {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{headers}Content-Length: {length}\r\n\r\n");
    stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut w = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    w.write_all(text).unwrap();
    w.finish().unwrap()
}

/// Long enough for a busy machine.
fn patient() -> Timeouts {
    let seconds = Duration::from_secs;
    Timeouts { connect: seconds(20), head: seconds(20), stall: seconds(20), whole: seconds(30) }
}

fn get(http: &Http, url: &str, wanted: Wanted) -> (Sent, usize) {
    let agent = UserAgent::parse("Jane Doe jane@acme.test", false).unwrap();
    let mut heads = 0;
    let sent = http.get(Ask { url, agent: &agent, wanted }, &mut || heads += 1);
    (sent, heads)
}

fn get_once(server: &Server) -> Sent {
    let (sent, heads) = get(&Http::new(patient(), Stop::new()), &server.url, Wanted::Document);
    assert_eq!(heads, 1);
    sent
}

/// That an answer counts as cut, and by what words.
fn is_cut(sent: &Sent) -> String {
    match judge(Wanted::Document, sent) {
        Verdict::Again { reason, struggling: true, .. } => reason,
        other => panic!("{other:?} of {sent:?}"),
    }
}

#[test]
fn the_request_names_who_asks_and_connections_are_used_again() {
    let server = Server::start(|stream| {
        let body = gzip(HTML);
        write(
            stream,
            "Content-Encoding: gzip\r\nETag: \"x-gzip\"\r\nLast-Modified: Wed, 01 May 2024 10:00:00 GMT\r\n",
            body.len(),
            &body,
        );
        true
    });
    let http = Http::new(patient(), Stop::new());
    for _ in 0..3 {
        let (sent, _) = get(&http, &server.url, Wanted::Document);
        assert_eq!(judge(Wanted::Document, &sent), Verdict::Good(HTML.to_vec()));
        assert_eq!(
            (sent.etag.as_deref(), sent.last_modified.as_deref()),
            (Some("\"x-gzip\""), Some("Wed, 01 May 2024 10:00:00 GMT"))
        );
        assert_eq!(sent.length, Some(gzip(HTML).len() as u64));
    }
    assert_eq!(server.connections(), [0, 0, 0]);
    let head = server.asked.lock().unwrap()[0].1.to_ascii_lowercase();
    assert!(head.starts_with("get /a.htm http/1.1\r\n"), "{head}");
    let host = server.url.trim_start_matches("http://").trim_end_matches("/a.htm");
    for line in ["user-agent: jane doe jane@acme.test", "accept-encoding: gzip, deflate", &format!("host: {host}")] {
        assert_eq!(head.lines().filter(|l| *l == line).count(), 1, "{line} in {head}");
    }
}

#[test]
fn a_body_shorter_than_declared_is_cut() {
    for keep in [0, 1, 40, HTML.len() - 1] {
        let server = Server::start(move |stream| {
            write(stream, "", HTML.len(), &HTML[..keep]);
            false
        });
        let sent = get_once(&server);
        assert!(!sent.ended && sent.body.len() == keep);
        assert!(is_cut(&sent).contains(&format!("cut after {keep} of {} bytes", HTML.len())), "{}", is_cut(&sent));
    }
}

/// Reads a part of the request, answers, and leaves: the system then resets the connection, because something was left unread.
fn rude(answer: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/a.htm", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut stream = stream;
            stream.read_exact(&mut [0; 10]).unwrap();
            stream.write_all(answer).unwrap();
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    url
}

#[test]
fn a_reset_is_seen_before_and_within_the_body() {
    let http = Http::new(patient(), Stop::new());
    let (sent, heads) = get(&http, &rude(b""), Wanted::Document);
    assert_eq!((sent.status, heads), (0, 1));
    is_cut(&sent);
    let (sent, _) =
        get(&http, &rude(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n<html><body>We"), Wanted::Document);
    assert_eq!(sent.body, b"<html><body>We");
    assert!(is_cut(&sent).contains("cut after 14 of 1000 bytes"), "{}", is_cut(&sent));
    // Without a length a reset looks like an end: it must not count as one.
    let (sent, _) = get(&http, &rude(b"HTTP/1.1 200 OK\r\n\r\n<html><body>We"), Wanted::Document);
    assert!(!sent.ended);
    is_cut(&sent);
    // Closed without a word.
    let closed = Server::start(|_| false);
    let sent = get_once(&closed);
    assert_eq!(sent.status, 0);
    is_cut(&sent);
}

#[test]
fn cut_compression_is_seen_even_where_the_length_fits() {
    let server = Server::start(|stream| {
        let body = gzip(HTML);
        let half = &body[..body.len() / 2];
        write(stream, "Content-Encoding: gzip\r\n", half.len(), half);
        false
    });
    let sent = get_once(&server);
    assert!(sent.ended);
    assert!(is_cut(&sent).contains("compressed"));
}

#[test]
fn chunks_end_or_are_cut() {
    let chunked = |end: &'static str| {
        move |stream: &mut TcpStream| {
            let head = format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n", HTML.len());
            stream.write_all(&[head.as_bytes(), HTML, b"\r\n", end.as_bytes()].concat()).unwrap();
            false
        }
    };
    let whole = get_once(&Server::start(chunked("0\r\n\r\n")));
    assert!(whole.ended);
    assert_eq!(judge(Wanted::Document, &whole), Verdict::Good(HTML.to_vec()));
    let cut = get_once(&Server::start(chunked("40\r\nhalf a chunk")));
    assert!(!cut.ended);
    is_cut(&cut);
    assert!(!get_once(&Server::start(chunked(""))).ended);
}

#[test]
fn a_body_without_length_never_counts_as_ended() {
    let server = Server::start(|stream| {
        stream.write_all(&[b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", &HTML[..50]].concat()).unwrap();
        false
    });
    let sent = get_once(&server);
    assert!(!sent.ended && sent.error.is_none() && sent.length.is_none());
    assert!(is_cut(&sent).contains("</html> is missing"));
}

#[test]
fn silence_ends_in_time() {
    let half = Duration::from_millis(500);
    let http = Http::new(Timeouts { head: half, stall: half, ..patient() }, Stop::new());
    let silent = Server::start(|_| {
        std::thread::sleep(Duration::from_secs(60));
        false
    });
    let start = Instant::now();
    let (sent, heads) = get(&http, &silent.url, Wanted::Document);
    assert!(matches!(&sent.error, Some(SendError::Connection(text)) if text.contains("in time")), "{sent:?}");
    assert_eq!(heads, 1);
    let stalled = Server::start(|stream| {
        write(stream, "", HTML.len(), &HTML[..40]);
        std::thread::sleep(Duration::from_secs(60));
        false
    });
    let (sent, _) = get(&http, &stalled.url, Wanted::Document);
    assert!(is_cut(&sent).contains("in time"), "{sent:?}");
    assert!(start.elapsed() < Duration::from_secs(25), "{:?}", start.elapsed());
}

#[test]
fn statuses_and_redirects_are_answers() {
    let server = Server::start(|stream| {
        stream
            .write_all(b"HTTP/1.1 302 Found\r\nLocation: /b.htm\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n")
            .unwrap();
        true
    });
    let sent = get_once(&server);
    assert_eq!((sent.status, sent.location.as_deref(), sent.retry_after.as_deref()), (302, Some("/b.htm"), Some("9")));
    assert_eq!(server.asked.lock().unwrap().len(), 1);
    let server = Server::start(|stream| {
        stream.write_all(b"HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy").unwrap();
        true
    });
    let sent = get_once(&server);
    assert_eq!((sent.status, sent.body.as_slice(), sent.ended), (503, &b"busy"[..], true));
}

#[test]
fn of_a_header_the_rest_is_not_read() {
    let head = "<SEC-DOCUMENT>x.txt\n<SEC-HEADER>\n</SEC-HEADER>\n<DOCUMENT>\n<TYPE>8-K\n<TEXT>\n";
    for packed in [false, true] {
        let server = Server::start(move |stream| {
            let mut body = head.as_bytes().to_vec();
            // Words that do not pack well.
            body.extend(
                (0..2_000_000_u64)
                    .flat_map(|n| (n.wrapping_mul(0x9E37_79B9_7F4A_7C15)).to_le_bytes())
                    .map(|b| b | 0x20),
            );
            if packed {
                body = gzip(&body);
            }
            let encoding = if packed { "Content-Encoding: gzip\r\n" } else { "" };
            let start = format!("HTTP/1.1 200 OK\r\n{encoding}Content-Length: {}\r\n\r\n", body.len());
            // The reader goes away in the middle.
            drop(stream.write_all(start.as_bytes()).and_then(|()| stream.write_all(&body)));
            false
        });
        let (sent, _) = get(&Http::new(patient(), Stop::new()), &server.url, Wanted::Header);
        assert!(sent.left && sent.body.len() < 200_000, "{} bytes", sent.body.len());
        let Verdict::Good(body) = judge(Wanted::Header, &sent) else { panic!("{:?}", judge(Wanted::Header, &sent)) };
        assert!(body.starts_with(head.as_bytes()));
    }
}

#[test]
fn nobody_there_and_no_address() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let http = Http::new(patient(), Stop::new());
    let (sent, heads) = get(&http, &format!("http://127.0.0.1:{port}/"), Wanted::Search);
    assert!(matches!(sent.error, Some(SendError::Connection(_))) && heads == 1);
    let (sent, _) = get(&http, "http://", Wanted::Search);
    assert!(matches!(judge(Wanted::Search, &sent), Verdict::Never(_)), "{sent:?}");
}

#[test]
fn a_stop_ends_a_request_under_way() {
    let server = Server::start(|_| {
        std::thread::sleep(Duration::from_secs(20));
        false
    });
    let stop = Stop::new();
    let http = Http::new(patient(), stop.clone());
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.set();
        });
        let (sent, _) = get(&http, &server.url, Wanted::Document);
        assert!(sent.error.is_some());
    });
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}
