//! A stand-in for EDGAR on 127.0.0.1, and its log.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::{Ran, arg, ran, shared};

/// A user agent that a stand-in accepts.
pub const AGENT: &str = "Eightk Tests tests@eightk.example";

/// A running stand-in; ends with this value.
pub struct StandIn {
    child: Child,
    pub url: String,
    log: PathBuf,
}

/// One request that it saw.
#[derive(Debug, Clone, serde::Deserialize)]
pub struct Seen {
    /// Seconds.
    pub t: f64,
    pub path: String,
    pub code: u16,
    pub fault: Option<String>,
    pub blocked: bool,
    pub in_last_second: usize,
}

impl Seen {
    /// Whether it is a request for a document.
    pub fn is_document(&self) -> bool {
        self.path.starts_with("/Archives/edgar/data/")
    }

    /// Whether it begins a block, or came during one.
    fn is_refusal(&self) -> bool {
        self.blocked || matches!(self.fault.as_deref(), Some("429" | "403"))
    }
}

impl StandIn {
    /// Starts it; `None`, with a notice, where it is not to be had.
    pub fn start(dir: &Path, args: &[&str]) -> Option<Self> {
        let script = shared()?.join("tools/edgar_standin.py");
        let name = format!("requests-{}.jsonl", std::fs::read_dir(dir).unwrap().count());
        let log = dir.join(name);
        let mut child = Command::new("python3")
            .arg(script)
            .args(["--port", "0", "--log", arg(&log)])
            .args(args)
            .stdout(Stdio::piped())
            // A header is read up to its end and no further, which Python reports at length.
            .stderr(std::fs::File::create(log.with_extension("errors")).unwrap())
            .spawn()
            .expect("python3 runs the stand-in");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("listening on ").expect("it says where it listens").to_owned();
        Some(Self { child, url, log })
    }

    /// `eightk fetch` against it, ready to be run.
    pub fn command(&self, store: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eightk"));
        command.args(["fetch", "--store", arg(store)]).args(args);
        command.env("EIGHTK_EDGAR_URL", &self.url).env("EIGHTK_USER_AGENT", AGENT);
        command
    }

    /// Runs `eightk fetch` against it.
    pub fn fetch(&self, store: &Path, args: &[&str]) -> Ran {
        ran(self.command(store, args).output().unwrap())
    }

    /// What it saw so far.
    pub fn seen(&self) -> Vec<Seen> {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
    }

    /// Asserts that the limit was kept in every second, and that each block was followed by `pause` seconds of silence.
    #[track_caller]
    pub fn assert_polite(&self, limit: usize, pause: f64) {
        self.assert_polite_but(limit, pause, &[]);
    }

    /// As [`StandIn::assert_polite`] with refusals, by their number, that nobody lived to hear of: one request may follow each, and
    /// learns of the block by its own refusal.
    #[track_caller]
    pub fn assert_polite_but(&self, limit: usize, pause: f64, unheard: &[usize]) {
        let seen = self.seen();
        assert!(!seen.is_empty());
        let mut quiet_until = f64::NEG_INFINITY;
        for (i, s) in seen.iter().enumerate() {
            assert!(s.in_last_second <= limit, "request {i}: {} in one second: {s:?}", s.in_last_second);
            if i.checked_sub(1).is_none_or(|before| !unheard.contains(&before)) {
                assert!(!s.blocked, "request {i} came during a block: {s:?}");
                assert!(s.t >= quiet_until, "request {i} came {} s too early: {s:?}", quiet_until - s.t);
            }
            if s.is_refusal() {
                quiet_until = s.t + pause;
            }
        }
    }

    /// The last request's number if it was refused and whoever asked was killed before the answer was there: the store, which is told of
    /// a refusal before anything else is asked, knows nothing of it.
    pub fn unheard_refusal(&self, store: &Path) -> Option<usize> {
        let seen = self.seen();
        let last = seen.last().filter(|s| s.is_refusal())?;
        let told = |line: &str| line.contains(&last.path);
        let text = |name| std::fs::read_to_string(store.join(name)).unwrap_or_default();
        let logged = text("requests.jsonl").lines().last().is_some_and(|l| told(l) && l.contains("\"blocked\""));
        (!logged && !told(&text("pause.json"))).then(|| seen.len() - 1)
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a stand-in over a folder of filings serves as primary documents, by accession number: every complete row of its manifest.
pub fn served(filings: &Path) -> BTreeMap<String, Vec<u8>> {
    served_since(filings, "")
}

/// Of [`served`] what was filed on that day or later.
pub fn served_since(filings: &Path, day: &str) -> BTreeMap<String, Vec<u8>> {
    let manifest = std::fs::read_to_string(filings.join("manifest.jsonl")).unwrap();
    let mut out = BTreeMap::new();
    for line in manifest.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let complete =
            ["accession", "cik", "filed", "company"].iter().all(|k| row[*k].as_str().is_some_and(|v| !v.is_empty()));
        if complete && row["kind"] != "extracted-text" && row["form"] == "8-K" && row["filed"].as_str() >= Some(day) {
            let bytes = std::fs::read(filings.join(row["file"].as_str().unwrap())).unwrap();
            out.insert(row["accession"].as_str().unwrap().to_owned(), bytes);
        }
    }
    out
}

/// The documents of a store, by accession number; each folder must hold one document and its description.
#[track_caller]
pub fn stored(store: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut out = BTreeMap::new();
    let Ok(folders) = std::fs::read_dir(store.join("filings")) else { return out };
    for folder in folders {
        let folder = folder.unwrap();
        let accession = folder.file_name().into_string().unwrap();
        if accession.starts_with('.') {
            continue;
        }
        let record: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.path().join("filing.json")).unwrap()).unwrap();
        assert_eq!(record["accession"], accession.as_str());
        let bytes = std::fs::read(folder.path().join(record["file"].as_str().unwrap())).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "{accession}");
        out.insert(accession, bytes);
    }
    out
}

/// Asserts that a store holds exactly these documents, byte for byte.
#[track_caller]
pub fn assert_holds(store: &Path, expected: &BTreeMap<String, Vec<u8>>) {
    let found = stored(store);
    let names = |m: &BTreeMap<String, Vec<u8>>| m.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(expected));
    for (accession, bytes) in expected {
        assert!(found[accession] == *bytes, "{accession} differs from what is served");
    }
}

/// The options that bring every 8-K, quickly.
pub const EVERYTHING: &[&str] = &everything_since("any");

/// The options that bring every 8-K since a day, quickly.
pub const fn everything_since(day: &str) -> [&str; 13] {
    ["--phrase", "", "--forms", "8-K", "--items", "any", "--from", day, "--to", "any", "--all", "--rate", "9"]
}
