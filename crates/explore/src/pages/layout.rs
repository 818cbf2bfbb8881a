//! What every page has: head, bar, place, foot.

use std::borrow::Cow;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use eightk_report::components::safe_text::{foreign, plain, title as titled};
use maud::{DOCTYPE, Markup, html};

use crate::assets::{ICON, SCRIPT, STYLE};

/// Characters of a title; a page whose title is longer says it in full itself.
pub(super) const LONGEST: usize = 200;

/// A part of the site, as the bar names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Overview,
    Filings,
    Queries,
    Scores,
    Search,
    Nowhere,
}

const BAR: &[(Part, &str, &str)] = &[
    (Part::Overview, "/", "Overview"),
    (Part::Filings, "/filings", "Filings"),
    (Part::Queries, "/queries", "Queries"),
    (Part::Scores, "/scores", "Scores"),
    (Part::Search, "/search", "Search"),
];

/// A page before its frame.
pub(crate) struct Page {
    /// Heading and window title.
    pub(crate) title: String,
    /// Which part of the bar is lit.
    pub(crate) part: Part,
    /// Whether there are scores to link to.
    pub(crate) scores: bool,
    /// What the data set is called.
    pub(crate) set: String,
    /// Where it stands: names and addresses above it.
    pub(crate) crumbs: Vec<(String, String)>,
    /// Seconds after which the page asks for itself again.
    pub(crate) again: Option<u32>,
    /// What it says.
    pub(crate) body: Markup,
}

impl Page {
    /// The page as a document.
    pub(crate) fn markup(self) -> Markup {
        let title = cut(&self.title, LONGEST);
        let set = cut(&self.set, 60);
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    @if let Some(seconds) = self.again { meta http-equiv="refresh" content=(seconds); }
                    title { (plain(&title)) @if !set.is_empty() { " · " (plain(&set)) } }
                    link rel="stylesheet" href=(STYLE.path);
                    link rel="icon" type="image/svg+xml" href=(ICON.path);
                    script src=(SCRIPT.path) defer {}
                }
                body {
                    a.skip href="#content" { "Skip to content" }
                    header.bar {
                        a.name href="/" { @if set.is_empty() { "eightk" } @else { (foreign(&set)) } }
                        nav aria-label="Parts" {
                            ul {
                                @for (part, href, name) in BAR.iter().filter(|(p, ..)| *p != Part::Scores || self.scores) {
                                    li { a href=(href) aria-current=[(*part == self.part).then_some("page")] { (name) } }
                                }
                            }
                        }
                    }
                    main #content tabindex="-1" {
                        @if !self.crumbs.is_empty() {
                            nav.crumbs aria-label="Place" {
                                ol { @for (name, href) in &self.crumbs { li { a href=(href) { (foreign(&cut(name, 60))) } } } }
                            }
                        }
                        h1 { (titled(&title)) }
                        (self.body)
                    }
                }
            }
        }
    }

    /// The page as an answer.
    pub(crate) fn response(self, status: StatusCode) -> Response {
        let kind = [(axum::http::header::CONTENT_TYPE, "text/html; charset=utf-8")];
        (status, kind, self.markup().into_string()).into_response()
    }
}

/// The first `chars` characters, with an ellipsis where more follow.
fn cut(text: &str, chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(chars) {
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}
