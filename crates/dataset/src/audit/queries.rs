//! Rules for `queries` and their golds.

use std::collections::BTreeMap;

use eightk_core::{ANSWER_GRADE, EVIDENCE_GRADE, Gold, Query, Role};

use super::Check;
use super::context::{Context, Entry, excerpt};
use super::words::{is_coreferent, names};
use crate::spans::fits;

pub(super) const CHECKS: &[Entry] = &[
    ("queries-present", present),
    ("queries-unique", unique),
    ("queries-have-an-answer", answered),
    ("n-gold-is-length", counted),
    ("scores-are-grades", grades),
    ("roles-mirror-score", roles),
    ("facts-named", facts),
    ("golds-in-one-filing", one_filing),
    ("gold-filings-known", known),
    ("gold-spans-fit", spans_fit),
    ("golds-found", found),
    ("golds-are-one-chunk", one_chunk),
    ("gold-text-is-chunk", text_is_chunk),
    ("alternatives-are-other-chunks", alternatives),
    ("query-names-company", query_names),
    ("answer-names-no-company", answer_names),
    ("answer-is-coreferent", coreferent),
    ("company-names-unique", company_unique),
    ("one-query-per-company-and-fact", one_query),
];

const NO_TITLES: &str = "titles do not tell the company";
const NOT_SENTENCES: &str = "chunks are not sentences, so a gold may be part of one or span several";

fn present(c: &Context<'_>) -> Check {
    Check::of(c.dataset.queries.is_empty().then_some(()).into_iter(), |()| "there is no query".to_owned())
}

fn unique(c: &Context<'_>) -> Check {
    let mut first: BTreeMap<&str, String> = BTreeMap::new();
    let repeated = c.queries().filter_map(|(id, q)| {
        let earlier = first.get(q.query.as_str()).cloned();
        first.entry(&q.query).or_insert_with(|| id.clone());
        earlier.map(|earlier| (earlier, id, q))
    });
    Check::of(repeated, |(a, b, q)| format!("{a} and {b} are both {}", excerpt(&q.query)))
}

/// Whether a gold is of the answer tier.
fn is_answer(c: &Context<'_>, gold: &Gold) -> bool {
    gold.score >= ANSWER_GRADE || (c.report.answer_only && gold.score >= EVIDENCE_GRADE)
}

fn answers<'a, 'd>(c: &'a Context<'d>) -> impl Iterator<Item = (String, &'d Gold)> + use<'a, 'd> {
    c.golds().filter(|(_, g)| is_answer(c, g))
}

fn answered(c: &Context<'_>) -> Check {
    let without = c.queries().filter(|(_, q)| !q.golds.iter().any(|g| is_answer(c, g)));
    Check::of(without, |(id, q)| format!("{id} {} has no answer", excerpt(&q.query)))
}

fn counted(c: &Context<'_>) -> Check {
    if c.report.lacks("queries", "n_gold") {
        return Check::skipped("there is no n_gold column");
    }
    Check::of(c.report.wrong_counts.iter(), |(id, n, length)| format!("{id}: n_gold is {n}, the lists hold {length}"))
}

fn grades(c: &Context<'_>) -> Check {
    let odd = c.golds().filter(|(_, g)| !(EVIDENCE_GRADE..=ANSWER_GRADE).contains(&g.score));
    Check::of(odd, |(id, g)| format!("{id}: score {}", g.score))
}

fn roles(c: &Context<'_>) -> Check {
    if c.report.lacks("queries", "roles") {
        return Check::skipped("there is no roles column");
    }
    if c.report.answer_only {
        return Check::skipped("every score is 1, so scores tell no roles");
    }
    let unknown = c.report.unknown_roles.iter().map(|(id, role)| format!("{id}: role {}", excerpt(role)));
    let name = |role| if role == Role::Answer { "answer" } else { "evidence" };
    let contrary = c.golds().filter(|(_, g)| (g.role == Role::Answer) != (g.score >= ANSWER_GRADE));
    let contrary = contrary.map(|(id, g)| format!("{id}: score {} with role {}", g.score, name(g.role)));
    Check::of(unknown.chain(contrary), |s| s)
}

fn facts(c: &Context<'_>) -> Check {
    if c.dataset.queries.iter().all(|q| q.fact.is_none()) {
        return Check::skipped("there is no fact column");
    }
    let without = c.queries().filter(|(_, q)| q.fact.as_deref().is_none_or(|f| f.trim().is_empty()));
    Check::of(without, |(id, q)| format!("{id} {} has no fact", excerpt(&q.query)))
}

fn one_filing(c: &Context<'_>) -> Check {
    let several = c.queries().filter(|(_, q)| q.golds.iter().any(|g| Some(g.source_url.as_str()) != c.filing_of(q)));
    Check::of(several, |(id, q)| format!("{id} {} has golds in several filings", excerpt(&q.query)))
}

fn known(c: &Context<'_>) -> Check {
    let unknown = c.golds().filter(|(_, g)| !c.index.knows(&g.source_url));
    Check::of(unknown, |(id, g)| format!("{id}: no chunk has source_url {}", g.source_url))
}

fn spans_fit(c: &Context<'_>) -> Check {
    // Elsewhere the text may be a rewording of the fragment, so only an impossible span is wrong.
    let broken = c.golds().filter(|(_, g)| if c.sentence_ids { !fits(g.span, &g.text) } else { g.span.is_empty() });
    Check::of(broken, |(id, g)| {
        format!("{id}: {}..{} for {} characters", g.span.start, g.span.end, g.text.chars().count())
    })
}

