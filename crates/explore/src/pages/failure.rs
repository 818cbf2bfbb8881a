//! Pages that say why there is no page. None says more of the inside than whoever asked has to know.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use maud::html;

use super::layout::{Page, Part};

/// Why a page is not shown.
#[derive(Debug)]
pub(crate) enum Failure {
    /// There is no such thing; what kind of thing it would be.
    NotFound(&'static str),
    /// The address asks for what cannot be.
    BadRequest(String),
    /// Too much is under way.
    Busy(&'static str),
    /// It could not be read or made; why, for the terminal alone.
    Internal(String),
}

impl From<eightk_dataset::DatasetError> for Failure {
    fn from(error: eightk_dataset::DatasetError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl Failure {
    /// The page that says so.
    pub(crate) fn response(&self) -> Response {
        match self {
            Self::NotFound(what) => not_found(what),
            Self::BadRequest(why) => plain(StatusCode::BAD_REQUEST, "This cannot be asked", why),
            Self::Busy(what) => busy(what),
            Self::Internal(_) => plain(
                StatusCode::INTERNAL_SERVER_ERROR,
                "This page could not be made",
                "The terminal that runs the explorer says why.",
            ),
        }
    }
}

/// A page of one sentence and where to go.
pub(crate) fn plain(status: StatusCode, title: &str, say: &str) -> Response {
    let body = html! {
        p { (say) }
        p { a href="/" { "Overview" } ", " a href="/filings" { "all filings" } ", " a href="/queries" { "all queries" } }
    };
    frame(title, body).response(status)
}

/// Nothing of that kind is here.
pub(crate) fn not_found(what: &str) -> Response {
    let body = html! {
        p { "This data set has no such " (what) ". Look for it:" }
        form.form method="get" action="/filings" role="search" {
            div.field.grow {
                label for="q" { "Company or accession number" }
                input #q type="search" name="q" maxlength="200";
            }
            button.main type="submit" { "Find filings" }
        }
        p { "Or begin at the " a href="/" { "overview" } ", at " a href="/filings" { "all filings" } " or at " a href="/queries" { "all queries" } "." }
    };
    frame(&format!("No such {what}"), body).response(StatusCode::NOT_FOUND)
}

/// Too much at once; come back.
fn busy(what: &str) -> Response {
    let mut response = plain(
        StatusCode::SERVICE_UNAVAILABLE,
        "Busy",
        &format!("Too many {what} are under way at this moment. Try again in a few seconds."),
    );
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("3"));
    response
}

/// The time for an answer is over.
pub(crate) fn too_slow() -> Response {
    let mut response = plain(
        StatusCode::SERVICE_UNAVAILABLE,
        "This takes too long",
        "The answer was not there in time. Try again in a few seconds.",
    );
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("5"));
    response
}

fn frame(title: &str, body: maud::Markup) -> Page {
    Page {
        title: title.to_owned(),
        part: Part::Nowhere,
        scores: false,
        set: String::new(),
        crumbs: Vec::new(),
        again: None,
        body,
    }
}
