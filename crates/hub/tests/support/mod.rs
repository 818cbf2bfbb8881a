//! A Hub on 127.0.0.1 that serves repositories from memory, keeps a record of what it was asked, and fails on demand.
//!
//! Hand-written HTTP/1.1, one request a connection: what a client meets on the wire is stated here and hidden in no library.

// Each test binary uses its own part of this.
#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sha1::Sha1;
use sha2::{Digest, Sha256};

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Path and query, still encoded.
    pub target: String,
    pub authorization: Option<String>,
    /// First byte asked for.
    pub from: usize,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// Close after so many bytes of the body, though more are promised.
    pub cut: Option<usize>,
    /// Say nothing until the server ends.
    pub hang: bool,
    /// Pause after each byte of the body.
    pub drip: Option<Duration>,
}

impl Reply {
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers: Vec::new(), body: body.into(), cut: None, hang: false, drip: None }
    }

    pub fn hang() -> Self {
        Self { hang: true, ..Self::new(200, "") }
    }

    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

type Handler = dyn Fn(&Seen) -> Reply + Send + Sync;

/// A server that lives as long as this value.
pub struct Server {
    address: SocketAddr,
    log: Arc<Mutex<Vec<Seen>>>,
    over: Arc<AtomicBool>,
}

impl Server {
    pub fn start(handler: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (log, over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let handler: Arc<Handler> = Arc::new(handler);
        let (record, stop) = (log.clone(), over.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let (handler, record, stop) = (handler.clone(), record.clone(), stop.clone());
                // A client that hangs up ends its own thread only.
                std::thread::spawn(move || stream.and_then(|s| serve(s, &*handler, &record, &stop)));
            }
        });
        Self { address, log, over }
    }

    /// The base address.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was asked so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.log.lock().unwrap().clone()
    }

    /// What was asked since the last call.
    pub fn take(&self) -> Vec<Seen> {
        std::mem::take(&mut *self.log.lock().unwrap())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // Wakes the loop, which then ends.
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(stream: TcpStream, handler: &Handler, log: &Mutex<Vec<Seen>>, over: &AtomicBool) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let Some(target) = line.split(' ').nth(1).map(str::to_owned) else { return Ok(()) };
    let (mut authorization, mut from) = (None, 0);
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        match name.to_ascii_lowercase().as_str() {
            "authorization" => authorization = Some(value.trim().to_owned()),
            "range" => from = value.trim().trim_start_matches("bytes=").trim_end_matches('-').parse().unwrap(),
            _ => {}
        }
    }
    let seen = Seen { target, authorization, from };
    log.lock().unwrap().push(seen.clone());
    let reply = handler(&seen);
    while reply.hang && !over.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut stream = stream;
    let mut head =
        format!("HTTP/1.1 {} X\r\nconnection: close\r\ncontent-length: {}\r\n", reply.status, reply.body.len());
    for (name, value) in &reply.headers {
        head += &format!("{name}: {value}\r\n");
    }
    stream.write_all(format!("{head}\r\n").as_bytes())?;
    let body = &reply.body[..reply.cut.unwrap_or(reply.body.len())];
    match reply.drip {
        None => stream.write_all(body)?,
        Some(pause) => {
            for byte in body {
                stream.write_all(&[*byte])?;
                std::thread::sleep(pause);
            }
        }
    }
    stream.flush()?;
    // Closed with bytes unread, a socket resets; the client would lose the answer.
    stream.shutdown(std::net::Shutdown::Write)?;
    reader.take(1024).read_to_end(&mut Vec::new())?;
    Ok(())
}

/// A file of a repository.
#[derive(Debug, Clone)]
pub struct Stored {
    pub bytes: Vec<u8>,
    /// Whether it is listed with SHA-256 and served from the other host.
    pub is_large: bool,
}

/// What a repository holds.
#[derive(Debug, Clone, Default)]
pub struct Repo {
    /// `datasets/acme/shelf`, or `models/…`.
    pub place: String,
    /// Branch or tag to commit.
    pub refs: BTreeMap<String, String>,
    pub files: BTreeMap<String, Stored>,
    /// Entries a page.
    pub page: usize,
    /// Listed as they stand, whatever is there.
    pub odd_entries: Vec<serde_json::Value>,
}

impl Repo {
    pub fn new(place: &str, commit: &str) -> Self {
        let refs = BTreeMap::from([("main".to_owned(), commit.to_owned())]);
        Self { place: place.to_owned(), refs, page: 2, ..Self::default() }
    }

    pub fn small(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), Stored { bytes: bytes.into(), is_large: false });
        self
    }

    pub fn large(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), Stored { bytes: bytes.into(), is_large: true });
        self
    }

    fn entries(&self) -> Vec<serde_json::Value> {
        let mut out =
            vec![serde_json::json!({"type": "directory", "path": "documents", "oid": "0".repeat(40), "size": 0})];
        for (path, file) in &self.files {
            let size = file.bytes.len();
            let mut entry =
                serde_json::json!({"type": "file", "path": path, "oid": git_hash(&file.bytes), "size": size});
            if file.is_large {
                entry["lfs"] = serde_json::json!({"oid": sha256(&file.bytes), "size": size, "pointerSize": 130});
            }
            out.push(entry);
        }
        out.extend(self.odd_entries.iter().cloned());
        out
    }
}

/// What goes wrong with a request whose target contains a text.
#[derive(Debug, Clone)]
pub enum Fault {
    /// Another answer.
    Reply(Reply),
    /// The right answer, broken off after so many bytes.
    Cut(usize),
    /// The right length, other bytes.
    Garble,
}

