//! Requests: sent, redirected, refused, tried again.
//!
//! One place decides what every answer means. A failure is final (a wrong name, a closed gate) or passing (a busy Hub, a lost
//! connection); passing ones are tried again with pauses that double, or that the Hub asks for.

use std::time::Duration;

use ureq::http::{Response, Uri};
use ureq::{Agent, Body};

use crate::address::{Origin, join, next_of, shown};
use crate::{HubError, Observer, Options, RepoKind, RepoName};

/// Longest chain of redirects that is followed.
const MOST_REDIRECTS: usize = 10;

/// Longest answer of the API that is read, in bytes.
const LONGEST_JSON: u64 = 64 * 1024 * 1024;

/// Longest wait for a whole answer of the API, in idle timeouts.
const API_PATIENCE: u32 = 4;

/// A failed attempt.
pub(crate) struct Trouble {
    /// What it is if it stays so.
    pub(crate) error: HubError,
    /// Whether to try again.
    pub(crate) again: Again,
    /// In a few words, for whoever watches.
    pub(crate) reason: String,
}

/// Whether to try again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    Never,
    /// After the usual pause.
    Soon,
    /// After the pause that the Hub asked for.
    After(Duration),
}

impl From<HubError> for Trouble {
    fn from(error: HubError) -> Self {
        Self { error, again: Again::Never, reason: String::new() }
    }
}

/// What to ask for.
pub(crate) struct Request<'a> {
    pub(crate) repo: &'a RepoName,
    pub(crate) url: Uri,
    /// First byte that is wanted.
    pub(crate) from: u64,
    /// Longest time until the last byte.
    pub(crate) limit: Duration,
}

/// The HTTP client with all it needs to know.
pub(crate) struct Web {
    agent: Agent,
    /// Without slash at its end.
    base: String,
    origin: Origin,
    options: Options,
}

