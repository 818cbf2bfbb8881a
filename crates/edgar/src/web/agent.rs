//! The user agent: who asks.
//!
//! EDGAR's fair-access rules want a name and a mail address that reach a person. There is no default on purpose: a tool that names
//! somebody by itself names the wrong one, and a made-up browser string is what gets an address blocked.

use std::fmt;

/// Longest user agent accepted, in bytes.
const MAX_BYTES: usize = 200;

/// Names before the `@` that nobody reads mail at.
const PLACEHOLDER_NAMES: &[&str] = &[
    "user",
    "username",
    "name",
    "yourname",
    "your.name",
    "your-name",
    "your_name",
    "email",
    "mail",
    "you",
    "youremail",
    "your.email",
    "your_email",
    "your-email",
    "me",
    "foo",
    "xxx",
];

/// Hosts of examples (RFC 2606).
const EXAMPLE_HOSTS: &[&str] = &["example.com", "example.org", "example.net", "example.edu"];

/// Hosts that are written where one's own belongs.
const PLACEHOLDER_HOSTS: &[&str] = &[
    "domain.com",
    "yourdomain.com",
    "your-domain.com",
    "yourdomain.org",
    "your-domain.org",
    "mydomain.com",
    "company.com",
    "yourcompany.com",
    "your-company.com",
    "host.com",
    "email.com",
    "test.com",
    "sec.gov",
];

/// Top-level names that no mail can reach (RFC 2606, RFC 6761).
const RESERVED_ENDS: &[&str] = &["test", "example", "invalid", "localhost", "local"];

/// A checked user agent: `Name mail@host`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAgent(String);

impl UserAgent {
    /// Checks a user agent.
    ///
    /// `for_edgar`: whether EDGAR itself will see it. A stand-in may be asked with an address that is obviously made up, such as
    /// `jane@acme.test` or `you@your-domain.org`, so that tests and examples need no real one.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong and what is wanted.
    pub fn parse(text: &str, for_edgar: bool) -> Result<Self, String> {
        let text = text.trim();
        let wrong = |problem: &str| {
            Err(format!(
                "the user agent {text:?} {problem}; EDGAR asks for a name and a mail address that reach a person: --user-agent \"Name mail@host\""
            ))
        };
        if text.is_empty() {
            return wrong("is empty");
        }
        if !text.is_ascii() {
            return wrong("has characters outside ASCII, which HTTP cannot carry (write them without accents)");
        }
        if text.contains(|c: char| c.is_ascii_control()) {
            return wrong("has a line break or another control character");
        }
        if text.len() > MAX_BYTES {
            return wrong(&format!("is longer than {MAX_BYTES} bytes"));
        }
        let mut words = text.split(' ').filter(|w| !w.is_empty());
        let Some(mail) = words.clone().find(|w| w.contains('@')) else {
            return wrong("has no mail address");
        };
        let mail = mail.trim_matches(|c: char| "()<>,;\"'".contains(c));
        let Some((local, host)) = mail.split_once('@') else {
            return wrong("has no mail address");
        };
        let host = host.to_ascii_lowercase();
        if let Some(problem) = mail_problem(local, &host, for_edgar) {
            return wrong(&problem);
        }
        if !words.any(|w| !w.contains('@') && w.bytes().any(|b| b.is_ascii_alphabetic())) {
            return wrong("has no name beside the mail address");
        }
        Ok(Self(text.to_owned()))
    }

    /// As it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why the mail address `local@host` (host in lower case) cannot be a real one.
fn mail_problem(local: &str, host: &str, for_edgar: bool) -> Option<String> {
    let label = |l: &str| {
        !l.is_empty()
            && !l.starts_with('-')
            && !l.ends_with('-')
            && l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    if local.is_empty() || local.contains('@') || host.contains('@') || !local.bytes().all(|b| b.is_ascii_graphic()) {
        return Some("has no whole mail address".to_owned());
    }
    if !host.contains('.') || !host.split('.').all(label) {
        return Some(format!("has a mail address whose host `{host}` is no host name with a dot"));
    }
    let end = host.rsplit('.').next().unwrap_or_default();
    if end.bytes().all(|b| b.is_ascii_digit()) {
        return Some(format!("has a mail address whose host `{host}` is a number, not a name"));
    }
    let under = |hosts: &[&str]| {
        hosts.iter().any(|p| host == *p || host.strip_suffix(p).is_some_and(|rest| rest.ends_with('.')))
    };
    // Nobody's, and copied from somewhere: wrong wherever it is sent.
    if under(EXAMPLE_HOSTS) {
        return Some(format!("has the placeholder `{local}@{host}`: it is not yours"));
    }
    if for_edgar && (under(PLACEHOLDER_HOSTS) || PLACEHOLDER_NAMES.contains(&local.to_ascii_lowercase().as_str())) {
        return Some(format!("has the placeholder `{local}@{host}`: it is not yours"));
    }
    if for_edgar && RESERVED_ENDS.contains(&end) {
        return Some(format!("has a mail address under `.{end}`, where no mail arrives"));
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_and_an_address() {
        for good in [
            "Jane Doe jane@acme-research.com",
            "Acme Research (jane.doe+edgar@mail.acme.co.uk)",
            "jane@uni-x.edu Jane",
            "eightk Jane <jane@acme.io>",
        ] {
            assert_eq!(UserAgent::parse(good, true).unwrap().as_str(), good);
        }
        assert_eq!(UserAgent::parse("  Jane jane@acme.io ", true).unwrap().to_string(), "Jane jane@acme.io");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (bad, part) in [
            ("", "is empty"),
            ("  ", "is empty"),
            ("Jane Doe", "no mail address"),
            ("jane@acme.io", "no name"),
            ("Jane jane@", "no host name"),
            ("Jane @acme.io", "no whole mail"),
            ("Jane j@k@acme.io", "no whole mail"),
            ("Jane jane@localhost", "with a dot"),
            ("Jane jane@acme..io", "with a dot"),
            ("Jane jane@-acme.io", "with a dot"),
            ("Jane jane@10.0.0.1", "a number"),
            ("Jane jane@example.com", "placeholder"),
            ("Jane jane@mail.Example.org", "placeholder"),
            ("Jane jane@sec.gov", "placeholder"),
            ("Name name@acme.io", "placeholder"),
            ("Jane user@acme.io", "placeholder"),
            ("Jane\njane@acme.io", "line break"),
            ("Jane jane@acme.io\r\nHost: x", "line break"),
            ("Jané jane@acme.io", "ASCII"),
            ("Jane jane@acme.test", "no mail arrives"),
        ] {
            let problem = UserAgent::parse(bad, true).unwrap_err();
            assert!(problem.contains(part), "{bad:?}: {problem}");
            assert!(problem.contains("--user-agent"), "{problem}");
        }
        assert!(UserAgent::parse(&format!("{} jane@acme.io", "J".repeat(200)), true).unwrap_err().contains("200"));
    }

    #[test]
    fn a_stand_in_takes_reserved_names() {
        assert!(UserAgent::parse("Jane jane@acme.test", false).is_ok());
        assert!(UserAgent::parse("Jane jane@example.com", false).is_err());
        // Placeholders are whole hosts: one that merely ends alike is somebody's.
        assert!(UserAgent::parse("Jane jane@notexample.com", true).is_ok());
    }

    proptest! {
        #[test]
        fn whatever_passes_can_be_a_header(text in ".{0,40}( |@|\\.|a|\n){0,30}") {
            if let Ok(agent) = UserAgent::parse(&text, false) {
                prop_assert!(agent.as_str().bytes().all(|b| (32..127).contains(&b)));
            }
        }
    }
}
