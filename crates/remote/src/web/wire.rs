//! The wire: one request, whatever comes back, unjudged.
//!
//! Redirects are not followed: a POST that is redirected is sent again as a GET by some clients, and a key must not travel to
//! another host at a server's bidding.

use std::time::Duration;

use ureq::http::HeaderMap;

use super::{Endpoint, Secret};

/// How long an unused connection is kept; shorter than servers keep them, so that they rarely close one that is about to be used.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// Longest wait for a name and a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// Most bytes read of an answer that is an error.
const LONGEST_ERROR: u64 = 64 << 10;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// No whole answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// As the end of a sentence about the service ("gave no answer …").
    pub(crate) problem: String,
    /// Whether asking again may help.
    pub(crate) passing: bool,
    /// Whether the service cannot have worked on it: nothing was sent.
    pub(crate) unsent: bool,
}

/// Sends requests; keeps connections and uses them again.
#[derive(Debug)]
pub(crate) struct Wire {
    agent: ureq::Agent,
    timeout: Duration,
}

impl Wire {
    /// `timeout` is the longest time from the beginning of a request to the last byte of its answer.
    ///
    /// A proxy is taken from the usual variables (`HTTPS_PROXY`, `NO_PROXY` and kin), but never for this machine itself.
    pub(crate) fn new(endpoint: &Endpoint, timeout: Duration) -> Self {
        let mut config = ureq::Agent::config_builder()
            .user_agent(concat!("eightk/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_resolve(Some(CONNECT.min(timeout)))
            .timeout_connect(Some(CONNECT.min(timeout)))
            .timeout_global(Some(timeout))
            .max_idle_age(KEEP_ALIVE)
            .max_idle_connections_per_host(16);
        if endpoint.is_this_machine() {
            config = config.proxy(None);
        }
        Self { agent: config.build().into(), timeout }
    }

    /// Posts JSON, or gets where there is none.
    pub(crate) fn send(
        &self,
        to: &Endpoint,
        body: Option<&[u8]>,
        key: Option<&Secret>,
        limit: u64,
    ) -> Result<Answer, Failure> {
        // A compressed body could be a bomb, and vectors hardly shrink.
        let sent = match body {
            Some(body) => {
                let mut call = self.agent.post(to.as_str()).header("content-type", "application/json");
                if let Some(key) = key {
                    call = call.header("authorization", key.header());
                }
                call.header("accept", "application/json").header("accept-encoding", "identity").send(body)
            }
            None => {
                let mut call = self.agent.get(to.as_str());
                if let Some(key) = key {
                    call = call.header("authorization", key.header());
                }
                call.header("accept", "application/json").header("accept-encoding", "identity").call()
            }
        };
        let (head, body) = sent.map_err(|e| self.explained(e, limit))?.into_parts();
        let status = head.status.as_u16();
        let fine = head.status.is_success();
        let read = body.into_with_config().limit(if fine { limit } else { LONGEST_ERROR }).read_to_vec();
        let body = match read {
            Ok(body) => body,
            // Of an error the status is what counts.
            Err(_) if !fine => Vec::new(),
            Err(e) => return Err(self.explained(e, limit)),
        };
        Ok(Answer { status, headers: head.headers, body })
    }

    fn explained(&self, error: ureq::Error, limit: u64) -> Failure {
        use ureq::{Error as E, Timeout as T};
        let passing = |problem: String| Failure { problem, passing: true, unsent: false };
        let unsent = |problem: String| Failure { problem, passing: true, unsent: true };
        let fatal = |problem: String, unsent| Failure { problem, passing: false, unsent };
        match error {
            E::Timeout(T::Resolve | T::Connect) => unsent("could not be connected to in time".to_owned()),
            E::Timeout(_) => {
                passing(format!("gave no whole answer within {} s (timeout=)", self.timeout.as_secs_f64()))
            }
            E::HostNotFound => {
                unsent("is on a host that is not known; is the address right, is there a network?".to_owned())
            }
            E::ConnectionFailed => unsent("could not be connected to".to_owned()),
            E::Io(e) if e.kind() == std::io::ErrorKind::ConnectionRefused => {
                unsent("refuses connections; is it running?".to_owned())
            }
            E::Io(e) => passing(format!("broke the connection ({e})")),
            E::Protocol(e) => passing(format!("did not speak HTTP to its end ({e})")),
            E::BodyExceedsLimit(_) => fatal(format!("sent more than the {limit} bytes that an answer can have"), false),
            // A certificate or address does not become right by asking again.
            other => fatal(format!("cannot be asked ({other})"), true),
        }
    }
}
