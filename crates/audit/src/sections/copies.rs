//! Copies and names: whether a query has one answer, and one company.
//!
//! Equal sentences of different companies are what the benchmark is made of, as long as every copy is known as a rival. A copy
//! in another filing of the same company, or the fact in two filings of one company, is a second right answer that counts
//! as wrong. A name that fits two companies asks two questions at once.

use std::collections::HashMap;

use crate::subject::{Asked, Subject, excerpt};
use crate::{Finding, Limit};

pub(super) fn findings(subject: &Subject<'_>) -> Vec<Finding> {
    let copies = Copies::of_answers(subject);
    vec![
        copied(subject, &copies),
        unlisted(subject, &copies),
        in_two_filings(subject, &copies),
        two_companies(subject),
        two_filings(subject),
        nested(subject),
    ]
}

/// Where the texts of answers stand, over all filings.
struct Copies<'d> {
    places: HashMap<&'d str, Vec<usize>>,
}

impl<'d> Copies<'d> {
    fn of_answers(subject: &Subject<'d>) -> Self {
        let places = subject.places(subject.asked.iter().flat_map(|a| &a.answers).copied());
        Self { places }
    }

    /// Chunks of other filings with the very text of an answer; with whether their filing is of the same company.
    fn elsewhere<'s>(
        &'s self,
        subject: &'s Subject<'d>,
        asked: &'s Asked<'d>,
    ) -> impl Iterator<Item = (usize, bool)> + 's {
        let own = subject.companies.of(asked.filing);
        let all = asked.answers.iter().filter_map(|i| self.places.get(subject.text(*i))).flatten();
        let others = all.filter(|i| subject.filing(**i) != asked.filing);
        others.map(move |i| (*i, subject.companies.of(subject.filing(*i)) == own))
    }
}

fn example(subject: &Subject<'_>, asked: &Asked<'_>, chunk: usize, what: &str) -> String {
    format!("{}: {} {what}: {}", asked.id, subject.id(chunk), excerpt(subject.text(chunk)))
}

