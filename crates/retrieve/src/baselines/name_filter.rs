//! The cheap baseline that a contextual model has to beat: find the filing by its name, then the sentence by its words.
//!
//! A title matches as far as the query holds its name. With the weights idf over the names of all filings,
//! `match = matched² / total`: what is matched, times the share of the name that it is. The share alone would put a company called
//! *Paper* level with *Northern Paper*; the amount alone would not see that half a name is missing.
//! Filings that match equally well stay in together: two filings of one company have one name, and no rule here should
//! choose between them.

use std::collections::HashMap;

use eightk_core::{FilingDate, Form, Hit};

use crate::bm25::idf;
use crate::{Analyzer, Bm25, Bm25Options, Corpus, Description, QueryInput, RetrieveError, System, View};

/// The best matching filings' chunks, ranked by BM25 (bare, statistics of the whole corpus); nothing else is returned, and
/// nothing at all when no title shares a word with the query.
#[derive(Debug)]
pub struct NameFilter<'c, 'a> {
    corpus: &'c Corpus<'a>,
    analyzer: Analyzer,
    inside: Bm25<'c, 'a>,
    /// Filings whose name holds a term.
    postings: HashMap<String, Vec<u32>>,
    /// Per filing, the summed weight of its name.
    totals: Vec<f64>,
    /// Per chunk, its filing.
    filing_of: Vec<u32>,
    description: Description,
}

impl<'c, 'a> NameFilter<'c, 'a> {
    /// # Errors
    ///
    /// [`RetrieveError::NoTitles`] when no filing has a title, [`RetrieveError::TooLarge`].
    pub fn new(name: &str, corpus: &'c Corpus<'a>, options: Bm25Options) -> Result<Self, RetrieveError> {
        if corpus.titled() == 0 && !corpus.is_empty() {
            return Err(RetrieveError::NoTitles(name.to_owned()));
        }
        let analyzer = options.analyzer();
        let inside = Bm25::new(name, corpus, &View::BARE, options)?;
        let mut postings: HashMap<String, Vec<u32>> = HashMap::new();
        let mut names = Vec::new();
        let mut filing_of = Vec::with_capacity(corpus.len());
        for (number, filing) in (0u32..).zip(corpus.filings()) {
            filing_of.extend(filing.chunks.iter().map(|_| number));
            let terms = distinct(&analyzer, company(filing.title));
            for term in &terms {
                postings.entry(term.clone()).or_default().push(number);
            }
            names.push(terms);
        }
        let weight = |term: &String| postings.get(term).map(|filings| idf(names.len(), filings.len()));
        let totals = names.iter().map(|terms| sum(terms.iter().filter_map(weight).collect())).collect();
        let mut description = Description::new(
            name,
            "name-filter",
            "The filing whose title best matches the query's name, then BM25 inside it",
        )
        .with(
            "match",
            "matched^2 / total idf of the title's name (form and date left out); equal matches stay together",
        )
        .with("filings with a title", format!("{} of {}", corpus.titled(), names.len()));
        for (setting, value) in &inside.description().settings {
            description = description.with(setting, value.as_str());
        }
        Ok(Self { corpus, analyzer, inside, postings, totals, filing_of, description })
    }

    /// The filings that match best, by number and in order; none when no name shares a term with the text.
    fn best(&self, text: &str) -> Vec<u32> {
        let mut matched: HashMap<u32, Vec<f64>> = HashMap::new();
        for term in distinct(&self.analyzer, text) {
            let filings = self.postings.get(&term).map(Vec::as_slice).unwrap_or_default();
            let weight = idf(self.totals.len(), filings.len());
            for filing in filings {
                matched.entry(*filing).or_default().push(weight);
            }
        }
        let mut scored: Vec<(u32, f64)> = matched
            .into_iter()
            .map(|(filing, weights)| {
                let matched = sum(weights);
                let total = self.totals.get(filing as usize).copied().unwrap_or(matched);
                (filing, matched * matched / total)
            })
            .collect();
        let best = scored.iter().map(|(_, score)| *score).fold(0.0, f64::max);
        scored.retain(|(_, score)| *score == best);
        let mut filings: Vec<u32> = scored.into_iter().map(|(filing, _)| filing).collect();
        filings.sort_unstable();
        filings
    }
}

