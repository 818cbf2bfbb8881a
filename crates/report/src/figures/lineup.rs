//! Who takes part, as what, and where each one's answers stand.

use std::collections::{BTreeMap, BTreeSet};

use eightk_measure::curves::{AnswerPlaces, Contest, Tie, cluster_numbers};
use eightk_measure::{Metric, SystemReport, Value};
use eightk_plot::SeriesClass;
pub(super) use eightk_runs::Role;
use eightk_runs::{Account, OutcomeRow, Roles};

use super::words::list;

/// As many rivals or chunks as a data set may have. What claims more is no number of anything, and takes long to reckon with.
pub(super) const MOST: usize = u32::MAX as usize;

/// Lines that a chart may have.
const LINES: usize = 8;

/// A system with scores.
#[derive(Debug)]
pub(super) struct Entrant<'a> {
    pub(super) name: &'a str,
    pub(super) role: Role,
    pub(super) report: &'a SystemReport,
    /// Chunks asked for per query.
    pub(super) depth: Option<usize>,
    /// One per query, in the order of their ids.
    pub(super) rows: Vec<&'a OutcomeRow>,
    /// The filing of each of these, by number.
    pub(super) clusters: Vec<usize>,
}

impl Entrant<'_> {
    /// How it is drawn.
    pub(super) const fn class(&self) -> SeriesClass {
        match self.role {
            Role::Contestant | Role::Control => SeriesClass::Normal,
            Role::Floor | Role::Chance => SeriesClass::Floor,
            Role::Ceiling => SeriesClass::Ceiling,
        }
    }

    /// Its mean on a metric, where it has one that is a number.
    pub(super) fn value(&self, metric: Metric) -> Option<Value> {
        self.report.metrics.get(&metric).copied().flatten().filter(|v| v.expected.is_finite())
    }

    /// Where its answers stand, query by query.
    pub(super) fn places(&self) -> Vec<AnswerPlaces> {
        self.rows.iter().map(|row| answer_places(row)).collect()
    }

    /// How its answers stand to their rivals, query by query.
    pub(super) fn contests(&self) -> Vec<Option<Contest>> {
        self.rows.iter().map(|row| contest(row)).collect()
    }
}

/// Where the answers of one query stand.
fn answer_places(row: &OutcomeRow) -> AnswerPlaces {
    let tie = |p: &eightk_runs::Place| p.rank.map(|rank| Tie { rank, size: p.tie.max(1) });
    AnswerPlaces { places: row.answers.iter().map(tie).collect(), retrieved: row.retrieved.unwrap_or(0) }
}

/// How one query's best answer stands to its rivals; none where there is nothing to tell apart.
pub(super) fn contest(row: &OutcomeRow) -> Option<Contest> {
    let places = answer_places(row);
    // What was not retrieved shares the last tie.
    let answers = places.best().map_or(places.places.len(), |best| best.1);
    let contest = Contest { rivals: row.rivals, above: row.rivals_above, level: row.rivals_level, answers };
    (row.rivals > 0 && row.rivals <= MOST && answers > 0).then_some(contest)
}

/// All systems that ran, and the account they come from.
#[derive(Debug)]
pub(super) struct Lineup<'a> {
    pub(super) account: &'a Account,
    /// Contestants, others, controls, marks; each kind in the order of the results.
    pub(super) entrants: Vec<Entrant<'a>>,
    /// Sentences about systems without scores.
    pub(super) without: Vec<String>,
}

