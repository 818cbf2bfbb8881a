//! Addresses of services.

use std::net::IpAddr;

use eightk_encode::EncodeError;
use ureq::http::Uri;

use super::Secret;

/// Where requests go: an http or https address that holds no secret, so that it can be shown and stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Endpoint(String);

impl Endpoint {
    /// Checks an address; a slash at its end is dropped.
    ///
    /// A query is refused because keys travel there (`?key=`), and a user part because it is one; only Azure's `api-version`, which
    /// is no secret, may stand.
    pub(crate) fn parse(text: &str, key: Option<&Secret>) -> Result<Self, EncodeError> {
        // What is wrong may be wrong because a secret stands in it, so the address itself is not repeated.
        let wrong = |problem: &str| {
            Err(EncodeError::Usage(format!(
                "the address of the service (url=) {problem}; write it as https://host/path"
            )))
        };
        let text = text.trim().trim_end_matches('/');
        let Ok(uri) = text.parse::<Uri>() else { return wrong("is no address") };
        if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
            return wrong("is no http or https address");
        }
        if uri.authority().is_some_and(|a| a.as_str().contains('@')) {
            return wrong("holds a user or password (before `@`): keys come from the environment, see key-env=");
        }
        if uri.query().is_some_and(|q| !is_version(q)) {
            return wrong("has a query (after `?`): keys come from the environment, see key-env=");
        }
        if key.is_some_and(|k| k.is_in(text)) {
            return wrong("holds the key: it comes from the environment, see key-env=");
        }
        Ok(Self(text.to_owned()))
    }

    /// As it is asked for, and shown.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The same service at another path, given with its slash; `None` where that is no address.
    pub(crate) fn at(&self, path: &str) -> Option<Self> {
        let uri: Uri = self.0.parse().ok()?;
        Some(Self(format!("{}://{}{path}", uri.scheme_str()?, uri.authority()?)))
    }

    /// The path without its query.
    pub(crate) fn path(&self) -> String {
        self.0.parse::<Uri>().map(|u| u.path().trim_end_matches('/').to_owned()).unwrap_or_default()
    }

    /// With this path where it has none, or only the first part of it: people give a server's address, or one that ends in `/v1`, or all.
    pub(crate) fn completed(self, path: &str) -> Self {
        let own = self.path();
        let is_begun = !own.is_empty() && path.strip_prefix(own.as_str()).is_some_and(|rest| rest.starts_with('/'));
        let is_plain = self.0.split_once("://").is_some_and(|(_, rest)| !rest.contains('?'));
        if is_plain && (own.is_empty() || is_begun) { self.at(path).unwrap_or(self) } else { self }
    }

    /// Host and port.
    pub(crate) fn authority(&self) -> String {
        self.0.parse::<Uri>().ok().and_then(|u| u.authority().map(ToString::to_string)).unwrap_or_default()
    }

    /// Whether it is on this machine, where no proxy is asked.
    pub(crate) fn is_this_machine(&self) -> bool {
        let Ok(uri) = self.0.parse::<Uri>() else { return false };
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }
}

fn is_version(query: &str) -> bool {
    query.strip_prefix("api-version=").is_some_and(|v| {
        v.len() <= 24 && v.bytes().all(|b| b.is_ascii_digit() || b == b'-' || b == b'.')
            || v.ends_with("-preview") && v.len() <= 24
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Endpoint, EncodeError> {
        Endpoint::parse(text, None)
    }

    #[test]
    fn addresses_that_can_be_shown() {
        for (good, shown) in [
            ("http://localhost:8080/", "http://localhost:8080"),
            (" https://api.kiln.test/v1/embeddings", "https://api.kiln.test/v1/embeddings"),
            ("https://k.test/x?api-version=2024-02-01", "https://k.test/x?api-version=2024-02-01"),
            ("https://k.test/x?api-version=2024-02-01-preview", "https://k.test/x?api-version=2024-02-01-preview"),
        ] {
            assert_eq!(parse(good).unwrap().as_str(), shown);
        }
    }

    #[test]
    fn addresses_that_could_hold_a_secret_are_refused_and_not_repeated() {
        let key = Secret::new("topsecret", "K").unwrap().unwrap();
        for bad in [
            "https://topsecret@k.test/",
            "https://u:topsecret@k.test/",
            "https://k.test/?key=topsecret",
            "https://k.test/?api-version=topsecret",
            "https://k.test/?api-version=1&key=topsecret",
            "https://k.test/topsecret",
            "ftp://topsecret",
            "topsecret",
            "https://",
            "http:///topsecret",
        ] {
            let error = Endpoint::parse(bad, Some(&key)).unwrap_err();
            assert!(matches!(error, EncodeError::Usage(_)));
            assert!(!error.to_string().contains("topsecret"), "{bad}: {error}");
        }
    }

    #[test]
    fn paths() {
        let bare = parse("http://127.0.0.1:80").unwrap();
        assert_eq!(bare.clone().completed("/embed").as_str(), "http://127.0.0.1:80/embed");
        assert_eq!(bare.at("/info").unwrap().as_str(), "http://127.0.0.1:80/info");
        let whole = parse("http://[::1]:80/x/embed").unwrap();
        assert_eq!(whole.clone().completed("/embed"), whole);
        assert!(
            bare.is_this_machine() && whole.is_this_machine() && parse("http://localhost").unwrap().is_this_machine()
        );
        assert!(!parse("http://127.0.0.1.k.test").unwrap().is_this_machine());
    }
}
