//! One file, from its address to the cache.
//!
//! What arrives is compared with the listing before it gets its name: the length, and SHA-256 for large files, git's hash for the
//! others. A connection that breaks is taken up where it broke.

use std::io::Read;
use std::time::Duration;

use ureq::http::Uri;
use ureq::{Body, http::Response};

use crate::listing::RemoteFile;
use crate::part::Part;
use crate::web::{Again, Request, Trouble, Web, failed, header};
use crate::{HubError, Observer, RepoName};

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;

/// A file to be downloaded.
pub(crate) struct Download<'a> {
    pub(crate) repo: &'a RepoName,
    pub(crate) url: Uri,
    /// Path in the repository.
    pub(crate) path: &'a str,
    pub(crate) file: &'a RemoteFile,
    pub(crate) attempts: u32,
    /// Longest time until the last byte.
    pub(crate) limit: Duration,
}

impl Download<'_> {
    /// Fills a part until it is what the listing says.
    pub(crate) fn fill(&self, web: &Web, part: &mut Part<'_>, observer: &mut dyn Observer) -> Result<(), HubError> {
        let mut wrong_before = false;
        web.retrying(self.attempts, observer, |observer| {
            self.read(web, part, observer)?;
            let Some(problem) = part.difference() else { return Ok(()) };
            part.clear()?;
            // Once may be the network's fault, twice is the server's.
            let again = if wrong_before { Again::Never } else { Again::Soon };
            wrong_before = true;
            Err(self.damaged(problem, again))
        })
    }

    /// Reads until the part has its length.
    fn read(&self, web: &Web, part: &mut Part<'_>, observer: &mut dyn Observer) -> Result<(), Trouble> {
        let total = self.file.length();
        if part.length() == total && total > 0 {
            return Ok(());
        }
        let request = Request { repo: self.repo, url: self.url.clone(), from: part.length(), limit: self.limit };
        let (answer, _) = web.send(&request)?;
        if part.length() > 0 && !continues(&answer, part.length()) {
            part.clear()?;
        }
        let wanted = total - part.length();
        // Where the answer says its length, a web page in the file's place is not even read.
        if let Some(length) = answer.body().content_length().filter(|l| *l != wanted) {
            let kind =
                header(&answer, "content-type").unwrap_or("no type").chars().filter(|c| !c.is_control()).take(60);
            let problem = format!("{length} bytes of {} are offered in place of {wanted}", kind.collect::<String>());
            return Err(self.damaged(problem, Again::Never));
        }
        let mut body = answer.into_body().into_reader();
        let mut chunk = vec![0; CHUNK];
        loop {
            observer.progress(self.path, part.length(), total);
            let n = match body.read(&mut chunk) {
                Ok(n) => n,
                Err(e) => return Err(failed(self.repo, &self.url, &ureq::Error::from(e))),
            };
            if n == 0 {
                break;
            }
            if part.length() + n as u64 > total {
                part.clear()?;
                return Err(self.damaged(format!("it is longer than its {total} bytes"), Again::Never));
            }
            part.write(chunk.get(..n).unwrap_or_default())?;
        }
        if part.length() == total {
            return Ok(());
        }
        Err(self.damaged(format!("it ends after {} of {total} bytes", part.length()), Again::Soon))
    }

    fn damaged(&self, problem: String, again: Again) -> Trouble {
        let reason = format!("{}: {problem}", self.path);
        let (name, file) = (self.repo.to_string(), self.path.to_owned());
        Trouble { error: HubError::Damaged { name, file, problem }, again, reason }
    }
}

/// Whether an answer goes on where the part ends: 206, and the range that was asked for.
fn continues(answer: &Response<Body>, from: u64) -> bool {
    let range = header(answer, "content-range").and_then(|r| r.trim().strip_prefix("bytes "));
    let start = range.and_then(|r| r.split_once('-')).and_then(|(start, _)| start.parse().ok());
    answer.status().as_u16() == 206 && start == Some(from)
}
