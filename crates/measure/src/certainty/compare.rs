//! Two systems on the same queries: the difference, how sure it is, and how large one would have to be to be seen at all.

use serde::{Deserialize, Serialize};

use super::bootstrap::intervals;
use super::clusters::{Sums, differences};
use super::randomization::{holm, p_value};
use crate::{MeasureError, Metric, Options, SMOKE_TEST_BELOW, SystemScores};

/// Normal quantile of a two-sided test at 5 %.
const SIGNIFICANCE: f64 = 1.959_963_985;
/// Normal quantile of 80 % power.
const POWER: f64 = 0.841_621_234;

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
    /// The smallest true difference that a test at 5 % would find four times in five on queries like these: the one for which
    /// [`Comparison::queries_for`] says as many. `None` where the differences do not vary, or come from so few filings that
    /// nothing could be found.
    #[serde(default)]
    pub detectable: Option<f64>,
    /// Standard error of the difference, filings taken whole; `None` where `detectable` would be for the same reasons.
    #[serde(default)]
    pub standard_error: Option<f64>,
    /// Queries it takes in all to show a true difference as large as the one seen, see [`Comparison::queries_for`]; `None`
    /// where there is none, or it does not vary. The one seen is itself uncertain: a plan for new queries should rather name
    /// the smallest difference that would matter.
    #[serde(default)]
    pub needed: Option<usize>,
    /// Queries compared.
    pub queries: usize,
    /// Filings they come from.
    #[serde(default)]
    pub filings: usize,
    /// Too few queries to conclude anything.
    pub smoke_test: bool,
}

impl Comparison {
    /// How many queries, in filings like these, show a true difference of this size four times in five with a test at 5 %;
    /// `None` for no difference, or where the differences of these queries do not vary.
    ///
    /// With filings as units, G = (z₀.₉₇₅ √(σ² + δ²) + z₀.₈ σ)² / δ², where σ² is the variance of the differences and σ² + δ²
    /// their mean square, which is the variance in a test that exchanges the two systems (as for McNemar's test, Connor 1987;
    /// for retrieval with σ alone, Sakai, *Topic set size design*, Information Retrieval Journal 19, 2016). σ² = G₀ · SE², from
    /// the standard error that takes filings whole; queries are G times those of a filing here. On scores of 0 and 1 the
    /// test is discrete and takes some more.
    pub fn queries_for(&self, difference: f64) -> Option<usize> {
        let (error, filings) = (self.standard_error?, self.filings as f64);
        let ratio = filings.sqrt() * error / difference.abs();
        let needed = (SIGNIFICANCE * (ratio * ratio + 1.0).sqrt() + POWER * ratio).powi(2);
        // A hair less, so that rounding up does not add a query where the number is whole.
        let queries = (needed * self.queries as f64 / filings * (1.0 - 1e-12)).ceil();
        // A difference too small to plan for makes a number too large to hold.
        (queries < 1e15).then_some(queries as usize)
    }

    /// How many queries are lacking to show a true difference as large as the one seen; 0 where there are enough.
    pub fn more_queries(&self) -> Option<usize> {
        Some(self.needed?.saturating_sub(self.queries))
    }
}

/// Compares two systems on a metric both were scored with.
///
/// # Errors
/// One of the two ran no query at all: a system that failed has no score, and no difference to another. The metric is
/// missing from one of them, or they were scored against different judgements.
pub fn compare(
    a: &SystemScores,
    b: &SystemScores,
    metric: Metric,
    options: &Options,
) -> Result<Comparison, MeasureError> {
    let differences = differences(a, b, metric)?;
    let sums = Sums::new(&differences, &a.clusters);
    let difference = sums.mean();
    let interval = intervals(&[differences], &a.clusters, options).into_iter().next().flatten();
    let mut comparison = Comparison {
        a: a.name.clone(),
        b: b.name.clone(),
        metric,
        difference,
        low: interval.map(|i| i.low),
        high: interval.map(|i| i.high),
        p: p_value(&sums.by_cluster.iter().map(|s| s.0).collect::<Vec<_>>(), options),
        p_holm: None,
        detectable: sums.standard_error().and_then(|error| detectable(error, sums.by_cluster.len())),
        standard_error: sums.standard_error(),
        needed: None,
        filings: sums.by_cluster.len(),
        queries: sums.queries,
        smoke_test: sums.queries < SMOKE_TEST_BELOW,
    };
    comparison.needed = comparison.queries_for(difference);
    Ok(comparison)
}

