//! Two systems on the same queries: the difference, how sure it is, and how large one would have to be to be seen at all.

use serde::{Deserialize, Serialize};

use super::bootstrap::intervals;
use super::randomization::{holm, p_value};
use crate::{MeasureError, Metric, Options, SMOKE_TEST_BELOW, SystemScores};

/// Normal quantiles behind [`Comparison::detectable`]: two-sided 5 %, power 80 %.
const SIGNIFICANCE_AND_POWER: f64 = 1.959_963_985 + 0.841_621_234;

/// `a` against `b` on one metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// One system.
    pub a: String,
    /// The other, usually the baseline.
    pub b: String,
    /// On what.
    pub metric: Metric,
    /// Mean of `a` minus mean of `b` (expected values): positive where `a` has more.
    pub difference: f64,
    /// Lower end of the paired bootstrap interval, filings drawn whole; `None` with fewer than two filings or no draws.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Two-sided p-value of the paired randomization test, this comparison taken alone.
    pub p: f64,
    /// The same after Holm's correction over its family; `None` until [`correct`] has seen the family.
    #[serde(default)]
    pub p_holm: Option<f64>,
    /// The smallest true difference that a test at 5 % would find four times in five on queries like these; `None` where
    /// the differences do not vary or come from fewer than two filings.
    #[serde(default)]
    pub detectable: Option<f64>,
    /// Queries compared.
    pub queries: usize,
    /// Too few queries to conclude anything.
    pub smoke_test: bool,
}

/// Compares two systems on a metric both were scored with.
///
/// # Errors
/// The metric is missing from one of the two, or they were scored against different judgements.
pub fn compare(
    a: &SystemScores,
    b: &SystemScores,
    metric: Metric,
    options: &Options,
) -> Result<Comparison, MeasureError> {
    let column = |s: &SystemScores| {
        let found = s.metric(metric).map(|m| m.per_query.clone());
        found.ok_or_else(|| MeasureError::NotScored { system: s.name.clone(), metric })
    };
    let (of_a, of_b) = (column(a)?, column(b)?);
    let same_queries = a.queries.iter().map(|q| &q.query).eq(b.queries.iter().map(|q| &q.query));
    let same_gold = of_a.iter().map(Option::is_some).eq(of_b.iter().map(Option::is_some));
    if !same_queries || !same_gold || a.clusters != b.clusters {
        return Err(MeasureError::DifferentQueries { a: a.name.clone(), b: b.name.clone() });
    }
    let differences: Vec<Option<f64>> =
        of_a.iter().zip(&of_b).map(|(a, b)| Some(a.as_ref()?.expected - b.as_ref()?.expected)).collect();
    let queries = differences.iter().flatten().count();
    let mut sums: Vec<(f64, usize)> = vec![(0.0, 0); a.clusters.iter().max().map_or(0, |c| c + 1)];
    for (difference, cluster) in differences.iter().zip(&a.clusters) {
        if let (Some(d), Some(sum)) = (difference, sums.get_mut(*cluster)) {
            sum.0 += d;
            sum.1 += 1;
        }
    }
    sums.retain(|s| s.1 > 0);
    let difference = sums.iter().map(|s| s.0).sum::<f64>() / queries.max(1) as f64;
    let interval = intervals(&[differences], &a.clusters, options).into_iter().next().flatten();
    Ok(Comparison {
        a: a.name.clone(),
        b: b.name.clone(),
        metric,
        difference,
        low: interval.map(|i| i.low),
        high: interval.map(|i| i.high),
        p: p_value(&sums.iter().map(|s| s.0).collect::<Vec<_>>(), options),
        p_holm: None,
        detectable: standard_error(&sums, difference, queries).map(|se| se * SIGNIFICANCE_AND_POWER),
        queries,
        smoke_test: queries < SMOKE_TEST_BELOW,
    })
}

/// Every system against a baseline on every metric, corrected as one family per metric. Systems are compared in the
/// order given; the baseline is not compared with itself.
///
/// # Errors
/// As [`compare`].
pub fn compare_all(
    systems: &[SystemScores],
    baseline: &SystemScores,
    metrics: &[Metric],
    options: &Options,
) -> Result<Vec<Comparison>, MeasureError> {
    let mut all = Vec::new();
    for metric in metrics {
        let mut family = Vec::new();
        for system in systems.iter().filter(|s| s.name != baseline.name) {
            family.push(compare(system, baseline, *metric, options)?);
        }
        correct(&mut family);
        all.extend(family);
    }
    Ok(all)
}

/// Fills in [`Comparison::p_holm`], taking the comparisons given as one family.
pub fn correct(family: &mut [Comparison]) {
    let corrected = holm(&family.iter().map(|c| c.p).collect::<Vec<_>>());
    for (comparison, p) in family.iter_mut().zip(corrected) {
        comparison.p_holm = Some(p);
    }
}

