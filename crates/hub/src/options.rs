//! Everything a client can be told.
//!
//! Values, not environment: tests and other hosts pass their own. [`Options::from_environment`] fills them as Python's tools do.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::HubError;

/// How to reach the Hub, and where its files are kept.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Base address of the Hub; a slash at its end does not matter.
    pub endpoint: String,
    /// The cache folder: the one that holds `datasets--OWNER--NAME`.
    pub cache: PathBuf,
    /// Sent to the endpoint's own host, never to another.
    pub token: Option<Token>,
    /// Make no request at all.
    pub offline: bool,
    /// Whether files in `snapshots` may be symbolic links into `blobs`. Where they cannot be made, files are moved instead.
    pub symlinks: bool,
    /// Whether `HTTPS_PROXY` and its kin are honoured.
    pub system_proxy: bool,
    /// How often a request is made before it counts as failed; at least once.
    pub attempts: u32,
    /// Pause before the second attempt; it doubles for each further one.
    pub first_pause: Duration,
    /// Longest pause that a Hub which is too busy may ask for.
    pub longest_pause: Duration,
    /// Longest wait for a connection.
    pub connect_timeout: Duration,
    /// Longest wait for the next bytes.
    pub idle_timeout: Duration,
    /// A download that is slower than this on the whole is given up, in bytes per second.
    pub slowest: u64,
}

impl Options {
    /// The public Hub without a token, with this cache folder.
    pub fn new(cache: PathBuf) -> Self {
        Self {
            endpoint: "https://huggingface.co".to_owned(),
            cache,
            token: None,
            offline: false,
            symlinks: true,
            system_proxy: false,
            attempts: 4,
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(120),
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(30),
            slowest: 8 * 1024,
        }
    }
}

/// An access token. Shown nowhere: its `Debug` is redacted and it has no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    secret: String,
    origin: String,
}

impl Token {
    /// A token, trimmed; `None` where nothing is left. `origin` says where it came from, for messages: `HF_TOKEN`, or a file.
    ///
    /// # Errors
    /// [`HubError::Setting`] where it holds what no header can carry.
    pub fn new(text: &str, origin: &str) -> Result<Option<Self>, HubError> {
        let secret = text.trim();
        if secret.is_empty() {
            return Ok(None);
        }
        if !secret.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(HubError::Setting {
                what: origin.to_owned(),
                problem: "holds white space or characters that a token cannot have; copy the token again".to_owned(),
            });
        }
        Ok(Some(Self { secret: secret.to_owned(), origin: origin.to_owned() }))
    }

    /// Where it came from.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// The value of an `Authorization` header.
    pub(crate) fn header(&self) -> String {
        format!("Bearer {}", self.secret)
    }

    /// A foreign text without the token in it: a server may repeat what it was sent.
    pub(crate) fn redact(&self, text: &str) -> String {
        text.replace(&self.secret, "***")
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Token(*** from {})", self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_trimmed_checked_and_never_shown() {
        assert_eq!(Token::new(" \n", "HF_TOKEN").unwrap(), None);
        let token = Token::new(" hf_kiln\n", "HF_TOKEN").unwrap().unwrap();
        assert_eq!(token.header(), "Bearer hf_kiln");
        assert_eq!(token.redact("bad token hf_kiln!"), "bad token ***!");
        let mut options = Options::new("x".into());
        options.token = Some(token);
        assert!(!format!("{options:?}").contains("hf_kiln"));
        let error = Token::new("hf_ki ln", "HF_TOKEN").unwrap_err();
        assert!(error.is_user_mistake() && !error.to_string().contains("hf_ki"), "{error}");
    }
}
