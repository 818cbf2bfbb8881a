//! What every request has to pass, and what every answer carries.

use std::sync::Arc;

use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::hosts::Hosts;
use super::options::Limits;
use crate::pages::failure;

/// What requests are held against.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) hosts: Hosts,
    pub(crate) limits: Arc<Limits>,
}

/// Whether a request was made by a page of another origin, by what the browser says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FromElsewhere(pub(crate) bool);

/// Nothing is loaded from anywhere but here, nothing runs that is not a file of ours, nobody frames a page.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; \
                      frame-ancestors 'none'; base-uri 'none'";

static HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("x-robots-tag"), "noindex"),
];

/// Refuses what must not be answered, bounds the time of the rest, and puts the headers on both.
pub(crate) async fn guard(State(rules): State<Arc<Rules>>, mut request: Request, next: Next) -> Response {
    let mut response = match refusal(&rules, &request) {
        Some(refused) => refused,
        None => {
            let elsewhere = FromElsewhere(site(request.headers()).is_some());
            request.extensions_mut().insert(elsewhere);
            timeout(rules.limits.answer, next.run(request)).await.unwrap_or_else(|_| failure::too_slow())
        }
    };
    let headers = response.headers_mut();
    for (name, value) in &HEADERS {
        headers.insert(name.clone(), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn refusal(rules: &Rules, request: &Request) -> Option<Response> {
    let limits = &rules.limits;
    let length = request.uri().path_and_query().map_or(0, |p| p.as_str().len());
    if length > limits.uri_bytes {
        let say = format!("Addresses here have at most {} bytes.", limits.uri_bytes);
        return Some(failure::plain(StatusCode::URI_TOO_LONG, "This address is too long", &say));
    }
    if let Some(refused) = host(&rules.hosts, request) {
        return Some(refused);
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let mut refused =
            failure::plain(StatusCode::METHOD_NOT_ALLOWED, "Nothing can be sent here", "Pages are read with GET.");
        refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return Some(refused);
    }
    if !request.body().is_end_stream() {
        let mut refused = failure::plain(
            StatusCode::PAYLOAD_TOO_LARGE,
            "Nothing can be sent here",
            "A request for a page has no body.",
        );
        // What follows on this connection is the body, not a request.
        refused.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        return Some(refused);
    }
    // Pages of others may link here, but not draw on this server as image, script or fetch.
    let navigates = |mode: &[u8]| mode == b"navigate";
    if site(request.headers()).is_some()
        && request.headers().get("sec-fetch-mode").is_some_and(|m| !navigates(m.as_bytes()))
    {
        return Some(failure::plain(
            StatusCode::FORBIDDEN,
            "Asked for by another site",
            "Only pages of this server may load parts of it.",
        ));
    }
    None
}

/// What the browser says of a request that another origin made; `None` for one of our own, the user's own, or no browser's.
fn site(headers: &HeaderMap) -> Option<&[u8]> {
    let site = headers.get("sec-fetch-site")?.as_bytes();
    (site != b"same-origin" && site != b"none").then_some(site)
}

fn host(hosts: &Hosts, request: &Request) -> Option<Response> {
    let mut stated = request.headers().get_all(header::HOST).iter();
    let (first, second) = (stated.next(), stated.next());
    let (Some(host), None) = (first, second) else {
        let say = "A request names the host it is for, once.";
        return Some(failure::plain(StatusCode::BAD_REQUEST, "No host, or several", say));
    };
    let answered = host.to_str().is_ok_and(|h| hosts.answers(h))
        && request.uri().authority().is_none_or(|a| hosts.answers(a.as_str()));
    (!answered).then(|| {
        failure::plain(
            StatusCode::MISDIRECTED_REQUEST,
            "This server does not go by that name",
            "Open it as http://127.0.0.1 with its port, or start it with this name among those allowed.",
        )
    })
}

/// An answer with no body and a place to go.
pub(crate) fn redirect(location: &str) -> Response {
    let Ok(location) = HeaderValue::from_str(location) else { return failure::not_found("page") };
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)], Body::empty()).into_response()
}
