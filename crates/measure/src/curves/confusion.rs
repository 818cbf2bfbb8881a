//! Whose sentence was taken for whose.
//!
//! `resolved@1` says how often a rival came first, not whose. Counted by label, usually the company, the errors show whether a
//! system mixes two similar companies up or has one that it takes for everybody.

use std::collections::BTreeMap;

/// What one query's ranking took for the answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Taken<L> {
    /// Of the answer.
    pub gold: L,
    /// Of the rival that ranks best; `None` where it is not known whose that is.
    pub rival: Option<L>,
}

/// How often each label's answers were taken for those of each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Confusion<L> {
    /// By label of the gold: expected number of queries in which the best-ranked of answers and rivals was an answer.
    pub right: BTreeMap<L, f64>,
    /// By labels of gold and rival: expected number in which it was a rival.
    pub wrong: BTreeMap<Taken<L>, f64>,
    /// How many queries were counted: the sum of everything above.
    pub queries: usize,
}

impl<L: Ord + Clone> Confusion<L> {
    /// Counts queries, each with the probability that an answer comes before every rival (`resolved@1`, a tie shared by its
    /// members). The rest of it is the best rival's: where several rivals share the best place it is put down to the one named,
    /// so that a query is one pair of labels. Queries without rivals are no business of this.
    pub fn count(queries: impl IntoIterator<Item = (Taken<L>, f64)>) -> Self {
        let mut counts = Self { right: BTreeMap::new(), wrong: BTreeMap::new(), queries: 0 };
        for (taken, resolved) in queries {
            let resolved = if resolved.is_finite() { resolved.clamp(0.0, 1.0) } else { 0.0 };
            counts.queries += 1;
            *counts.right.entry(taken.gold.clone()).or_default() += resolved;
            if resolved < 1.0 {
                *counts.wrong.entry(taken).or_default() += 1.0 - resolved;
            }
        }
        counts
    }

    /// Expected number of queries taken wrong.
    pub fn errors(&self) -> f64 {
        self.wrong.values().sum()
    }

    /// Labels by the errors that they are part of, as gold or as rival, most first, then by label. Labels without any are not
    /// among them.
    pub fn most_confused(&self) -> Vec<(L, f64)> {
        let mut errors: BTreeMap<&L, f64> = BTreeMap::new();
        for (taken, count) in &self.wrong {
            *errors.entry(&taken.gold).or_default() += count;
            if let Some(rival) = taken.rival.as_ref().filter(|rival| **rival != taken.gold) {
                *errors.entry(rival).or_default() += count;
            }
        }
        let mut list: Vec<(L, f64)> = errors.into_iter().map(|(label, count)| (label.clone(), count)).collect();
        // Stable, so that labels stay in order where counts are equal.
        list.sort_by(|a, b| b.1.total_cmp(&a.1));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(gold: &str, rival: &str) -> Taken<String> {
        Taken { gold: gold.into(), rival: (!rival.is_empty()).then(|| rival.into()) }
    }

    #[test]
    fn every_query_counts_once() {
        let counts = Confusion::count([
            (taken("acme", "zeta"), 0.0),
            (taken("acme", "zeta"), 0.5),
            (taken("zeta", "acme"), 1.0),
            (taken("beta", ""), 0.25),
            (taken("beta", "acme"), f64::NAN),
        ]);
        assert_eq!(counts.queries, 5);
        assert_eq!(counts.right, BTreeMap::from([("acme".into(), 0.5), ("beta".into(), 0.25), ("zeta".into(), 1.0)]));
        assert_eq!(counts.wrong[&taken("acme", "zeta")], 1.5);
        assert!(!counts.wrong.contains_key(&taken("zeta", "acme")));
        assert_eq!(counts.errors() + counts.right.values().sum::<f64>(), 5.0);
        let most: Vec<(String, f64)> = counts.most_confused();
        assert_eq!(most, [("acme".into(), 2.5), ("beta".into(), 1.75), ("zeta".into(), 1.5)]);
    }
}
