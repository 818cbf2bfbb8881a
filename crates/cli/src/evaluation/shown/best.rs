//! The best of each column.
//!
//! Best is what the reader sees: of two systems that both print `.780` neither is called better. Floors and ceilings made from
//! the judgements are no contestants and never best; where fewer than two systems have a value, there is no best.

use eightk_measure::{Metric, Value};

use super::cells::number;
use super::page::{Cell, Role};

/// Marks the best of each column in rows of one block. `values` holds the numbers behind the cells, `metrics` what they are of.
pub(super) fn mark_best(rows: &mut [(Role, Vec<Cell>)], values: &[Vec<Option<Value>>], metrics: &[Metric]) {
    for (column, metric) in metrics.iter().enumerate() {
        let of = |row: usize| values.get(row).and_then(|v| v.get(column).copied().flatten());
        let contestants: Vec<(usize, f64)> = (rows.iter().enumerate())
            .filter(|(_, (role, _))| *role == Role::System)
            .filter_map(|(i, _)| Some((i, of(i)?.expected)))
            .collect();
        let better = |a: f64, b: f64| if metric.higher_is_better() { a > b } else { a < b };
        let best = contestants.iter().map(|(_, x)| *x).reduce(|a, b| if better(b, a) { b } else { a });
        let Some(best) = best.filter(|_| contestants.len() > 1) else { continue };
        for (row, x) in contestants {
            if number(*metric, x) != number(*metric, best) {
                continue;
            }
            if let Some(cell) = rows.get_mut(row).and_then(|(_, cells)| cells.get_mut(column)) {
                cell.strong = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::score;
    use super::*;

    fn value(expected: f64) -> Option<Value> {
        Some(Value {
            expected,
            trec: expected,
            best: expected,
            worst: expected,
            low: None,
            high: None,
            queries: 3,
            chance: None,
        })
    }

    fn best(metric: Metric, values: &[(Role, Option<Value>)]) -> Vec<bool> {
        let mut rows: Vec<_> = values.iter().map(|(role, v)| (*role, vec![score(metric, *v)])).collect();
        mark_best(&mut rows, &values.iter().map(|(_, v)| vec![*v]).collect::<Vec<_>>(), &[metric]);
        rows.iter().map(|(_, cells)| cells[0].strong).collect()
    }

    #[test]
    fn the_best_is_a_system_that_has_a_score() {
        use Role::{Mark, System};
        let auc = Metric::RivalAuc;
        assert_eq!(
            best(auc, &[(System, value(0.2)), (System, value(0.7)), (System, None), (Mark, value(1.0))]),
            [false, true, false, false]
        );
        // Less is better; equal as shown is equal.
        assert_eq!(best(Metric::Impostor(10), &[(System, value(0.2)), (System, value(0.7))]), [true, false]);
        assert_eq!(
            best(auc, &[(System, value(0.78001)), (System, value(0.78002)), (System, value(0.1))]),
            [true, true, false]
        );
        assert_eq!(best(auc, &[(System, value(0.2)), (Mark, value(0.1))]), [false, false], "alone");
    }
}