impl System for NameFilter<'_, '_> {
    fn description(&self) -> &Description {
        &self.description
    }

    fn search(&self, query: &QueryInput<'_>, k: usize) -> Result<Vec<Hit>, RetrieveError> {
        let filings = self.best(query.text);
        let among = |chunk: u32| self.filing_of.get(chunk as usize).is_some_and(|f| filings.binary_search(f).is_ok());
        Ok(self.corpus.hits(self.inside.top(query.text, k, among)))
    }
}

/// The name in a title of the form `{name} 8-K {date}`; any other title is all name.
fn company(title: &str) -> &str {
    let named = || {
        let (rest, date) = title.trim_end().rsplit_once(' ')?;
        let (name, form) = rest.trim_end().rsplit_once(' ')?;
        (date.parse::<FilingDate>().is_ok() && Form::parse(form).is_some()).then_some(name)
    };
    named().unwrap_or(title)
}

fn distinct(analyzer: &Analyzer, text: &str) -> Vec<String> {
    let mut terms: Vec<String> = analyzer.terms(text).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Smallest first, so that equal weights give equal sums whatever words they belong to.
fn sum(mut weights: Vec<f64>) -> f64 {
    weights.sort_unstable_by(f64::total_cmp);
    weights.into_iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::filings;

    fn find(titles: &[&str], query: &str) -> Vec<String> {
        let rows: Vec<(&str, &[&str])> = titles
            .iter()
            .map(|t| (*t, &["A matter of form.", "The Company expects charges of $4 million."][..]))
            .collect();
        let rows = filings(&rows);
        let corpus = Corpus::new(&rows).unwrap();
        let system = NameFilter::new("name-filter", &corpus, Bm25Options::default()).unwrap();
        let hits = system.search(&QueryInput { id: "q0", text: query }, 10).unwrap();
        hits.into_iter().map(|h| h.id).collect()
    }

    #[test]
    fn the_named_filing_and_no_other() {
        let titles =
            ["Brackwater Foods 8-K 2024-02-01", "Tallowmere Labs 8-K 2024-03-01", "Orrin Foods 8-K/A 2023-03-01"];
        assert_eq!(find(&titles, "What charges does Tallowmere Labs expect?"), ["f1#s1"]);
        assert_eq!(find(&titles, "What charges does Orrin Foods expect?"), ["f2#s1"]);
        assert_eq!(find(&titles, "What charges are expected?"), [""; 0], "no name, nothing found");
    }

    #[test]
    fn a_longer_name_beats_one_inside_it() {
        let titles = ["Paper 8-K 2024-02-01", "Continental Paper 8-K 2024-02-01", "Continental Gas 8-K 2024-02-01"];
        assert_eq!(find(&titles, "charges Continental Paper expects"), ["f1#s1"]);
        assert_eq!(find(&titles, "charges Paper expects"), ["f0#s1"]);
    }

    #[test]
    fn filings_of_one_name_stay_together_whatever_their_dates() {
        let titles = ["Tallowmere 8-K 2024-03-01", "Orrin 8-K 2023-01-01", "Tallowmere 8-K 1997-12-31"];
        assert_eq!(find(&titles, "Tallowmere's charges in 2024"), ["f0#s1", "f2#s1"]);
    }

    #[test]
    fn a_title_of_another_form_is_all_name() {
        assert_eq!(company("Orrin Foods 8-K 2024-02-01"), "Orrin Foods");
        assert_eq!(company("Orrin Foods 8-K/A 2024-02-01 "), "Orrin Foods");
        assert_eq!(company("Orrin Foods 2024-02-01"), "Orrin Foods 2024-02-01");
        assert_eq!(company("8-K 2024-02-01"), "8-K 2024-02-01");
        assert_eq!(company(""), "");
    }

    #[test]
    fn without_titles_there_is_no_such_baseline() {
        let rows = filings(&[("", &["x"])]);
        let corpus = Corpus::new(&rows).unwrap();
        let error = NameFilter::new("name-filter", &corpus, Bm25Options::default()).unwrap_err();
        assert!(error.to_string().contains("title"), "{error}");
    }
}