/// Every system against a baseline on every metric, corrected as one family per metric. Systems are compared in the
/// order given; the baseline is not compared with itself, and a system that [never ran](SystemScores::never_ran) with none.
///
/// # Errors
/// As [`compare`], but for systems that never ran.
pub fn compare_all(
    systems: &[SystemScores],
    baseline: &SystemScores,
    metrics: &[Metric],
    options: &Options,
) -> Result<Vec<Comparison>, MeasureError> {
    let mut all = Vec::new();
    for metric in metrics {
        let mut family = Vec::new();
        let ran = |s: &&SystemScores| s.name != baseline.name && !s.never_ran() && !baseline.never_ran();
        for system in systems.iter().filter(ran) {
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

/// The δ at which the formula of [`Comparison::queries_for`] yields the filings there are: a quadratic in σ / δ.
fn detectable(error: f64, filings: usize) -> Option<f64> {
    let filings = filings as f64;
    let (a, b, c) = (SIGNIFICANCE.powi(2) - POWER.powi(2), filings.sqrt() * POWER, SIGNIFICANCE.powi(2) - filings);
    let ratio = ((b * b - a * c).sqrt() - b) / a;
    // Not positive, or not a number: no difference is large enough.
    (ratio > 0.0).then(|| filings.sqrt() * error / ratio)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use eightk_core::{Hit, Qrels, Run};

    use super::super::rng::Rng;
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

    /// The same queries for a system that did not run: every one is missing.
    fn score_of_nothing(like: &SystemScores) -> SystemScores {
        let qrels = like.queries.iter().map(|q| (q.query.clone(), BTreeMap::from([("gold".into(), 2)]))).collect();
        let judgements = Judgements { qrels: Qrels { queries: qrels }, ..Judgements::default() };
        let run = Run { system: "failed".into(), queries: BTreeMap::new() };
        score(&run, &judgements, &[METRIC], &Options::default()).unwrap()
    }

    #[test]
    fn the_queries_needed_have_the_power_promised() {
        // `a` finds three in ten that `b` does not, `b` one in ten that `a` does not: difference .2, variance .4 − .04.
        let pilot = [1.0, 1.0, 1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].repeat(100);
        let of = |sign: f64| system("s", pilot.len(), 1, |i| pilot[i] == sign);
        let seen = compare(&of(1.0), &of(-1.0), METRIC, &Options::default()).unwrap();
        // (1.96 · √.4 + .8416 · .6)² / .04 = 76.1.
        let needed = seen.needed.unwrap();
        assert!((76..=77).contains(&needed), "{needed}");
        assert_eq!((seen.more_queries(), seen.queries_for(-0.2)), (Some(0), Some(needed)));
        assert_eq!((seen.queries_for(0.0), seen.queries_for(1e-12)), (None, None));
        assert_eq!(seen.queries_for(seen.detectable.unwrap()), Some(1_000), "one is the inverse of the other");
        // Differences with that mean and variance, as scores with many values have.
        let (mut rng, options) = (Rng::new(3), Options { draws: 1_000, ..Options::default() });
        let mut uniform = || rng.below(1 << 20) as f64 / f64::from(1 << 20);
        let mut drawn = || 0.2 + 1.2 * (uniform() + uniform() + uniform() - 1.5);
        let mut power = |n| {
            let found = (0..600).filter(|_| p_value(&(0..n).map(|_| drawn()).collect::<Vec<_>>(), &options) < 0.05);
            found.count() as f64 / 600.0
        };
        let (enough, half) = (power(needed), power(needed / 2));
        assert!((0.76..0.84).contains(&enough) && half < 0.6, "{enough} {half}");
    }

    #[test]
    fn filings_are_counted_whole_in_the_plan() {
        // Four queries a filing that agree: as many filings, four times the queries.
        let of = |per: usize, to: usize| system("s", 100 * per, per, move |i| (i / per) % 10 < to);
        let needed = |per| compare(&of(per, 5), &of(per, 2), METRIC, &Options::default()).unwrap().needed.unwrap();
        assert!(needed(4).abs_diff(4 * needed(1)) <= 4, "{} {}", needed(4), needed(1));
        let few = compare(&system("a", 3, 1, |i| i > 0), &system("b", 3, 1, |_| false), METRIC, &Options::default());
        assert_eq!(few.unwrap().detectable, None, "three filings cannot show anything");
    }

    #[test]
    fn equal_systems_are_rarely_told_apart() {
        // Three queries a filing that agree: exchanging queries instead of filings would find a difference far too often.
        let (mut rng, options) = (Rng::new(9), Options { draws: 1_000, ..Options::default() });
        let mut filings = || (0..30).map(|_| 3.0 * [1.0, -1.0, 0.0][rng.below(3)]).collect::<Vec<f64>>();
        let found = (0..1_000).filter(|_| p_value(&filings(), &options) < 0.05).count();
        assert!((20..=75).contains(&found), "{found} of 1,000 at 5 %");
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
        // Differences of 1, 0, 0, 0: standard deviation √3 / 4, standard error .0217 over 400. By hand, σ / δ = 7.09 there
        // and 3.47 over 100.
        assert!((at(400) - 0.0611).abs() < 2e-4, "{}", at(400));
        assert!((at(100) - 0.1254).abs() < 2e-4, "{}", at(100));
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
        let failed = score_of_nothing(&a);
        let never = compare(&failed, &a, METRIC, &options).unwrap_err();
        assert!(matches!(never, MeasureError::NeverRan { .. }) && never.to_string().contains("`failed`"), "{never}");
        assert!(matches!(compare(&a, &failed, METRIC, &options), Err(MeasureError::NeverRan { .. })));
        assert_eq!(compare_all(&[a.clone(), failed.clone()], &a, &[METRIC], &options), Ok(vec![]));
        assert_eq!(compare_all(std::slice::from_ref(&a), &failed, &[METRIC], &options), Ok(vec![]));
        let unasked = compare(&a, &a, Metric::Mrr, &options).unwrap_err();
        assert!(unasked.is_user_mistake() && unasked.to_string().contains("mrr"), "{unasked}");
    }
}
