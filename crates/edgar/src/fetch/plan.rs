//! Which filings an order means: found, picked, written down.

use std::collections::BTreeMap;

use eightk_core::{FilingDate, Form};
use serde::{Deserialize, Serialize};

use super::answers::Remembered;
use super::order::{Order, Road};
use super::survey;
use crate::find::index::{self, Listing};
use crate::find::pick::{PickRule, pick};
use crate::find::{Found, Query, amendments, search};
use crate::store::Store;
use crate::web::Web;
use crate::{EdgarError, Event, Watcher};

/// Something that was found and could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// A filing, or a hit.
    pub what: String,
    /// Why.
    pub reason: String,
    /// Whether EDGAR may answer better another time; then the next run looks again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
}

/// Everything that was found, by what became of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Documents that the search named, or rows of the indexes.
    pub hits: usize,
    /// Filings that the query means.
    pub filings: usize,
    /// Hits and filings that it does not, by reason.
    pub left_out: BTreeMap<String, usize>,
    /// Filings that it means but the rule does not pick, by reason.
    pub passed_over: BTreeMap<String, usize>,
    /// What the search or the indexes should have shown and did not, by reason: the next run looks again.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub incomplete: BTreeMap<String, usize>,
    /// What could not be used.
    pub refused: Vec<Refusal>,
    /// What a reader should know of the search.
    pub notes: Vec<String>,
}

impl Counts {
    fn leave_out(&mut self, reasons: &[(&str, usize)]) {
        self.left_out.extend(some(reasons));
    }

    fn lack(&mut self, reasons: &[(&str, usize)]) {
        self.incomplete.extend(some(reasons));
    }
}

fn some(reasons: &[(&str, usize)]) -> impl Iterator<Item = (String, usize)> {
    reasons.iter().filter(|(_, n)| *n > 0).map(|(reason, n)| ((*reason).to_owned(), *n))
}

fn whole(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// The filings that are to be fetched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The day on which EDGAR was asked (UTC): filings made since are not in it.
    pub made_on: FilingDate,
    /// By which road.
    pub road: Road,
    /// What was looked for.
    pub query: Query,
    /// Which filings are picked.
    pub rule: PickRule,
    /// The rule in words.
    pub rule_in_words: String,
    /// What was found.
    pub counts: Counts,
    /// What is fetched, by accession number.
    pub picks: Vec<Found>,
}

impl Plan {
    /// Whether everything that was to be looked at was seen.
    pub fn is_settled(&self) -> bool {
        self.counts.refused.iter().all(|r| !r.again) && self.counts.incomplete.is_empty()
    }

    /// Whether filings may have been made since that the query means.
    pub fn is_open_ended(&self) -> bool {
        self.query.to.is_none_or(|to| to >= self.made_on)
    }
}

/// What planning came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Planned {
    /// There is a plan.
    Ready {
        /// The plan.
        plan: Box<Plan>,
        /// Whether it was made by an earlier run.
        reused: bool,
    },
    /// A dry run that would have to read headers first to know.
    NeedsHeaders {
        /// Filings that the indexes list.
        listed: usize,
        /// Of them, with a header yet to read.
        unread: usize,
    },
}

/// How to plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planning {
    /// Today in UTC.
    pub today: FilingDate,
    /// Threads that wait for answers.
    pub threads: usize,
    /// Whether the plan is written down.
    pub keep: bool,
    /// Whether to stop before reading headers.
    pub dry_run: bool,
    /// Whether to search anew although there is a plan.
    pub refresh: bool,
}

