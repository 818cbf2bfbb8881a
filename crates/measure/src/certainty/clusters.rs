//! Values summed by filing, and the standard error with filings as units.

use crate::{MeasureError, Metric, SystemScores};

/// A column of values by cluster.
#[derive(Debug, Clone)]
pub(super) struct Sums {
    /// Sum and number of the values, for each cluster with any.
    pub(super) by_cluster: Vec<(f64, usize)>,
    /// How many values there are.
    pub(super) queries: usize,
}

impl Sums {
    /// `values[q]` belongs to cluster `clusters[q]`.
    pub(super) fn new(values: &[Option<f64>], clusters: &[usize]) -> Self {
        let mut by_cluster: Vec<(f64, usize)> = vec![(0.0, 0); clusters.iter().max().map_or(0, |c| c + 1)];
        for (value, cluster) in values.iter().zip(clusters) {
            if let (Some(value), Some(sum)) = (value, by_cluster.get_mut(*cluster)) {
                sum.0 += value;
                sum.1 += 1;
            }
        }
        by_cluster.retain(|s| s.1 > 0);
        Self { queries: by_cluster.iter().map(|s| s.1).sum(), by_cluster }
    }

    /// The mean over values; 0 where there are none.
    pub(super) fn mean(&self) -> f64 {
        self.by_cluster.iter().map(|s| s.0).sum::<f64>() / self.queries.max(1) as f64
    }

    /// Standard error of the mean with clusters as units (the linearised variance of a ratio, with G / (G − 1) for few
    /// clusters); `None` with fewer than two clusters, or where nothing varies.
    pub(super) fn standard_error(&self) -> Option<f64> {
        if self.by_cluster.len() < 2 {
            return None;
        }
        let mean = self.mean();
        let squares: f64 = self.by_cluster.iter().map(|(sum, n)| (sum - mean * *n as f64).powi(2)).sum();
        let clusters = self.by_cluster.len() as f64;
        let error = (squares * clusters / (clusters - 1.0)).sqrt() / self.queries as f64;
        (error > 0.0).then_some(error)
    }
}

/// Expected value of `a` minus that of `b`, query by query; `None` where the query has no gold for the metric.
///
/// # Errors
/// One of the two ran no query, or was not scored with the metric; they were scored against different judgements.
pub(super) fn differences(
    a: &SystemScores,
    b: &SystemScores,
    metric: Metric,
) -> Result<Vec<Option<f64>>, MeasureError> {
    let column = |s: &SystemScores| {
        if s.never_ran() {
            return Err(MeasureError::NeverRan { system: s.name.clone() });
        }
        let found = s.metric(metric).map(|m| m.per_query.clone());
        found.ok_or_else(|| MeasureError::NotScored { system: s.name.clone(), metric })
    };
    let (of_a, of_b) = (column(a)?, column(b)?);
    let same_queries = a.queries.iter().map(|q| &q.query).eq(b.queries.iter().map(|q| &q.query));
    let same_gold = of_a.iter().map(Option::is_some).eq(of_b.iter().map(Option::is_some));
    if !same_queries || !same_gold || a.clusters != b.clusters {
        return Err(MeasureError::DifferentQueries { a: a.name.clone(), b: b.name.clone() });
    }
    Ok(of_a.iter().zip(&of_b).map(|(a, b)| Some(a.as_ref()?.expected - b.as_ref()?.expected)).collect())
}
