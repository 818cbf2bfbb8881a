//! What systems made of each query, looked up instead of searched for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use eightk_core::query_id;
use eightk_measure::Metric;
use eightk_report::{Section, score_sections};
use eightk_runs::{Account, OutcomeRow, Role, Roles};

/// The runs, by query.
#[derive(Debug)]
pub(crate) struct Outcomes {
    pub(crate) account: Arc<Account>,
    /// Rows of each query, in the order of the systems.
    of_query: BTreeMap<String, Vec<usize>>,
    /// By system, positions of the queries it failed at.
    failed: BTreeMap<String, BTreeSet<usize>>,
    /// Systems in the order of the results.
    pub(crate) systems: Vec<String>,
    /// Those that compete, with no floor, control or ceiling among them.
    contestants: BTreeSet<String>,
    /// Made at first use: charts take longer than a page may, and never change.
    sections: OnceLock<Vec<Section>>,
}

/// How one system did on one query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// The gold is above every rival.
    Resolved,
    /// A rival shares the gold's score, none is above.
    Level,
    /// A rival is above the gold.
    Fooled,
    /// The gold was not retrieved.
    Missed,
    /// The query has no rival: the gold was retrieved.
    Found,
    /// The run lacks the query.
    Absent,
}

impl Fate {
    /// Of an outcome.
    pub(crate) fn of(row: &OutcomeRow) -> Self {
        match row {
            OutcomeRow { retrieved: None, .. } => Self::Absent,
            OutcomeRow { answer_rank: None, .. } => Self::Missed,
            OutcomeRow { rivals: 0, .. } => Self::Found,
            OutcomeRow { rivals_above: 1.., .. } => Self::Fooled,
            OutcomeRow { rivals_level: 1.., .. } => Self::Level,
            _ => Self::Resolved,
        }
    }

    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Resolved => "gold before every rival",
            Self::Level => "level with a rival",
            Self::Fooled => "a rival before the gold",
            Self::Missed => "gold not retrieved",
            Self::Found => "gold retrieved",
            Self::Absent => "not run",
        }
    }

    /// Whether the system failed at it.
    pub(crate) fn failed(self) -> bool {
        matches!(self, Self::Level | Self::Fooled | Self::Missed | Self::Absent)
    }
}

impl Outcomes {
    pub(crate) fn new(account: Arc<Account>) -> Self {
        let systems: Vec<String> = account.results.report.systems.iter().map(|s| s.name.clone()).collect();
        let place: BTreeMap<&str, usize> = systems.iter().enumerate().map(|(i, s)| (s.as_str(), i)).collect();
        let mut of_query: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut failed: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for (i, row) in account.outcomes.iter().enumerate() {
            of_query.entry(row.query.clone()).or_default().push(i);
            let number = row.query.strip_prefix('q').and_then(|n| n.parse().ok());
            if let Some(number) = number.filter(|_| Fate::of(row).failed()) {
                failed.entry(row.system.clone()).or_default().insert(number);
            }
        }
        let order = |i: &usize| {
            let system = account.outcomes.get(*i).map(|row| row.system.as_str());
            system.and_then(|s| place.get(s).copied()).unwrap_or(usize::MAX)
        };
        of_query.values_mut().for_each(|rows| rows.sort_by_key(order));
        drop(place);
        let roles = Roles::of(&account.results);
        let contestants = systems.iter().filter(|s| roles.role(s) == Role::Contestant).cloned().collect();
        Self { account, of_query, failed, systems, contestants, sections: OnceLock::new() }
    }

    /// What the scores say, section by section.
    pub(crate) fn sections(&self) -> &[Section] {
        self.sections.get_or_init(|| score_sections(&self.account))
    }

    /// What became of a query, system by system.
    pub(crate) fn of(&self, query: usize) -> impl Iterator<Item = &OutcomeRow> {
        let rows = self.of_query.get(&query_id(query)).map_or(&[][..], Vec::as_slice);
        rows.iter().filter_map(|i| self.account.outcomes.get(*i))
    }

    /// How many systems compete.
    pub(crate) fn contestants(&self) -> usize {
        self.contestants.len()
    }

    /// How many of them failed at a query.
    pub(crate) fn failures(&self, query: usize) -> usize {
        self.of(query).filter(|row| self.contestants.contains(&row.system) && Fate::of(row).failed()).count()
    }

    /// Positions of the queries that a system failed at, where it failed at any.
    pub(crate) fn failed_by(&self, system: &str) -> Option<&BTreeSet<usize>> {
        self.failed.get(system)
    }

    /// Score of the gold less that of the best rival; `None` where one was not retrieved or nothing is known of scores.
    pub(crate) fn margin(row: &OutcomeRow) -> Option<f64> {
        let best = row.answers.iter().filter_map(|place| place.score).max_by(f64::total_cmp)?;
        Some(best - row.best_rival.as_ref()?.score?)
    }

    /// A query's value of a metric.
    pub(crate) fn value(row: &OutcomeRow, metric: Metric) -> Option<f64> {
        row.metrics.get(&metric).copied().flatten()
    }
}