impl<'a> Lineup<'a> {
    pub(super) fn new(account: &'a Account) -> Self {
        let report = &account.results.report;
        let filing_of: BTreeMap<&str, &str> =
            account.queries.iter().filter_map(|q| Some((q.query.as_str(), q.filing.as_deref()?))).collect();
        let mut rows: BTreeMap<&str, BTreeMap<&str, &OutcomeRow>> = BTreeMap::new();
        for row in &account.outcomes {
            rows.entry(&row.system).or_default().insert(&row.query, row);
        }
        let roles = Roles::of(&account.results);
        let entrant = |report: &'a SystemReport| {
            let ranking = account.results.rankings.iter().find(|r| r.name == report.name);
            let rows: Vec<&OutcomeRow> =
                rows.get(report.name.as_str()).map(|m| m.values().copied().collect()).unwrap_or_default();
            let cluster =
                |row: &&OutcomeRow| filing_of.get(row.query.as_str()).copied().ok_or_else(|| row.query.clone());
            let clusters = cluster_numbers(rows.iter().map(cluster));
            let role = roles.role(&report.name);
            Entrant { name: &report.name, role, report, depth: ranking.map(|r| r.depth), rows, clusters }
        };
        let mut entrants: Vec<Entrant<'a>> = report.systems.iter().filter(|s| !s.never_ran).map(entrant).collect();
        entrants.sort_by_key(|e| e.role);
        let failed = report.failed.iter().map(|f| f.name.as_str());
        let silent = report.systems.iter().filter(|s| s.never_ran).map(|s| s.name.as_str());
        let without: Vec<&str> = failed.chain(silent).collect();
        let without = match without.as_slice() {
            [] => Vec::new(),
            [one] => vec![format!("{one} failed and has no scores.")],
            some => vec![format!("{} failed and have no scores.", list(some))],
        };
        Self { account, entrants, without }
    }

    pub(super) fn of(&self, role: Role) -> impl Iterator<Item = &Entrant<'a>> {
        self.entrants.iter().filter(move |e| e.role == role)
    }

    pub(super) fn find(&self, name: &str) -> Option<&Entrant<'a>> {
        self.entrants.iter().find(|e| e.name == name)
    }

    /// The system that others are compared with.
    pub(super) fn baseline(&self) -> Option<&Entrant<'a>> {
        self.find(self.account.results.report.settings.baseline.as_deref()?)
    }

    /// Contestants, the best on a metric first; those without a value last.
    pub(super) fn ranked(&self, metric: Metric) -> Vec<&Entrant<'a>> {
        let mut list: Vec<&Entrant<'a>> = self.of(Role::Contestant).collect();
        let sign = if metric.higher_is_better() { 1.0 } else { -1.0 };
        let key = |e: &&Entrant<'_>| e.value(metric).map_or(f64::NEG_INFINITY, |v| sign * v.expected);
        // Stable: equals stay in the order of the results.
        list.sort_by(|a, b| key(b).total_cmp(&key(a)));
        list
    }

    /// The metric that says most of those that contestants have: about rivals, else about answers.
    pub(super) fn telling(&self) -> Metric {
        let known =
            [Metric::ResolvedAt1, Metric::RivalAuc, Metric::StandardRecall(1), Metric::Mrr, Metric::NdcgAnswer(10)];
        let has = |m: &Metric| self.of(Role::Contestant).any(|e| e.value(*m).is_some());
        known.into_iter().find(has).unwrap_or(Metric::Mrr)
    }

    /// The names of those whose lines are drawn, the same in every chart: contestants, the best where they are more than
    /// there is room for, then the baseline, then others.
    pub(super) fn drawn(&self) -> BTreeSet<&'a str> {
        let best = self.ranked(self.telling());
        let others = self.baseline().into_iter().filter(|b| b.role == Role::Floor).chain(self.of(Role::Floor));
        let mut names = BTreeSet::new();
        for entrant in best.into_iter().chain(others) {
            if names.len() < LINES {
                names.insert(entrant.name);
            }
        }
        names
    }

    /// Whether anyone's answers are known by their places.
    pub(super) fn has_places(&self) -> bool {
        self.entrants.iter().any(|e| e.rows.iter().any(|r| !r.answers.is_empty()))
    }

    /// Few queries, said once per figure that would tempt to conclusions.
    pub(super) fn smoke_test(&self) -> Option<String> {
        let smoke = self.entrants.iter().any(|e| e.report.smoke_test);
        smoke.then(|| {
            format!(
                "Fewer than {} queries: a smoke test, from which nothing is to be concluded.",
                eightk_measure::SMOKE_TEST_BELOW
            )
        })
    }
}
