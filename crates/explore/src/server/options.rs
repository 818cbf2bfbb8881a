//! Where the server listens, whom it answers, how much it takes.

use std::net::SocketAddr;
use std::time::Duration;

/// Where to listen and for whom.
#[derive(Debug, Clone)]
pub struct ServerOptions {
    /// The address and port; port 0 takes a free one.
    pub address: SocketAddr,
    /// Whether the address may be one that other machines reach.
    pub allow_remote: bool,
    /// Host names answered besides `localhost` and loopback addresses: `NAME` (at the port bound) or `NAME:PORT`.
    pub allowed_hosts: Vec<String>,
    /// Bounds on time and number.
    pub limits: Limits,
}

impl ServerOptions {
    /// Listens on an address with the usual limits, for this machine only.
    pub fn at(address: SocketAddr) -> Self {
        Self { address, allow_remote: false, allowed_hosts: Vec::new(), limits: Limits::default() }
    }
}

/// Bounds on what one client, or all together, can take.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Limits {
    /// Time in which a request line and its headers have to arrive, also the time a connection may be idle between requests.
    pub header_read: Duration,
    /// Time in which an answer has to begin.
    pub answer: Duration,
    /// Time in which a client that does not read makes no progress before its connection is closed.
    pub write_stall: Duration,
    /// Time after which a connection is closed once its present request is answered, and again as long after which it is
    /// closed whatever it does.
    pub connection: Duration,
    /// Time that open requests get when the server is told to stop.
    pub shutdown: Duration,
    /// Connections at a time; more wait to be accepted.
    pub connections: usize,
    /// Pages made at a time; more wait, no longer than `answer`.
    pub pages: usize,
    /// Live searches at a time; more are refused with 503.
    pub searches: usize,
    /// Downloads at a time; more wait for two seconds and are then refused with 503.
    pub downloads: usize,
    /// Bytes of a request line with all headers.
    pub head_bytes: usize,
    /// Headers of a request.
    pub headers: usize,
    /// Bytes of path and query string.
    pub uri_bytes: usize,
    /// Characters of a query that is searched for.
    pub query_chars: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            header_read: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            write_stall: Duration::from_secs(20),
            connection: Duration::from_secs(300),
            shutdown: Duration::from_secs(2),
            connections: 512,
            pages: 16,
            searches: 2,
            downloads: 4,
            head_bytes: 16 * 1024,
            headers: 64,
            uri_bytes: 8 * 1024,
            query_chars: 1000,
        }
    }
}