struct Planned {
    target: String,
    times: usize,
    fault: Fault,
}

#[derive(Default)]
struct State {
    repo: Repo,
    planned: Vec<Planned>,
}

/// The Hub and the host that its large files lie on.
pub struct StandIn {
    pub hub: Server,
    pub cdn: Server,
    state: Arc<Mutex<State>>,
}

impl StandIn {
    pub fn start(repo: Repo) -> Self {
        let state = Arc::new(Mutex::new(State { repo, planned: Vec::new() }));
        let of_cdn = state.clone();
        let cdn = Server::start(move |seen| answer(&of_cdn, seen, None));
        let (of_hub, elsewhere) = (state.clone(), cdn.url());
        let hub = Server::start(move |seen| answer(&of_hub, seen, Some(&elsewhere)));
        Self { hub, cdn, state }
    }

    /// Lets the next `times` requests whose target contains `target` go wrong, on either host.
    pub fn fail(&self, target: &str, times: usize, fault: Fault) {
        self.state.lock().unwrap().planned.push(Planned { target: target.to_owned(), times, fault });
    }

    /// Forgets what was to go wrong.
    pub fn heal(&self) {
        self.state.lock().unwrap().planned.clear();
    }

    /// Changes what is served.
    pub fn change(&self, change: impl FnOnce(&mut Repo)) {
        change(&mut self.state.lock().unwrap().repo);
    }

    /// Targets asked on both hosts since the last call, the Hub's first.
    pub fn take(&self) -> Vec<String> {
        self.hub.take().into_iter().chain(self.cdn.take()).map(|s| s.target).collect()
    }
}

fn answer(state: &Mutex<State>, seen: &Seen, cdn: Option<&str>) -> Reply {
    let mut state = state.lock().unwrap();
    let planned = state.planned.iter_mut().find(|p| p.times > 0 && seen.target.contains(&p.target));
    let fault = planned.map(|p| {
        p.times -= 1;
        p.fault.clone()
    });
    if let Some(Fault::Reply(reply)) = fault {
        return reply;
    }
    let mut reply = right(&state.repo, seen, cdn);
    match fault {
        Some(Fault::Cut(n)) => reply.cut = Some(n.min(reply.body.len())),
        Some(Fault::Garble) => reply.body.iter_mut().for_each(|b| *b = b.wrapping_add(1)),
        _ => {}
    }
    reply
}

/// The answer without faults; `cdn` is the other host's address, seen from the Hub.
fn right(repo: &Repo, seen: &Seen, cdn: Option<&str>) -> Reply {
    let (path, query) = seen.target.split_once('?').unwrap_or((&seen.target, ""));
    let path = decode(path);
    let not_found = |code: &str| Reply::new(404, "{\"error\":\"not found\"}").header("X-Error-Code", code);
    let known = |commit: &str| repo.refs.values().any(|c| c == commit);
    if let Some(rest) = path.strip_prefix(&format!("/api/{}/", repo.place)) {
        if let Some(revision) = rest.strip_prefix("revision/") {
            let commit = repo.refs.get(revision).map(String::as_str).or(known(revision).then_some(revision));
            let Some(commit) = commit else { return not_found("RevisionNotFound") };
            return Reply::new(200, serde_json::json!({"sha": commit, "siblings": []}).to_string());
        }
        let Some(commit) = rest.strip_prefix("tree/") else { return not_found("EntryNotFound") };
        if !known(commit) {
            return not_found("RevisionNotFound");
        }
        let start: usize = query.split('&').find_map(|p| p.strip_prefix("cursor=")).map_or(0, |c| c.parse().unwrap());
        let entries = repo.entries();
        let end = (start + repo.page).min(entries.len());
        let reply = Reply::new(200, serde_json::to_string(&entries[start..end]).unwrap());
        return if end < entries.len() {
            let next = format!("</api/{}/tree/{commit}?recursive=true&cursor={end}>; rel=\"next\"", repo.place);
            reply.header("Link", next)
        } else {
            reply
        };
    }
    let prefix = repo.place.strip_prefix("models/").unwrap_or(&repo.place);
    let file = path.strip_prefix(&format!("/{prefix}/resolve/")).and_then(|rest| {
        let (commit, path) = rest.split_once('/')?;
        known(commit).then(|| repo.files.get(path))?
    });
    let stored = path.strip_prefix("/store/").and_then(|path| repo.files.get(path));
    match (file, stored, cdn) {
        (Some(file), _, Some(cdn)) if file.is_large => {
            let (_, name) = path.split_once("/resolve/").unwrap();
            let name = name.split_once('/').unwrap().1;
            Reply::new(302, "elsewhere").header("Location", format!("{cdn}/store/{name}?signature=geheim"))
        }
        (Some(file), _, Some(_)) | (_, Some(file), None) => {
            let body = file.bytes[seen.from.min(file.bytes.len())..].to_vec();
            if seen.from == 0 {
                return Reply::new(200, body);
            }
            let last = file.bytes.len().saturating_sub(1);
            Reply::new(206, body).header("Content-Range", format!("bytes {}-{last}/{}", seen.from, file.bytes.len()))
        }
        _ => not_found("RepoNotFound"),
    }
}

fn decode(path: &str) -> String {
    let mut out = Vec::new();
    let mut bytes = path.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let hex = String::from_utf8(vec![bytes.next().unwrap(), bytes.next().unwrap()]).unwrap();
            out.push(u8::from_str_radix(&hex, 16).unwrap());
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub fn git_hash(bytes: &[u8]) -> String {
    hex(&Sha1::new_with_prefix(format!("blob {}\0", bytes.len())).chain_update(bytes).finalize())
}