impl Web {
    pub(crate) fn new(options: Options) -> Result<Self, HubError> {
        let base = options.endpoint.trim().trim_end_matches('/').to_owned();
        let wrong = |problem: &str| HubError::Setting {
            what: "the address of the Hub (HF_ENDPOINT)".to_owned(),
            problem: format!("{problem}; write it as https://huggingface.co"),
        };
        let uri: Uri = base.parse().map_err(|_| wrong("is no address"))?;
        let origin = Origin::of(&uri).ok_or_else(|| wrong("is no http or https address"))?;
        if uri.authority().is_some_and(|a| a.as_str().contains('@')) || uri.query().is_some() {
            return Err(wrong("holds a user or a query"));
        }
        let mut config = Agent::config_builder()
            .user_agent(concat!("eightk/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_resolve(Some(options.connect_timeout))
            .timeout_connect(Some(options.connect_timeout))
            .timeout_recv_response(Some(options.idle_timeout))
            .timeout_per_read(Some(options.idle_timeout))
            .timeout_per_write(Some(options.idle_timeout));
        if !options.system_proxy {
            config = config.proxy(None);
        }
        Ok(Self { agent: config.build().into(), base, origin, options })
    }

    /// An address below the endpoint; `path` begins with a slash and is encoded.
    pub(crate) fn at(&self, path: &str) -> Result<Uri, HubError> {
        let url = format!("{}{path}", self.base);
        url.parse().map_err(|_| HubError::Setting { what: url, problem: "is no address".to_owned() })
    }

    /// Asks once, through redirects. The answer is 200 or 206, its body unread; with it comes the address that gave it.
    pub(crate) fn send(&self, request: &Request<'_>) -> Result<(Response<Body>, Uri), Trouble> {
        let mut url = request.url.clone();
        for _ in 0..=MOST_REDIRECTS {
            let is_own = Origin::of(&url).as_ref() == Some(&self.origin);
            // A compressed body could neither be checked against its length nor be continued.
            let mut call = self.agent.get(&url).header("accept-encoding", "identity");
            if let (true, Some(token)) = (is_own, &self.options.token) {
                call = call.header("authorization", token.header());
            }
            if request.from > 0 {
                call = call.header("range", format!("bytes={}-", request.from));
            }
            let call = call.config().timeout_global(Some(request.limit)).build();
            let answer = call.call().map_err(|e| failed(request.repo, &url, &e))?;
            match answer.status().as_u16() {
                200 | 206 => return Ok((answer, url)),
                301 | 302 | 303 | 307 | 308 => url = self.redirected(request.repo, &url, &answer)?,
                _ => return Err(self.refused(request.repo, &url, is_own, &answer)),
            }
        }
        Err(unexpected(request.repo, &request.url, format!("more than {MOST_REDIRECTS} redirects")).into())
    }

    fn redirected(&self, repo: &RepoName, url: &Uri, answer: &Response<Body>) -> Result<Uri, Trouble> {
        let target = header(answer, "location").and_then(|l| join(url, l));
        let target = target.ok_or_else(|| unexpected(repo, url, "a redirect to nowhere".to_owned()))?;
        let is_open = Origin::of(&target).is_some_and(|o| !o.is_secure());
        if self.origin.is_secure() && is_open {
            let problem = format!("a redirect from https to {}", shown(&target));
            return Err(unexpected(repo, url, problem).into());
        }
        Ok(target)
    }

    /// What a status other than success means.
    fn refused(&self, repo: &RepoName, url: &Uri, is_own: bool, answer: &Response<Body>) -> Trouble {
        let status = answer.status().as_u16();
        let reason = format!("{} answered {status}", url.host().unwrap_or("the Hub"));
        let name = repo.to_string();
        let unreachable = || HubError::Unreachable {
            name: name.clone(),
            url: shown(url),
            problem: format!("the answer was {}", answer.status()),
        };
        match status {
            429 => {
                let pause = asked_pause(answer);
                let again = pause.map_or(Again::Soon, Again::After);
                Trouble { error: HubError::TooManyRequests { name, pause }, again, reason }
            }
            408 | 500.. => {
                let again = asked_pause(answer).map_or(Again::Soon, Again::After);
                Trouble { error: unreachable(), again, reason }
            }
            // A signed address of a file store that has run out: the next attempt gets a new one.
            401 | 403 if !is_own => Trouble { error: unreachable(), again: Again::Soon, reason },
            401 | 403 | 404 | 410 => self.closed(repo, status, answer).into(),
            _ => unexpected(repo, url, format!("the answer was {}{}", answer.status(), self.said(answer))).into(),
        }
    }

    /// Not there, or not for everyone. Without a token the Hub tells neither from the other.
    fn closed(&self, repo: &RepoName, status: u16, answer: &Response<Body>) -> HubError {
        let (name, noun) = (repo.to_string(), repo.kind.noun());
        let page = match repo.kind {
            RepoKind::Model => format!("{}/{}", self.base, repo.id),
            RepoKind::Dataset => format!("{}/datasets/{}", self.base, repo.id),
        };
        let said = self.said(answer);
        let log_in = "set HF_TOKEN to a token of an account that may read it (or run `hf auth login`)";
        let code = header(answer, "x-error-code").unwrap_or_default();
        let message = header(answer, "x-error-message").unwrap_or_default();
        let missing =
            |problem: String, hint: &str| HubError::NotFound { name: name.clone(), problem, hint: hint.to_owned() };
        let access = |problem: String, hint: String| HubError::Access { name: name.clone(), problem, hint };
        match (status, code, &self.options.token) {
            (_, "RevisionNotFound", _) => missing(
                format!("there is no revision `{}`", repo.revision()),
                "Branches, tags and commits can stand after the `@`; without it `main` is taken",
            ),
            (_, "EntryNotFound", _) => {
                missing("the Hub has no such file or folder at this revision".to_owned(), "Check the path")
            }
            (_, "GatedRepo", None) => {
                access(format!("the {noun} is gated{said}"), format!("Accept its conditions at {page}, then {log_in}"))
            }
            (_, "GatedRepo", Some(token)) => access(
                format!(
                    "the {noun} is gated, and the account of the token from {} has not been let in{said}",
                    token.origin()
                ),
                format!("Accept its conditions at {page} with that account"),
            ),
            (401, _, Some(token)) if message.contains("Invalid credentials") || message.contains("nvalid username") => {
                access(
                    format!("the Hub does not accept the token from {}{said}", token.origin()),
                    "Make a new one in the settings of your account, or unset it where the repository is public"
                        .to_owned(),
                )
            }
            (403, _, Some(token)) => access(
                format!("the token from {} may not read the {noun}{said}", token.origin()),
                "Give the token the right to read this repository in the settings of your account".to_owned(),
            ),
            (401 | 403, _, None) => access(
                format!("there is no such {noun}, or it is private or gated: the Hub does not tell without a token"),
                format!("Check the spelling; if {page} exists, {log_in}"),
            ),
            (401, _, Some(token)) => access(
                format!("there is no such {noun}, or the token from {} may not read it", token.origin()),
                format!("Check the spelling; if {page} exists, {log_in}"),
            ),
            (_, _, token) => missing(
                format!("there is no such {noun}"),
                if token.is_some() {
                    "Check the spelling of owner and name, and whether the token's account may see it"
                } else {
                    "Check the spelling of owner and name; a private one needs HF_TOKEN"
                },
            ),
        }
    }

    /// What the Hub says for people, in brackets; short, on one line and without our token.
    fn said(&self, answer: &Response<Body>) -> String {
        let Some(message) = header(answer, "x-error-message").filter(|m| !m.is_empty()) else { return String::new() };
        let message = self.options.token.as_ref().map_or_else(|| message.to_owned(), |t| t.redact(message));
        let short: String = message.chars().filter(|c| !c.is_control()).take(200).collect();
        format!(" (\"{short}\")")
    }

    /// Calls `attempt` until it succeeds, fails for good, or has failed `attempts` times.
    pub(crate) fn retrying<T>(
        &self,
        attempts: u32,
        observer: &mut dyn Observer,
        mut attempt: impl FnMut(&mut dyn Observer) -> Result<T, Trouble>,
    ) -> Result<T, HubError> {
        let mut pause = self.options.first_pause;
        let mut tried = 1;
        loop {
            let trouble = match attempt(observer) {
                Ok(value) => return Ok(value),
                Err(trouble) => trouble,
            };
            let wait = match trouble.again {
                Again::Never => return Err(trouble.error),
                Again::Soon => pause,
                Again::After(wait) => wait,
            };
            if tried >= attempts.max(1) || wait > self.options.longest_pause {
                return Err(trouble.error);
            }
            observer.waiting(&trouble.reason, wait);
            std::thread::sleep(wait);
            pause = pause.saturating_mul(2);
            tried += 1;
        }
    }

    /// An answer of the API as JSON, and the address of the next page.
    pub(crate) fn json<T: serde::de::DeserializeOwned>(
        &self,
        repo: &RepoName,
        url: &Uri,
        attempts: u32,
        observer: &mut dyn Observer,
    ) -> Result<(T, Option<Uri>), HubError> {
        let limit = self.options.idle_timeout.saturating_mul(API_PATIENCE);
        self.retrying(attempts, observer, |_| {
            let (answer, from) = self.send(&Request { repo, url: url.clone(), from: 0, limit })?;
            let next = match header(&answer, "link").and_then(next_of) {
                // On another host it is asked for like a redirect's target: without the token.
                Some(target) => {
                    Some(join(&from, target).ok_or_else(|| unexpected(repo, url, "a next page nowhere".to_owned()))?)
                }
                None => None,
            };
            let body = answer.into_body().into_with_config().limit(LONGEST_JSON).read_to_vec();
            let body = body.map_err(|e| failed(repo, url, &e))?;
            let value = serde_json::from_slice(&body).map_err(|e| {
                let is_page = body.trim_ascii_start().first() == Some(&b'<');
                let what =
                    if is_page { "a web page".to_owned() } else { format!("no JSON of the expected shape ({e})") };
                // A body without a length that broke off looks like a whole one until it is read.
                let again = if e.is_eof() { Again::Soon } else { Again::Never };
                Trouble { error: unexpected(repo, url, what), again, reason: "the answer broke off".to_owned() }
            })?;
            Ok((value, next))
        })
    }
}

/// A header as text.
pub(crate) fn header<'a>(answer: &'a Response<Body>, name: &str) -> Option<&'a str> {
    answer.headers().get(name)?.to_str().ok()
}

