//! Real children: Python scripts and shells that answer, and those that do not.

mod answers;
mod faults;
mod models;

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use eightk_encode::{ChunkInput, Context, EncodeError, EncodedChunk, Encoder, FilingInput};

use super::{CommandEncoder, CommandSettings, OnStderr};

/// A folder with a script in it.
struct Script {
    folder: tempfile::TempDir,
}

impl Script {
    /// None, with a notice, where there is no Python.
    fn python(body: &str) -> Option<Self> {
        let there = Command::new("python3").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !there.is_ok_and(|s| s.success()) {
            eprintln!("python3 is not here: test left out");
            return None;
        }
        Some(Self::of("encoder.py", body))
    }

    fn of(name: &str, body: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("a child's ").tempdir().unwrap();
        std::fs::write(folder.path().join(name), body).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> String {
        shlex::try_quote(&self.folder.path().join(name).display().to_string()).unwrap().into_owned()
    }

    fn line(&self) -> String {
        format!("python3 {}", self.path("encoder.py"))
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }
}

/// Keeps what a child says on stderr.
#[derive(Default, Clone)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Heard {
    fn sink(&self) -> OnStderr {
        let lines = Arc::clone(&self.0);
        Arc::new(move |line: &str| lines.lock().unwrap().push(line.to_owned()))
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

fn settings(pairs: &[(&str, &str)]) -> CommandSettings {
    let pairs = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    CommandSettings::from_pairs(&pairs).unwrap()
}

fn encoder(line: &str, pairs: &[(&str, &str)]) -> CommandEncoder {
    CommandEncoder::new(line, settings(pairs), Heard::default().sink()).unwrap()
}

fn filing<'a>(name: &'a str, chunks: &[&'a str]) -> FilingInput<'a> {
    let chunks = chunks.iter().map(|t| ChunkInput { id: t, text: (*t).into() }).collect();
    FilingInput { source_url: name, title: "Birch Works 8-K", chunks, context: None }
}

/// The chunks after a title, as a context.
fn in_context<'a>(name: &'a str, title: &str, chunks: &[&'a str]) -> FilingInput<'a> {
    let pieces = std::iter::once((title, None)).chain(chunks.iter().enumerate().map(|(i, t)| (*t, Some(i))));
    FilingInput { context: Some(Context::joined(pieces)), ..filing(name, chunks) }
}

fn encode(encoder: &CommandEncoder, filings: &[FilingInput<'_>]) -> Result<Vec<Vec<EncodedChunk>>, EncodeError> {
    let mut all = Vec::new();
    encoder.encode_filings(filings, &mut |i, encoded| {
        assert_eq!(i, all.len());
        all.push(encoded);
        Ok(())
    })?;
    Ok(all)
}

fn ask(encoder: &CommandEncoder, queries: &[&str]) -> Result<Vec<Vec<f32>>, EncodeError> {
    let mut all = Vec::new();
    encoder.encode_queries(queries, &mut |i, encoded| {
        assert_eq!(i, all.len());
        all.push(encoded.vector.to_f32());
        Ok(())
    })?;
    Ok(all)
}

/// Whether a process is still there, a zombie included.
fn is_there(id: &str) -> bool {
    Path::new("/proc").join(id.trim()).exists()
}
