//! Which filings are of one company, and what companies are called, as far as a data set tells.
//!
//! A company is its CIK; without one its registered name, without that the short name in its titles. Two companies of one
//! short name that nothing else tells apart are thus one company: the audit cannot see what the data set does not say.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use eightk_dataset::{DataSet, FilingRow, short_name};

/// Longer names are cut for the comparison of their parts.
const MAX_WORDS: usize = 8;

/// Companies, numbered in the order of their first filing.
pub(crate) struct Companies<'d> {
    of: HashMap<&'d str, usize>,
    filings: Vec<usize>,
    /// Companies by name, letters and digits only.
    by_name: BTreeMap<String, BTreeSet<usize>>,
    /// Short names word by word, and every part of one that is shorter than the name.
    wholes: BTreeMap<String, usize>,
    parts: BTreeMap<String, usize>,
}

impl<'d> Companies<'d> {
    /// `titles` are those of the filings that have chunks.
    pub(crate) fn new(
        dataset: &'d DataSet,
        filings: &HashMap<&'d str, &'d FilingRow>,
        titles: &BTreeMap<&'d str, &'d str>,
    ) -> Self {
        let mut companies = Self {
            of: HashMap::new(),
            filings: Vec::new(),
            by_name: BTreeMap::new(),
            wholes: BTreeMap::new(),
            parts: BTreeMap::new(),
        };
        let rows = dataset.filings.iter().flatten().map(|f| f.source_url.as_str());
        let urls: BTreeSet<&str> = titles.keys().copied().chain(rows).collect();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for url in urls {
            let row = filings.get(url);
            let registered = row.and_then(|f| f.company.as_deref()).map(plain).filter(|n| !n.is_empty());
            let title = titles.get(url).copied().or(row.map(|f| f.title.as_str()));
            let short = title.and_then(short_name);
            let by_short = || short.map(|n| format!("short {}", plain(n)));
            let identity = row.and_then(|f| f.cik.as_deref()).map(|cik| format!("cik {cik}"));
            let identity = identity.or_else(|| registered.as_ref().map(|n| format!("name {n}"))).or_else(by_short);
            let next = numbers.len();
            let company = *numbers.entry(identity.unwrap_or_else(|| format!("filing {url}"))).or_insert(next);
            if company == companies.filings.len() {
                companies.filings.push(0);
            }
            if let Some(count) = companies.filings.get_mut(company) {
                *count += 1;
            }
            companies.of.insert(url, company);
            for name in registered.into_iter().chain(short.map(plain).filter(|n| !n.is_empty())) {
                companies.by_name.entry(name).or_default().insert(company);
            }
            if let Some(short) = short {
                companies.add_parts(short, company);
            }
        }
        companies
    }

    fn add_parts(&mut self, short: &str, company: usize) {
        let words = words(short);
        self.wholes.entry(words.join(" ")).or_insert(company);
        for part in proper_parts(&words) {
            self.parts.entry(part).or_insert(company);
        }
    }

    /// The company of a filing.
    pub(crate) fn of(&self, source_url: &str) -> Option<usize> {
        self.of.get(source_url).copied()
    }

    /// How many filings of a filing's company there are, itself included.
    pub(crate) fn filings(&self, source_url: &str) -> usize {
        self.of(source_url).and_then(|c| self.filings.get(c)).copied().unwrap_or(1)
    }

    /// Whether a company other than the filing's goes by `name`.
    pub(crate) fn shared(&self, source_url: &str, name: &str) -> bool {
        let own = self.of(source_url);
        self.by_name.get(&plain(name)).is_some_and(|all| all.iter().any(|c| Some(*c) != own))
    }

    /// Whether `name` is part of another company's short name, or holds one.
    pub(crate) fn nested(&self, source_url: &str, name: &str) -> bool {
        let own = self.of(source_url);
        let another = |company: Option<&usize>| company.is_some_and(|c| Some(*c) != own);
        let words = words(name);
        another(self.parts.get(&words.join(" ")))
            || proper_parts(&words).iter().any(|part| another(self.wholes.get(part)))
    }
}

/// A name without case and punctuation.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    words.take(MAX_WORDS).map(str::to_lowercase).collect()
}

/// Every run of neighbouring words but the whole.
fn proper_parts(words: &[String]) -> Vec<String> {
    let n = words.len();
    let runs = (0..n).flat_map(|from| (from + 1..=n).map(move |to| (from, to))).filter(|(from, to)| to - from < n);
    runs.filter_map(|(from, to)| Some(words.get(from..to)?.join(" "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn names_fit_as_far_as_the_set_tells_companies_apart() {
        let mut set = testing::dataset(4);
        let rename = |set: &mut DataSet, i: usize, name: &str| {
            let url = set.filings.as_ref().unwrap()[i].source_url.clone();
            let title = format!("{name} 8-K 2024-03-01");
            set.chunks.iter_mut().filter(|c| c.source_url == url).for_each(|c| c.title.clone_from(&title));
            set.filings.as_mut().unwrap()[i].title = title;
        };
        rename(&mut set, 0, "Orrin");
        rename(&mut set, 1, "Orrin Foods");
        rename(&mut set, 2, "ORRIN-FOODS");
        set.filings.as_mut().unwrap()[3].cik = set.filings.as_ref().unwrap()[0].cik.clone();
        let rows = set.filings.as_ref().unwrap();
        let filings = rows.iter().map(|f| (f.source_url.as_str(), f)).collect();
        let titles = set.chunks.iter().map(|c| (c.source_url.as_str(), c.title.as_str())).collect();
        let companies = Companies::new(&set, &filings, &titles);
        let url = |i: usize| rows[i].source_url.as_str();
        assert!(companies.shared(url(1), "Orrin Foods") && !companies.shared(url(0), "Orrin"));
        assert!(companies.nested(url(0), "Orrin") && companies.nested(url(1), "Orrin Foods"));
        assert!(!companies.nested(url(3), "Tandem Lantern"));
        assert_eq!((companies.filings(url(0)), companies.filings(url(1)), companies.filings("none")), (2, 1, 1));
    }
}
