//! What becomes of a child whose parent is killed and can do nothing for it.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use eightk_encode::Encoder;
use eightk_remote::child::{CommandEncoder, CommandSettings};

/// Where the parent that is killed is told to keep its child's notes.
const FOLDER: &str = "EIGHTK_TEST_LEFT_ALONE";

/// The parent: not a test, but started by the one below.
#[test]
#[ignore = "is started by another test, to be killed"]
#[allow(clippy::disallowed_methods)]
fn parent() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    // Answers once, then waits for the next line, and says what it waited for.
    let script = "cd \"$0\"; read line; echo '{\"vectors\": [[1, 2]]}'; echo > waiting; read line || echo > over";
    let line = shlex::try_join(["sh", "-c", script, &folder]).unwrap();
    let encoder = CommandEncoder::new(&line, CommandSettings::default(), Arc::new(|_: &str| {})).unwrap();
    encoder.encode_queries(&["q"], &mut |_, _| Ok(())).unwrap();
    std::thread::sleep(Duration::from_secs(600));
    drop(encoder);
}

fn wait_for(path: &Path) {
    let start = Instant::now();
    while !path.exists() {
        assert!(start.elapsed() < Duration::from_secs(30), "{} does not come", path.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn it_finds_its_stdin_closed() {
    let folder = tempfile::tempdir().unwrap();
    let mut parent = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "parent", "--ignored", "--nocapture"])
        .env(FOLDER, folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for(&folder.path().join("waiting"));
    assert!(!folder.path().join("over").exists());
    parent.kill().unwrap();
    parent.wait().unwrap();
    wait_for(&folder.path().join("over"));
}
