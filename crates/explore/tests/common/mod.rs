//! A server on a free port, and a client that says exactly what it is told to.
// Each test file takes a part of it.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use eightk_explore::{Explorer, LiveSystems, NoSystems, ServerOptions, bind};
use tokio::sync::oneshot;

pub mod html;
pub mod live;
pub mod runs;
pub mod sets;

/// A running server; stops when dropped.
pub struct Running {
    pub address: SocketAddr,
    pub complaints: Arc<Mutex<Vec<String>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
        let ended = self.thread.take().map(|t| t.join().is_ok());
        assert!(ended == Some(true) || std::thread::panicking(), "the server panicked");
    }
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
    /// Whether a body in chunks came with its end.
    pub ended: bool,
}

impl Answer {
    /// The value of a header, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().filter_map(|l| l.split_once(": ")).find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v)
    }
}

pub fn options() -> ServerOptions {
    ServerOptions::at("127.0.0.1:0".parse().unwrap())
}

/// Serves a data set folder with usual options and no systems.
pub fn serve(folder: &Path) -> Running {
    serve_with(folder, options(), Arc::new(NoSystems), |_| {})
}

pub fn serve_with(
    folder: &Path,
    options: ServerOptions,
    live: Arc<dyn LiveSystems>,
    change: impl FnOnce(&mut Explorer),
) -> Running {
    let shelf = eightk_dataset::Shelf::open(&eightk_dataset::Source::Folder(folder.to_owned())).unwrap();
    let complaints: Arc<Mutex<Vec<String>>> = Arc::default();
    let said = Arc::clone(&complaints);
    let mut explorer = Explorer {
        shelf: Arc::new(shelf),
        name: "A set".to_owned(),
        account: None,
        live,
        complain: Arc::new(move |why| said.lock().unwrap().push(why.to_owned())),
    };
    change(&mut explorer);
    let bound = bind(options).unwrap();
    let address = bound.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let thread = std::thread::spawn(move || {
        bound
            .serve(explorer, async {
                let _ = stopped.await;
            })
            .unwrap();
    });
    Running { address, complaints, stop: Some(stop), thread: Some(thread) }
}

impl Running {
    /// A connection on which nothing takes longer than a test may.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends these bytes and reads until the server closes.
    pub fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(request).unwrap();
        read_all(&mut stream)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.get_with(path, "")
    }

    /// With further header lines, each ended by CRLF.
    pub fn get_with(&self, path: &str, headers: &str) -> Answer {
        let host = self.address;
        self.raw(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n").as_bytes())
    }

    /// A page that has to be there.
    pub fn page(&self, path: &str) -> String {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}\n{}\n{:?}", answer.head, answer.body, self.complaints);
        answer.body
    }
}

pub fn read_all(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    // A reset after the answer is an end like any other.
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    let chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    Answer {
        status,
        head: head.to_owned(),
        body: if chunked { unchunk(body) } else { body.to_owned() },
        ended: chunked && body.ends_with("0\r\n\r\n"),
    }
}

fn unchunk(mut body: &str) -> String {
    let mut out = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        match rest.get(..size) {
            Some(part) if size > 0 => out.push_str(part),
            _ => break,
        }
        body = rest.get(size + 2..).unwrap_or_default();
    }
    out
}
