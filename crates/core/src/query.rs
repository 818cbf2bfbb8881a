//! What is asked, and what counts as found.

use serde::{Deserialize, Serialize};

use crate::{ANSWER_GRADE, CharSpan, EVIDENCE_GRADE};

/// The id of the query in row `index` of the `queries` config: `q0`, `q1`, …
///
/// The published shape has no id column, so the row is the identity; runs and rival files use this name.
pub fn query_id(index: usize) -> String {
    format!("q{index}")
}

/// What a gold fragment is for its query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// States the fact.
    Answer,
    /// Tells whose it is.
    Evidence,
}

impl Role {
    /// The grade it is published with: 2 for the answer, 1 for the evidence.
    pub const fn grade(self) -> i64 {
        match self {
            Self::Answer => ANSWER_GRADE,
            Self::Evidence => EVIDENCE_GRADE,
        }
    }
}

/// A fragment that answers or supports a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gold {
    /// The fragment's text.
    pub text: String,
    /// Its grade as published. Data sets with 1 everywhere are answer-only: there `role` is `Answer` all the same.
    pub score: i64,
    /// What it is.
    pub role: Role,
    /// The filing it stands in.
    pub source_url: String,
    /// Where it stands in that filing's narrative.
    pub span: CharSpan,
}

/// Another sentence of the same filing that states the same fact; neither gold nor rival.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// The filing it stands in.
    pub source_url: String,
    /// Where it stands in that filing's narrative.
    pub span: CharSpan,
}

/// One row of the `queries` config.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// The query as the template made it.
    pub original_query: String,
    /// The query to run.
    pub query: String,
    /// Gold fragments, answer first.
    pub golds: Vec<Gold>,
    /// Which fact it asks for; `None` in data sets that do not say.
    pub fact: Option<String>,
    /// Sentences of the gold filing that state the same fact.
    pub alternatives: Vec<Alternative>,
}
