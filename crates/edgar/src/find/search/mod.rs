//! The full-text search: every filing that answers a query, or an error, never a part in silence.
//!
//! ```text
//! Query ─▶ Request ─▶ window ─▶ pages ─▶ hits ─▶ group ─▶ filings
//!                       ▲          │ echo: is it our question?
//!                       └── cut ◀──┘ capped: too many
//! ```
//!
//! The order of hits is not stable and totals are capped, so nothing is taken from an answer but its hits: they are collected
//! under their own names until as many are there as the search says there are.

mod answer;
mod echo;
mod group;
mod names;
mod reader;
mod request;
#[cfg(test)]
mod tests;
mod window;

use eightk_core::FilingDate;
use eightk_text::items::is_known;
use jiff::ToSpan;

pub(in crate::find) use answer::item;
pub(in crate::find) use names::cik;
use reader::Reader;
use request::Request;
use window::Window;

use super::{Found, Query};
use crate::EdgarError;
use crate::event::Watcher;
use crate::web::Web;

/// The day before which EDGAR has nothing.
pub(in crate::find) const FIRST_DAY: &str = "1993-01-01";

/// The day before which the full-text search has nothing.
const SEARCH_BEGINS: &str = "2001-01-01";

/// What a search found, everything counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Searched {
    /// Filings, sorted by accession number.
    pub filings: Vec<Found>,
    /// Documents found.
    pub hits: usize,
    /// Filings left out: of another form.
    pub other_forms: usize,
    /// Filings left out: of other items or days, where the search answered more than was asked.
    pub beside: usize,
    /// Filings of which only exhibits were found. They are among `filings`, without document, where the query takes exhibits,
    /// else left out.
    pub exhibit_only: usize,
    /// Filings that cannot be used: accession number and reason.
    pub refused: Vec<(String, String)>,
    /// Documents that no search reaches, at least: more than the search shows on one day.
    pub unreachable: u64,
    /// Documents that the search counts and does not show, after several readings.
    pub missing: u64,
    /// Pages that a part of the index had no share in: filings may be missing.
    pub partial: usize,
    /// What a person should know, a line each.
    pub notes: Vec<String>,
}

/// Finds every filing that answers the query.
///
/// Both days belong to the range; where one is open it is 1 January 1993, or a week after `today` (filings of an evening bear the
/// next working day). No hit is a result, not an error.
///
/// # Errors
///
/// [`EdgarError::Usage`] for a query without words and forms, with days in the wrong order or an unknown item;
/// [`EdgarError::Web`] where a page is not answered; [`EdgarError::Answer`] where the answer is no page of results, or goes on
/// answering another question.
pub fn search(web: &dyn Web, query: &Query, today: FilingDate, watch: &dyn Watcher) -> Result<Searched, EdgarError> {
    let request = checked(query, today)?;
    run(web, &request, query.exhibits, today, watch)
}

/// The same search about one company alone.
pub(in crate::find) fn search_company(
    web: &dyn Web,
    query: &Query,
    cik: &str,
    today: FilingDate,
    watch: &dyn Watcher,
) -> Result<Searched, EdgarError> {
    let request = checked(query, today)?.of_company(cik);
    run(web, &request, query.exhibits, today, watch)
}

/// The days that stand for open ends.
fn all_days(today: FilingDate) -> (FilingDate, FilingDate) {
    let first = FIRST_DAY.parse().unwrap_or(today);
    let last = today.civil().checked_add(1.year()).map_or(today, FilingDate::from);
    (first, last)
}

fn checked(query: &Query, today: FilingDate) -> Result<Request, EdgarError> {
    let usage = |problem: String| Err(EdgarError::Usage(problem));
    if query.forms.is_empty() && super::words::Words::of(&query.phrase).is_empty() {
        return usage("a search needs words or a form; give --phrase or --forms 8-K".to_owned());
    }
    if let (Some(from), Some(to)) = (query.from, query.to)
        && from > to
    {
        return usage(format!("the first day of filing, {from}, is after the last, {to}; exchange --from and --to"));
    }
    let (first, last) = all_days(today);
    let request = Request::new(query, first, last);
    if let Some(unknown) = request.items.iter().find(|i| !is_known(i)) {
        return usage(format!(
            "form 8-K has no item `{unknown}`; items are numbers like 2.05, or 5 before August 2004"
        ));
    }
    if let Some((from, to)) = request.dates
        && from > to
    {
        return usage(format!("there is no filing between {from} and {to}"));
    }
    Ok(request)
}

fn run(
    web: &dyn Web,
    request: &Request,
    exhibits: bool,
    today: FilingDate,
    watch: &dyn Watcher,
) -> Result<Searched, EdgarError> {
    let mut reader = Reader::new(web, watch);
    let all = all_days(today);
    if request.dates.is_some_and(|(first, _)| first.to_string().as_str() < SEARCH_BEGINS) {
        reader.note(format!(
            "the full-text search begins in {}; --from-index reaches earlier filings",
            &SEARCH_BEGINS[..4]
        ));
    }
    let mut work = vec![Window { dates: request.dates, items: request.items.clone(), last: false, counts: true }];
    // What the whole counts, where it is read in parts.
    let mut counted = 0;
    let mut by_day = 0;
    while let Some(window) = work.pop() {
        let part = request.of_window(&window);
        if reader.is_vain(&window) {
            continue;
        }
        let Some(first) = reader.page(&part, 0)? else {
            work.push(Window { dates: Some(all), ..window });
            continue;
        };
        let days_are_left = window.dates.unwrap_or(all).0 < window.dates.unwrap_or(all).1;
        if counted > 0 && window.items == request.items && !(first.capped && days_are_left) {
            by_day += first.counted;
            if by_day > 2 * counted + window::SHOWN {
                let url = crate::address::search(&part.query_string(0, 0));
                let problem = format!("the days count {by_day} documents and more, the whole range {counted}");
                return Err(EdgarError::Answer { url, problem });
            }
        }
        if first.capped
            && !reader.wider.contains("days")
            && let Some(parts) = window::split(&window, all)
        {
            if window.dates == request.dates && window.items == request.items {
                counted = first.counted;
            }
            work.extend(parts.into_iter().rev());
            continue;
        }
        reader.read(&part, first, &window)?;
        if reader.wider.contains("days") {
            // Every part by day would bring the same again.
            break;
        }
    }
    if reader.wider.is_empty() {
        reader.hold_against(counted);
    }
    let mut out = reader.out;
    out.hits = reader.hits.len();
    let grouped = group::group(reader.hits.into_iter(), request, exhibits, !reader.wider.is_empty());
    out.filings = grouped.filings;
    out.other_forms = grouped.other_forms;
    out.beside = grouped.beside;
    out.exhibit_only = grouped.exhibit_only;
    out.refused = grouped.refused;
    Ok(out)
}
