//! How often the answer would be first in a smaller corpus.
//!
//! A corpus of a thousand sentences is easier than one of a million, by how much depends on the system. The rank of the answer
//! in the whole corpus says what it would be among n of its chunks drawn at random: the same question as with rivals, asked
//! of everything that does not answer.

use super::points::{CurvePoint, averaged};
use super::recall::AnswerPlaces;
use super::rivals::Contest;
use crate::Options;

/// A point of a curve over corpus sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorpusPoint {
    /// The mean, with answers that were not retrieved counted as failures.
    pub point: CurvePoint,
    /// The mean if each of them stood right below what was retrieved, with nothing level: no ranking that begins with what was
    /// retrieved gives more.
    pub at_most: f64,
}

/// At each n the mean probability that an answer is first among itself and n chunks drawn at random from those that do not
/// answer; a corpus of `chunks` in all, or all of them where n is more. `clusters[q]` numbers the filing of query `q`.
///
/// Of several answers the best counts: it stands above the others in every draw. An answer that was not retrieved stands
/// *somewhere* below the depth that was; the curve counts it as a failure at every n > 0, a lower bound, as recall does, and
/// [`CorpusPoint::at_most`] is the upper one. The two part only where n is small against the corpus over the depth, and meet
/// at the whole corpus, where both are the probability that an answer is first (`standard_recall@1`, for one answer). The
/// road not taken is to call it level with all that was not retrieved, as among rivals: for a cut ranking of a hundred thousand
/// chunks that says half of them stand above it, which nobody has observed.
pub fn corpus_curve(
    queries: &[AnswerPlaces],
    clusters: &[usize],
    chunks: usize,
    ns: &[usize],
    options: &Options,
) -> Vec<CorpusPoint> {
    let lower = averaged(ns, queries.len(), clusters, options, |q, n| on_top_of(queries.get(q)?, chunks, n, false));
    let none = Options { draws: 0, ..*options };
    let upper = averaged(ns, queries.len(), clusters, &none, |q, n| on_top_of(queries.get(q)?, chunks, n, true));
    lower.into_iter().zip(upper).map(|(point, upper)| CorpusPoint { point, at_most: upper.value }).collect()
}

/// For one query; `lucky` where an answer that was not retrieved is right below what was.
fn on_top_of(query: &AnswerPlaces, chunks: usize, n: usize, lucky: bool) -> Option<f64> {
    if query.places.is_empty() {
        return None;
    }
    let others = chunks.saturating_sub(query.places.len());
    let contest = match query.best() {
        Some((tie, answers)) => {
            let level = tie.size.saturating_sub(answers);
            Contest { rivals: others, above: tie.rank.saturating_sub(1), level, answers }
        }
        None => {
            let above = if lucky { query.retrieved.min(others) } else { others };
            Contest { rivals: others, above, level: 0, answers: 1 }
        }
    };
    contest.on_top_of(n.min(others))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::recall::Tie;
    use super::*;

    /// Places of an answer in a corpus, retrieved down to a depth that no tie straddles.
    fn query(chunks: usize) -> impl Strategy<Value = AnswerPlaces> {
        (1..=chunks, 1..=chunks, prop::bool::weighted(0.8)).prop_map(move |(rank, size, found)| {
            let size = size.min(chunks + 1 - rank);
            let retrieved = if found { rank + size - 1 } else { rank - 1 };
            AnswerPlaces { places: vec![found.then_some(Tie { rank, size })], retrieved }
        })
    }

    proptest! {
        #[test]
        fn at_all_chunks_it_is_recall_at_1(queries in prop::collection::vec(query(50), 1..10)) {
            let options = Options { draws: 50, ..Options::default() };
            let clusters: Vec<usize> = (0..queries.len()).collect();
            let curve = corpus_curve(&queries, &clusters, 50, &[1, 7, 49, 1_000], &options);
            let recall = super::super::recall_curve(&queries, &clusters, &[1], &options);
            for all in &curve[2..] {
                prop_assert!((all.point.value - recall[0].value).abs() < 1e-12);
                prop_assert_eq!(all.point.low.is_some(), recall[0].low.is_some());
                prop_assert!((all.point.low.unwrap_or(0.0) - recall[0].low.unwrap_or(0.0)).abs() < 1e-12);
            }
            for (a, b) in curve.iter().zip(&curve[1..]) {
                prop_assert!(a.point.value >= b.point.value - 1e-14 && a.at_most >= b.at_most - 1e-14);
            }
            prop_assert!(curve.iter().all(|p| p.at_most >= p.point.value - 1e-14));
        }
    }

    #[test]
    fn not_retrieved_lies_between_two_bounds() {
        let lost = AnswerPlaces { places: vec![None], retrieved: 10 };
        let missing = AnswerPlaces { places: vec![None], retrieved: 0 };
        let at = |q: &AnswerPlaces| corpus_curve(std::slice::from_ref(q), &[0], 101, &[1, 5, 100], &Options::default());
        assert!(at(&lost).iter().all(|p| p.point.value == 0.0));
        // Ten of a hundred above it.
        assert!((at(&lost)[0].at_most - 0.9).abs() < 1e-15);
        assert_eq!(at(&lost)[2].at_most, 0.0);
        assert!(at(&missing).iter().all(|p| p.at_most == 1.0), "a run that lacks the query has shown nothing");
    }

    #[test]
    fn of_several_answers_the_best_counts() {
        let both = AnswerPlaces {
            places: vec![
                None,
                Some(Tie { rank: 9, size: 1 }),
                Some(Tie { rank: 1, size: 3 }),
                Some(Tie { rank: 1, size: 3 }),
            ],
            retrieved: 10,
        };
        let curve = corpus_curve(&[both], &[0], 104, &[100], &Options::default());
        assert!((curve[0].point.value - 2.0 / 3.0).abs() < 1e-12, "two answers and one other in the first tie");
    }
}