fn found(c: &Context<'_>) -> Check {
    let dangling = c.golds().filter(|(_, g)| c.overlapping(&g.source_url, g.span).is_empty());
    Check::of(dangling, |(id, g)| {
        format!("{id}: no chunk of {} overlaps {}..{}", g.source_url, g.span.start, g.span.end)
    })
}

fn one_chunk(c: &Context<'_>) -> Check {
    if !c.sentence_ids {
        return Check::skipped(NOT_SENTENCES);
    }
    let several =
        c.golds().map(|(id, g)| (id, c.overlapping(&g.source_url, g.span))).filter(|(_, chunks)| chunks.len() > 1);
    Check::of(several, |(id, chunks)| {
        let ids: Vec<&str> = chunks.iter().take(3).map(|c| c.id.as_str()).collect();
        format!(
            "{id}: a gold overlaps {} chunks ({}{})",
            chunks.len(),
            ids.join(", "),
            if chunks.len() > 3 { ", …" } else { "" }
        )
    })
}

fn text_is_chunk(c: &Context<'_>) -> Check {
    if !c.sentence_ids {
        return Check::skipped(NOT_SENTENCES);
    }
    let other = c.golds().filter_map(|(id, g)| match c.overlapping(&g.source_url, g.span).as_slice() {
        [chunk] if chunk.text != g.text => Some((id, *chunk)),
        _ => None,
    });
    Check::of(other, |(id, chunk)| format!("{id}: the gold's text is not that of {}", chunk.id))
}

fn alternatives(c: &Context<'_>) -> Check {
    if c.dataset.queries.iter().all(|q| q.alternatives.is_empty()) {
        return Check::skipped("there are no alternatives");
    }
    let all = c.queries().flat_map(|(id, q)| q.alternatives.iter().map(move |a| (id.clone(), q, a)));
    let broken = all.filter_map(|(id, q, a)| {
        let wrong = if Some(a.source_url.as_str()) != c.filing_of(q) {
            "stands in another filing than the gold"
        } else if q
            .golds
            .iter()
            .any(|g| g.role == Role::Answer && g.source_url == a.source_url && g.span.overlaps(a.span))
        {
            "is the answer itself"
        } else if c.overlapping(&a.source_url, a.span).is_empty() {
            "is no chunk"
        } else {
            return None;
        };
        Some(format!("{id}: alternative {}..{} {wrong}", a.span.start, a.span.end))
    });
    Check::of(broken, |s| s)
}

/// Queries whose filing tells its company's short name.
fn with_company<'a, 'd>(c: &'a Context<'d>) -> impl Iterator<Item = (String, &'d Query, &'d str)> + use<'a, 'd> {
    c.queries().filter_map(|(id, q)| Some((id, q, c.company(c.filing_of(q)?)?)))
}

fn query_names(c: &Context<'_>) -> Check {
    if !c.titled {
        return Check::skipped(NO_TITLES);
    }
    let silent = with_company(c).filter(|(_, q, name)| !q.query.to_lowercase().contains(&name.to_lowercase()));
    Check::of(silent, |(id, q, name)| format!("{id} {} does not name {name}", excerpt(&q.query)))
}

fn answer_names(c: &Context<'_>) -> Check {
    if !c.titled {
        return Check::skipped(NO_TITLES);
    }
    let named = answers(c).filter_map(|(id, g)| Some((id, g, c.company(&g.source_url)?)));
    Check::of(named.filter(|(_, g, name)| names(&g.text, name)), |(id, g, name)| {
        format!("{id}: the answer names {name}: {}", excerpt(&g.text))
    })
}

fn coreferent(c: &Context<'_>) -> Check {
    let plain = answers(c).filter(|(_, g)| !is_coreferent(&g.text));
    Check::of(plain, |(id, g)| format!("{id}: the answer does not refer to its filer: {}", excerpt(&g.text)))
}

/// The company behind a short name, as far as it is known: its CIK, or its name.
fn identity<'d>(c: &Context<'d>, source_url: &str) -> Option<&'d str> {
    let filing = c.filings.get(source_url)?;
    filing.cik.as_deref().or(filing.company.as_deref())
}

fn company_unique(c: &Context<'_>) -> Check {
    if !c.titled {
        return Check::skipped(NO_TITLES);
    }
    if c.dataset.filings.is_none() {
        return Check::skipped("there is no filings config to tell companies apart");
    }
    let mut companies: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for url in c.by_filing.keys() {
        if let (Some(name), Some(identity)) = (c.company(url), identity(c, url)) {
            let known = companies.entry(name.to_lowercase()).or_default();
            if !known.contains(&identity) && known.len() < 2 {
                known.push(identity);
            }
        }
    }
    let shared =
        with_company(c).filter(|(_, _, name)| companies.get(&name.to_lowercase()).is_some_and(|k| k.len() > 1));
    Check::of(shared, |(id, _, name)| format!("{id}: {name} is the short name of several companies"))
}

fn one_query(c: &Context<'_>) -> Check {
    if !c.titled {
        return Check::skipped(NO_TITLES);
    }
    if c.dataset.queries.iter().all(|q| q.fact.is_none()) {
        return Check::skipped("there is no fact column");
    }
    let mut first: BTreeMap<(String, Option<&str>), String> = BTreeMap::new();
    let again = with_company(c).filter_map(|(id, q, name)| {
        let key = (name.to_lowercase(), q.fact.as_deref());
        let earlier = first.get(&key).cloned();
        first.entry(key).or_insert_with(|| id.clone());
        earlier.map(|earlier| (earlier, id, name))
    });
    Check::of(again, |(a, b, name)| format!("{a} and {b} ask {name} for the same fact"))
}
