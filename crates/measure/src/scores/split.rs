//! A score cut by what its queries have in common: the fact, the number of rivals, how far the evidence is, whether there is
//! any.
//!
//! A mean over queries of different kinds hides which kind it comes from. A split names a label per query and makes no
//! assumption about what it means, so the same few lines serve every cut. Intervals take filings whole, as everywhere, and
//! draw from those that have the label; a label met in one filing only has none.

use std::collections::BTreeMap;

use eightk_core::Qrels;
use serde::{Deserialize, Serialize};

use super::score::mean;
use crate::certainty::intervals;
use crate::{MeasureError, Metric, Options, SystemScores, Value};

/// A label per query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// What it splits by, for headings: `fact`, `rivals`, `distance`.
    pub name: String,
    /// The labels, in the order they are shown.
    pub labels: Vec<String>,
    /// Position of each query's label in [`Self::labels`]. A query that is not here has none.
    pub of: BTreeMap<String, usize>,
}

impl Split {
    /// From pairs of query and label, labels in byte order.
    pub fn new<Q: Into<String>, L: Into<String>>(name: &str, pairs: impl IntoIterator<Item = (Q, L)>) -> Self {
        let named: BTreeMap<String, String> = pairs.into_iter().map(|(q, l)| (q.into(), l.into())).collect();
        let mut labels: Vec<String> = named.values().cloned().collect();
        labels.sort_unstable();
        labels.dedup();
        let at = |label: &String| labels.binary_search(label).ok();
        let of = named.iter().filter_map(|(query, label)| Some((query.clone(), at(label)?))).collect();
        Self { name: name.to_owned(), labels, of }
    }

    /// From a number per query and the lower ends of the buckets: `[0, 1, 5]` makes `0`, `1–4` and `5+`. Numbers below the
    /// first lower end have no label.
    pub fn buckets(name: &str, numbers: impl IntoIterator<Item = (String, usize)>, lower: &[usize]) -> Self {
        let mut lower = lower.to_vec();
        lower.sort_unstable();
        lower.dedup();
        let label = |(i, from): (usize, &usize)| match lower.get(i + 1) {
            None => format!("{from}+"),
            Some(next) if next - from == 1 => from.to_string(),
            Some(next) => format!("{from}–{}", next - 1),
        };
        let labels = lower.iter().enumerate().map(label).collect();
        let bucket = |n: usize| lower.partition_point(|from| *from <= n).checked_sub(1);
        let of = numbers.into_iter().filter_map(|(query, n)| Some((query, bucket(n)?))).collect();
        Self { name: name.to_owned(), labels, of }
    }

    /// By |D|, the number of rivals and the answer itself, for queries that have both. `lower` as for [`Self::buckets`].
    pub fn by_size_of_d(scores: &SystemScores, lower: &[usize]) -> Self {
        let contested = scores.queries.iter().filter(|q| q.answers > 0 && q.rivals > 0);
        Self::buckets("|D|", contested.map(|q| (q.query.clone(), q.rivals + 1)), lower)
    }

    /// By whether a query has evidence beside its answer. Queries without an answer have no label.
    pub fn by_evidence(qrels: &Qrels) -> Self {
        let answer = qrels.answer_grade();
        let label = |grades: &BTreeMap<String, i64>| {
            let evident = grades.values().any(|g| *g > 0 && *g < answer);
            grades.values().any(|g| *g >= answer).then_some(usize::from(!evident))
        };
        let of = qrels.queries.iter().filter_map(|(query, grades)| Some((query.clone(), label(grades)?))).collect();
        Self { name: "evidence".into(), labels: vec!["with".into(), "without".into()], of }
    }
}

/// A metric by label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SplitScores {
    /// The system.
    pub system: String,
    /// What it is split by.
    pub split: String,
    /// The metric.
    pub metric: Metric,
    /// One entry per label, in the order of the labels.
    pub parts: Vec<Part>,
    /// Queries with a value and without a label: in no part.
    pub unlabelled: usize,
}

