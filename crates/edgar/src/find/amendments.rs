//! What an 8-K/A amends.
//!
//! No field says so: it is told by company, day of the event and items. The case that matters is a plant closed without an
//! estimate of its cost, and the estimate filed weeks later as an amendment that alone holds the phrase looked for.

use std::collections::{BTreeMap, BTreeSet};

use eightk_core::{Accession, FilingDate, Form};
use jiff::{Span, ToSpan};

use super::search::search_company;
use super::{Found, Query};
use crate::EdgarError;
use crate::event::Watcher;
use crate::web::Web;

/// Exhibits go with nearly every report, so sharing that item says nothing.
const EXHIBITS: &[&str] = &["9.01", "7"];

/// The rule in words, for people.
pub const RULE: &str = "an 8-K/A amends the 8-K of the same issuer, filed on its day or before, that reports the same day and shares an item other than exhibits (or one of the two has no other); else the latest within a year with the same items; else the latest within 90 days that shares an item; else one that reports the same day";

/// Links every 8-K/A to the 8-K it amends, where that is among `found`; how many were linked.
pub fn link(found: &mut [Found]) -> usize {
    let mut originals: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    for filing in found.iter().filter(|f| f.form == Form::EightK) {
        if let Some(issuer) = filing.issuer() {
            originals.entry(issuer.cik.clone()).or_default().push(filing.clone());
        }
    }
    let mut linked = 0;
    for amendment in found.iter_mut().filter(|f| f.form == Form::EightKA) {
        let same = amendment.issuer().filter(|i| !i.cik.is_empty()).and_then(|i| originals.get(&i.cik));
        amendment.amends = same.and_then(|list| original(amendment, list)).map(|f| f.accession.clone());
        linked += usize::from(amendment.amends.is_some());
    }
    linked
}

/// Looks for the 8-K that an 8-K/A amends, among its issuer's of the year before it.
///
/// # Errors
///
/// As of [`super::search::search`].
pub fn lookup(
    web: &dyn Web,
    amendment: &Found,
    today: FilingDate,
    watch: &dyn Watcher,
) -> Result<Option<Found>, EdgarError> {
    let Some(cik) = amendment.issuer().map(|i| i.cik.as_str()).filter(|c| !c.is_empty()) else { return Ok(None) };
    let query = Query {
        phrase: String::new(),
        forms: vec![Form::EightK],
        items: Vec::new(),
        from: Some(before(amendment.filed, 1.year())),
        to: Some(amendment.filed),
        exhibits: false,
    };
    let searched = search_company(web, &query, cik, today, watch)?;
    let of_issuer = |f: &Found| f.issuer().is_some_and(|i| i.cik == cik);
    let candidates: Vec<Found> = searched.filings.into_iter().filter(of_issuer).collect();
    Ok(original(amendment, &candidates).cloned())
}

fn before(day: FilingDate, span: Span) -> FilingDate {
    day.civil().checked_sub(span).map_or(day, FilingDate::from)
}

/// The one that it amends, among 8-Ks of the same issuer.
fn original<'f>(amendment: &Found, candidates: &'f [Found]) -> Option<&'f Found> {
    let own: BTreeSet<&str> = amendment.items.iter().map(String::as_str).collect();
    let told: BTreeSet<&str> = own.iter().copied().filter(|i| !EXHIBITS.contains(i)).collect();
    let shared = |f: &Found| f.items.iter().filter(|i| told.contains(i.as_str())).count();
    let year = before(amendment.filed, 1.year());
    let ninety = before(amendment.filed, 90.days());
    let rank = |f: &Found| -> Option<Rank> {
        if f.form != Form::EightK || f.filed > amendment.filed || f.accession == amendment.accession {
            return None;
        }
        let items: BTreeSet<&str> = f.items.iter().map(String::as_str).collect();
        let same_items = !own.is_empty() && items == own;
        let same_day = amendment.report_date.is_some() && f.report_date == amendment.report_date;
        let comparable = !told.is_empty() && items.iter().any(|i| !EXHIBITS.contains(i));
        let tier = match () {
            () if same_day && (shared(f) > 0 || !comparable) => 4,
            () if same_items && f.filed >= year => 3,
            () if shared(f) > 0 && f.filed >= ninety => 2,
            // A company may report two events of one day: the day alone says least.
            () if same_day => 1,
            () => return None,
        };
        // Of several that report the same day, the one that is about the same.
        let closeness = if tier == 4 { (same_items, shared(f)) } else { (false, 0) };
        Some((tier, closeness, f.filed, f.accession.clone()))
    };
    candidates.iter().filter_map(|f| rank(f).map(|r| (r, f))).max_by(|a, b| a.0.cmp(&b.0)).map(|(_, f)| f)
}

type Rank = (u8, (bool, usize), FilingDate, Accession);

#[cfg(test)]
mod tests;
