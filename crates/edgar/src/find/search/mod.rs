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
mod request;
#[cfg(test)]
mod tests;
mod window;

use std::collections::{BTreeMap, BTreeSet};

use eightk_core::FilingDate;
use eightk_text::items::is_known;
use jiff::ToSpan;

pub(in crate::find) use answer::item;
use answer::{Hit, Page};
use echo::Echo;
pub(in crate::find) use names::cik;
use request::Request;
use window::Window;

use super::{Found, Query};
use crate::event::{Event, Watcher};
use crate::web::{Wanted, Web};
use crate::{EdgarError, address};

/// The day before which EDGAR has nothing.
pub(in crate::find) const FIRST_DAY: &str = "1993-01-01";

/// The day before which the full-text search has nothing.
const SEARCH_BEGINS: &str = "2001-01-01";

/// How often a page is asked for before an answer to another question is an error.
const ASKED: usize = 5;

/// How often a window is read before it is left incomplete.
const READINGS: usize = 3;

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
    let last = today.civil().checked_add(7.days()).map_or(today, FilingDate::from);
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
    let mut reader = Reader {
        web,
        watch,
        variation: 0,
        wider: BTreeSet::new(),
        hits: BTreeMap::new(),
        filings: BTreeSet::new(),
        out: Searched::default(),
    };
    let all = all_days(today);
    if request.dates.is_some_and(|(first, _)| first.to_string().as_str() < SEARCH_BEGINS) {
        reader.note(format!(
            "the full-text search begins in {}; --from-index reaches earlier filings",
            &SEARCH_BEGINS[..4]
        ));
    }
    let mut work = vec![Window { dates: request.dates, items: request.items.clone(), last: false, counts: true }];
    while let Some(window) = work.pop() {
        let part = request.of_window(&window);
        if reader.is_vain(&window) {
            continue;
        }
        let Some(first) = reader.page(&part, 0)? else {
            work.push(Window { dates: Some(all), ..window });
            continue;
        };
        if first.capped
            && !reader.wider.contains("days")
            && let Some(parts) = window::split(&window, all)
        {
            work.extend(parts.into_iter().rev());
            continue;
        }
        reader.read(&part, first, &window)?;
        if reader.wider.contains("days") {
            // Every part by day would bring the same again.
            break;
        }
    }
    let mut out = reader.out;
    out.hits = reader.hits.len();
    let grouped = group::group(reader.hits.into_values(), request, exhibits, !reader.wider.is_empty());
    out.filings = grouped.filings;
    out.other_forms = grouped.other_forms;
    out.beside = grouped.beside;
    out.exhibit_only = grouped.exhibit_only;
    out.refused = grouped.refused;
    Ok(out)
}

/// Reads pages until they are whole.
struct Reader<'a> {
    web: &'a dyn Web,
    watch: &'a dyn Watcher,
    /// Which harmless parameter goes along.
    variation: usize,
    /// Filters that answers lacked even when asked again.
    wider: BTreeSet<&'static str>,
    /// Documents under their names.
    hits: BTreeMap<String, Hit>,
    /// Accession numbers so far.
    filings: BTreeSet<String>,
    out: Searched,
}

