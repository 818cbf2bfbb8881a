//! Data sets on the Hub, through the real binary and a Hub on 127.0.0.1.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

#[path = "../../hub/tests/support/mod.rs"]
mod standin;
mod support;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use standin::{Fault, Reply, Repo, StandIn};
use support::{Ran, arg, eightk, synth, tree};

const COMMIT: &str = "3333333333333333333333333333333333333333";
const NAME: &str = "hf://datasets/acme/restructurings";

/// Runs the binary with a home of its own, and the Hub there.
fn with_hub(standin: &StandIn, home: &Path, more: &[(&str, &str)], args: &[&str]) -> Ran {
    let output = command(standin, home).envs(more.iter().copied()).args(args).output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The binary without what may be set outside.
fn command(standin: &StandIn, home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eightk"));
    for name in ["HF_HUB_CACHE", "HF_TOKEN", "HF_TOKEN_PATH", "HF_HUB_OFFLINE", "HF_HUB_DISABLE_SYMLINKS"] {
        command.env_remove(name);
    }
    for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
        command.env_remove(name).env_remove(name.to_lowercase());
    }
    command.env("HF_ENDPOINT", standin.hub.url()).env("HF_HOME", home);
    command
}

/// A built data set in a folder.
fn built(dir: &Path) -> std::path::PathBuf {
    let set = dir.join("set");
    eightk(["build", arg(&synth(dir, 40, 5)), "--out", arg(&set)]).exits(0);
    set
}

/// A repository with these files, Parquet as large ones.
fn repo(files: BTreeMap<String, Vec<u8>>) -> Repo {
    files.into_iter().fold(Repo::new("datasets/acme/restructurings", COMMIT), |repo, (path, bytes)| {
        if path.ends_with(".parquet") { repo.large(&path, bytes) } else { repo.small(&path, bytes) }
    })
}

fn of_files(asked: &[String]) -> Vec<&String> {
    asked.iter().filter(|t| t.contains("/resolve/") || t.contains("/store/")).collect()
}

#[test]
fn a_data_set_on_the_hub_is_audited_and_scored_as_a_folder_is() {
    let dir = tempfile::tempdir().unwrap();
    let (set, home) = (built(dir.path()), dir.path().join("home"));
    let standin = StandIn::start(repo(tree(&set)));
    let local = eightk(["eval", arg(&set), "--system", "bm25:title", "--json"]).exits(0).json();
    let eval = ["eval", NAME, "--system", "bm25:title", "--json"];

    let first = with_hub(&standin, &home, &[], &eval).exits(0);
    assert_eq!(first.stderr, "");
    let asked = standin.take();
    assert!(!of_files(&asked).is_empty());
    assert!(!asked.iter().any(|t| t.contains("dropped")), "what the reader does not read was fetched: {asked:?}");
    let report = first.json();
    assert_eq!(report["systems"], local["systems"]);
    let fingerprint = local["dataset"].as_str().unwrap().strip_prefix("set ").unwrap();
    assert_eq!(report["dataset"], format!("{NAME} {COMMIT} {fingerprint}"));
    assert!(!first.stdout.contains(arg(&home)), "a path of this machine is in the result");

    let second = with_hub(&standin, &home, &[], &eval).exits(0);
    assert_eq!(second.stdout, first.stdout);
    assert_eq!(standin.take(), ["/api/datasets/acme/restructurings/revision/main"]);

    // Rivals and manifest came along: nothing is left out of the audit that is in the folder's.
    let audit = with_hub(&standin, &home, &[], &["audit", NAME, "--json"]).exits(0);
    assert_eq!(audit.stdout, eightk(["audit", arg(&set), "--json"]).exits(0).stdout);

    standin.take();
    let offline = with_hub(&standin, &home, &[("HF_HUB_OFFLINE", "1")], &eval).exits(0);
    assert_eq!(offline.stdout, first.stdout);
    let at_commit = format!("{NAME}@{COMMIT}");
    let by_commit = with_hub(&standin, &home, &[], &["eval", &at_commit, "--system", "bm25:title", "--json"]).exits(0);
    assert_eq!(by_commit.json()["dataset"], format!("{at_commit} {fingerprint}"));
    assert_eq!(standin.take(), [""; 0], "offline, or with a commit that is there, the Hub was asked");

    // A run made elsewhere, against the same name.
    let runs = dir.path().join("runs");
    with_hub(&standin, &home, &[], &["eval", NAME, "--system", "bm25", "--out", arg(&runs)]).exits(0);
    let scored = with_hub(&standin, &home, &[], &["score", NAME, arg(&runs.join("runs/bm25.run")), "--json"]).exits(0);
    assert_eq!(scored.json()["dataset"], report["dataset"]);
}

