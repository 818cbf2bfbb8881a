//! The first place, factor by factor: the filing, then the sentence in it.
//!
//! standard_recall@1 = P(filing right at 1) · P(sentence right at 1 | filing right) · (share of a query's answers that one
//! sentence is). The last factor is 1 where every query has one answer. Under ties each probability is the share of the top
//! tie, so the product holds for expected values as well, and not only on average over drawn orders.

use serde::{Deserialize, Serialize};

use crate::Options;
use crate::certainty::{Column, ratio_intervals};

/// `standard_recall@1` taken apart. It is computed over the queries whose answer's filing is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FirstPlace {
    /// Share of queries whose first document is of the answer's filing.
    pub filing_right: f64,
    /// Of those, the share whose first document is an answer; `None` when the filing is never right.
    pub sentence_right_given_filing: Option<f64>,
    /// Share of the answers that the first document is, where it is one: below 1 where queries have several answers.
    /// `None` when no first document is an answer.
    #[serde(default)]
    pub answer_share: Option<f64>,
    /// The product: `standard_recall@1` over these queries.
    #[serde(default)]
    pub standard_recall: f64,
    /// Bootstrap interval of [`Self::filing_right`].
    #[serde(default)]
    pub filing_right_interval: Option<[f64; 2]>,
    /// Bootstrap interval of [`Self::sentence_right_given_filing`], resampled as the ratio it is.
    #[serde(default)]
    pub sentence_right_given_filing_interval: Option<[f64; 2]>,
    /// Bootstrap interval of [`Self::standard_recall`].
    #[serde(default)]
    pub standard_recall_interval: Option<[f64; 2]>,
    /// How many queries this is about.
    pub queries: usize,
}

/// Collects the factors query by query.
#[derive(Debug, Default)]
pub(super) struct Tally {
    filing: Vec<f64>,
    sentence: Vec<f64>,
    recall: Vec<f64>,
    known: Vec<f64>,
}

impl Tally {
    /// Takes a query: the shares of its top tie that are of the answer's filing and that answer, and its number of answers.
    /// `None` where the filing is not known.
    pub(super) fn push(&mut self, query: Option<(f64, f64, usize)>) {
        let (filing, sentence, answers) = query.unwrap_or((0.0, 0.0, 1));
        self.filing.push(filing);
        self.sentence.push(sentence);
        self.recall.push(sentence / answers.max(1) as f64);
        self.known.push(f64::from(query.is_some()));
    }

    /// The means; `None` where no query's filing is known.
    pub(super) fn finish(self, clusters: &[usize], options: &Options) -> Option<FirstPlace> {
        let queries = self.known.iter().filter(|k| **k > 0.0).count();
        if queries == 0 {
            return None;
        }
        let sum = |column: &[f64]| column.iter().sum::<f64>();
        let (filing, sentence, recall) = (sum(&self.filing), sum(&self.sentence), sum(&self.recall));
        let columns = [
            Column { sums: self.filing.clone(), weights: self.known.clone() },
            Column { sums: self.sentence, weights: self.filing },
            Column { sums: self.recall, weights: self.known },
        ];
        let mut intervals = ratio_intervals(&columns, clusters, options).into_iter().map(|i| Some([i?.low, i?.high]));
        let mut interval = || intervals.next().flatten();
        Some(FirstPlace {
            filing_right: filing / queries as f64,
            sentence_right_given_filing: (filing > 0.0).then(|| sentence / filing),
            answer_share: (sentence > 0.0).then(|| recall / sentence),
            standard_recall: recall / queries as f64,
            filing_right_interval: interval(),
            sentence_right_given_filing_interval: interval(),
            standard_recall_interval: interval(),
            queries,
        })
    }
}

#[cfg(test)]
mod tests {
    use eightk_core::{Hit, Qrels, Run};
    use proptest::prelude::*;

    use super::*;
    use crate::{Filings, Judgements, Metric, score};