impl Reader<'_> {
    fn note(&mut self, line: String) {
        if !self.out.notes.contains(&line) {
            self.watch.see(Event::Note(line.clone()));
            self.out.notes.push(line);
        }
    }

    /// Whether a window is a part by item that would bring the whole again, as the search does not heed items.
    fn is_vain(&self, window: &Window) -> bool {
        window.last && !window.counts && self.wider.contains("items")
    }

    /// A page that answers the question; `None` where the search puts in days although none were asked.
    fn page(&mut self, asked: &Request, from: u64) -> Result<Option<Page>, EdgarError> {
        let mut tries = 0;
        loop {
            let url = address::search(&asked.query_string(from, self.variation));
            let answer = self.web.get(&url, Wanted::Search);
            let answer = answer.map_err(|source| EdgarError::Web { url: url.clone(), source })?;
            let read = answer::read(&answer.body);
            let echo = match &read {
                Ok(page) => page.query.as_ref().map_or(Echo::Same, |query| echo::compare(query, asked, from)),
                Err(problem) => Echo::Other(problem.clone()),
            };
            let partial = read.as_ref().is_ok_and(|page| page.partial);
            tries += 1;
            match (echo, read) {
                (Echo::Same, Ok(page)) if !partial => return Ok(Some(page)),
                (Echo::Dated, _) => return Ok(None),
                (Echo::Wider(filter), Ok(page)) if !partial && self.wider.contains(filter) => return Ok(Some(page)),
                _ if tries < ASKED => {}
                (Echo::Same, Ok(page)) => {
                    self.note(
                        "a part of EDGAR's index did not answer; filings may be missing, search again later".to_owned(),
                    );
                    return Ok(Some(page));
                }
                (Echo::Wider(filter), Ok(page)) => {
                    self.wider.insert(filter);
                    self.note(format!(
                        "the search does not say whether it heeded the {filter}; the hits are filtered by it here"
                    ));
                    return Ok(Some(page));
                }
                (Echo::Other(problem), Ok(_)) => {
                    let problem = format!("asked {ASKED} times for {}, {problem}", asked.described());
                    return Err(EdgarError::Answer { url, problem });
                }
                (_, Err(problem)) => return Err(EdgarError::Answer { url, problem }),
            }
            self.variation += 1;
        }
    }

    /// Reads all pages of a window, again where documents are missing.
    fn read(&mut self, asked: &Request, first: Page, window: &Window) -> Result<(), EdgarError> {
        let counted = first.counted;
        let capped = first.capped;
        let mut next = Some(first);
        let mut names = BTreeSet::new();
        let place = asked.described();
        let mut total = 0;
        let mut shown = 0;
        for reading in 1..=READINGS {
            let mut from = 0;
            let mut twice = 0;
            loop {
                let page = match next.take() {
                    Some(page) => page,
                    None => match self.page(asked, from)? {
                        Some(page) => page,
                        None => break,
                    },
                };
                total = page.total;
                let fresh = page.hits.len() as u64;
                twice += self.keep(page.hits, from, &place, &mut names);
                self.watch.see(Event::Searched { found: self.filings.len(), total });
                from += fresh;
                if fresh == 0 || from >= total {
                    break;
                }
            }
            // Twice on one page is twice in the index; on two pages, the index moved in between.
            shown = names.len() as u64 + twice;
            if shown >= total {
                break;
            }
            if reading < READINGS {
                self.variation += 1;
            }
        }
        if shown < total {
            self.out.missing += total - shown;
            self.note(format!(
                "the search counts {total} documents and shows {shown} of them, read {READINGS} times ({})",
                asked.described()
            ));
        }
        if capped && window.counts {
            self.count_unreachable(asked, counted, &names);
        }
        Ok(())
    }

    /// Keeps the hits of a page; how many of them stand on it twice.
    fn keep(&mut self, hits: Vec<Hit>, from: u64, place: &str, names: &mut BTreeSet<String>) -> u64 {
        let mut here = BTreeSet::new();
        let all = hits.len();
        for (i, hit) in hits.into_iter().enumerate() {
            // One without name still counts towards the total.
            let name = if hit.id.is_empty() { format!("hit {} of {place}", from + i as u64) } else { hit.id.clone() };
            here.insert(name.clone());
            names.insert(name.clone());
            self.filings.insert(hit.accession.clone());
            self.hits.entry(name).or_insert(hit);
        }
        (all - here.len()) as u64
    }

    /// What stays out of reach of a window that cannot be cut further. Parts of it may have brought more than it shows itself.
    fn count_unreachable(&mut self, asked: &Request, counted: u64, names: &BTreeSet<String>) {
        let day = asked.dates.map(|(first, _)| first.to_string());
        let reached = if asked.items.is_empty() && !self.wider.contains("days") {
            self.hits.values().filter(|h| day.as_ref().is_some_and(|d| h.filed.starts_with(d.as_str()))).count()
        } else {
            names.len()
        };
        let unreachable = counted.saturating_sub(reached as u64);
        self.out.unreachable += unreachable;
        if unreachable > 0 {
            self.note(format!(
                "{unreachable} documents or more are beyond the search's limit ({}); --from-index reaches them",
                asked.described()
            ));
        }
    }
}