/// How long the Hub asks to wait: `Retry-After` in seconds, or the reset time of its own `RateLimit` header.
fn asked_pause(answer: &Response<Body>) -> Option<Duration> {
    let reset = || header(answer, "ratelimit")?.split(';').find_map(|part| part.trim().strip_prefix("t="));
    let seconds = header(answer, "retry-after").map(str::trim).filter(|v| v.parse::<u64>().is_ok()).or_else(reset)?;
    Some(Duration::from_secs(seconds.trim().parse().ok()?))
}

fn unexpected(repo: &RepoName, url: &Uri, problem: String) -> HubError {
    HubError::Unexpected { name: repo.to_string(), url: shown(url), problem }
}

/// A request that got no answer, or an answer that broke off.
pub(crate) fn failed(repo: &RepoName, url: &Uri, error: &ureq::Error) -> Trouble {
    use ureq::Error as E;
    let problem = match error {
        E::Timeout(_) => format!("no answer in time ({error})"),
        E::HostNotFound => format!("the host {} is not known", url.host().unwrap_or_default()),
        E::Io(e) => e.to_string(),
        E::BodyExceedsLimit(_) => return unexpected(repo, url, "it is far too long".to_owned()).into(),
        other => other.to_string(),
    };
    // A certificate does not become right by asking again.
    let is_final =
        matches!(error, E::Tls(_) | E::Rustls(_) | E::Pem(_) | E::BadUri(_) | E::InvalidProxyUrl | E::TlsRequired);
    Trouble {
        reason: problem.clone(),
        error: HubError::Unreachable { name: repo.to_string(), url: shown(url), problem },
        again: if is_final { Again::Never } else { Again::Soon },
    }
}
