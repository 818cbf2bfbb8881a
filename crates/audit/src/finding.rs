//! One number and its limit.

use eightk_dataset::CheckOutcome;
use serde::Serialize;

/// Examples shown of what a finding counts.
const EXAMPLES: usize = 5;

/// Rounding of sums must not push a share over a limit it exactly meets.
const SLACK: f64 = 1e-9;

/// What a number is held to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Limit {
    /// The key in the recipe's `[audit]` table.
    pub key: &'static str,
    /// The number under that key.
    pub value: f64,
    /// What this makes the least the finding may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// What this makes the most it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
}

impl Limit {
    pub(crate) const fn most(key: &'static str, value: f64) -> Self {
        Self { key, value, at_least: None, at_most: Some(value) }
    }

    pub(crate) const fn least(key: &'static str, value: f64) -> Self {
        Self { key, value, at_least: Some(value), at_most: None }
    }

    /// At most so far above chance.
    pub(crate) fn above(key: &'static str, value: f64, chance: f64) -> Self {
        Self { key, value, at_least: None, at_most: Some(chance + value) }
    }

    /// At most so far from chance, on either side.
    pub(crate) fn around(key: &'static str, value: f64, chance: f64) -> Self {
        Self { key, value, at_least: Some(chance - value), at_most: Some(chance + value) }
    }

    /// Whether the whole of `low..=high` lies beyond it.
    fn is_exceeded(&self, low: f64, high: f64) -> bool {
        self.at_most.is_some_and(|most| low > most + SLACK) || self.at_least.is_some_and(|least| high < least - SLACK)
    }
}

/// One check of a section: its number, its limit, and how it went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Its name, in kebab case; stable.
    pub name: &'static str,
    /// How it went.
    pub outcome: CheckOutcome,
    /// The number: a share, a mean, a median; see the check's documentation. `None` where it was skipped.
    pub value: Option<f64>,
    /// Lower end of its 95 % interval, where it is a sample of queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Upper end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// What the number would be by chance, where that can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// What it is held to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// How many queries, golds or answers are counted in it; 0 where it is no count.
    pub count: usize,
    /// Out of how many.
    pub of: usize,
    /// More numbers, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The first few that are counted, one sentence each.
    pub examples: Vec<String>,
    /// What to do where it fails.
    pub advice: &'static str,
    /// Why it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Finding {
    fn empty(name: &'static str) -> Self {
        Self {
            name,
            outcome: CheckOutcome::Skipped,
            value: None,
            low: None,
            high: None,
            chance: None,
            limit: None,
            count: 0,
            of: 0,
            detail: None,
            examples: Vec::new(),
            advice: "",
            reason: None,
        }
    }

    /// A check that does not apply, and why.
    pub(crate) fn skipped(name: &'static str, reason: impl Into<String>) -> Self {
        Self { reason: Some(reason.into()), ..Self::empty(name) }
    }

    /// The share of `of` that is counted, one sentence per case; skipped where there is nothing to count in. Only the first few
    /// cases are put into words.
    pub(crate) fn counted<T>(
        name: &'static str,
        cases: impl IntoIterator<Item = T>,
        of: usize,
        say: impl Fn(T) -> String,
        limit: Limit,
    ) -> Self {
        let (mut count, mut examples) = (0_usize, Vec::new());
        for case in cases {
            count += 1;
            if examples.len() < EXAMPLES {
                examples.push(say(case));
            }
        }
        if of == 0 {
            return Self::skipped(name, "there is nothing to count");
        }
        Self { count, of, examples, ..Self::number(name, count as f64 / of as f64, limit) }
    }

    /// A number by itself.
    pub(crate) fn number(name: &'static str, value: f64, limit: Limit) -> Self {
        Self { value: Some(value), limit: Some(limit), ..Self::empty(name) }.judged()
    }

    /// The same number as a sample: what counts is the end of the interval that is nearer to the limit.
    pub(crate) fn within(self, interval: (f64, f64)) -> Self {
        Self { low: Some(interval.0), high: Some(interval.1), ..self }.judged()
    }

    pub(crate) fn chance(self, chance: f64) -> Self {
        Self { chance: Some(chance), ..self }
    }

    pub(crate) fn out_of(self, of: usize) -> Self {
        Self { of, ..self }
    }

    pub(crate) fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    pub(crate) fn examples(self, examples: impl IntoIterator<Item = String>) -> Self {
        Self { examples: examples.into_iter().take(EXAMPLES).collect(), ..self }
    }

    pub(crate) fn advice(self, advice: &'static str) -> Self {
        Self { advice, ..self }
    }

    fn judged(self) -> Self {
        let Some(value) = self.value else { return self };
        let (low, high) = (self.low.unwrap_or(value), self.high.unwrap_or(value));
        let exceeded = self.limit.is_some_and(|l| l.is_exceeded(low, high));
        Self { outcome: if exceeded { CheckOutcome::Failed } else { CheckOutcome::Passed }, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(f: &Finding) -> bool {
        f.outcome == CheckOutcome::Failed
    }

    #[test]
    fn a_limit_may_be_met_and_not_passed() {
        let share =
            |count: usize, most: f64| Finding::counted("x", 0..count, 10, |i| i.to_string(), Limit::most("k", most));
        assert!(!failed(&share(0, 0.0)) && failed(&share(1, 0.0)));
        assert!(!failed(&share(3, 0.3)) && failed(&share(4, 0.3)));
        let found = share(7, 0.0);
        assert_eq!((found.count, found.of, found.examples.len(), found.value), (7, 10, 5, Some(0.7)));
        assert!(failed(&Finding::number("x", 0.94, Limit::least("k", 0.95))));
        assert!(!failed(&Finding::number("x", 0.95, Limit::least("k", 0.95))));
    }

    #[test]
    fn a_sample_fails_only_where_all_of_its_interval_does() {
        let at = |low: f64, high: f64| {
            Finding::number("x", (low + high) / 2.0, Limit::around("k", 0.1, 0.5)).within((low, high))
        };
        assert!(failed(&at(0.61, 0.9)) && failed(&at(0.1, 0.39)));
        assert!(!failed(&at(0.59, 0.9)) && !failed(&at(0.1, 0.41)));
        assert!(failed(&Finding::number("x", 0.61, Limit::around("k", 0.1, 0.5))));
        assert!(failed(&Finding::number("x", 0.2, Limit::above("k", 0.1, 0.05))));
    }

    #[test]
    fn nothing_to_count_in_is_no_pass() {
        let none = Finding::counted("x", std::iter::empty::<usize>(), 0, |i| i.to_string(), Limit::most("k", 0.0));
        assert_eq!(none.outcome, CheckOutcome::Skipped);
        assert!(none.reason.is_some());
    }
}
