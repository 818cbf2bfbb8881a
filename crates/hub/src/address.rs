//! Addresses: who is asked, where an answer points, what a name looks like in a path.
//!
//! Redirects are followed by hand and not by the HTTP library, because a token must reach the Hub's own host only and the
//! library can but keep it or drop it on all of them.

use ureq::http::Uri;

/// Scheme, host and port: what must be equal for a token to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    is_secure: bool,
    host: String,
    port: u16,
}

impl Origin {
    /// Whose address this is; `None` unless it is http or https with a host.
    pub(crate) fn of(uri: &Uri) -> Option<Self> {
        let is_secure = match uri.scheme_str()? {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let host = uri.host().filter(|h| !h.is_empty())?.to_ascii_lowercase();
        Some(Self { is_secure, host, port: uri.port_u16().unwrap_or(if is_secure { 443 } else { 80 }) })
    }

    /// Whether what is sent cannot be read on the way.
    pub(crate) fn is_secure(&self) -> bool {
        self.is_secure
    }
}

/// Where a `Location` or `Link` points, seen from the address that answered with it.
pub(crate) fn join(from: &Uri, target: &str) -> Option<Uri> {
    let target = target.trim();
    let (scheme, authority) = (from.scheme_str()?, from.authority()?);
    let whole = if target.contains("://") {
        target.to_owned()
    } else if target.starts_with("//") {
        format!("{scheme}:{target}")
    } else if target.starts_with('/') {
        format!("{scheme}://{authority}{target}")
    } else if target.starts_with('?') {
        format!("{scheme}://{authority}{}{target}", from.path())
    } else {
        let folder = from.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{scheme}://{authority}{folder}/{target}")
    };
    let uri: Uri = whole.parse().ok()?;
    Origin::of(&uri).is_some().then_some(uri)
}

/// The address in `rel="next"` of a `Link` header.
pub(crate) fn next_of(link: &str) -> Option<&str> {
    let mut rest = link;
    while let Some((_, opened)) = rest.split_once('<') {
        let (target, after) = opened.split_once('>')?;
        let (parameters, _) = after.split_once('<').unwrap_or((after, ""));
        if parameters.split([';', ',']).any(|p| matches!(p.trim(), "rel=\"next\"" | "rel=next")) {
            return Some(target);
        }
        rest = after;
    }
    None
}

/// An address for people: without query, which may hold a signature, and without user.
pub(crate) fn shown(uri: &Uri) -> String {
    let host = uri.authority().map_or("", |a| a.as_str().rsplit('@').next().unwrap_or_default());
    format!("{}://{host}{}", uri.scheme_str().unwrap_or("http"), uri.path())
}

/// Percent-encodes all but what needs no encoding anywhere.
pub(crate) fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

/// [`encode`] that leaves slashes as they are.
pub(crate) fn encode_path(path: &str) -> String {
    path.split('/').map(encode).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_seen_from_where_they_stand() {
        let from: Uri = "https://hub.test:8443/api/a/b?x=1".parse().unwrap();
        for (target, whole) in [
            ("http://cdn.test/f?sig=1", "http://cdn.test/f?sig=1"),
            ("//cdn.test/f", "https://cdn.test/f"),
            ("/f/g", "https://hub.test:8443/f/g"),
            ("?cursor=2", "https://hub.test:8443/api/a/b?cursor=2"),
            ("c", "https://hub.test:8443/api/a/c"),
        ] {
            assert_eq!(join(&from, target).unwrap().to_string(), whole);
        }
        for bad in ["file:///etc/passwd", "ftp://x/y", "http://", "http://a b/"] {
            assert_eq!(join(&from, bad), None, "{bad}");
        }
    }

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let of = |a: &str| Origin::of(&a.parse().unwrap());
        assert_eq!(of("https://Hub.test/a"), of("https://hub.test:443/b"));
        for other in ["http://hub.test/", "https://hub.test:444/", "https://hub.test.evil/", "https://evil/hub.test"] {
            assert_ne!(of("https://hub.test/"), of(other), "{other}");
        }
    }

    #[test]
    fn the_next_page_is_found_among_links() {
        assert_eq!(next_of("<http://h/a?cursor=x,y>; rel=\"next\""), Some("http://h/a?cursor=x,y"));
        assert_eq!(next_of("<http://h/1>; rel=\"prev\", <http://h/2>; rel=\"next\""), Some("http://h/2"));
        assert_eq!(next_of("<http://h/1>; rel=\"prev\""), None);
        assert_eq!(next_of("<<<"), None);
    }

    #[test]
    fn what_is_shown_holds_no_secret() {
        let uri: Uri = "https://me:pass@cdn.test/f?X-Signature=abc".parse().unwrap();
        assert_eq!(shown(&uri), "https://cdn.test/f");
    }

    #[test]
    fn paths_are_encoded_segment_by_segment() {
        assert_eq!(encode_path("a b/c#d?.x"), "a%20b/c%23d%3F.x");
        assert_eq!(encode("refs/convert/parquet"), "refs%2Fconvert%2Fparquet");
        assert_eq!(encode("é"), "%C3%A9");
    }
}
