//! The wire: one request, whatever comes back, unjudged.
//!
//! Compression is undone elsewhere, redirects are not followed, error statuses are answers like others: everything a client does
//! quietly for its user would be a request that the limiter does not know of, or a cut that nobody sees. HTTP/1.1 only, because one reset
//! of an HTTP/2 connection loses all requests under way on it.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use ureq::http::{HeaderMap, header};

use super::Wanted;
use super::agent::UserAgent;
use super::decode::Decoder;
use super::head::HeaderEnd;
use super::sent::{SendError, Sent};
use super::settings::Timeouts;
use super::stop::Stop;

/// How soon a stop ends requests that are under way.
const NOTICE: Duration = Duration::from_millis(100);

/// How long an unused connection is kept; shorter than servers keep them, so that they rarely close one that is about to be used.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// One request.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The address.
    pub url: &'a str,
    /// Who asks.
    pub agent: &'a UserAgent,
    /// What is wanted: of a header, reading stops where it ends.
    pub wanted: Wanted,
}

/// Sends requests.
pub trait Transport: Sync {
    /// Sends one and reads the answer. `head` is called once the answer has begun, or failed.
    fn get(&self, ask: Ask<'_>, head: &mut dyn FnMut()) -> Sent;
}

impl<T: Transport> Transport for &T {
    fn get(&self, ask: Ask<'_>, head: &mut dyn FnMut()) -> Sent {
        (**self).get(ask, head)
    }
}

/// The real one.
#[derive(Debug)]
pub struct Http {
    agent: ureq::Agent,
    /// Dropped with this: the thread that watches for a stop ends then.
    _alive: Arc<()>,
}

impl Http {
    /// Connections are kept and used again. When `stop` is set, requests under way end.
    ///
    /// A proxy is taken from the usual variables (`HTTPS_PROXY`, `NO_PROXY` and kin), but never for this machine itself.
    pub fn new(timeouts: Timeouts, stop: Stop) -> Self {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .accept_encoding("gzip, deflate")
            .timeout_resolve(Some(timeouts.connect))
            .timeout_connect(Some(timeouts.connect))
            .timeout_recv_response(Some(timeouts.head))
            .timeout_per_read(Some(timeouts.stall.max(timeouts.head)))
            .timeout_global(Some(timeouts.whole))
            .max_idle_age(KEEP_ALIVE)
            .max_idle_connections_per_host(8)
            .build()
            .into();
        let alive = Arc::new(());
        let (watched, shutting) = (Arc::downgrade(&alive), agent.clone());
        let watch = move || {
            while watched.strong_count() > 0 {
                if stop.is_set() {
                    return shutting.shutdown();
                }
                std::thread::sleep(NOTICE);
            }
        };
        // Without that thread a stop still works, only after the request under way.
        drop(std::thread::Builder::new().name("stop".to_owned()).spawn(watch));
        Self { agent, _alive: alive }
    }
}

impl Transport for Http {
    fn get(&self, ask: Ask<'_>, head: &mut dyn FnMut()) -> Sent {
        let request = self.agent.get(ask.url).header(header::USER_AGENT, ask.agent.as_str());
        let answer =
            if is_this_machine(ask.url) { request.config().proxy(None).build().call() } else { request.call() };
        head();
        match answer {
            Ok(answer) => receive(answer, ask.wanted),
            Err(error) => Sent { error: Some(explained(error)), ..Sent::default() },
        }
    }
}

/// Whether the address is one of this machine.
fn is_this_machine(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.split('/').next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    name == "localhost" || name == "[::1]" || name.starts_with("127.")
}

fn receive(answer: ureq::http::Response<ureq::Body>, wanted: Wanted) -> Sent {
    let (head, body) = answer.into_parts();
    let value = |name| value_of(&head.headers, &name);
    let mut sent = Sent {
        status: head.status.as_u16(),
        content_type: value(header::CONTENT_TYPE),
        encoding: value(header::CONTENT_ENCODING),
        length: body.content_length(),
        etag: value(header::ETAG),
        last_modified: value(header::LAST_MODIFIED),
        retry_after: value(header::RETRY_AFTER),
        location: value(header::LOCATION),
        ..Sent::default()
    };
    let chunked =
        value(header::TRANSFER_ENCODING).is_some_and(|coding| coding.to_ascii_lowercase().contains("chunked"));
    let mut watch = (wanted == Wanted::Header && sent.status == 200)
        .then(|| (Decoder::new(sent.encoding.as_deref(), wanted.limit()), HeaderEnd::default()));
    let mut reader = body.into_reader();
    let mut piece = vec![0; 16 << 10];
    loop {
        match reader.read(&mut piece) {
            Ok(0) => {
                // A body without length ends where the connection does, and so does a cut one.
                sent.ended = chunked || sent.length.is_some_and(|length| length == sent.body.len() as u64);
                break;
            }
            Ok(n) => {
                let new = piece.get(..n).unwrap_or_default();
                if sent.body.len() + n > wanted.limit() {
                    sent.error = Some(SendError::TooLong);
                    break;
                }
                sent.body.extend_from_slice(new);
                if let Some((decoder, end)) = &mut watch {
                    decoder.push(new);
                    if decoder.is_stuck() || end.reached(decoder.so_far()) {
                        sent.left = sent.length != Some(sent.body.len() as u64);
                        sent.ended = !sent.left;
                        break;
                    }
                }
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => {
                sent.error = Some(explained(e.into()));
                break;
            }
        }
    }
    sent
}

fn value_of(headers: &HeaderMap, name: &header::HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

fn explained(error: ureq::Error) -> SendError {
    use ureq::Error;
    match error {
        Error::BadUri(_) | Error::Http(_) | Error::InvalidProxyUrl | Error::RequireHttpsOnly(_) => {
            SendError::Request(format!("it cannot be asked for ({error})"))
        }
        Error::HostNotFound => SendError::Connection("the host is not found; is there a network?".to_owned()),
        Error::Timeout(which) => SendError::Connection(format!("no answer in time ({which})")),
        Error::Io(e) => SendError::Connection(e.to_string()),
        other => SendError::Connection(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine() {
        for here in ["http://127.0.0.1:8080/x", "http://localhost/x", "http://[::1]:80/", "http://127.0.0.1"] {
            assert!(is_this_machine(here), "{here}");
        }
        for away in ["https://www.sec.gov/127.0.0.1", "http://localhost.acme.io/", "http://10.0.0.1/"] {
            assert!(!is_this_machine(away), "{away}");
        }
    }
}
