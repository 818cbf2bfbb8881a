//! What each system is among the others, told once: tables, figures and the explorer must not disagree on who competes.

use std::collections::{BTreeMap, BTreeSet};

use crate::Results;

/// What a system is among the others; in the order in which tables show them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// In the contest.
    Contestant,
    /// Compared with: a baseline that nobody asked for.
    Floor,
    /// A view spoilt on purpose: part of a ladder, not of a contest.
    Control,
    /// Chance.
    Chance,
    /// The most that can be had.
    Ceiling,
}

impl Role {
    /// What tables say beside the name.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::Contestant => None,
            Self::Floor => Some("floor"),
            Self::Control => Some("control"),
            Self::Chance => Some("chance"),
            Self::Ceiling => Some("ceiling"),
        }
    }
}

/// The roles of all systems of a folder of runs.
#[derive(Debug)]
pub struct Roles<'a> {
    contestants: BTreeSet<&'a str>,
    controls: BTreeSet<&'a str>,
    /// What ranked, by system.
    scorers: BTreeMap<&'a str, &'a str>,
}

impl<'a> Roles<'a> {
    /// As the results tell them.
    pub fn of(results: &'a Results) -> Self {
        let settings = &results.report.settings;
        let rungs = settings.ladders.iter().flat_map(|l| &l.rungs);
        Self {
            contestants: settings.contestants.iter().map(String::as_str).collect(),
            controls: rungs.filter(|r| r.control.is_some()).map(|r| r.system.as_str()).collect(),
            scorers: results.rankings.iter().map(|r| (r.name.as_str(), r.system.scorer.as_str())).collect(),
        }
    }

    /// Of the system of this name; what the results do not know goes by its name.
    pub fn role(&self, system: &str) -> Role {
        match self.scorers.get(system).copied().unwrap_or(system) {
            "random" => Role::Chance,
            "oracle" => Role::Ceiling,
            _ if self.contestants.contains(system) => Role::Contestant,
            _ if self.controls.contains(system) => Role::Control,
            // Where nobody is named a contestant, everybody is one.
            _ if self.contestants.is_empty() => Role::Contestant,
            _ => Role::Floor,
        }
    }
}
