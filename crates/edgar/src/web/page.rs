//! Pages that come in place of what was asked for.
//!
//! Told by their `<title>` and `<h1>`, never by words in the text: a filing may well report on request rates and errors.

use memchr::{memchr, memrchr};

/// Titles are looked for in the first bytes only.
const HEAD: usize = 4096;

/// Error pages are no longer than this; primary documents almost always are.
const SMALL: usize = 64 << 10;

/// What the page says that turns away an unknown client, in lower case.
const UNDECLARED: &[u8] = b"undeclared automated tool";

/// What a page in the wrong place is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Page {
    /// "Request Rate Threshold Exceeded".
    Block,
    /// "Undeclared Automated Tool".
    Undeclared,
    /// Some other page of the site, by its title: a filing's index, an error.
    Other(String),
}

/// Titles of the whole page that no filing has.
const NOT_FILINGS: &[&str] = &[
    "sec.gov",
    "error",
    "not found",
    "404",
    "page not found",
    "access denied",
    "forbidden",
    "bad request",
    "bad gateway",
    "gateway timeout",
    "gateway time-out",
    "internal server error",
    "service unavailable",
    "temporarily unavailable",
    "service temporarily unavailable",
    "inline xbrl viewer",
    "ixbrl viewer",
    "xbrl viewer",
    "under maintenance",
    "error page",
    "request rejected",
    "just a moment...",
    "attention required!",
];

/// Which page of the site this is, if it is one that stands in for something else. `ok`: whether it came with status 200.
pub fn recognise(body: &[u8], ok: bool) -> Option<Page> {
    let head = body.get(..body.len().min(HEAD)).unwrap_or_default().to_ascii_lowercase();
    let html = head.trim_ascii_start().first() == Some(&b'<');
    let small = body.len() <= SMALL;
    let title = text_of(&head, b"<title");
    let heading = text_of(&head, b"<h1").filter(|_| small);
    let shown = || title.iter().chain(&heading);
    // This one ends the run: with status 200, its words must be all the page has to say.
    let undeclared = |text: &[u8]| memchr::memmem::find(text, UNDECLARED).is_some();
    if shown().any(|t| undeclared(t.as_bytes())) || (html && (!ok || body.len() <= HEAD) && undeclared(&head)) {
        return Some(Page::Undeclared);
    }
    if shown().any(|t| t.contains("request rate threshold exceeded")) {
        return Some(Page::Block);
    }
    if title.as_ref().is_some_and(|t| t.starts_with("edgar filing documents") || t.starts_with("edgar filing index")) {
        return title.map(Page::Other);
    }
    if !small {
        return None;
    }
    if let Some(t) = shown().find(|t| !ok || is_no_filing(t)) {
        return Some(Page::Other(t.clone()));
    }
    // The storage behind Archives answers in XML.
    let find = |tag: &[u8]| memchr::memmem::find(&head, tag).is_some();
    (html && find(b"<error>") && find(b"<code>")).then(|| Page::Other("an error in XML".to_owned()))
}

fn is_no_filing(title: &str) -> bool {
    let rest = title.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches([' ', ':', '-']);
    let numbered = rest.len() < title.len();
    title.starts_with("sec.gov |") || NOT_FILINGS.contains(&title) || (numbered && NOT_FILINGS.contains(&rest))
}

/// The text of the first element `<tag`, its white space collapsed; `head` is in lower case.
fn text_of(head: &[u8], tag: &[u8]) -> Option<String> {
    let start = find_tag(head, tag)?;
    let rest = head.get(start..)?;
    let rest = rest.get(memchr(b'>', rest)? + 1..)?;
    let text = rest.get(..memchr(b'<', rest).unwrap_or(rest.len()))?;
    let text = String::from_utf8_lossy(text);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

/// Where a tag stands first, whatever its case. `tag`: `<` and a name, in lower case.
pub(super) fn find_tag(body: &[u8], tag: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = body.get(from..).and_then(|rest| memchr(b'<', rest)).map(|n| from + n) {
        if is_tag(body, at, tag) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// Where a tag stands last, whatever its case; `lines`: at the start of a line only.
pub(super) fn find_last_tag(body: &[u8], tag: &[u8], lines: bool) -> Option<usize> {
    let mut to = body.len();
    while let Some(at) = body.get(..to).and_then(|rest| memrchr(b'<', rest)) {
        let starts_line =
            || at.checked_sub(1).and_then(|before| body.get(before)).is_none_or(|b| matches!(b, b'\n' | b'\r'));
        if is_tag(body, at, tag) && (!lines || starts_line()) {
            return Some(at);
        }
        to = at;
    }
    None
}

/// Whether `tag` stands at `at`, and its name ends there.
fn is_tag(body: &[u8], at: usize, tag: &[u8]) -> bool {
    let rest = body.get(at..).unwrap_or_default();
    super::head::starts_with(rest, tag) && rest.get(tag.len()).is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(title: &str) -> Vec<u8> {
        format!("<!DOCTYPE html>\n<HTML><head><Title>{title}</Title></head><body><p>Words</p></body></HTML>")
            .into_bytes()
    }

    #[test]
    fn pages_of_the_site_are_told_by_their_title() {
        let other = |title: &str| assert!(matches!(recognise(&page(title), true), Some(Page::Other(_))), "{title}");
        assert_eq!(recognise(&page("SEC.gov | Request Rate\n Threshold Exceeded"), true), Some(Page::Block));
        assert_eq!(recognise(b"<html><h1>Request Rate Threshold Exceeded</h1>", true), Some(Page::Block));
        assert_eq!(
            recognise(b"<html>Your Request Originates from an Undeclared Automated Tool", false),
            Some(Page::Undeclared)
        );
        for title in [
            "SEC.gov | Page not found",
            "SEC.gov",
            "EDGAR Filing Documents for 0001234567-24-000001",
            "Not Found",
            "404 Not Found",
            "503 - Service Unavailable",
            "Inline XBRL Viewer",
        ] {
            other(title);
        }
        assert!(recognise(b"<?xml version=\"1.0\"?>\n<Error><Code>NoSuchKey</Code></Error>", true).is_some());
    }

    #[test]
    fn a_filing_that_speaks_of_such_things_is_a_filing() {
        for title in ["8-K", "Document", "Form 8-K 404 Holdings", "Notice of an error", ""] {
            let mut filing = page(title);
            filing.extend(b"<p>Our site showed Request Rate Threshold Exceeded and Not Found; SEC.gov | Error.</p>");
            filing.extend(b"<p>It called us an undeclared automated tool.</p>".repeat(100));
            assert_eq!(recognise(&filing, true), None, "{title}");
        }
        let mut long = page("8-K");
        long.resize(SMALL + 1, b' ');
        long.extend(b"<title>SEC.gov | Error</title>");
        assert_eq!(recognise(&long, true), None);
        assert_eq!(recognise(b"{\"q\":\"undeclared automated tool\"}", true), None);
    }

    #[test]
    fn tags_end_where_their_name_does() {
        let text = b"<TEXTUAL>\na <TEXT> b\n<Text>\nc</text >";
        assert_eq!(find_last_tag(text, b"<text", true), Some(21));
        assert_eq!(find_last_tag(text, b"</text", false), Some(29));
        assert_eq!(find_tag(text, b"<text"), Some(12));
        assert_eq!(find_tag(text, b"<html"), None);
    }
}
