//! From one value per query and abscissa to a mean with its band.

use std::collections::BTreeMap;

use crate::Options;
use crate::certainty::intervals;

/// A point of a curve: a mean over queries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Where: a depth k, a number of rivals m, a number of chunks n.
    pub x: usize,
    /// Mean over the queries that have a value there.
    pub value: f64,
    /// Lower end of the bootstrap interval; `None` with fewer than two clusters or no draws.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// How many queries have a value there.
    pub queries: usize,
}

/// Numbers for labels, by first appearance: what curves want of the filings that queries are about.
pub fn cluster_numbers<L: Ord>(labels: impl IntoIterator<Item = L>) -> Vec<usize> {
    let mut known: BTreeMap<L, usize> = BTreeMap::new();
    let number = |label| {
        let next = known.len();
        *known.entry(label).or_insert(next)
    };
    labels.into_iter().map(number).collect()
}

/// The mean at each x. `value(q, x)` is asked for `queries` queries, `None` where one has no value; a point without any is
/// left out. Queries beyond the end of `clusters` are clusters of their own.
pub(super) fn averaged(
    xs: &[usize],
    queries: usize,
    clusters: &[usize],
    options: &Options,
    value: impl Fn(usize, usize) -> Option<f64>,
) -> Vec<CurvePoint> {
    let column = |x: &usize| (0..queries).map(|q| value(q, *x)).collect::<Vec<_>>();
    let columns: Vec<Vec<Option<f64>>> = xs.iter().map(column).collect();
    // Renumbered, so that the table of the bootstrap is as large as there are clusters, whatever their numbers.
    let clusters = cluster_numbers((0..queries).map(|q| clusters.get(q).copied().ok_or(q)));
    let bands = intervals(&columns, &clusters, options);
    let point = |((x, column), band): ((&usize, &Vec<Option<f64>>), Option<crate::certainty::Interval>)| {
        let queries = column.iter().flatten().count();
        (queries > 0).then(|| CurvePoint {
            x: *x,
            value: column.iter().flatten().sum::<f64>() / queries as f64,
            low: band.map(|b| b.low),
            high: band.map(|b| b.high),
            queries,
        })
    };
    xs.iter().zip(&columns).zip(bands).filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_first_appearance() {
        assert_eq!(cluster_numbers(["b", "a", "b", "c"]), [0, 1, 0, 2]);
    }

    #[test]
    fn a_mean_is_over_those_that_have_a_value() {
        let value = |q: usize, x: usize| (q < x).then_some(q as f64);
        let points = averaged(&[0, 1, 3], 3, &[usize::MAX, 7], &Options::default(), value);
        let brief: Vec<_> = points.iter().map(|p| (p.x, p.value, p.queries, p.low.is_some())).collect();
        assert_eq!(brief, [(1, 0.0, 1, false), (3, 1.0, 3, true)], "two clusters at least, and none of x = 0");
    }
}
