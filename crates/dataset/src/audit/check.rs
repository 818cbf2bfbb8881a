//! One rule and how it went.

use serde::{Deserialize, Serialize};

/// Examples shown of what breaks a rule.
const EXAMPLES: usize = 5;

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The rule holds.
    Passed,
    /// It does not.
    Failed,
    /// It does not apply to this data set.
    Skipped,
}

/// One rule of a data set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// Its name, in kebab case; stable.
    pub name: String,
    /// How it went.
    pub outcome: Outcome,
    /// How many rows, golds or filings break it.
    pub count: usize,
    /// The first few of them, one sentence each.
    pub examples: Vec<String>,
    /// Why it was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Check {
    pub(super) fn named(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// A check that does not apply, and why.
    pub(super) fn skipped(reason: &str) -> Self {
        let reason = Some(reason.to_owned());
        Self { name: String::new(), outcome: Outcome::Skipped, count: 0, examples: Vec::new(), reason }
    }

    /// A check over everything that breaks the rule; only the first few are put into words.
    pub(super) fn of<T>(broken: impl Iterator<Item = T>, say: impl Fn(T) -> String) -> Self {
        let (mut count, mut examples) = (0, Vec::new());
        for case in broken {
            count += 1;
            if examples.len() < EXAMPLES {
                examples.push(say(case));
            }
        }
        let outcome = if count == 0 { Outcome::Passed } else { Outcome::Failed };
        Self { name: String::new(), outcome, count, examples, reason: None }
    }
}
