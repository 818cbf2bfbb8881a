//! Recall at every depth, from where the answers stand.

use super::points::{CurvePoint, averaged};
use crate::Options;

/// Where a document stands: its tie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tie {
    /// First rank of the tie, from 1.
    pub rank: usize,
    /// How many documents share it, at least 1.
    pub size: usize,
}

impl Tie {
    /// Probability that one document of the tie is among the first k: the share of its ranks that lies within k.
    pub fn within(self, k: usize) -> f64 {
        let size = self.size.max(1);
        let inside = k.saturating_sub(self.rank.saturating_sub(1)).min(size);
        inside as f64 / size as f64
    }
}

/// Where one query's answers stand in one ranking.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnswerPlaces {
    /// One entry per answer; `None` for an answer that was not retrieved. Without entries the query has nothing to be found,
    /// and no value.
    pub places: Vec<Option<Tie>>,
    /// Documents retrieved for the query; 0 where the run lacks it.
    pub retrieved: usize,
}

impl AnswerPlaces {
    /// Expected share of the answers among the first k.
    pub fn recall(&self, k: usize) -> Option<f64> {
        let found: f64 = self.places.iter().flatten().map(|tie| tie.within(k)).sum();
        (!self.places.is_empty()).then(|| found / self.places.len() as f64)
    }

    /// The best answer's tie, and how many of the answers are in it.
    pub fn best(&self) -> Option<(Tie, usize)> {
        let best = self.places.iter().flatten().min()?;
        Some((*best, self.places.iter().flatten().filter(|tie| tie.rank == best.rank).count()))
    }
}

/// `standard_recall@k` at each of the ks, expected over a random order inside ties, as its mean over queries with a band.
///
/// A set's members in a tie lie within k with one and the same probability, so the mean is linear in them and nothing but
/// each one's tie is needed (McSherry & Najork, ECIR 2008). Beyond the depth that was retrieved the curve is flat, which
/// says nothing of the system: ask for no k beyond it. `clusters[q]` numbers the filing of query `q`.
pub fn recall_curve(queries: &[AnswerPlaces], clusters: &[usize], ks: &[usize], options: &Options) -> Vec<CurvePoint> {
    averaged(ks, queries.len(), clusters, options, |q, k| queries.get(q)?.recall(k))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use eightk_core::{Hit, Qrels, Run};
    use proptest::prelude::*;

    use super::*;
    use crate::{Judgements, Metric, score};

    const KS: [usize; 4] = [1, 5, 10, 20];

    /// The tie of a document, from the definition.
    fn tie(hits: &[Hit], id: &str) -> Option<Tie> {
        let score = hits.iter().find(|h| h.id == id)?.score;
        let rank = 1 + hits.iter().filter(|h| h.score > score).count();
        Some(Tie { rank, size: hits.iter().filter(|h| h.score == score).count() })
    }

    #[test]
    fn the_share_of_a_tie_within_k() {
        let tie = Tie { rank: 3, size: 4 };
        let shares: Vec<f64> = (0..9).map(|k| tie.within(k)).collect();
        assert_eq!(shares, [0.0, 0.0, 0.0, 0.25, 0.5, 0.75, 1.0, 1.0, 1.0]);
        assert_eq!(Tie { rank: 0, size: 0 }.within(1), 1.0, "no place, yet no panic");
    }

    #[test]
    fn no_answers_no_value() {
        let curve = recall_curve(&[AnswerPlaces::default()], &[0], &[1], &Options::default());
        assert_eq!(curve, []);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// The curve at k is the score at k: value, band and number of queries.
        #[test]
        fn runs_through_the_scores(
            queries in prop::collection::vec(
                (prop::option::of(prop::collection::vec(0_i8..4, 0..30)), prop::collection::vec(0_usize..40, 0..4), 0_u8..4),
                1..12,
            ),
        ) {
            let (mut qrels, mut run, mut clusters) = (Qrels::default(), Run::default(), BTreeMap::new());
            let mut places = BTreeMap::new();
            for (q, (scores, golds, filing)) in queries.iter().enumerate() {
                let query = format!("q{q}");
                let grades = golds.iter().map(|g| (format!("d{g}"), 2)).chain([("e".to_owned(), 1)]);
                let grades: BTreeMap<String, i64> = grades.collect();
                let hits: Option<Vec<Hit>> = scores.as_ref().map(|s| {
                    s.iter().enumerate().map(|(d, s)| Hit { id: format!("d{d}"), score: f64::from(*s) }).collect()
                });
                let answers = grades.iter().filter(|g| *g.1 == 2).map(|g| tie(hits.as_deref().unwrap_or_default(), g.0));
                places.insert(query.clone(), AnswerPlaces { places: answers.collect(), retrieved: 0 });
                clusters.insert(query.clone(), format!("f{filing}"));
                qrels.queries.insert(query.clone(), grades);
                if let Some(hits) = hits {
                    run.queries.insert(query, hits);
                }
            }
            prop_assume!(!run.queries.is_empty() && places.values().any(|p| !p.places.is_empty()));
            let judgements = Judgements { qrels, clusters, ..Judgements::default() };
            let options = Options { draws: 200, ..Options::default() };
            let metrics = KS.map(Metric::StandardRecall);
            let scores = score(&run, &judgements, &metrics, &options).unwrap();
            let places: Vec<AnswerPlaces> = places.into_values().collect();
            for (point, k) in recall_curve(&places, &scores.clusters, &KS, &options).iter().zip(KS) {
                let value = scores.metric(Metric::StandardRecall(k)).unwrap().value.unwrap();
                prop_assert!((point.value - value.expected).abs() < 1e-12);
                prop_assert_eq!((point.x, point.queries), (k, value.queries));
                for (a, b) in [(point.low, value.low), (point.high, value.high)] {
                    prop_assert_eq!(a.is_some(), b.is_some());
                    prop_assert!((a.unwrap_or(0.0) - b.unwrap_or(0.0)).abs() < 1e-12);
                }
            }
        }
    }
}
