//! Whom a request says it wants.
//!
//! A page of a stranger can point a name of its own at 127.0.0.1 and then read this server as its own origin (DNS rebinding). The
//! browser still sends the stranger's name as `Host`. So only names that nobody else can own are answered: `localhost`,
//! loopback addresses, what the user allowed; where remote use is allowed, any literal address, as rebinding needs a name.

use std::net::{IpAddr, Ipv6Addr};

use crate::ExploreError;

/// Which hosts are answered.
#[derive(Debug, Clone)]
pub(crate) struct Hosts {
    port: u16,
    remote: bool,
    allowed: Vec<(String, u16)>,
}

impl Hosts {
    /// The rule for a server bound to `port`.
    pub(crate) fn new(port: u16, remote: bool, allowed: &[String]) -> Result<Self, ExploreError> {
        let read = |entry: &String| {
            let (host, stated) = parse(entry).ok_or_else(|| ExploreError::HostName(entry.clone()))?;
            Ok((host, stated.unwrap_or(port)))
        };
        Ok(Self { port, remote, allowed: allowed.iter().map(read).collect::<Result<_, ExploreError>>()? })
    }

    /// Whether the value of a `Host` header, or the authority of a request target, is answered.
    pub(crate) fn answers(&self, authority: &str) -> bool {
        let Some((host, port)) = parse(authority) else { return false };
        // A browser leaves the port out where it is the scheme's own.
        let port = port.unwrap_or(80);
        if self.allowed.iter().any(|(name, at)| *name == host && *at == port) {
            return true;
        }
        let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
        let known = match literal {
            Some(address) => self.remote || address.is_loopback(),
            None => host == "localhost",
        };
        known && port == self.port
    }
}

/// Host, in lower case, and port of `host`, `host:port`, `[v6]`, `[v6]:port`; anything else is `None`.
fn parse(authority: &str) -> Option<(String, Option<u16>)> {
    let (host, rest) = if authority.starts_with('[') {
        let end = authority.find(']')?;
        authority.get(1..end)?.parse::<Ipv6Addr>().ok()?;
        authority.split_at_checked(end + 1)?
    } else {
        let end = authority.find(':').unwrap_or(authority.len());
        let (host, rest) = authority.split_at_checked(end)?;
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'.' || b == b'_';
        if host.is_empty() || host.len() > 253 || !host.bytes().all(plain) {
            return None;
        }
        (host, rest)
    };
    let port = match rest.strip_prefix(':') {
        Some(digits) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => Some(digits.parse().ok()?),
        Some(_) => return None,
        None if rest.is_empty() => None,
        None => return None,
    };
    Some((host.to_ascii_lowercase(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local() -> Hosts {
        Hosts::new(8080, false, &["bench.example".into(), "tunnel.example:9000".into()]).unwrap()
    }

    #[test]
    fn loopback_and_what_was_allowed_are_answered() {
        for host in [
            "localhost:8080",
            "LOCALHOST:8080",
            "127.0.0.1:8080",
            "127.9.9.9:8080",
            "[::1]:8080",
            "bench.example:8080",
            "tunnel.example:9000",
        ] {
            assert!(local().answers(host), "{host}");
        }
        assert!(Hosts::new(80, false, &[]).unwrap().answers("localhost"));
    }

    #[test]
    fn names_that_somebody_else_can_own_are_not() {
        for host in [
            "",
            "evil.example",
            "evil.example:8080",
            "localhost",
            "localhost:80",
            "localhost:8081",
            "localhost.evil.example:8080",
            "127.0.0.1.evil.example:8080",
            "localhost:8080@evil.example",
            "evil.example:8080#localhost:8080",
            "localhost:8080:8080",
            "localhost:+8080",
            "localhost:",
            "[::1]8080",
            "[::1",
            "[evil]:8080",
            "192.168.1.5:8080",
            "0.0.0.0:8080",
            "tunnel.example:8080",
            "local host:8080",
            "localhost\u{130}:8080",
        ] {
            assert!(!local().answers(host), "{host}");
        }
    }

    #[test]
    fn remote_use_answers_literal_addresses_and_no_names() {
        let hosts = Hosts::new(8080, true, &[]).unwrap();
        assert!(hosts.answers("192.168.1.5:8080") && hosts.answers("[2001:db8::1]:8080"));
        assert!(!hosts.answers("evil.example:8080") && !hosts.answers("192.168.1.5:80"));
    }

    #[test]
    fn an_allowed_host_is_a_host() {
        for entry in ["http://bench.example", "bench.example/x", "", "a:b", "a b", "*"] {
            assert!(Hosts::new(1, false, &[entry.to_owned()]).is_err(), "{entry}");
        }
    }
}