/// Answers that stand word for word in a filing of another company: no system without context can tell them from it.
fn copied(subject: &Subject<'_>, copies: &Copies<'_>) -> Finding {
    let cases = subject.asked.iter().filter_map(|asked| {
        let (copy, _) = copies.elsewhere(subject, asked).find(|(_, same)| !same)?;
        Some((asked, copy))
    });
    let say = |(asked, copy): (&Asked<'_>, usize)| example(subject, asked, copy, "is a copy of the answer");
    let limit = Limit::most("copied_answers", subject.limits.copied_answers);
    Finding::counted("answer-copied-by-another-company", cases, subject.asked.len(), say, limit)
        .advice("loosen copied_answers: copies are solvable with context; or take these queries out")
}

/// Of those, the ones of which some copy is not listed as a rival: a system that ranks it first is not seen to be wrong.
fn unlisted(subject: &Subject<'_>, copies: &Copies<'_>) -> Finding {
    const NAME: &str = "copy-is-not-listed-as-rival";
    if subject.asked.iter().all(|a| a.listed.is_none()) {
        return Finding::skipped(NAME, "there are no rivals");
    }
    let cases = subject.asked.iter().filter_map(|asked| {
        // A list that was cut at its limit holds the most similar, and nothing is more similar than a copy.
        let (copy, _) =
            copies.elsewhere(subject, asked).find(|(i, same)| !same && asked.rivals.binary_search(i).is_err())?;
        Some((asked, copy))
    });
    let say =
        |(asked, copy): (&Asked<'_>, usize)| example(subject, asked, copy, "is a copy of the answer and no rival");
    let limit = Limit::most("unlisted_copies", subject.limits.unlisted_copies);
    Finding::counted(NAME, cases, subject.asked.len(), say, limit)
        .advice("add the copies to audit/rivals.jsonl, or build the data set again")
}

/// Queries whose company has another filing in which the answer is copied or a sentence is known to state the fact.
fn in_two_filings(subject: &Subject<'_>, copies: &Copies<'_>) -> Finding {
    let mut by_company: HashMap<(&str, usize), Vec<usize>> = HashMap::new();
    for (fact, chunks) in subject.statements() {
        for chunk in chunks {
            if let Some(company) = subject.companies.of(subject.filing(chunk)) {
                by_company.entry((fact, company)).or_default().push(chunk);
            }
        }
    }
    let cases = subject.asked.iter().filter_map(|asked| {
        let fact = asked.query.fact.as_deref();
        let company = subject.companies.of(asked.filing)?;
        let stated = fact.and_then(|fact| by_company.get(&(fact, company))).into_iter().flatten().copied();
        let mut stated = stated.filter(|i| subject.filing(*i) != asked.filing);
        let copy = || copies.elsewhere(subject, asked).find(|(_, same)| *same).map(|(i, _)| i);
        Some((asked, stated.next().or_else(copy)?))
    });
    let say = |(asked, chunk): (&Asked<'_>, usize)| {
        example(subject, asked, chunk, "is of another filing of the company and states the fact")
    };
    let limit = Limit::most("facts_in_two_filings", subject.limits.facts_in_two_filings);
    let finding = Finding::counted("fact-in-two-filings-of-the-company", cases, subject.asked.len(), say, limit);
    let known = subject.asked.iter().any(|a| a.query.fact.is_some());
    let finding = if known { finding } else { finding.detail("no query names its fact: only copies can be seen") };
    finding.advice("take these queries out, or leave one of the two filings out")
}

/// Why names cannot be compared, if they cannot.
fn no_names(subject: &Subject<'_>) -> Option<&'static str> {
    subject.asked.iter().all(|a| a.short.is_none()).then_some("titles do not tell the company")
}

/// Queries that satisfy a rule about their company's short name.
fn named(
    subject: &Subject<'_>,
    name: &'static str,
    limit: Limit,
    rule: impl Fn(&Asked<'_>, &str) -> bool,
    what: &str,
) -> Finding {
    if let Some(reason) = no_names(subject) {
        return Finding::skipped(name, reason);
    }
    let cases = subject.asked.iter().filter_map(|a| Some((a, a.short?))).filter(|(a, short)| rule(a, short));
    let say = |(asked, short): (&Asked<'_>, &str)| format!("{}: {short} {what}", asked.id);
    Finding::counted(name, cases, subject.asked.len(), say, limit)
}

/// Queries whose company has the short or registered name of another, by title or `filings` config; case and punctuation aside.
fn two_companies(subject: &Subject<'_>) -> Finding {
    const NAME: &str = "name-fits-two-companies";
    if subject.dataset.filings.is_none() {
        return Finding::skipped(NAME, "there is no filings config to tell companies apart");
    }
    let limit = Limit::most("names_of_two_companies", subject.limits.names_of_two_companies);
    let rule = |asked: &Asked<'_>, short: &str| subject.companies.shared(asked.filing, short);
    named(subject, NAME, limit, rule, "is the name of another company too")
        .advice("take these queries out: nobody can know which company is meant")
}

/// Queries whose company has several filings in the corpus: the name alone does not lead to the right one.
fn two_filings(subject: &Subject<'_>) -> Finding {
    let limit = Limit::most("names_of_two_filings", subject.limits.names_of_two_filings);
    let rule = |asked: &Asked<'_>, _: &str| subject.companies.filings(asked.filing) > 1;
    named(subject, "name-fits-two-filings", limit, rule, "has several filings in the corpus")
        .advice("loosen names_of_two_filings if the filings tell different facts; else keep one filing per company")
}

/// Queries whose company's short name is part of another's or holds another's: a search by words confuses them.
fn nested(subject: &Subject<'_>) -> Finding {
    let limit = Limit::most("nested_names", subject.limits.nested_names);
    let rule = |asked: &Asked<'_>, short: &str| subject.companies.nested(asked.filing, short);
    named(subject, "name-is-part-of-another", limit, rule, "is part of another company's name, or holds one")
        .advice("give these companies longer names in the manifest of the filings, or loosen nested_names")
}
