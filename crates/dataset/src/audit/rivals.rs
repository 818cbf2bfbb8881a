//! Rules for rivals.

use std::collections::{BTreeMap, BTreeSet};

use eightk_core::{Query, RivalSet};

use super::Check;
use super::context::{Context, Entry};
use crate::judge;

pub(super) const CHECKS: &[Entry] = &[
    ("rivals-cover-queries", cover),
    ("rivals-known", known),
    ("rivals-without-gold", without_gold),
    ("rivals-of-other-companies", other_companies),
    ("rivals-ordered", ordered),
];

const NO_RIVALS: &str = "there are no rivals";

/// Runs over every set with its query; the query is `None` where no query has that id.
fn each<'d>(c: &Context<'d>, broken: impl Fn(&'d RivalSet, Option<&'d Query>, &mut Vec<String>)) -> Check {
    let Some(rivals) = &c.dataset.rivals else { return Check::skipped(NO_RIVALS) };
    let queries: BTreeMap<String, &Query> = c.queries().collect();
    let mut found = Vec::new();
    for set in rivals {
        broken(set, queries.get(&set.query).copied(), &mut found);
    }
    Check::of(found.into_iter(), |s| s)
}

fn cover(c: &Context<'_>) -> Check {
    let Some(rivals) = &c.dataset.rivals else { return Check::skipped(NO_RIVALS) };
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for set in rivals {
        *seen.entry(&set.query).or_default() += 1;
    }
    let broken = c.queries().filter_map(|(id, _)| match seen.get(id.as_str()) {
        Some(1) => None,
        Some(n) => Some(format!("{id} has {n} lines of rivals")),
        None => Some(format!("{id} has no line of rivals")),
    });
    Check::of(broken, |s| s)
}

fn known(c: &Context<'_>) -> Check {
    each(c, |set, query, found| {
        if query.is_none() {
            found.push(format!("there is no query {}", set.query));
        }
        let gold = Some(&set.gold).filter(|g| !g.is_empty());
        let unknown = set.rivals.iter().chain(gold).filter(|id| !c.by_id.contains_key(id.as_str()));
        found.extend(unknown.map(|id| format!("{}: there is no chunk {id}", set.query)));
    })
}

fn without_gold(c: &Context<'_>) -> Check {
    let judged = judge(c.dataset);
    each(c, |set, _, found| {
        let grades = judged.qrels.queries.get(&set.query);
        let others: BTreeSet<&String> = judged.alternatives.get(&set.query).into_iter().flatten().collect();
        for id in &set.rivals {
            if *id == set.gold || grades.is_some_and(|g| g.contains_key(id)) {
                found.push(format!("{}: the gold {id} is among its rivals", set.query));
            } else if others.contains(id) {
                found.push(format!("{}: the alternative {id} is among its rivals", set.query));
            }
        }
    })
}

fn other_companies(c: &Context<'_>) -> Check {
    each(c, |set, query, found| {
        let Some(own) = query.and_then(|q| c.filing_of(q)) else { return };
        let cik = |url: &str| c.filings.get(url).and_then(|f| f.cik.as_deref());
        let own_cik = cik(own);
        // A CIK decides where both are known; a short name may be shared.
        let same = |url: &str| match (cik(url), own_cik) {
            (Some(a), Some(b)) => a == b,
            _ => c.company(url).is_some_and(|name| Some(name) == c.company(own)),
        };
        for chunk in set.rivals.iter().filter_map(|id| c.by_id.get(id.as_str())) {
            let url = chunk.source_url.as_str();
            if url == own || same(url) {
                found.push(format!("{}: rival {} is of the gold's own company", set.query, chunk.id));
            }
        }
    })
}

fn ordered(c: &Context<'_>) -> Check {
    each(c, |set, _, found| {
        if !set.rivals.is_sorted_by(|a, b| a < b) {
            found.push(format!("{}: rivals are not sorted, or one stands twice", set.query));
        }
        if !set.similarity.is_empty() && set.similarity.len() != set.rivals.len() {
            found.push(format!("{}: {} similarities for {} rivals", set.query, set.similarity.len(), set.rivals.len()));
        }
        let odd = set.similarity.iter().filter(|s| !(0.0..=1.0).contains(*s));
        found.extend(odd.map(|s| format!("{}: similarity {s}", set.query)));
    })
}
