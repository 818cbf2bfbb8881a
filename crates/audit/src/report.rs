//! The result of an audit.

use eightk_dataset::{AuditReport, Check, CheckOutcome};
use eightk_mine::AuditLimits;
use serde::Serialize;

use crate::{Finding, Limits};

/// The result of an audit: `audit/result.json`, and what `audit --json` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Whether nothing failed, neither an invariant nor a finding.
    pub passed: bool,
    /// The invariants, in a fixed order.
    pub checks: Vec<Check>,
    /// What is a matter of degree, in a fixed order.
    pub sections: Vec<Section>,
    /// The limits that the sections were held to.
    pub limits: AuditLimits,
    /// Whose limits they are.
    pub limits_of: String,
}

/// A question and its findings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// Its name: `leaks`.
    pub name: &'static str,
    /// What was found, in a fixed order.
    pub checks: Vec<Finding>,
}

impl Report {
    pub(crate) fn new(invariants: AuditReport, sections: Vec<Section>, limits: &Limits) -> Self {
        let failed = sections.iter().flat_map(|s| &s.checks).any(|f| f.outcome == CheckOutcome::Failed);
        Self {
            passed: invariants.passed && !failed,
            checks: invariants.checks,
            sections,
            limits: limits.values().clone(),
            limits_of: limits.origin().to_owned(),
        }
    }

    /// The invariants by themselves.
    pub fn invariants(&self) -> AuditReport {
        AuditReport {
            passed: self.checks.iter().all(|c| c.outcome != CheckOutcome::Failed),
            checks: self.checks.clone(),
        }
    }

    /// Every finding of every section.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.sections.iter().flat_map(|s| &s.checks)
    }

    /// Names of everything that failed.
    pub fn failed(&self) -> Vec<&str> {
        let checks = self.checks.iter().filter(|c| c.outcome == CheckOutcome::Failed).map(|c| c.name.as_str());
        checks.chain(self.findings().filter(|f| f.outcome == CheckOutcome::Failed).map(|f| f.name)).collect()
    }
}
