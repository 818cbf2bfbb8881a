//! Leaks: what makes context unnecessary.
//!
//! The benchmark asks whose a sentence is. It is given away where the answer itself names its filer, where query or title hold
//! a number of the answer, and where a sentence of some other filing names the company and states the fact. Each is a count
//! of queries; none is a matter of chance.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use eightk_dataset::short_name;

use crate::lexical::without_name;
use crate::numbers::{Number, amounts, numbers};
use crate::subject::{Asked, Subject, excerpt};
use crate::{Finding, Limit};

pub(super) fn findings(subject: &Subject<'_>) -> Vec<Finding> {
    vec![answers_name(subject), numbers_in_queries(subject), amounts_in_titles(subject), told_elsewhere(subject)]
}

/// Whether nothing in the data set says what any company is called.
fn nameless(subject: &Subject<'_>) -> bool {
    subject.asked.iter().all(|a| a.names.aliases().is_empty())
}

const NAMELESS: &str = "neither titles nor a filings config tell what companies are called";

/// Queries one of whose answers holds a name of the filer: short or registered name, a name that the filing defines, a ticker.
fn answers_name(subject: &Subject<'_>) -> Finding {
    const NAME: &str = "answer-names-its-filer";
    if nameless(subject) {
        return Finding::skipped(NAME, NAMELESS);
    }
    let cases = subject.asked.iter().filter_map(|asked| {
        let text = asked.answers.iter().map(|i| subject.text(*i)).find(|t| asked.names.mention(t).is_some())?;
        Some((asked, text, asked.names.mention(text)?))
    });
    let say = |(asked, text, span): (&Asked<'_>, &str, eightk_core::Span)| {
        format!("{}: the answer says {}: {}", asked.id, excerpt(span.of(text)), excerpt(text))
    };
    let limit = Limit::most("answers_naming_filer", subject.limits.answers_naming_filer);
    Finding::counted(NAME, cases, subject.asked.len(), say, limit)
        .advice("take these queries out, or choose an answer that says only “the Company”")
}

/// Queries that hold a number of their answer, apart from numbers in the company's name.
fn numbers_in_queries(subject: &Subject<'_>) -> Finding {
    let cases = subject.asked.iter().filter_map(|asked| {
        let query = without_name(asked);
        let asked_for: BTreeSet<Number> = numbers(&query).collect();
        if asked_for.is_empty() {
            return None;
        }
        let text = asked.answers.iter().map(|i| subject.text(*i));
        let mut text = text.filter(|t| numbers(t).any(|n| asked_for.contains(&n)));
        Some((asked, text.next()?))
    });
    let say = |(asked, text): (&Asked<'_>, &str)| {
        format!("{}: {} shares a number with its answer {}", asked.id, excerpt(&asked.query.query), excerpt(text))
    };
    let limit = Limit::most("numbers_in_queries", subject.limits.numbers_in_queries);
    Finding::counted("query-holds-a-number-of-its-answer", cases, subject.asked.len(), say, limit)
        .advice("ask without amounts, counts and dates: they find the sentence whosever it is")
}

/// Queries whose filing has a title with an amount of the answer; the form and the date at its end do not count.
fn amounts_in_titles(subject: &Subject<'_>) -> Finding {
    const NAME: &str = "title-holds-an-amount-of-the-answer";
    if subject.dataset.chunks.iter().all(|c| c.title.trim().is_empty()) {
        return Finding::skipped(NAME, "there are no titles");
    }
    let cases = subject.asked.iter().filter_map(|asked| {
        let first = *subject.by_filing.get(asked.filing)?.first()?;
        let title = subject.dataset.chunks.get(first)?.title.as_str();
        let told: BTreeSet<Number> = amounts(asked.short.unwrap_or(title)).collect();
        let holds = |i: &usize| amounts(subject.text(*i)).any(|n| told.contains(&n));
        (!told.is_empty() && asked.answers.iter().any(holds)).then_some((asked, title))
    });
    let say = |(asked, title): (&Asked<'_>, &str)| {
        format!("{}: title {} holds an amount of the answer", asked.id, excerpt(title))
    };
    let limit = Limit::most("amounts_in_titles", subject.limits.amounts_in_titles);
    Finding::counted(NAME, cases, subject.asked.len(), say, limit)
        .advice("a title is company, form and date: whatever else stands there feeds views with titles")
}