/// The queries of one label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The label.
    pub label: String,
    /// Judged queries that have it.
    pub queries: usize,
    /// Mean, interval, chance and number of those with a value; `None` where there are none.
    pub value: Option<Value>,
}

/// Cuts a metric by label.
///
/// # Errors
/// The system was not scored with the metric.
pub fn split(
    scores: &SystemScores,
    metric: Metric,
    split: &Split,
    options: &Options,
) -> Result<SplitScores, MeasureError> {
    let Some(column) = scores.metric(metric) else {
        return Err(MeasureError::NotScored { system: scores.name.clone(), metric });
    };
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); split.labels.len()];
    let mut unlabelled = 0;
    for (i, (query, value)) in scores.queries.iter().zip(&column.per_query).enumerate() {
        match split.of.get(&query.query).and_then(|label| members.get_mut(*label)) {
            Some(list) => list.push(i),
            None => unlabelled += usize::from(value.is_some()),
        }
    }
    let part = |(label, members): (&String, &Vec<usize>)| {
        let rows = || members.iter().filter_map(|i| Some((scores.queries.get(*i)?, column.per_query.get(*i)?)));
        let expected: Vec<Option<f64>> = rows().map(|(_, value)| value.map(|v| v.expected)).collect();
        let interval = intervals(&[expected], &renumbered(&scores.clusters, members), options).into_iter().next();
        Part { label: label.clone(), queries: members.len(), value: mean(metric, rows(), interval.flatten()) }
    };
    Ok(SplitScores {
        system: scores.name.clone(),
        split: split.name.clone(),
        metric,
        parts: split.labels.iter().zip(&members).map(part).collect(),
        unlabelled,
    })
}

/// The clusters of some queries, numbered from 0 without gaps, in the order of their numbers.
fn renumbered(clusters: &[usize], members: &[usize]) -> Vec<usize> {
    let of: Vec<usize> = members.iter().filter_map(|i| clusters.get(*i).copied()).collect();
    let mut distinct = of.clone();
    distinct.sort_unstable();
    distinct.dedup();
    of.iter().map(|cluster| distinct.partition_point(|c| c < cluster)).collect()
}

#[cfg(test)]
mod tests {
    use eightk_core::{Hit, Run};
    use proptest::prelude::*;

    use super::*;
    use crate::{Judgements, score};

    const METRIC: Metric = Metric::StandardRecall(1);

    /// A system that answers query `i` where `found[i]`; queries in even places have evidence.
    fn scored(found: &[bool], rivals: impl Fn(usize) -> usize) -> (Judgements, SystemScores) {
        let query = |i: usize| format!("q{i:03}");
        let grades = |i: usize| {
            let evidence = i.is_multiple_of(2).then(|| ("evidence".to_owned(), 1));
            BTreeMap::from_iter([("gold".to_owned(), 2)].into_iter().chain(evidence))
        };
        let rivals = |i| (0..rivals(i)).map(|r| format!("rival {r}")).collect();
        let judgements = Judgements {
            qrels: Qrels { queries: (0..found.len()).map(|i| (query(i), grades(i))).collect() },
            rivals: Some((0..found.len()).map(|i| (query(i), rivals(i))).collect()),
            ..Judgements::default()
        };
        let hit = |found: bool| vec![Hit { id: if found { "gold" } else { "x" }.into(), score: 1.0 }];
        let queries = found.iter().enumerate().map(|(i, f)| (query(i), hit(*f))).collect();
        let run = Run { system: "s".into(), queries };
        let scores = score(&run, &judgements, &[METRIC, Metric::ResolvedAt1], &Options::default()).unwrap();
        (judgements, scores)
    }

