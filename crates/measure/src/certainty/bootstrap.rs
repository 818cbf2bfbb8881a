//! How far a mean would move with other filings: percentile bootstrap over clusters.
//!
//! Queries about one filing succeed and fail together, so whole filings are drawn, not queries. All metrics of a system are
//! resampled by the same draws, which is cheaper and makes an interval independent of what else was asked for. A metric
//! without value at some queries is a ratio (sum of values over number of values), and is resampled as one.

use super::rng::Rng;
use crate::Options;

/// A percentile interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// The interval of the mean of each column. `columns[c][q]` is the value of query `q`, which belongs to cluster
/// `clusters[q]`; clusters are numbered from 0 without gaps. `None` for a column with values in fewer than two clusters,
/// from which nothing can be said, and when no draws are wanted.
pub(crate) fn intervals(columns: &[Vec<Option<f64>>], clusters: &[usize], options: &Options) -> Vec<Option<Interval>> {
    let column = |values: &Vec<Option<f64>>| Column {
        sums: values.iter().map(|v| v.unwrap_or(0.0)).collect(),
        weights: values.iter().map(|v| f64::from(v.is_some())).collect(),
    };
    ratio_intervals(&columns.iter().map(column).collect::<Vec<_>>(), clusters, options)
}

/// A ratio of two sums over queries. A mean is one whose weights are 1 where there is a value, else 0.
#[derive(Debug, Clone)]
pub(crate) struct Column {
    /// What is summed above the line, by query.
    pub(crate) sums: Vec<f64>,
    /// What is summed below it; not negative.
    pub(crate) weights: Vec<f64>,
}

/// The interval of each ratio, as [`intervals`].
pub(crate) fn ratio_intervals(columns: &[Column], clusters: &[usize], options: &Options) -> Vec<Option<Interval>> {
    let count = clusters.iter().max().map_or(0, |c| c + 1);
    let draws = options.draws_for(count);
    let table = Table::new(columns, clusters, count);
    let mut means: Vec<Vec<f64>> = vec![Vec::with_capacity(draws); columns.len()];
    let mut rng = Rng::new(options.seed);
    let mut sum = vec![0.0; table.width];
    for _ in 0..draws {
        sum.fill(0.0);
        for _ in 0..count {
            for (s, x) in sum.iter_mut().zip(table.row(rng.below(count))) {
                *s += x;
            }
        }
        for (c, means) in means.iter_mut().enumerate() {
            let weight = sum[table.weights_of[c]];
            // A resample in which no cluster has a value says nothing of the mean.
            if weight > 0.0 {
                means.push(sum[c] / weight);
            }
        }
    }
    let tail = (1.0 - options.confidence).clamp(0.0, 1.0) / 2.0;
    means
        .into_iter()
        .enumerate()
        .map(|(c, mut means)| {
            let enough = table.clusters_with_value(c) >= 2;
            means.sort_unstable_by(f64::total_cmp);
            Some(Interval { low: quantile(&means, tail)?, high: quantile(&means, 1.0 - tail)? }).filter(|_| enough)
        })
        .collect()
}

/// Sums and weights by cluster, one row per cluster: first the sum of every column, then weights. Columns with the same
/// weights share them, which are half of the work otherwise.
struct Table {
    rows: Vec<f64>,
    width: usize,
    /// For each column, where its weights stand.
    weights_of: Vec<usize>,
}

impl Table {
    fn new(columns: &[Column], clusters: &[usize], count: usize) -> Self {
        let mut distinct: Vec<&[f64]> = Vec::new();
        let mut weights_of = Vec::with_capacity(columns.len());
        for column in columns {
            let known = distinct.iter().position(|w| *w == column.weights);
            weights_of.push(columns.len() + known.unwrap_or(distinct.len()));
            if known.is_none() {
                distinct.push(&column.weights);
            }
        }
        let width = columns.len() + distinct.len();
        let mut rows = vec![0.0; width * count];
        for (q, cluster) in clusters.iter().enumerate() {
            let row = &mut rows[cluster * width..(cluster + 1) * width];
            let lists = columns.iter().map(|c| c.sums.as_slice()).chain(distinct.iter().copied());
            for (cell, list) in row.iter_mut().zip(lists) {
                *cell += list.get(q).copied().unwrap_or(0.0);
            }
        }
        Self { rows, width, weights_of }
    }

    fn row(&self, cluster: usize) -> &[f64] {
        &self.rows[cluster * self.width..(cluster + 1) * self.width]
    }

    fn clusters_with_value(&self, column: usize) -> usize {
        self.rows.chunks_exact(self.width).filter(|row| row[self.weights_of[column]] > 0.0).count()
    }
}

/// The quantile of sorted values, interpolated between the two nearest.
fn quantile(sorted: &[f64], at: f64) -> Option<f64> {
    let position = at.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let below = *sorted.get(position.floor() as usize)?;
    let above = sorted.get(position.ceil() as usize).copied().unwrap_or(below);
    Some(below + (above - below) * position.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(values: &[f64], clusters: &[usize]) -> Option<Interval> {
        let column = values.iter().copied().map(Some).collect();
        intervals(&[column], clusters, &Options::default()).into_iter().next().unwrap()
    }

    #[test]
    fn close_to_the_normal_interval_where_that_holds() {
        // 400 queries, half of them 1: standard error .025, interval .5 ± .049.
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 2)).collect();
        let got = one(&values, &(0..400).collect::<Vec<_>>()).unwrap();
        assert!((got.low - 0.451).abs() < 0.006 && (got.high - 0.549).abs() < 0.006, "{got:?}");
    }

    #[test]
    fn copies_within_a_filing_add_no_certainty() {
        let values: Vec<f64> = (0..400).map(|i| f64::from((i / 10) % 2)).collect();
        let alone = one(&values, &(0..400).collect::<Vec<_>>()).unwrap();
        let by_filing = one(&values, &(0..400).map(|i| i / 10).collect::<Vec<_>>()).unwrap();
        let ratio = (by_filing.high - by_filing.low) / (alone.high - alone.low);
        assert!((2.8..3.6).contains(&ratio), "ten copies each: √10 times as wide, not {ratio}");
    }

    #[test]
    fn nothing_is_said_from_one_filing_or_without_draws() {
        assert_eq!(one(&[1.0, 0.0, 1.0], &[0, 0, 0]), None);
        assert_eq!(one(&[], &[]), None);
        let none = Options { draws: 0, ..Options::default() };
        assert_eq!(intervals(&[vec![Some(1.0), Some(0.0)]], &[0, 1], &none), vec![None]);
    }

    #[test]
    fn independent_of_the_other_columns() {
        let a: Vec<_> = (0..40).map(|i| Some(f64::from(i % 3))).collect();
        let b: Vec<_> = (0..40).map(|i| (i % 4 == 0).then_some(f64::from(i % 5))).collect();
        let clusters: Vec<_> = (0..40).collect();
        let options = Options::default();
        let both = intervals(&[a.clone(), b.clone()], &clusters, &options);
        assert_eq!(both[..1], intervals(&[a], &clusters, &options));
        assert_eq!(both[1..], intervals(&[b], &clusters, &options));
    }

    #[test]
    fn quantiles_interpolate() {
        assert_eq!(quantile(&[0.0, 1.0, 2.0], 0.25), Some(0.5));
        assert_eq!(quantile(&[3.0], 0.975), Some(3.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
