//! Whether an answer is whole, and what to do when it is not: a pure function.
//!
//! The status alone says little. Blocks come with 200, 403 and 429; error pages come with 200; bodies come empty, cut, or of
//! another kind. Whatever passes here goes into the store for good, so doubt means "again".

use jiff::Timestamp;

use super::Wanted;
use super::decode::{Decoded, decode};
use super::head::{HeaderEnd, MAX_HEADER, starts_with};
use super::page::{Page, find_last_tag, find_tag, recognise};
use super::sent::{SendError, Sent};

/// What may follow `</html>`: comments that servers of the site add.
const AFTER_HTML: usize = 4096;

/// What to do with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is whole: the body, decoded.
    Good(Vec<u8>),
    /// All bytes came, but the document does not close. EDGAR may have it so: when the next try brings the same, it is whole.
    Unclosed(Vec<u8>),
    /// Ask again.
    Again {
        /// What came.
        reason: String,
        /// Whether it is a sign of load.
        struggling: bool,
        /// When the server wants to be asked again.
        after: Option<RetryAfter>,
    },
    /// Ask there instead.
    Moved(String),
    /// Ask nothing for some time.
    Blocked(Option<RetryAfter>),
    /// Ask nothing any more.
    Undeclared,
    /// There is no such file.
    NotFound,
    /// Asking again is no use.
    Never(String),
}

/// What a `Retry-After` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    /// So many seconds.
    Seconds(u32),
    /// At a time.
    At(Timestamp),
}

impl RetryAfter {
    /// Reads the header; `None` when it makes no sense.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return text.parse().ok().map(Self::Seconds);
        }
        // HTTP dates are those of mail; the names of days and months are English whatever the user's locale.
        jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok().map(Self::At)
    }
}

impl Verdict {
    fn again(reason: impl Into<String>) -> Self {
        Self::Again { reason: reason.into(), struggling: false, after: None }
    }

    fn struggling(reason: impl Into<String>) -> Self {
        Self::Again { reason: reason.into(), struggling: true, after: None }
    }

    /// One word for a log.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Good(_) => "good",
            Self::Unclosed(_) => "unclosed",
            Self::Again { .. } => "again",
            Self::Moved(_) => "moved",
            Self::Blocked(_) => "blocked",
            Self::Undeclared => "undeclared",
            Self::NotFound => "not-found",
            Self::Never(_) => "never",
        }
    }
}

/// Judges an answer.
pub fn judge(wanted: Wanted, sent: &Sent) -> Verdict {
    if sent.status == 0 {
        return match &sent.error {
            Some(SendError::Request(problem)) => Verdict::Never(problem.clone()),
            Some(SendError::Connection(problem)) => Verdict::struggling(problem.as_str()),
            Some(SendError::TooLong) | None => Verdict::struggling("no answer"),
        };
    }
    let retry_after = sent.retry_after.as_deref().and_then(RetryAfter::parse);
    let decoded = decode(sent.encoding.as_deref(), &sent.body, sent.left, wanted.limit());
    let page = recognise(&decoded.body, sent.status == 200);
    match page {
        Some(Page::Undeclared) => return Verdict::Undeclared,
        Some(Page::Block) => return Verdict::Blocked(retry_after),
        _ if sent.status == 429 => return Verdict::Blocked(retry_after),
        _ => {}
    }
    let title = match &page {
        Some(Page::Other(title)) => format!(", a page that says {title:?}"),
        _ => String::new(),
    };
    let status = sent.status;
    match status {
        200 => judge_body(wanted, sent, decoded, page),
        301 | 302 | 303 | 307 | 308 => match &sent.location {
            Some(place) => Verdict::Moved(place.clone()),
            None => Verdict::Never(format!("status {status} without a place to go")),
        },
        404 | 410 => Verdict::NotFound,
        403 => Verdict::struggling(format!("status 403{title}")),
        408 | 425 | 500.. => {
            Verdict::Again { reason: format!("status {status}{title}"), struggling: true, after: retry_after }
        }
        400..500 => Verdict::Never(format!("status {status}{title}")),
        _ => Verdict::again(format!("status {status}{title}")),
    }
}

