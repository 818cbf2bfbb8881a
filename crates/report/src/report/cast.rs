//! Who takes part, as what, in the order in which tables show them.

use std::collections::BTreeMap;

use eightk_measure::{Metric, SystemReport, Value};
use eightk_runs::{Account, Ranking, Roles};
pub(super) use eightk_runs::{Role, short};
use maud::{Markup, html};

use crate::components::safe_text::foreign;

/// A system with scores.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) name: &'a str,
    pub(super) role: Role,
    pub(super) report: &'a SystemReport,
    pub(super) ranking: Option<&'a Ranking>,
}

impl Member<'_> {
    /// Its mean on a metric, where it has one that is a number.
    pub(super) fn value(&self, metric: Metric) -> Option<Value> {
        self.report.metrics.get(&metric).copied().flatten().filter(|v| v.expected.is_finite())
    }

    /// Whether it is shown the filing's title, which names the company; also where a part of it is.
    pub(super) fn sees_title(&self) -> bool {
        let Some(system) = self.ranking.map(|r| &r.system) else { return false };
        let names_title = |view: &str| view.split('+').any(|part| part == "title");
        let parts = system.settings.iter().filter(|(key, _)| key.split(' ').next_back() == Some("view"));
        system.scorer == "name-filter"
            || system.view.as_deref().is_some_and(names_title)
            || parts.into_iter().any(|(_, view)| names_title(view))
    }
}

/// All of them.
#[derive(Debug)]
pub(super) struct Cast<'a> {
    /// Contestants, best first; floors; controls; chance; ceiling.
    pub(super) members: Vec<Member<'a>>,
    /// Systems without scores, and why.
    pub(super) failed: Vec<(&'a str, &'a str)>,
    /// The metric that says most: about rivals, else about answers.
    pub(super) telling: Metric,
}

impl<'a> Cast<'a> {
    pub(super) fn new(account: &'a Account) -> Self {
        let report = &account.results.report;
        let roles = Roles::of(&account.results);
        let rankings: BTreeMap<&str, &Ranking> =
            account.results.rankings.iter().map(|r| (r.name.as_str(), r)).collect();
        let member = |report: &'a SystemReport| {
            let name = report.name.as_str();
            Member { name, role: roles.role(name), report, ranking: rankings.get(name).copied() }
        };
        let mut members: Vec<Member<'a>> = report.systems.iter().filter(|s| !s.never_ran).map(member).collect();
        let known =
            [Metric::ResolvedAt1, Metric::RivalAuc, Metric::StandardRecall(1), Metric::NdcgAnswer(10), Metric::Mrr];
        let has = |m: &Metric| members.iter().any(|s| s.role == Role::Contestant && s.value(*m).is_some());
        let first = report.settings.metrics.first().copied();
        let telling = known.into_iter().find(has).or(first).unwrap_or(Metric::Mrr);
        let key = |m: &Member<'_>, metric| m.value(metric).map_or(f64::NEG_INFINITY, |v| v.expected);
        members.sort_by(|a, b| {
            let better = key(b, telling).total_cmp(&key(a, telling));
            let then = key(b, Metric::RivalAuc).total_cmp(&key(a, Metric::RivalAuc));
            // Controls and floors stay in the order asked for, which is that of their ladder.
            let ranked = if a.role == Role::Contestant { better.then(then) } else { std::cmp::Ordering::Equal };
            a.role.cmp(&b.role).then(ranked)
        });
        let silent = report.systems.iter().filter(|s| s.never_ran);
        let silent = silent.map(|s| (s.name.as_str(), "its run holds none of the queries"));
        let failed = report.failed.iter().map(|f| (f.name.as_str(), f.reason.as_str())).chain(silent).collect();
        Self { members, failed, telling }
    }

    /// Those in the contest, best first.
    pub(super) fn contestants(&self) -> &[Member<'a>] {
        let count = self.members.iter().take_while(|m| m.role == Role::Contestant).count();
        self.members.get(..count).unwrap_or_default()
    }

    /// The best contestant that has a score.
    pub(super) fn best(&self) -> Option<&Member<'a>> {
        self.contestants().first().filter(|m| m.value(self.telling).is_some())
    }
}

/// Names in a sentence: `a, b and c`, the rest counted beyond `most`.
pub(super) fn names(all: &[&str], most: usize) -> Markup {
    let shown = if all.len() > most { most.saturating_sub(1).max(1) } else { all.len() };
    let rest = all.len() - shown.min(all.len());
    html! {
        @for (i, name) in all.iter().take(shown).enumerate() {
            @if i > 0 { @if i + 1 == shown && rest == 0 { " and " } @else { ", " } }
            (foreign(name))
        }
        @if rest > 0 { " and " (rest) " more" }
    }
}
