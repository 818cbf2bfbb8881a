//! One line for every request, whatever came of it.
//!
//! JSON lines, only ever appended to, each by one write: what a killed process leaves is whole lines and at most one torn one. A table of a
//! database would be harder to lose and impossible to read with `less`. Who asked is not in it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::WebError;

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// When it was sent.
    pub time: Timestamp,
    /// The address that was asked; of a stand-in, when one takes EDGAR's place.
    pub url: String,
    /// What was wanted of it.
    pub wanted: String,
    /// Status; 0 when no answer came.
    pub status: u16,
    /// Size of the body, decoded; of an answer that is not whole, as it came.
    pub bytes: u64,
    /// SHA-256 of the body, decoded, in lower-case hex; only of whole answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// `ETag`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// `Last-Modified`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// From the request to the end of the answer, in milliseconds.
    pub ms: u64,
    /// `good`, or what was wrong in one word: `again`, `unclosed`, `moved`, `blocked`, `undeclared`, `not-found`, `never`.
    pub verdict: String,
    /// What was wrong, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The log, open for appending.
#[derive(Debug)]
pub struct RequestLog {
    path: PathBuf,
    file: Mutex<Tail>,
}

#[derive(Debug)]
struct Tail {
    file: File,
    /// Whether the last line lacks its end.
    torn: bool,
}

impl RequestLog {
    /// Opens or begins the log. The end of a line that an earlier process could not finish is set when the next one is written.
    ///
    /// # Errors
    ///
    /// [`WebError::Record`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, WebError> {
        let path = path.into();
        let open = || -> io::Result<Tail> {
            let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path)?;
            let mut last = [b'\n'];
            if file.metadata()?.len() > 0 {
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
            }
            Ok(Tail { file, torn: last != [b'\n'] })
        };
        match open() {
            Ok(tail) => Ok(Self { path, file: Mutex::new(tail) }),
            Err(source) => Err(WebError::Record { path, source }),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes one line.
    ///
    /// # Errors
    ///
    /// [`WebError::Record`], such as on a full disk.
    pub fn append(&self, entry: &Entry) -> Result<(), WebError> {
        let mut tail = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut line = if tail.torn { vec![b'\n'] } else { Vec::new() };
        let mut write = || -> io::Result<()> {
            serde_json::to_writer(&mut line, entry)?;
            line.push(b'\n');
            // One call: `write_all` would go on in a second one, and another process's line could come between.
            let written = loop {
                match tail.file.write(&line) {
                    Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                    other => break other?,
                }
            };
            tail.torn = written < line.len() && (written > 0 || tail.torn);
            if written < line.len() {
                return Err(io::Error::new(io::ErrorKind::WriteZero, "only a part of a line was written"));
            }
            Ok(())
        };
        write().map_err(|source| WebError::Record { path: self.path.clone(), source })
    }
}

/// The lines of a log.
#[derive(Debug, Default)]
pub struct Logged {
    /// Whole lines, in order.
    pub entries: Vec<Entry>,
    /// Lines that say nothing: torn, or of another make.
    pub unreadable: usize,
}

/// Reads a log; one that is not there has no lines.
///
/// # Errors
///
/// What the file system says.
pub fn read(path: &Path) -> io::Result<Logged> {
    let file = match File::open(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Logged::default()),
        other => other?,
    };
    read_lines(BufReader::new(file))
}

fn read_lines(mut from: impl BufRead) -> io::Result<Logged> {
    let (mut logged, mut line) = (Logged::default(), Vec::new());
    loop {
        line.clear();
        if from.read_until(b'\n', &mut line)? == 0 {
            return Ok(logged);
        }
        match serde_json::from_slice(&line) {
            Ok(entry) => logged.entries.push(entry),
            Err(_) if line.trim_ascii().is_empty() => {}
            Err(_) => logged.unreadable += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn entry(n: u64) -> Entry {
        Entry {
            time: "2024-05-01T10:00:00.25Z".parse().unwrap(),
            url: format!("https://www.sec.gov/{n}"),
            wanted: "document".to_owned(),
            status: 200,
            bytes: n,
            sha256: None,
            etag: Some("\"a-gzip\"".to_owned()),
            last_modified: None,
            ms: 12,
            verdict: "good".to_owned(),
            reason: None,
        }
    }

    #[test]
    fn a_torn_line_costs_itself_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("requests.jsonl");
        assert_eq!(read(&path).unwrap().entries, []);
        RequestLog::open(&path).unwrap().append(&entry(1)).unwrap();
        let whole = std::fs::read(&path).unwrap();
        // A process that was killed at any byte of its second line.
        for keep in 0..whole.len() {
            let torn = [&whole[..], &whole[..keep]].concat();
            std::fs::write(&path, &torn).unwrap();
            let log = RequestLog::open(&path).unwrap();
            log.append(&entry(3)).unwrap();
            log.append(&entry(4)).unwrap();
            let logged = read(&path).unwrap();
            let complete = keep == whole.len() - 1;
            assert_eq!(logged.unreadable, usize::from(keep > 0 && !complete), "{keep}");
            let expected: Vec<_> = if complete {
                vec![entry(1), entry(1), entry(3), entry(4)]
            } else {
                vec![entry(1), entry(3), entry(4)]
            };
            assert_eq!(logged.entries, expected);
        }
    }

    #[test]
    fn threads_do_not_mix_their_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("requests.jsonl");
        let (one, other) = (RequestLog::open(&path).unwrap(), RequestLog::open(&path).unwrap());
        std::thread::scope(|scope| {
            for n in 0..4_u64 {
                let log = if n % 2 == 0 { &one } else { &other };
                scope.spawn(move || (0..50).for_each(|i| log.append(&entry(100 * n + i)).unwrap()));
            }
        });
        let logged = read(&path).unwrap();
        assert_eq!((logged.entries.len(), logged.unreadable), (200, 0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_said() {
        let log = RequestLog {
            path: "/dev/full".into(),
            file: Mutex::new(Tail { file: OpenOptions::new().append(true).open("/dev/full").unwrap(), torn: false }),
        };
        let error = log.append(&entry(1)).unwrap_err();
        assert!(error.ends_the_run() && error.to_string().contains("/dev/full"), "{error}");
    }

    proptest! {
        #[test]
        fn reading_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let logged = read_lines(&bytes[..]).unwrap();
            prop_assert!(logged.unreadable <= bytes.len());
        }
    }
}