/// Judges the body of an answer with status 200.
fn judge_body(wanted: Wanted, sent: &Sent, decoded: Decoded, page: Option<Page>) -> Verdict {
    // A header is read only as far as it is wanted, so what is wrong behind it does not matter.
    if wanted == Wanted::Header && is_header(&decoded.body) {
        let mut body = decoded.body;
        body.truncate(MAX_HEADER);
        return Verdict::Good(body);
    }
    match &sent.error {
        Some(SendError::TooLong) => {
            return Verdict::Never(format!("it is longer than {} MB", wanted.limit() >> 20));
        }
        Some(SendError::Connection(problem) | SendError::Request(problem)) => {
            let of = sent.length.map(|n| format!(" of {n}")).unwrap_or_default();
            return Verdict::struggling(format!("cut after {}{of} bytes: {problem}", sent.body.len()));
        }
        None => {}
    }
    if let (false, Some(length)) = (sent.left, sent.length)
        && length != sent.body.len() as u64
    {
        return Verdict::struggling(format!("cut: {} of {length} bytes", sent.body.len()));
    }
    if sent.body.is_empty() || (decoded.body.is_empty() && decoded.fault.is_none()) {
        return Verdict::struggling("an empty answer");
    }
    if let Some(fault) = decoded.fault {
        return if decoded.too_long { Verdict::Never(fault) } else { Verdict::struggling(fault) };
    }
    if let Some(Page::Other(title)) = page {
        return Verdict::again(format!("not the {wanted}, but a page that says {title:?}"));
    }
    let whole = sent.ended || decoded.proven;
    match wanted {
        Wanted::Search => judge_search(decoded.body),
        Wanted::Header => Verdict::again("no header of a submission"),
        Wanted::Index => match unpacked(&decoded.body, wanted.limit()) {
            None => judge_index(decoded.body, whole),
            Some(Ok(inner)) => judge_index(inner, true),
            Some(Err(fault)) => Verdict::struggling(fault),
        },
        Wanted::Document => match unpacked(&decoded.body, wanted.limit()) {
            None => match document_problem(&decoded.body, whole) {
                Fit::Good => Verdict::Good(decoded.body),
                Fit::Unclosed => Verdict::Unclosed(decoded.body),
                Fit::Not(reason) => Verdict::again(reason),
                Fit::Cut(reason) => Verdict::struggling(reason),
            },
            // Kept packed, as it was published; but only when what is in it is whole.
            Some(Ok(inner)) => match document_problem(&inner, true) {
                Fit::Good => Verdict::Good(decoded.body),
                Fit::Unclosed => Verdict::Unclosed(decoded.body),
                Fit::Not(reason) | Fit::Cut(reason) => Verdict::again(reason),
            },
            Some(Err(fault)) => Verdict::struggling(fault),
        },
    }
}

/// The content of a file that is itself a gzip file; `None` when it is none.
fn unpacked(body: &[u8], limit: usize) -> Option<Result<Vec<u8>, String>> {
    body.starts_with(&[0x1f, 0x8b]).then(|| {
        let inner = decode(Some("gzip"), body, false, limit);
        inner.fault.map_or(Ok(inner.body), Err)
    })
}

fn judge_search(body: Vec<u8>) -> Verdict {
    /// What tells results from a complaint of the machinery in front of the search.
    #[derive(serde::Deserialize)]
    struct Shape {
        message: Option<serde::de::IgnoredAny>,
        hits: Option<serde::de::IgnoredAny>,
    }
    let text = body.trim_ascii_start();
    if !matches!(text.first(), Some(b'{' | b'[')) {
        return Verdict::again("no JSON");
    }
    if let Err(problem) = serde_json::from_slice::<serde::de::IgnoredAny>(&body) {
        return Verdict::struggling(format!("broken JSON ({problem})"));
    }
    match serde_json::from_slice::<Shape>(&body) {
        Ok(Shape { message: Some(_), hits: None }) => Verdict::struggling("an error message in place of results"),
        _ => Verdict::Good(body),
    }
}

fn judge_index(body: Vec<u8>, whole: bool) -> Verdict {
    let start = body.get(..body.len().min(4096)).unwrap_or_default();
    if find_tag(start, b"<html").is_some() || find_tag(start, b"<!doctype").is_some() {
        return Verdict::again("a page in place of an index");
    }
    let row = |line: &[u8]| memchr::memchr_iter(b'|', line).count() >= 4;
    if !body.split(|b| *b == b'\n').any(row) {
        return Verdict::again("no index: there is neither a row nor a heading of columns in it");
    }
    if whole {
        return Verdict::Good(body);
    }
    if body.last() != Some(&b'\n') {
        return Verdict::struggling("an index that ends within a row");
    }
    // Of unknown length: whether more was to come, the next try tells.
    Verdict::Unclosed(body)
}

