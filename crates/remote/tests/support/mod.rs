//! A server on 127.0.0.1 that answers as a test says, well or badly, and a clock on which no pause takes time.
//!
//! Serves the tests inside the crate and those outside; the latter bring `Clock` into their root for it.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use crate::Clock;

/// What was asked.
#[derive(Debug, Clone)]
pub struct Asked {
    pub method: String,
    pub path: String,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    /// Null where there was no body.
    pub body: Value,
    /// Which request it is to this server, from 0.
    pub nth: usize,
}

/// What to do with a request.
pub enum Reply {
    /// Answer.
    Send { status: u16, headers: Vec<(String, String)>, body: Vec<u8> },
    /// Announce more than is sent, then close.
    Cut(Vec<u8>),
    /// Send without a length, and close: the client cannot see a cut.
    Unmeasured(Vec<u8>),
    /// Close without a word.
    Close,
    /// Say nothing until the client goes.
    Hang,
    /// Begin, then say nothing.
    Stall(Vec<u8>),
    /// Announce ten gigabytes and send until the client goes.
    Flood,
}

impl Reply {
    pub fn json(value: &Value) -> Self {
        Self::text(200, &value.to_string())
    }

    pub fn text(status: u16, body: &str) -> Self {
        Self::Send { status, headers: Vec::new(), body: body.into() }
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Self::Send { headers, .. } = &mut self {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }
}

type Handler = dyn Fn(&Asked) -> Reply + Send + Sync;

/// A running server; its threads end with the test process.
pub struct Server {
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub fn start(handler: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (handler, log): (Arc<Handler>, _) = (Arc::new(handler), Arc::clone(&asked));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (handler, log) = (Arc::clone(&handler), Arc::clone(&log));
                std::thread::spawn(move || serve(&stream, &*handler, &log));
            }
        });
        Self { url, asked }
    }

    /// Everything that was asked, in order of arrival.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The bodies that were sent, in order of arrival.
    pub fn bodies(&self) -> Vec<Value> {
        self.asked().into_iter().map(|a| a.body).collect()
    }
}

fn serve(stream: &TcpStream, handler: &Handler, log: &Mutex<Vec<Asked>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut out = stream;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|n| *n > 0)?;
        let mut words = line.split(' ');
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length: usize = headers.get("content-length").map_or(0, |l| l.parse().unwrap());
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let asked = {
            let mut log = log.lock().unwrap();
            let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
            let nth = log.len();
            log.push(Asked { method, path, headers, body, nth });
            log.last().unwrap().clone()
        };
        match handler(&asked) {
            Reply::Send { status, headers, body } => {
                let mut head = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n", body.len());
                for (name, value) in headers {
                    head += &format!("{name}: {value}\r\n");
                }
                out.write_all((head + "\r\n").as_bytes()).ok()?;
                out.write_all(&body).ok()?;
            }
            Reply::Cut(body) => {
                let head = format!("HTTP/1.1 200 X\r\nContent-Length: {}\r\n\r\n", body.len() + 100);
                out.write_all(head.as_bytes()).ok()?;
                out.write_all(&body).ok()?;
                return None;
            }
            Reply::Unmeasured(body) => {
                out.write_all(b"HTTP/1.1 200 X\r\nConnection: close\r\n\r\n").ok()?;
                out.write_all(&body).ok()?;
                return None;
            }
            Reply::Close => return None,
            Reply::Hang => {
                let _ = reader.read(&mut [0]);
                return None;
            }
            Reply::Stall(body) => {
                out.write_all(b"HTTP/1.1 200 X\r\nContent-Length: 100000\r\n\r\n").ok()?;
                out.write_all(&body).ok()?;
                let _ = reader.read(&mut [0]);
                return None;
            }
            Reply::Flood => {
                out.write_all(b"HTTP/1.1 200 X\r\nContent-Length: 10000000000\r\n\r\n[").ok()?;
                let zeros = b"0.125,".repeat(10_000);
                while out.write_all(&zeros).is_ok() {}
                return None;
            }
        }
    }
}

/// A clock whose pauses are only written down.
#[derive(Default)]
pub struct TestClock {
    now: Mutex<Duration>,
    pauses: Mutex<Vec<Duration>>,
}

impl TestClock {
    pub fn new() -> Arc<Self> {
        Arc::default()
    }

    /// Every pause that was made, in seconds.
    pub fn pauses(&self) -> Vec<f64> {
        self.pauses.lock().unwrap().iter().map(Duration::as_secs_f64).collect()
    }
}

/// What [`TestClock::chance`](Clock::chance) gives.
pub const CHANCE: f64 = 0.5;

impl Clock for TestClock {
    fn now(&self) -> Duration {
        *self.now.lock().unwrap()
    }

    fn wall(&self) -> jiff::Timestamp {
        "2026-03-01T12:00:00Z".parse().unwrap()
    }

    fn sleep(&self, time: Duration) {
        *self.now.lock().unwrap() += time;
        self.pauses.lock().unwrap().push(time);
    }

    fn chance(&self) -> f64 {
        CHANCE
    }
}
