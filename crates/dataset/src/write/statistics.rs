//! The numbers of a data set that its card and its manifest give, counted while rows stream by.

use std::collections::{BTreeMap, BTreeSet};

use eightk_core::{Chunk, Query, RivalSet, Role, is_invented};
use serde::Serialize;

use super::distribution::Distribution;
use crate::{DataSet, FilingRow};

/// Smallest, middle and largest of some counts; the middle is the lower median. All 0 when there is nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Range {
    /// Smallest.
    pub min: usize,
    /// Lower median.
    pub median: usize,
    /// Largest.
    pub max: usize,
}

/// What a data set holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Statistics {
    /// Filings, with or without chunks.
    pub filings: usize,
    /// Filings that nobody filed; see [`eightk_core::is_invented`].
    #[serde(skip_serializing_if = "is_zero")]
    pub invented: usize,
    /// Distinct companies, by CIK or, where there is none, by name.
    pub companies: usize,
    /// First and last day of filing.
    pub filed: Option<(String, String)>,
    /// Filings by form type.
    pub forms: BTreeMap<String, usize>,
    /// Chunks.
    pub chunks: usize,
    /// Length of a chunk in code points.
    pub chunk_chars: Range,
    /// Chunks of a filing.
    pub filing_chunks: Range,
    /// Queries.
    pub queries: usize,
    /// Queries by fact.
    pub queries_by_fact: BTreeMap<String, usize>,
    /// Queries with an evidence gold.
    pub with_evidence: usize,
    /// Queries with at least one alternative.
    pub with_alternatives: usize,
    /// By fact, how many distinct sentences compete: the golds and rivals of its queries together.
    pub competing: BTreeMap<String, usize>,
    /// Rivals of a query.
    pub rivals: Range,
}

/// What is the rule goes without saying.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl Statistics {
    /// Whether nobody filed any of it.
    pub(super) fn all_invented(&self) -> bool {
        self.invented > 0 && self.invented == self.filings
    }

    /// Counts a data set that is in memory.
    pub fn of(dataset: &DataSet) -> Self {
        let mut counter = Counter::default();
        let by_filing = dataset.by_filing();
        for rows in by_filing.values() {
            counter.chunks(rows.iter().filter_map(|i| dataset.chunks.get(*i)));
        }
        match &dataset.filings {
            Some(filings) => filings.iter().for_each(|f| counter.filing(f)),
            None => counter.filings = by_filing.len(),
        }
        counter.finish(&dataset.queries, dataset.rivals.as_deref().unwrap_or_default()).0
    }
}

/// Statistics under way.
#[derive(Default)]
pub(super) struct Counter {
    filings: usize,
    invented: usize,
    companies: BTreeSet<String>,
    filed: Option<(String, String)>,
    forms: BTreeMap<String, usize>,
    chunk_chars: Distribution,
    filing_chunks: Distribution,
}

/// What the plots of a card show, beside its [`Statistics`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Shown {
    /// Chunks by their length in code points.
    pub(super) chunk_chars: Distribution,
    /// Queries by how many rivals are listed for them.
    pub(super) rivals: Distribution,
}

impl Counter {
    pub(super) fn filing(&mut self, filing: &FilingRow) {
        self.filings += 1;
        self.invented += usize::from(is_invented(filing.cik.as_deref(), filing.accession.as_deref()));
        if let Some(company) = filing.cik.as_ref().or(filing.company.as_ref())
            && !self.companies.contains(company)
        {
            self.companies.insert(company.clone());
        }
        if let Some(form) = &filing.form {
            *self.forms.entry(form.clone()).or_default() += 1;
        }
        if let Some(day) = &filing.filed {
            match &mut self.filed {
                None => self.filed = Some((day.clone(), day.clone())),
                Some((first, _)) if day < first => *first = day.clone(),
                Some((_, last)) if day > last => *last = day.clone(),
                Some(_) => {}
            }
        }
    }

    /// The chunks of one filing.
    pub(super) fn chunks<'c>(&mut self, chunks: impl Iterator<Item = &'c Chunk>) {
        let before = self.chunk_chars.total();
        chunks.for_each(|c| self.chunk_chars.add(c.text.chars().count()));
        self.filing_chunks.add(self.chunk_chars.total() - before);
    }

    pub(super) fn finish(self, queries: &[Query], rivals: &[RivalSet]) -> (Statistics, Shown) {
        let mut queries_by_fact = BTreeMap::new();
        for fact in queries.iter().filter_map(|q| q.fact.as_ref()) {
            *queries_by_fact.entry(fact.clone()).or_default() += 1;
        }
        let mut competing: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for set in rivals {
            let members = competing.entry(&set.fact).or_default();
            members.extend(set.rivals.iter().chain(Some(&set.gold)).map(String::as_str).filter(|id| !id.is_empty()));
        }
        let shown = Shown { rivals: rivals.iter().map(|r| r.rivals.len()).collect(), chunk_chars: self.chunk_chars };
        let statistics = Statistics {
            filings: self.filings,
            invented: self.invented,
            companies: self.companies.len(),
            filed: self.filed,
            forms: self.forms,
            chunks: shown.chunk_chars.total(),
            chunk_chars: shown.chunk_chars.range(),
            filing_chunks: self.filing_chunks.range(),
            queries: queries.len(),
            queries_by_fact,
            with_evidence: queries.iter().filter(|q| q.golds.iter().any(|g| g.role == Role::Evidence)).count(),
            with_alternatives: queries.iter().filter(|q| !q.alternatives.is_empty()).count(),
            competing: competing.into_iter().map(|(fact, members)| (fact.to_owned(), members.len())).collect(),
            rivals: shown.rivals.range(),
        };
        (statistics, shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn counts_what_is_there() {
        let set = testing::dataset(3);
        let s = Statistics::of(&set);
        assert_eq!(
            (s.filings, s.companies, s.chunks, s.queries, s.with_evidence, s.with_alternatives),
            (3, 3, 12, 3, 3, 3)
        );
        assert_eq!(s.competing["charges"], 3);
        assert_eq!(s.rivals, Range { min: 2, median: 2, max: 2 });
        assert_eq!(s.filing_chunks, Range { min: 4, median: 4, max: 4 });
        assert_eq!(s.filed, Some(("2024-03-01".into(), "2024-03-03".into())));
        assert_eq!(Statistics::of(&DataSet::default()), Statistics::default());
    }
}
