//! What a reader noticed.

use crate::spans::UnfitSpan;

/// What was odd about the files, beside the data that came out of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadReport {
    /// Chunks whose span does not fit their text; see [`crate::repair_spans`].
    pub unfit: Vec<UnfitSpan>,
    /// Columns that were not there, or empty in every row, and what stands in for them.
    pub missing: Vec<MissingColumn>,
    /// Every score is 1: there is one tier only, and it is the answer tier.
    pub answer_only: bool,
    /// Queries whose `n_gold` is not the length of their lists: query id, the number stored, the length.
    pub wrong_counts: Vec<(String, i64, usize)>,
    /// Entries of `roles` that are neither `answer` nor `evidence`: query id and the entry. The score decides for them.
    pub unknown_roles: Vec<(String, String)>,
    /// The fingerprint that the data set's own `manifest.json` states, where it has one.
    pub stated_fingerprint: Option<String>,
    /// The recipe that the manifest names.
    pub stated_recipe: Option<String>,
    /// The limits of the audit that the manifest states: an object of numbers, if nobody changed it.
    pub stated_limits: Option<serde_json::Value>,
    /// Anything else a reader of the result should know, one sentence each.
    pub notes: Vec<String>,
}

/// A column that was not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingColumn {
    /// `documents`, `queries` or `filings`.
    pub config: &'static str,
    /// The column.
    pub column: &'static str,
    /// What stands in for it.
    pub instead: &'static str,
}

impl ReadReport {
    /// Whether a column was missing.
    pub fn lacks(&self, config: &str, column: &str) -> bool {
        self.missing.iter().any(|m| m.config == config && m.column == column)
    }
}