    #[test]
    fn by_evidence() {
        let found: Vec<bool> = (0..40).map(|i| i % 2 == 0 || i % 4 == 1).collect();
        let (judgements, scores) = scored(&found, |_| 1);
        let by = Split::by_evidence(&judgements.qrels);
        let got = split(&scores, METRIC, &by, &Options::default()).unwrap();
        let rows: Vec<_> = got.parts.iter().map(|p| (p.label.as_str(), p.queries, p.value.unwrap().expected)).collect();
        assert_eq!(rows, [("with", 20, 1.0), ("without", 20, 0.5)]);
        let without = got.parts[1].value.unwrap();
        // Half of 20: .5 ± 1.96 · √(.25 / 20).
        assert!(
            (without.low.unwrap() - 0.28).abs() < 0.04 && (without.high.unwrap() - 0.72).abs() < 0.04,
            "{without:?}"
        );
        assert_eq!(got.unlabelled, 0);
    }

    #[test]
    fn by_size_of_d_with_the_chance_of_each_bucket() {
        let (_, scores) = scored(&[false; 12], |i| [0, 1, 3, 9][i % 4]);
        let by = Split::by_size_of_d(&scores, &[2, 3, 10]);
        assert_eq!(by.labels, ["2", "3–9", "10+"]);
        let got = split(&scores, Metric::ResolvedAt1, &by, &Options::default()).unwrap();
        for (part, chance) in got.parts.iter().zip([0.5, 0.25, 0.1]) {
            assert!((part.value.unwrap().chance.unwrap() - chance).abs() < 1e-12, "{part:?}");
        }
        assert_eq!(split(&scores, METRIC, &by, &Options::default()).unwrap().unlabelled, 3, "queries without rivals");
    }

    #[test]
    fn buckets_have_readable_labels_in_order() {
        let numbers = [0, 1, 4, 5, 50].map(|n| (format!("q{n}"), n));
        let by = Split::buckets("distance", numbers, &[5, 1]);
        assert_eq!(by.labels, ["1–4", "5+"]);
        let of: Vec<_> = by.of.iter().map(|(q, l)| (q.as_str(), *l)).collect();
        assert_eq!(of, [("q1", 0), ("q4", 0), ("q5", 1), ("q50", 1)]);
        assert!(Split::buckets("none", [("q".to_owned(), 1)], &[]).of.is_empty());
    }

    #[test]
    fn a_label_of_one_filing_has_no_interval_and_an_unknown_metric_no_split() {
        let (_, scores) = scored(&[true, false, true], |_| 0);
        let by = Split::new("fact", [("q000", "b"), ("q001", "a"), ("q002", "a"), ("elsewhere", "c")]);
        let got = split(&scores, METRIC, &by, &Options::default()).unwrap();
        let rows: Vec<_> =
            got.parts.iter().map(|p| (p.label.as_str(), p.queries, p.value.map(|v| (v.expected, v.low)))).collect();
        assert_eq!(rows, [("a", 2, Some((0.5, Some(0.0)))), ("b", 1, Some((1.0, None))), ("c", 0, None)]);
        assert!(split(&scores, Metric::Mrr, &by, &Options::default()).unwrap_err().is_user_mistake());
    }

    proptest! {
        /// Weighted by their queries, the parts make up the whole; the whole as one part is the whole.
        #[test]
        fn parts_make_up_the_whole(found in prop::collection::vec(any::<bool>(), 1..20), labels in prop::collection::vec("[abc]", 20)) {
            let (_, scores) = scored(&found, |_| 1);
            let ids: Vec<String> = scores.queries.iter().map(|q| q.query.clone()).collect();
            let options = Options { draws: 50, ..Options::default() };
            let parts = split(&scores, METRIC, &Split::new("l", ids.iter().zip(labels)), &options).unwrap();
            let sum: f64 = parts.parts.iter().filter_map(|p| p.value).map(|v| v.expected * v.queries as f64).sum();
            let whole = scores.metric(METRIC).unwrap().value.unwrap();
            prop_assert!((sum / found.len() as f64 - whole.expected).abs() < 1e-12);
            let one = split(&scores, METRIC, &Split::new("l", ids.iter().map(|q| (q, "all"))), &Options::default()).unwrap();
            prop_assert_eq!(one.parts[0].value, Some(whole));
        }
    }
}