/// Standard error of the mean difference with clusters as units. `sums` holds sum and number of differences by cluster.
fn standard_error(sums: &[(f64, usize)], mean: f64, queries: usize) -> Option<f64> {
    if sums.len() < 2 {
        return None;
    }
    let squares: f64 = sums.iter().map(|(sum, n)| (sum - mean * *n as f64).powi(2)).sum();
    let clusters = sums.len() as f64;
    let error = (squares * clusters / (clusters - 1.0)).sqrt() / queries as f64;
    (error > 0.0).then_some(error)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use eightk_core::{Hit, Qrels, Run};

    use super::*;
    use crate::{Judgements, score};

    const METRIC: Metric = Metric::StandardRecall(1);

    /// A system that finds the answer of query `i` exactly where `found(i)`, over `n` queries, `per` of each filing.
    fn system(name: &str, n: usize, per: usize, found: impl Fn(usize) -> bool) -> SystemScores {
        let query = |i: usize| format!("q{i:04}");
        let judgements = Judgements {
            qrels: Qrels { queries: (0..n).map(|i| (query(i), BTreeMap::from([("gold".into(), 2)]))).collect() },
            clusters: (0..n).map(|i| (query(i), format!("filing {}", i / per))).collect(),
            ..Judgements::default()
        };
        let hit = |i| vec![Hit { id: if found(i) { "gold" } else { "other" }.into(), score: 1.0 }];
        let run = Run { system: name.into(), queries: (0..n).map(|i| (query(i), hit(i))).collect() };
        score(&run, &judgements, &[METRIC], &Options::default()).unwrap()
    }

    #[test]
    fn a_clear_difference_is_found_and_signed() {
        let (good, poor) = (system("good", 40, 1, |i| i % 4 > 0), system("poor", 40, 1, |i| i % 4 == 1));
        let there = compare(&good, &poor, METRIC, &Options::default()).unwrap();
        assert!((there.difference - 0.5).abs() < 1e-12);
        assert!(there.low.unwrap() > 0.3 && there.high.unwrap() < 0.7 && there.p < 0.001, "{there:?}");
        assert!(!there.smoke_test);
        let back = compare(&poor, &good, METRIC, &Options::default()).unwrap();
        assert_eq!((back.difference, back.p), (-there.difference, there.p));
    }

    #[test]
    fn the_spelling_of_an_id_makes_no_difference() {
        // Both leave gold and another document level; only `trec_eval`'s order tells the two apart.
        let of = |other: &str| {
            let grades = BTreeMap::from([("gold".into(), 2)]);
            let qrels = Qrels { queries: BTreeMap::from([("q".into(), grades)]) };
            let hits = ["gold", other].map(|id| Hit { id: id.into(), score: 1.0 }).to_vec();
            let run = Run { system: other.into(), queries: BTreeMap::from([("q".into(), hits)]) };
            score(&run, &Judgements { qrels, ..Judgements::default() }, &[METRIC], &Options::default()).unwrap()
        };
        let (a, z) = (of("a"), of("z"));
        assert_ne!(a.metrics[0].value.unwrap().trec, z.metrics[0].value.unwrap().trec);
        assert_eq!(compare(&a, &z, METRIC, &Options::default()).unwrap().difference, 0.0);
    }

    #[test]
    fn no_difference_is_no_finding() {
        let a = system("a", 40, 1, |i| i % 3 == 0);
        let same = compare(&a, &system("b", 40, 1, |i| i % 3 == 0), METRIC, &Options::default()).unwrap();
        assert_eq!((same.difference, same.p, same.detectable), (0.0, 1.0, None));
        assert_eq!((same.low, same.high), (Some(0.0), Some(0.0)));
    }

    #[test]
    fn copies_of_a_filing_add_no_significance() {
        // Five filings, all for `a`: 2 / 2^5, however many queries each has.
        for per in [1, 8] {
            let (a, b) = (system("a", 5 * per, per, |_| true), system("b", 5 * per, per, |_| false));
            let got = compare(&a, &b, METRIC, &Options::default()).unwrap();
            assert_eq!(got.p, 0.0625, "{per} queries a filing");
            assert_eq!(got.smoke_test, per == 1);
        }
    }

    #[test]
    fn the_detectable_difference_shrinks_with_the_root_of_the_queries() {
        let at = |n| {
            let (a, b) = (system("a", n, 1, |i| i % 4 < 2), system("b", n, 1, |i| i % 4 == 1));
            compare(&a, &b, METRIC, &Options::default()).unwrap().detectable.unwrap()
        };
        // Differences of 1, 0, 0, 0: standard deviation √3 / 4.
        assert!((at(400) - 2.8016 * 0.4330 / 20.0).abs() < 1e-3, "{}", at(400));
        assert!((at(100) / at(400) - 2.0).abs() < 0.02);
    }

    #[test]
    fn a_family_is_corrected_together() {
        let base = system("base", 12, 1, |_| false);
        let systems = [base.clone(), system("x", 12, 1, |i| i < 8), system("y", 12, 1, |i| i < 2)];
        let all = compare_all(&systems, &base, &[METRIC], &Options::default()).unwrap();
        let names: Vec<_> = all.iter().map(|c| (c.a.as_str(), c.b.as_str())).collect();
        assert_eq!(names, [("x", "base"), ("y", "base")]);
        assert_eq!(all[0].p, 2.0 / 256.0);
        assert_eq!(all[0].p_holm, Some(4.0 / 256.0));
        assert_eq!(all[1].p_holm, Some(0.5));
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let (a, b) = (system("a", 10, 1, |_| true), system("b", 11, 1, |_| true));
        let options = Options::default();
        assert!(matches!(compare(&a, &b, METRIC, &options), Err(MeasureError::DifferentQueries { .. })));
        let unasked = compare(&a, &a, Metric::Mrr, &options).unwrap_err();
        assert!(unasked.is_user_mistake() && unasked.to_string().contains("mrr"), "{unasked}");
    }
}
