//! Which address is which page.
//!
//! Pages read from the disk, so each is made on a thread that may block, a bounded number at a time.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use axum::{Router, middleware};
use tokio::time::timeout;

use crate::assets::asset;
use crate::download::{self, Failed, Rows};
use crate::link;
use crate::pages::failure::{self, Failure};
use crate::pages::layout::Page;
use crate::pages::{filing, filings, overview, queries, query, rivals, scores, search};
use crate::params::Params;
use crate::server::guard::{FromElsewhere, Rules, guard, redirect};
use crate::site::Site;

/// All routes, behind the guard.
pub(crate) fn router(site: Arc<Site>, rules: Arc<Rules>) -> Router {
    Router::new()
        .route("/", get(|State(site): Shared| page(site, overview::overview)))
        .route("/filings", get(|State(site): Shared, p: Params| page(site, move |s| filings::filings(s, &p))))
        .route("/filings/{n}", get(one_filing))
        .route("/filings/{n}/sentences.csv", get(sentences_csv))
        .route("/filing", get(filing_by_name))
        .route("/queries", get(|State(site): Shared, p: Params| page(site, move |s| queries::queries(s, &p))))
        .route("/queries/{n}", get(one_query))
        .route("/queries/{n}/rivals", get(one_rivals))
        .route("/queries/{n}/rivals.csv", get(rivals_csv))
        .route("/scores", get(|State(site): Shared| page(site, scores::scores)))
        .route("/search", get(search_page))
        .route("/search.csv", get(search_csv))
        .route("/download/{name}", get(table_csv))
        .route("/assets/{name}", get(asset))
        .fallback(|| async { failure::not_found("page") })
        .with_state(site)
        .layer(middleware::from_fn_with_state(rules, guard))
}

type Shared = State<Arc<Site>>;

/// A position in an address; what is none is that of nothing.
type Number = Path<String>;

fn number(Path(text): &Number) -> usize {
    let plain = text.len() < 12 && text.bytes().all(|b| b.is_ascii_digit());
    if plain { text.parse().unwrap_or(usize::MAX) } else { usize::MAX }
}

async fn one_filing(State(site): Shared, n: Number, params: Params) -> Response {
    page(site, move |site| filing::filing(site, number(&n), &params)).await
}

async fn one_query(State(site): Shared, n: Number) -> Response {
    page(site, move |site| query::query(site, number(&n))).await
}

async fn one_rivals(State(site): Shared, n: Number, params: Params) -> Response {
    page(site, move |site| rivals::rivals(site, number(&n), &params)).await
}

/// From a filing's name, whatever it holds, to its page.
async fn filing_by_name(State(site): Shared, params: Params) -> Response {
    let found = params.exact("id").and_then(|id| site.filing_position(id));
    found.map_or_else(|| failure::not_found("filing"), |index| redirect(&link::filing(index)))
}

async fn search_page(State(site): Shared, Extension(elsewhere): Extension<FromElsewhere>, params: Params) -> Response {
    page(site, move |site| search::search(site, &params, elsewhere.0)).await
}

/// Makes a page on a thread that may block.
async fn page(site: Arc<Site>, make: impl FnOnce(&Site) -> Result<Page, Failure> + Send + 'static) -> Response {
    let complain = Arc::clone(&site.explorer.complain);
    let Ok(permit) = Arc::clone(&site.pages).acquire_owned().await else { return failure::too_slow() };
    let made = tokio::task::spawn_blocking(move || {
        let made = make(&site);
        drop(permit);
        made
    });
    // A page that panics is a bug; it takes down nothing but itself.
    let made = made.await.unwrap_or_else(|e| Err(Failure::Internal(format!("a page panicked: {e}"))));
    match made {
        Ok(page) => page.response(StatusCode::OK),
        Err(failure) => {
            if let Failure::Internal(why) = &failure {
                complain(why);
            }
            failure.response()
        }
    }
}

async fn table_csv(State(site): Shared, Path(file): Path<String>) -> Response {
    let name = file.strip_suffix(".csv").unwrap_or_default();
    let known = download::OFFERED.iter().map(|(known, _)| *known).find(|known| *known == name);
    let Some(name) = known.filter(|name| download::offered(&site, name)) else { return failure::not_found("table") };
    table(site, name, move |site, rows| download::by_name(site, name, rows)).await
}

async fn rivals_csv(State(site): Shared, n: Number) -> Response {
    let index = number(&n);
    if index >= site.explorer.shelf.queries().len() {
        return failure::not_found("query");
    }
    table(site, &format!("q{index}-rivals"), move |site, rows| download::of_query(site, index, rows)).await
}

async fn sentences_csv(State(site): Shared, n: Number) -> Response {
    let index = number(&n);
    if site.entry(index).is_none() {
        return failure::not_found("filing");
    }
    table(site, &format!("filing-{index}-sentences"), move |site, rows| download::of_filing(site, index, rows)).await
}

async fn search_csv(State(site): Shared, Extension(elsewhere): Extension<FromElsewhere>, params: Params) -> Response {
    if elsewhere.0 {
        return Failure::BadRequest("Open this from the search page.".to_owned()).response();
    }
    table(site, "ranking", move |site, rows| download::of_search(site, &params, rows)).await
}

/// How long a download waits for another to end.
const TURN: Duration = Duration::from_secs(2);

/// A download, one of a bounded number.
async fn table(
    site: Arc<Site>,
    name: &str,
    write: impl FnOnce(&Site, &mut Rows) -> Result<(), Failed> + Send + 'static,
) -> Response {
    let turn = timeout(TURN, Arc::clone(&site.downloads).acquire_owned()).await;
    let Ok(Ok(permit)) = turn else { return Failure::Busy("downloads").response() };
    download::stream(name, permit, move |rows| write(&site, rows))
}
