//! The explorer through the real binary.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{arg, eightk, synth};

/// A running server, ended with the test.
struct Server {
    child: Child,
    host: String,
}

impl Server {
    fn start(args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eightk"));
        command.arg("serve").args(args).args(["--port", "0", "--json", "--no-cache"]);
        Self::of(command)
    }

    fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        if line.is_empty() {
            let mut said = String::new();
            child.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
            panic!("it did not start: {said}");
        }
        let url: serde_json::Value = serde_json::from_str(&line).unwrap();
        let host = url["url"].as_str().unwrap().trim_start_matches("http://").trim_end_matches('/').to_owned();
        Self { child, host }
    }

    /// Status and body.
    fn get_as(&self, path: &str, host: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.get_as(path, &self.host)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn built(dir: &Path) -> PathBuf {
    let (data, filings) = (dir.join("data"), synth(dir, 40, 9));
    eightk(["build", arg(&filings), "--out", arg(&data)]).exits(0);
    data
}

#[test]
fn a_set_and_its_runs_are_shown_and_searched() {
    let dir = tempfile::tempdir().unwrap();
    let (data, runs) = (built(dir.path()), dir.path().join("runs"));
    eightk(["eval", arg(&data), "--system", "bm25:lead", "--out", arg(&runs)]).exits(0);
    let server = Server::start(&[arg(&data), "--runs", arg(&runs)]);
    let (status, page) = server.get("/");
    assert_eq!(status, 200);
    assert!(page.contains("bm25:lead") && page.contains("rival AUC"), "{page}");
    assert_eq!(server.get_as("/", "evil.test").0 / 100, 4, "only for whoever means this machine");
    assert_eq!(server.get("/../../etc/passwd").0, 404);
    // The first question has the system prepared.
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let (status, page) = server.get("/search?q=What+charges+does+the+company+expect&a=bm25%3Alead&b=bm25");
        assert!(status == 200 || status == 503, "{status}: {page}");
        if page.contains("<mark") || page.contains("<ol") || page.contains("#s") {
            break;
        }
        assert!(Instant::now() < end, "never ready: {page}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn what_cannot_be_served_is_refused_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let none = eightk(["serve", arg(dir.path()), "--port", "0"]);
    assert!(none.code != 0 && none.stderr.contains("documents"), "{}", none.stderr);
    let data = built(dir.path());
    let remote = eightk(["serve", arg(&data), "--bind", "0.0.0.0", "--port", "0"]).exits(2);
    assert!(remote.stderr.contains("--allow-remote"), "{}", remote.stderr);
    // Runs of other data.
    let (other, runs) = (dir.path().join("other"), dir.path().join("runs"));
    eightk(["build", arg(&synth(dir.path(), 40, 10)), "--out", arg(&other)]).exits(0);
    eightk(["eval", arg(&other), "--only", "--system", "bm25", "--out", arg(&runs)]).exits(0);
    let mixed = eightk(["serve", arg(&data), "--runs", arg(&runs), "--port", "0"]).exits(2);
    assert!(mixed.stderr.contains("fingerprint"), "{}", mixed.stderr);
}

#[test]
fn the_line_that_the_demo_prints_opens_it() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a demo");
    let said = eightk(["demo", "--filings", "30", "--out", arg(&out)]).exits(0).stdout;
    let line = said.lines().find(|l| l.contains(" serve ")).unwrap().trim().to_owned();
    assert!(said.contains(arg(&out.join("report.html"))) && out.join("report.html").is_file());
    let mut command = Command::new("sh");
    command.args(["-c", &format!("exec {line} --port 0 --json")]);
    assert_eq!(Server::of(command).get("/").0, 200);
}
