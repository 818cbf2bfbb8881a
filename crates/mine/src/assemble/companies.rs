//! Which filings are of one company, and which names mean only one.
//!
//! A company is its CIK where the filing gives one, else its registered name without case and punctuation. A filing
//! without CIK joins the one company with a CIK that has its name; where two have it, it stays apart, and the name
//! counts as ambiguous. Short names are not enough to join filings: two companies may be called Summit.

use std::collections::{BTreeMap, BTreeSet};

use super::Record;

/// Companies of a corpus, numbered in the order of their first filing.
pub(super) struct Companies {
    /// For each record, its company.
    of: Vec<usize>,
    /// For each name in its plain form, the companies that go by it.
    by_name: BTreeMap<String, BTreeSet<usize>>,
    /// For each company, its records.
    records: Vec<Vec<usize>>,
}

/// A name without case and punctuation.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Companies {
    pub(super) fn of(records: &[Record]) -> Self {
        let key = |r: &Record| r.filing.meta.company.as_deref().map(plain).filter(|k| !k.is_empty());
        let mut ciks_of_name: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for r in records {
            if let (Some(name), Some(cik)) = (key(r), r.filing.meta.cik.as_deref()) {
                ciks_of_name.entry(name).or_default().insert(cik);
            }
        }
        let identity = |r: &Record| -> (u8, String) {
            if let Some(cik) = &r.filing.meta.cik {
                return (0, cik.clone());
            }
            let Some(name) = key(r) else { return (2, r.filing.meta.source_url.clone()) };
            match ciks_of_name.get(&name).filter(|c| c.len() == 1).and_then(BTreeSet::first) {
                Some(cik) => (0, (*cik).to_owned()),
                None => (1, name),
            }
        };
        let mut numbers = BTreeMap::new();
        let mut out = Self { of: Vec::with_capacity(records.len()), by_name: BTreeMap::new(), records: Vec::new() };
        for (i, r) in records.iter().enumerate() {
            let next = numbers.len();
            let company = *numbers.entry(identity(r)).or_insert(next);
            if company == out.records.len() {
                out.records.push(Vec::new());
            }
            if let Some(list) = out.records.get_mut(company) {
                list.push(i);
            }
            out.of.push(company);
            for alias in r.names.aliases() {
                out.by_name.entry(plain(alias)).or_default().insert(company);
            }
        }
        out
    }

    pub(super) fn count(&self) -> usize {
        self.records.len()
    }

    /// The company of a record.
    pub(super) fn company(&self, record: usize) -> usize {
        self.of.get(record).copied().unwrap_or(usize::MAX)
    }

    /// The records of a record's company, its own among them.
    pub(super) fn siblings(&self, record: usize) -> &[usize] {
        self.records.get(self.company(record)).map(Vec::as_slice).unwrap_or_default()
    }

    /// The first record of another company that goes by `name`.
    pub(super) fn namesake(&self, record: usize, name: &str) -> Option<usize> {
        let company = self.company(record);
        let all = self.by_name.get(&plain(name))?;
        all.iter().filter(|c| **c != company).find_map(|c| self.records.get(*c)?.first().copied())
    }
}
