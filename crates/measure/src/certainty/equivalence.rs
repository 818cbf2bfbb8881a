//! Two one-sided tests: is a score close enough to chance, or to another system's, to call it the same?
//!
//! "Not significantly different from chance" is what every small benchmark can say of every system. To say *at chance* a
//! system has to be shown to lie within a stated margin: both "below by the margin or more" and "above by the margin or
//! more" are rejected at 5 %, which is to say that the 90 % interval lies inside the margin (Schuirmann 1987; Lakens 2017).
//!
//! The interval takes filings whole. It is Wilson's, with the effective number of queries m(1 − m) / SE² in the place of n
//! (as for proportions in complex samples, Korn and Graubard 1998, Franco et al. 2019) and Student's t for the normal. The
//! road not taken is the percentile bootstrap of the tables: where hits are rare, `resolved@1` among sixty rivals, a sample
//! with three hits has far too narrow a bootstrap, and the test would find equivalence twice as often as it may. What a
//! sample cannot show at all is added: values not yet seen that up to 1 − α^(1/filings) of the filings may hold (the "rule
//! of three"), so that eight times exactly .5 is not taken for certainty.

use serde::{Deserialize, Serialize};

use super::clusters::{Sums, differences};
use super::student::upper_quantile;
use crate::{MeasureError, Metric, SMOKE_TEST_BELOW, SystemScores};

/// Each of the two tests, and half the two-sided one.
const ALPHA: f64 = 0.05;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Within the margin, at 5 %. It may still differ by less.
    Equivalent,
    /// Not the same, at 5 % (two-sided), and not shown to be within the margin.
    Different,
    /// Neither shown: more queries are needed to say anything.
    Undecided,
}

/// A score against chance, or a difference against none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Equivalence {
    /// The system.
    pub system: String,
    /// The system it is compared with; `None` where it is compared with chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// On what.
    pub metric: Metric,
    /// The mean, or the difference of the means (expected values over ties).
    pub value: f64,
    /// What it is compared with: chance, or 0.
    pub reference: f64,
    /// How far from the reference still counts as the same.
    pub margin: f64,
    /// Lower end of the 90 % interval that decides; `None` with fewer than two filings.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// What was found.
    pub verdict: Verdict,
    /// Queries with a value.
    pub queries: usize,
    /// Filings they come from.
    pub filings: usize,
    /// Too few queries to conclude anything.
    pub smoke_test: bool,
}

impl Equivalence {
    /// The margin to use where none is asked for: .05, for scores between 0 and 1. On `rival_auc` it is one rival in twenty
    /// placed on the wrong side; on `resolved@1` one query in twenty.
    pub const MARGIN: f64 = 0.05;
}

/// Whether a system is at chance on a metric that has a chance level between 0 and 1 (`rival_auc`, `resolved@1`): `None`
/// where there is none, or no query has a value.
///
/// Chance is the mean over the queries scored and taken as fixed: the question is about these queries' rivals.
///
/// # Errors
/// The system was not scored with the metric.
pub fn at_chance(scores: &SystemScores, metric: Metric, margin: f64) -> Result<Option<Equivalence>, MeasureError> {
    let Some(column) = scores.metric(metric) else {
        return Err(MeasureError::NotScored { system: scores.name.clone(), metric });
    };
    let chance = column.value.and_then(|v| v.chance).filter(|_| metric.is_share());
    let values: Vec<Option<f64>> = column.per_query.iter().map(|v| v.as_ref().map(|v| v.expected)).collect();
    let sums = Sums::new(&values, &scores.clusters);
    Ok(chance.map(|reference| tested(&sums, (0.0, 1.0), reference, margin, (scores.name.clone(), None), metric)))
}

/// Whether two systems are the same on a metric between 0 and 1, query by query; `None` where it is not such a metric, or no
/// query has a value.
///
/// # Errors
/// As [`compare`](crate::compare()).
pub fn equivalent(
    a: &SystemScores,
    b: &SystemScores,
    metric: Metric,
    margin: f64,
) -> Result<Option<Equivalence>, MeasureError> {
    let sums = Sums::new(&differences(a, b, metric)?, &a.clusters);
    let systems = (a.name.clone(), Some(b.name.clone()));
    Ok((metric.is_share() && sums.queries > 0).then(|| tested(&sums, (-1.0, 1.0), 0.0, margin, systems, metric)))
}

fn tested(
    sums: &Sums,
    range: (f64, f64),
    reference: f64,
    margin: f64,
    (system, other): (String, Option<String>),
    metric: Metric,
) -> Equivalence {
    let deciding = interval(sums, range, ALPHA);
    let within = |(low, high): (f64, f64)| low > reference - margin && high < reference + margin;
    let away = |(low, high): (f64, f64)| low > reference || high < reference;
    let verdict = if deciding.is_some_and(within) {
        Verdict::Equivalent
    } else if interval(sums, range, ALPHA / 2.0).is_some_and(away) {
        Verdict::Different
    } else {
        Verdict::Undecided
    };
    Equivalence {
        system,
        other,
        metric,
        value: sums.mean(),
        reference,
        margin,
        low: deciding.map(|i| i.0),
        high: deciding.map(|i| i.1),
        verdict,
        queries: sums.queries,
        filings: sums.by_cluster.len(),
        smoke_test: sums.queries < SMOKE_TEST_BELOW,
    }
}