/// Finds the plan of an order in the store, or makes it.
///
/// # Errors
///
/// Where EDGAR gives no answer, or the store cannot be read or written. A search without hits is a plan without picks.
pub fn plan(
    order: &Order,
    how: Planning,
    store: &Store,
    web: &dyn Web,
    watch: &dyn Watcher,
) -> Result<Planned, EdgarError> {
    let key = order.key();
    let mut anew = how.refresh;
    if !how.refresh
        && let Some(plan) = store.plan::<Plan>(&key)?
    {
        if plan.is_settled() || !how.keep {
            return Ok(Planned::Ready { plan: Box::new(plan), reused: true });
        }
        watch.see(Event::Note("the search of an earlier run was not complete; it is repeated".to_owned()));
        anew = order.road == Road::Search;
    }
    let web = Remembered::new(store, web, anew);
    let (mut filings, mut counts) = match order.road {
        Road::Search => searched(order, how, &web, watch)?,
        Road::Index => {
            let listing = index::list(&web, &order.query, how.today, watch)?;
            if how.dry_run {
                let unread = survey::unread(store, &listing.filings);
                if unread > 0 {
                    return Ok(Planned::NeedsHeaders { listed: listing.filings.len(), unread });
                }
            }
            surveyed(order, how, store, &web, watch, listing)?
        }
    };
    if web.from_store() > 0 {
        let answers = web.from_store();
        watch.see(Event::Note(format!("{answers} answers of an earlier run were used; --refresh asks anew")));
    }
    counts.filings = filings.len();
    if order.query.forms.contains(&Form::EightKA) {
        amendments::link(&mut filings);
    }
    let picked = pick(&filings, order.rule);
    counts.passed_over = picked.passed_over.into_iter().map(|(why, n)| (why.to_owned(), n)).collect();
    let mut picks = picked.picks;
    if order.road == Road::Search {
        amended(&web, &mut picks, how.today, watch)?;
    }
    let plan = Plan {
        made_on: how.today,
        road: order.road,
        query: order.query.clone(),
        rule: order.rule,
        rule_in_words: order.rule.statement().to_owned(),
        counts,
        picks,
    };
    if how.keep {
        store.put_plan(&key, &plan)?;
    }
    Ok(Planned::Ready { plan: Box::new(plan), reused: false })
}

fn searched(
    order: &Order,
    how: Planning,
    web: &dyn Web,
    watch: &dyn Watcher,
) -> Result<(Vec<Found>, Counts), EdgarError> {
    let searched = search::search(web, &order.query, how.today, watch)?;
    let mut counts = Counts { hits: searched.hits, notes: searched.notes, ..Counts::default() };
    let exhibits = if order.query.exhibits { 0 } else { searched.exhibit_only };
    counts.leave_out(&[
        ("other-form", searched.other_forms),
        ("other-items-or-days", searched.beside),
        ("exhibit-only", exhibits),
        ("documents-unreachable", whole(searched.unreachable)),
    ]);
    counts.lack(&[("documents-not-shown", whole(searched.missing)), ("pages-answered-in-part", searched.partial)]);
    counts.refused =
        searched.refused.into_iter().map(|(what, reason)| Refusal { what, reason, again: false }).collect();
    Ok((searched.filings, counts))
}

fn surveyed(
    order: &Order,
    how: Planning,
    store: &Store,
    web: &dyn Web,
    watch: &dyn Watcher,
    listing: Listing,
) -> Result<(Vec<Found>, Counts), EdgarError> {
    let surveyed = survey::survey(store, web, &order.query, &listing.filings, how.threads, watch)?;
    let mut counts =
        Counts { hits: listing.rows, notes: listing.notes, left_out: surveyed.left_out, ..Counts::default() };
    counts.leave_out(&[
        ("rows-of-other-forms", listing.other_forms),
        ("rows-of-other-days", listing.other_days),
        ("rows-of-further-filers", listing.repeated),
        ("rows-unreadable", listing.unreadable),
    ]);
    counts.lack(&[("quarters-without-list", listing.missing_quarters)]);
    counts.refused = surveyed.refused;
    Ok((surveyed.filings, counts))
}

/// Amendments whose original is not among the filings found: the search is asked for it. The case matters: a report that cannot
/// estimate its charges is followed by an amendment with the numbers, and the words of the query stand in the latter alone.
fn amended(web: &dyn Web, picks: &mut [Found], today: FilingDate, watch: &dyn Watcher) -> Result<(), EdgarError> {
    for pick in picks.iter_mut().filter(|p| p.form == Form::EightKA && p.amends.is_none()) {
        // The filing is as good without.
        let why = match amendments::lookup(web, pick, today, watch) {
            Ok(original) => {
                pick.amends = original.map(|o| o.accession);
                continue;
            }
            Err(EdgarError::Web { source, .. }) if !source.ends_the_run() => source.to_string(),
            Err(e @ EdgarError::Answer { .. }) => e.to_string(),
            Err(e) => return Err(e),
        };
        watch.see(Event::Note(format!("{}: what it amends is not known: {why}", pick.accession)));
    }
    Ok(())
}
