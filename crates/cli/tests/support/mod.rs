//! Runs the real binary.

// Each test binary uses its own part of this.
#![allow(dead_code, unreachable_pub)]

pub mod embeddings;
pub mod scripted;
pub mod standin;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A finished run.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Asserts the exit code, showing both outputs where it differs.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\n--- stdout\n{}\n--- stderr\n{}", self.stdout, self.stderr);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e} in {}", self.stdout))
    }
}

pub fn ran(output: Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs `eightk` with these arguments.
pub fn eightk<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    ran(Command::new(env!("CARGO_BIN_EXE_eightk")).args(args).output().unwrap())
}

/// Runs `eightk` with arguments and standard input.
pub fn eightk_with_input(args: &[&str], input: &[u8]) -> Ran {
    use std::io::Write;
    use std::process::Stdio;
    let mut command = Command::new(env!("CARGO_BIN_EXE_eightk"));
    let mut child =
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input).unwrap();
    drop(stdin);
    ran(child.wait_with_output().unwrap())
}

/// The path as an argument.
pub fn arg(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Generated filings in a folder.
pub fn synth(dir: &Path, filings: usize, seed: u64) -> PathBuf {
    let out = dir.join(format!("filings-{filings}-{seed}"));
    eightk(["synth", "--filings", &filings.to_string(), "--seed", &seed.to_string(), "--out", arg(&out)]).exits(0);
    out
}

/// The folder of real filings; `None`, with a notice, where there is none. Panics where it was promised and is missing.
#[allow(clippy::disallowed_methods)] // tests may be told where the filings are
pub fn shared() -> Option<PathBuf> {
    let promised = std::env::var("EIGHTK_SHARED").ok();
    let path = promised
        .as_deref()
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    if path.join("data").is_dir() {
        return Some(path);
    }
    assert!(promised.is_none(), "EIGHTK_SHARED is {}, but there is no such folder", path.display());
    eprintln!("skipped: no real filings at {}", path.display());
    None
}

/// Every file below a folder with its bytes, by relative path.
pub fn tree(root: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut out = std::collections::BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                out.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    out
}

/// The folder of a real embedding model (all-MiniLM-L6-v2); `None`, with a notice, where nobody says where it is. Panics where it was
/// promised and is missing.
#[allow(clippy::disallowed_methods)] // tests may be told where the model is
pub fn minilm() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("EIGHTK_MINILM").map(PathBuf::from) else {
        eprintln!("no embedding model (EIGHTK_MINILM): skipped");
        return None;
    };
    assert!(folder.join("model.safetensors").is_file(), "EIGHTK_MINILM={}: no model there", folder.display());
    Some(folder)
}