    /// Documents of three filings, `a`, `b` and `c`.
    const DOCUMENTS: [&str; 6] = ["a#1", "a#2", "b#1", "b#2", "c#1", "c#2"];

    fn scored(answers: &[Vec<usize>], scores: &[Vec<Option<u8>>], options: &Options) -> crate::SystemScores {
        let query = |i: usize| format!("q{i}");
        let grades = |list: &Vec<usize>| list.iter().map(|d| (DOCUMENTS[*d].to_owned(), 2)).collect();
        let judgements = Judgements {
            qrels: Qrels { queries: answers.iter().enumerate().map(|(i, a)| (query(i), grades(a))).collect() },
            filing_of: Some(Filings::new(DOCUMENTS.iter().map(|d| (*d, &d[..1])))),
            clusters: (0..answers.len()).map(|i| (query(i), query(i))).collect(),
            ..Judgements::default()
        };
        let hits = |list: &Vec<Option<u8>>| {
            let hit = |(d, s): (&&str, &Option<u8>)| s.map(|s| Hit { id: (*d).into(), score: f64::from(s) });
            DOCUMENTS.iter().zip(list).filter_map(hit).collect()
        };
        let queries = scores.iter().enumerate().map(|(i, list)| (query(i), hits(list))).collect();
        let run = Run { system: "s".into(), queries };
        score(&run, &judgements, &[Metric::StandardRecall(1)], options).unwrap()
    }

    proptest! {
        #[test]
        fn the_factors_multiply_to_standard_recall(
            queries in prop::collection::vec((prop::collection::btree_set(0..6_usize, 1..3), prop::collection::vec(prop::option::weighted(0.8, 0_u8..3), 6)), 1..8)
        ) {
            let (answers, scores): (Vec<Vec<usize>>, Vec<_>) = queries.into_iter().map(|(a, s)| (a.into_iter().collect(), s)).unzip();
            let got = scored(&answers, &scores, &Options { draws: 0, ..Options::default() });
            let first = got.first_place.unwrap();
            let recall = got.metrics[0].value.unwrap().expected;
            let product = first.filing_right * first.sentence_right_given_filing.unwrap_or(0.0) * first.answer_share.unwrap_or(0.0);
            prop_assert!((product - recall).abs() < 1e-12, "{product} is not {recall}");
            prop_assert!((first.standard_recall - recall).abs() < 1e-12);
            if answers.iter().all(|a| a.len() == 1) {
                prop_assert!(first.answer_share.is_none_or(|s| s == 1.0), "one answer each: two factors suffice");
            }
            prop_assert!(first.filing_right <= 1.0 && first.sentence_right_given_filing.is_none_or(|s| s <= 1.0));
        }
    }

    #[test]
    fn each_factor_has_its_interval() {
        // The filing is right in half of 40 queries, the sentence in half of those.
        let answers = vec![vec![0]; 40];
        let scores: Vec<Vec<Option<u8>>> = (0..40)
            .map(|i| match i % 4 {
                0 => vec![Some(1)],
                1 => vec![None, Some(1)],
                _ => vec![None, None, Some(1)],
            })
            .collect();
        let first = scored(&answers, &scores, &Options::default()).first_place.unwrap();
        assert_eq!((first.filing_right, first.sentence_right_given_filing), (0.5, Some(0.5)));
        let [low, high] = first.filing_right_interval.unwrap();
        assert!((low - 0.35).abs() < 0.03 && (high - 0.65).abs() < 0.03, "{low} {high}");
        // As if 20 queries: 1.96 · √(.25 / 20) = .219.
        let [low, high] = first.sentence_right_given_filing_interval.unwrap();
        assert!((low - 0.28).abs() < 0.04 && (high - 0.72).abs() < 0.04, "{low} {high}");
        let interval = scored(&answers, &scores, &Options::default()).metrics[0].value.unwrap();
        assert_eq!(first.standard_recall_interval, Some([interval.low.unwrap(), interval.high.unwrap()]));
    }
}