/// Whether a body begins as a full submission and goes on to where its header ends.
fn is_header(body: &[u8]) -> bool {
    let start = body.trim_ascii_start();
    let begins = SUBMISSIONS.iter().any(|(open, _)| starts_with(start, open))
        || [&b"<SEC-HEADER>"[..], b"<IMS-HEADER>"].iter().any(|open| starts_with(start, open));
    let ends = || {
        HeaderEnd::default().reached(body)
            || [&b"</sec-header"[..], b"</ims-header", b"<text"].iter().any(|end| find_tag(body, end).is_some())
    };
    begins && ends()
}

/// How full submissions begin and end.
const SUBMISSIONS: [(&[u8], &[u8]); 4] = [
    (b"<SEC-DOCUMENT>", b"</SEC-DOCUMENT>"),
    (b"<IMS-DOCUMENT>", b"</IMS-DOCUMENT>"),
    (b"<SUBMISSION>", b"</SUBMISSION>"),
    (b"-----BEGIN PRIVACY-ENHANCED MESSAGE-----", b"-----END PRIVACY-ENHANCED MESSAGE-----"),
];

enum Fit {
    Good,
    Unclosed,
    Not(String),
    Cut(String),
}

fn document_problem(body: &[u8], whole: bool) -> Fit {
    let start = body.trim_ascii_start();
    if start.is_empty() {
        return Fit::Cut("an answer of white space".to_owned());
    }
    if start.starts_with(b"%PDF-") {
        return Fit::Not("a PDF, not a document in HTML or text".to_owned());
    }
    if is_binary(start) {
        return Fit::Not("binary data, not a document in HTML or text".to_owned());
    }
    if start.starts_with(b"{") && serde_json::from_slice::<serde::de::IgnoredAny>(start).is_ok() {
        return Fit::Not("JSON, not a document".to_owned());
    }
    match (missing_end(body), whole) {
        (None, true) => Fit::Good,
        (None, false) if is_marked_up(body) => Fit::Good,
        (None, false) => Fit::Cut("plain text of unknown length: it may be cut".to_owned()),
        (Some(_), true) => Fit::Unclosed,
        (Some(end), false) => Fit::Cut(format!("cut: {end} is missing")),
    }
}

/// Whether a body is a picture, an archive, a program: no text has bytes of zero near its beginning (UTF-16 has every second one,
/// and says so by its mark).
fn is_binary(body: &[u8]) -> bool {
    let head = body.get(..body.len().min(8192)).unwrap_or_default();
    let marked = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    let zeros = !marked && memchr::memchr(0, head).is_some();
    let magic: [&[u8]; 5] = [b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"Rar!"];
    zeros || magic.iter().any(|m| head.starts_with(m))
}

/// Whether a file that is called a page has a tag in it: an error of the machinery in front of EDGAR may come as bare text.
pub fn is_page(name: &str, body: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let called = [".htm", ".html", ".xhtml"].iter().any(|end| name.ends_with(end));
    !called || memchr::memchr_iter(b'<', body).any(|at| body.get(at + 1).is_some_and(u8::is_ascii_alphabetic))
}

fn is_marked_up(body: &[u8]) -> bool {
    find_tag(body, b"<html").is_some() || find_last_tag(body, b"<text", true).is_some()
}

/// The end that a document lacks, if it lacks one.
fn missing_end(body: &[u8]) -> Option<&'static str> {
    let open = |open: &[u8], close: &[u8]| {
        let last = find_last_tag(body, open, true)?;
        Some(find_last_tag(body, close, false).is_none_or(|end| end < last))
    };
    let text = open(b"<text", b"</text");
    if text == Some(true) {
        return Some("</TEXT>");
    }
    if open(b"<document", b"</document") == Some(true) {
        return Some("</DOCUMENT>");
    }
    if let Some((_, close)) = SUBMISSIONS.iter().find(|(open, _)| starts_with(body.trim_ascii_start(), open)) {
        let end = body.get(body.len().saturating_sub(AFTER_HTML)..).unwrap_or_default().to_ascii_uppercase();
        if memchr::memmem::rfind(&end, close).is_none() {
            return Some("the end of the submission");
        }
    }
    if text.is_none() && find_tag(body, b"<html").is_some() {
        let closed = find_last_tag(body, b"</html", false).is_some_and(|at| body.len() - at <= AFTER_HTML);
        return (!closed).then_some("</html>");
    }
    None
}

#[cfg(test)]
mod tests;