#[test]
fn the_explorer_has_the_audit_and_what_was_left_out_too() {
    let dir = tempfile::tempdir().unwrap();
    let (set, home) = (built(dir.path()), dir.path().join("home"));
    let standin = StandIn::start(repo(tree(&set)));
    // Read first: what only the explorer needs is fetched beside what lies there.
    with_hub(&standin, &home, &[], &["audit", NAME]).exits(0);
    standin.take();
    let mut serve = command(&standin, &home);
    serve.args(["serve", NAME, "--port", "0", "--json", "--no-cache"]);
    let mut serve = serve.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(serve.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let url: serde_json::Value = serde_json::from_str(&line).unwrap();
    let host = url["url"].as_str().unwrap().trim_start_matches("http://").trim_end_matches('/');
    let mut page = TcpStream::connect(host).unwrap();
    write!(page, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    page.read_to_string(&mut answer).unwrap();
    serve.kill().unwrap();
    serve.wait().unwrap();
    let asked = standin.take();
    assert!(matches!(of_files(&asked)[..], [one] if one.ends_with("audit/dropped.jsonl")), "{asked:?}");
    let (_, audit) = answer.split_once("id=\"audit\"").unwrap();
    assert!(audit.contains("checks passed"), "{audit}");
}

#[test]
fn the_layout_with_a_data_folder_and_the_converted_one_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let set = built(dir.path());
    let local = eightk(["eval", arg(&set), "--system", "bm25", "--json"]).exits(0).json();
    for (name, place) in [
        (NAME.to_owned(), "data/{config}-00000-of-00001.parquet"),
        (format!("{NAME}@refs/convert/parquet"), "{config}/test/0000.parquet"),
        (format!("{NAME}@main/v2"), "v2/{config}.parquet"),
    ] {
        let home = dir.path().join(place.replace('/', "-"));
        let moved = tree(&set).into_iter().filter_map(|(path, bytes)| {
            let (config, rest) = path.split_once('/')?;
            rest.ends_with("-00000-of-00001.parquet").then(|| (place.replace("{config}", config), bytes))
        });
        let standin = StandIn::start(repo(moved.collect()));
        standin.change(|r| {
            r.refs.insert("refs/convert/parquet".to_owned(), COMMIT.to_owned());
        });
        let ran = with_hub(&standin, &home, &[], &["eval", &name, "--system", "bm25", "--json"]).exits(0);
        let recall = |report: &serde_json::Value| report["systems"][0]["metrics"]["standard_recall@10"].clone();
        assert_eq!(recall(&ran.json()), recall(&local), "{name}");
        assert_eq!(of_files(&standin.take()).len(), 6, "three files, each by way of the other host");
    }
}

#[test]
fn what_is_wrong_is_said_on_one_line_with_the_right_code() {
    let dir = tempfile::tempdir().unwrap();
    let home = dir.path().join("home");
    let standin = StandIn::start(repo(BTreeMap::from([("README.md".to_owned(), b"a card".to_vec())])));
    let audit = |name: &str, more: &[(&str, &str)], code: i32, words: &[&str]| {
        let ran = with_hub(&standin, &home, more, &["audit", name]).exits(code);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        for word in words {
            assert!(ran.stderr.contains(word), "{word:?} is not in {}", ran.stderr);
        }
        assert!(!ran.stderr.contains("hf_topsecret"));
    };
    audit("hf://acme/restructurings", &[], 2, &["Write hf://datasets/acme/restructurings"]);
    audit("hf://datasets/acme/none", &[], 2, &["no such data set"]);
    audit(&format!("{NAME}@v9"), &[], 2, &["no revision `v9`"]);
    audit(NAME, &[], 2, &["no `documents` config", &format!("{NAME}@refs/convert/parquet")]);
    audit(NAME, &[("HF_ENDPOINT", "huggingface.co")], 2, &["HF_ENDPOINT"]);
    audit(&format!("{NAME}@other"), &[("HF_HUB_OFFLINE", "yes")], 1, &["HF_HUB_OFFLINE", "which commit `other` is"]);
    standin.fail("/revision/", 1, Fault::Reply(Reply::new(401, "").header("X-Error-Code", "GatedRepo")));
    audit(NAME, &[], 1, &["gated", "Accept its conditions", "HF_TOKEN"]);
    std::fs::write(home.join("token"), "hf_topsecret\n").unwrap();
    standin.take();
    standin.fail("/revision/", 1, Fault::Reply(Reply::new(403, "").header("X-Error-Code", "GatedRepo")));
    standin.hub.take();
    audit(NAME, &[], 1, &["has not been let in", "token"]);
    assert_eq!(standin.hub.take()[0].authorization.as_deref(), Some("Bearer hf_topsecret"));
    audit(NAME, &[("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")], 2, &["no `documents` config"]);
    assert!(standin.hub.take().iter().all(|s| s.authorization.is_none()));
}

/// Names of the files among the blobs.
#[cfg(unix)]
fn blobs(home: &Path) -> Vec<String> {
    let folder = std::fs::read_dir(home.join("hub/datasets--acme--restructurings/blobs"));
    folder.into_iter().flatten().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_or_killed_leaves_nothing_half_made() {
    let dir = tempfile::tempdir().unwrap();
    let set = built(dir.path());
    let whole = eightk(["audit", arg(&set)]).exits(0).stdout;
    for (signal, leaves) in [("-INT", 0), ("-TERM", 0), ("-KILL", 1)] {
        let home = dir.path().join(signal);
        let standin = StandIn::start(repo(tree(&set)));
        // The first file arrives, the second hangs.
        standin.fail("/store/queries", 1, Fault::Reply(Reply::hang()));
        let mut run = command(&standin, &home).args(["audit", NAME]).spawn().unwrap();
        let begun = std::time::Instant::now();
        while !standin.cdn.seen().iter().any(|s| s.target.contains("queries")) {
            assert!(begun.elapsed().as_secs() < 60, "the second file is never asked for");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert_eq!(blobs(&home).iter().filter(|n| n.ends_with(".eightk-part")).count(), 1);
        assert!(Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap().success());
        let code = run.wait().unwrap().code();
        assert_eq!(code, (leaves == 0).then_some(130), "{signal}");
        assert_eq!(blobs(&home).iter().filter(|n| n.ends_with(".eightk-part")).count(), leaves, "{signal}");
        standin.take();
        assert_eq!(with_hub(&standin, &home, &[], &["audit", NAME]).exits(0).stdout, whole);
        assert!(!standin.take().iter().any(|t| t.contains("/documents/")), "what had arrived was fetched again");
    }
}