/// Queries for which a sentence of another filing names the company and holds an amount of the answer, or names it and is
/// known to state the fact. (In the company's own filing such a sentence is an alternative, and its maker's decision.)
///
/// Named is a company here by its short name or a longer one. A part of it will not do: *Norland* in a filing of Norland Optics is
/// nobody's leak about Norland Paper.
///
/// Sentences that could be meant are found by their amounts and by the first word of a name; only those are looked at
/// closely, so the cost is that of reading the corpus once.
fn told_elsewhere(subject: &Subject<'_>) -> Finding {
    const NAME: &str = "fact-told-with-the-name-elsewhere";
    if nameless(subject) {
        return Finding::skipped(NAME, NAMELESS);
    }
    // First words of names, and amounts of answers, with the queries they belong to.
    let mut by_word: HashMap<String, Vec<usize>> = HashMap::new();
    let mut by_amount: HashMap<Number, Vec<usize>> = HashMap::new();
    for (number, asked) in subject.asked.iter().enumerate() {
        let aliases = asked.names.aliases().iter().map(String::as_str);
        let names = asked.short.into_iter().chain(aliases.filter(|_| asked.short.is_none()));
        let words: BTreeSet<String> = names.filter_map(|n| words(n).next()).collect();
        for word in words {
            by_word.entry(word).or_default().push(number);
        }
        let told: BTreeSet<Number> = asked.answers.iter().flat_map(|i| amounts(subject.text(*i))).collect();
        for amount in told {
            by_amount.entry(amount).or_default().push(number);
        }
    }
    let mut stated: HashMap<usize, Vec<&str>> = HashMap::new();
    for (fact, chunks) in subject.statements() {
        chunks.into_iter().for_each(|chunk| stated.entry(chunk).or_default().push(fact));
    }
    let mut told: BTreeMap<usize, usize> = BTreeMap::new();
    for (i, chunk) in subject.dataset.chunks.iter().enumerate() {
        let facts = stated.get(&i).map(Vec::as_slice).unwrap_or_default();
        let shared: BTreeSet<usize> =
            amounts(&chunk.text).filter_map(|n| by_amount.get(&n)).flatten().copied().collect();
        if facts.is_empty() && shared.is_empty() {
            continue;
        }
        let named: BTreeSet<usize> = words(&chunk.text).filter_map(|w| by_word.get(&w)).flatten().copied().collect();
        for query in named {
            let Some(asked) = subject.asked.get(query) else { continue };
            let about = shared.contains(&query) || asked.query.fact.as_deref().is_some_and(|f| facts.contains(&f));
            if about && chunk.source_url != asked.filing && names_company(asked, &chunk.text, &chunk.title) {
                told.entry(query).or_insert(i);
            }
        }
    }
    let say = |(query, chunk): (usize, usize)| {
        let id = subject.asked.get(query).map_or("", |a| a.id.as_str());
        format!("{id}: {} names the company and tells: {}", subject.id(chunk), excerpt(subject.text(chunk)))
    };
    let limit = Limit::most("facts_told_elsewhere", subject.limits.facts_told_elsewhere);
    Finding::counted(NAME, told, subject.asked.len(), say, limit)
        .advice("take these queries out: a sentence of another filing answers them without context")
}

/// Whether a sentence of a filing with this title names the company that is asked about: by its short name or more, and not as
/// part of the name of the filing's own company.
fn names_company(asked: &Asked<'_>, sentence: &str, title: &str) -> bool {
    let Some(short) = asked.short else { return asked.names.mention(sentence).is_some() };
    let run = |text: &str| format!(" {} ", words(text).collect::<Vec<_>>().join(" "));
    let wanted = run(short);
    if short_name(title).is_some_and(|own| run(own) != wanted && run(own).contains(&wanted)) {
        return false;
    }
    let plain = |text: &str| words(text).collect::<String>();
    let (wanted, mut rest) = (plain(short), sentence);
    while let Some(span) = asked.names.mention(rest).filter(|s| s.end > s.start) {
        if plain(span.of(rest)).starts_with(&wanted) {
            return true;
        }
        rest = rest.get(span.end..).unwrap_or_default();
    }
    false
}

/// Words in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use eightk_mine::AuditLimits;

    #[test]
    fn only_the_whole_name_in_a_foreign_filing_tells() {
        let set = testing::dataset(3);
        let limits = AuditLimits::default();
        let subject = Subject::new(&set, &limits);
        let asked = &subject.asked[0];
        let other = "Quillfeather 8-K 2024-03-01";
        for (told, sentence, title) in [
            (true, "Marlin Pump expects charges of $7 million.", other),
            (true, "At MARLIN PUMP INC., charges of $7 million are expected.", other),
            (true, "Marlin said so; Marlin Pump’s charges are $7 million.", other),
            (false, "Marlin expects charges of $7 million.", other),
            (false, "Marlin Pump expects charges of $7 million.", "New Marlin Pump 8-K 2024-03-01"),
            (false, "The Company expects charges of $7 million.", other),
        ] {
            assert_eq!(names_company(asked, sentence, title), told, "{sentence}, {title}");
        }
    }
}