/// The interval outside which the mean of values within `range` lies with probability `tail` on either side; `None` with
/// fewer than two clusters.
fn interval(sums: &Sums, (least, most): (f64, f64), tail: f64) -> Option<(f64, f64)> {
    let clusters = sums.by_cluster.len();
    if clusters < 2 {
        return None;
    }
    let width = most - least;
    let mean = ((sums.mean() - least) / width).clamp(0.0, 1.0);
    let unseen = 1.0 - tail.powf(1.0 / clusters as f64);
    let (mut low, mut high) = (mean - unseen * mean, mean + unseen * (1.0 - mean));
    if let Some(error) = sums.standard_error() {
        let effective = mean * (1.0 - mean) / (error / width).powi(2);
        if effective > 0.0 {
            let t = upper_quantile(tail, clusters - 1);
            let shrink = 1.0 + t * t / effective;
            let centre = (mean + t * t / (2.0 * effective)) / shrink;
            let half = t * (mean * (1.0 - mean) / effective + (t / (2.0 * effective)).powi(2)).sqrt() / shrink;
            low = low.min(centre - half);
            high = high.max(centre + half);
        }
    }
    Some((least + width * low.max(0.0), least + width * high.min(1.0)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use eightk_core::{Hit, Qrels, Run};

    use super::*;
    use crate::certainty::rng::Rng;
    use crate::{Judgements, Options, score};

    fn verdict(values: &[f64], per: usize, reference: f64) -> Equivalence {
        let column: Vec<Option<f64>> = values.iter().copied().map(Some).collect();
        let clusters: Vec<usize> = (0..values.len()).map(|i| i / per).collect();
        tested(&Sums::new(&column, &clusters), (0.0, 1.0), reference, 0.05, ("s".into(), None), Metric::RivalAuc)
    }

    fn uniform(rng: &mut Rng) -> f64 {
        rng.below(1 << 30) as f64 / f64::from(1 << 30)
    }

    /// How often a verdict falls when queries are drawn anew.
    fn rate(wanted: Verdict, n: usize, per: usize, reference: f64, draw: impl Fn(&mut Rng) -> f64) -> f64 {
        let (rounds, mut rng) = (2_000, Rng::new(5));
        let mut found = 0;
        for _ in 0..rounds {
            // Queries of one filing agree three times in four.
            let mut values: Vec<f64> = Vec::with_capacity(n);
            for i in 0..n {
                let copied = i % per > 0 && uniform(&mut rng) < 0.75;
                let value = if copied { values[i - 1] } else { draw(&mut rng) };
                values.push(value);
            }
            found += usize::from(verdict(&values, per, reference).verdict == wanted);
        }
        found as f64 / f64::from(rounds)
    }

    fn hit(p: f64) -> impl Fn(&mut Rng) -> f64 {
        move |rng| f64::from(uniform(rng) < p)
    }

    #[test]
    fn at_the_edge_of_the_margin_equivalence_is_rarely_found() {
        // Rare hits, on either edge; clustered; an AUC that is mostly all or nothing.
        for (n, per, reference, draw) in [
            (38, 1, 1.0 / 60.0, 1.0 / 60.0 + 0.05),
            (100, 1, 1.0 / 60.0, 1.0 / 60.0 + 0.05),
            (400, 1, 1.0 / 60.0, 1.0 / 60.0 + 0.05),
            (400, 1, 0.5, 0.55),
            (400, 1, 0.5, 0.45),
            (1_200, 4, 0.5, 0.55),
            (1_200, 4, 0.2, 0.25),
        ] {
            let size = rate(Verdict::Equivalent, n, per, reference, hit(draw));
            // Four standard errors of 2,000 rounds above 5 %.
            assert!(size < 0.05 + 0.02, "{n} queries, {per} a filing, {draw} against {reference}: {size}");
        }
        let smooth = |rng: &mut Rng| (uniform(rng) + uniform(rng)) / 2.0 + 0.05;
        let size = rate(Verdict::Equivalent, 120, 1, 0.5, smooth);
        assert!((0.02..0.07).contains(&size), "{size}");
    }

    #[test]
    fn at_chance_a_difference_is_rarely_found_and_equivalence_with_enough_queries() {
        for (n, per, p) in [(38, 1, 1.0 / 60.0), (100, 1, 0.1), (300, 1, 0.5), (400, 4, 0.3)] {
            let size = rate(Verdict::Different, n, per, p, hit(p));
            assert!(size < 0.07, "{n} queries, {per} a filing, {p}: {size}");
        }
        assert!(rate(Verdict::Equivalent, 1_500, 1, 0.5, hit(0.5)) > 0.9);
        assert!(rate(Verdict::Equivalent, 38, 1, 0.5, hit(0.5)) < 0.01, "38 queries cannot show it");
        assert!(rate(Verdict::Different, 300, 1, 0.5, hit(0.7)) > 0.9);
    }

    #[test]
    fn the_same_value_every_time_is_no_certainty() {
        let few = verdict(&[0.5; 8], 1, 0.5);
        assert_eq!(few.verdict, Verdict::Undecided, "what 31 % of the filings may hold is not seen: {few:?}");
        let many = verdict(&[0.5; 40], 1, 0.5);
        // 1 − .05^(1/40) = .0722, half of it away from the middle.
        assert!((many.high.unwrap() - 0.536_1).abs() < 1e-4 && many.verdict == Verdict::Equivalent, "{many:?}");
        let never = verdict(&[0.0; 38], 1, 1.0 / 60.0);
        assert!((never.high.unwrap() - 0.075_8).abs() < 1e-4 && never.verdict == Verdict::Undecided, "{never:?}");
        let one_filing = verdict(&[0.5; 40], 40, 0.5);
        assert_eq!((one_filing.verdict, one_filing.low, one_filing.filings), (Verdict::Undecided, None, 1));
    }

    #[test]
    fn without_clusters_hits_and_misses_have_wilsons_interval() {
        let values: Vec<f64> = (0..2_000).map(|i| f64::from(i % 10 == 0)).collect();
        let got = verdict(&values, 1, 0.1);
        // By hand for 200 of 2,000 at z = 1.645: .0895 to .1116.
        assert!((got.low.unwrap() - 0.0895).abs() < 2e-4 && (got.high.unwrap() - 0.1116).abs() < 2e-4, "{got:?}");
        assert_eq!((got.verdict, got.queries, got.smoke_test), (Verdict::Equivalent, 2_000, false));
    }

    /// Over `n` queries, a system that puts the answer above its rival where `right`, else below.
    fn system(name: &str, n: usize, right: impl Fn(usize) -> bool) -> SystemScores {
        let query = |i: usize| format!("q{i:04}");
        let judgements = Judgements {
            qrels: Qrels { queries: (0..n).map(|i| (query(i), BTreeMap::from([("g".into(), 2)]))).collect() },
            rivals: Some((0..n).map(|i| (query(i), vec!["r".into()])).collect()),
            ..Judgements::default()
        };
        let hits = |i| {
            let scores = if right(i) { [2.0, 1.0] } else { [1.0, 2.0] };
            ["g", "r"].iter().zip(scores).map(|(id, score)| Hit { id: (*id).into(), score }).collect()
        };
        let run = Run { system: name.into(), queries: (0..n).map(|i| (query(i), hits(i))).collect() };
        let metrics = [Metric::RivalAuc, Metric::ResolvedAt1, Metric::RivalRank, Metric::Mrr];
        score(&run, &judgements, &metrics, &Options { draws: 0, ..Options::default() }).unwrap()
    }

    #[test]
    fn systems_against_chance_and_each_other() {
        let blind = system("blind", 2_000, |i| i % 2 == 0);
        let seeing = system("seeing", 2_000, |i| i % 10 > 0);
        let of = |s: &SystemScores, m| at_chance(s, m, Equivalence::MARGIN).unwrap();
        assert_eq!(of(&blind, Metric::RivalAuc).unwrap().verdict, Verdict::Equivalent);
        assert_eq!(of(&blind, Metric::ResolvedAt1).unwrap().reference, 0.5);
        assert_eq!(of(&seeing, Metric::RivalAuc).unwrap().verdict, Verdict::Different);
        assert_eq!(of(&blind, Metric::RivalRank), None, "no score between 0 and 1");
        assert_eq!(of(&blind, Metric::Mrr), None, "no chance level");
        let pair = |a, b| equivalent(a, b, Metric::RivalAuc, Equivalence::MARGIN).unwrap().unwrap();
        assert_eq!(pair(&seeing, &blind).verdict, Verdict::Different);
        assert!((pair(&seeing, &blind).value - 0.4).abs() < 1e-12);
        let nearly = system("again", 2_000, |i| i % 2 == 0 || i % 200 == 1);
        let again = pair(&blind, &nearly);
        assert_eq!((again.verdict, again.other.as_deref()), (Verdict::Equivalent, Some("again")));
        assert!(at_chance(&blind, Metric::Map, 0.05).unwrap_err().is_user_mistake());
        let json = serde_json::to_value(pair(&seeing, &blind)).unwrap();
        assert_eq!((json["verdict"].as_str(), json["metric"].as_str()), (Some("different"), Some("rival_auc")));
    }
}
