//! What can go wrong when measuring: a wrong request, or judgements and runs that cannot be what they claim to be.
//!
//! Nothing here panics and nothing is I/O: texts arrive as bytes with the name of their origin, which messages repeat.

/// Why something could not be read or scored.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeasureError {
    /// User mistake: no metric has this name.
    #[error("`{name}` is no metric: {hint}. Known: {}", crate::Metric::NAMES.join(" "))]
    UnknownMetric {
        /// What was asked for.
        name: String,
        /// What is wrong with it.
        hint: String,
    },
    /// User mistake: a comparison asks for a metric that one of the systems was not scored with.
    #[error("`{system}` was not scored with {metric}: score both systems with it before comparing them")]
    NotScored {
        /// Whose scores lack it.
        system: String,
        /// The metric.
        metric: crate::Metric,
    },
    /// Bad data: a comparison with a system whose run has none of the queries.
    #[error(
        "`{system}` ran none of the queries: that is a system that failed, not one with a score of 0, and it is not compared; run it again, or leave it out"
    )]
    NeverRan {
        /// The system.
        system: String,
    },
    /// User mistake: two systems were scored against different judgements.
    #[error(
        "`{a}` and `{b}` were scored on different queries or judgements and cannot be compared: score both against the same ones"
    )]
    DifferentQueries {
        /// One system.
        a: String,
        /// The other.
        b: String,
    },
    /// Bad data: run and judgements are about different queries.
    #[error(
        "run `{system}` shares no query id with the judgements: judgements have `{judged}`, the run has `{retrieved}`; score the run of this data set, or give both files the same ids"
    )]
    NoSharedQuery {
        /// The run.
        system: String,
        /// One query id of the judgements.
        judged: String,
        /// One query id of the run.
        retrieved: String,
    },
    /// Bad data: the rivals are about different queries than the judgements.
    #[error(
        "the rivals share no query id with the judgements: judgements have `{judged}`, the rivals have `{listed}`; take the rivals of this data set"
    )]
    NoSharedRivals {
        /// One query id of the judgements.
        judged: String,
        /// One query id of the rivals.
        listed: String,
    },
    /// Bad data: judgements without a single query.
    #[error("{origin}: no judgement in it: nothing can be scored against it")]
    NoJudgements {
        /// The file, or the system that was to be scored.
        origin: String,
    },
    /// Bad data: bytes that are no UTF-8.
    #[error("{origin}:{line}: not UTF-8: save the file as UTF-8")]
    NotUtf8 {
        /// Name of the file.
        origin: String,
        /// 1-based line.
        line: usize,
    },
    /// Bad data: a line with the wrong number of columns.
    #[error("{origin}:{line}: {found} columns where a line has {wanted}{hint}")]
    Columns {
        /// Name of the file.
        origin: String,
        /// 1-based line.
        line: usize,
        /// How many it has.
        found: usize,
        /// How many it needs, and which.
        wanted: &'static str,
        /// What to do, beginning with its own punctuation; may be empty.
        hint: &'static str,
    },
    /// Bad data: a file that is no text.
    #[error("{origin}: this is {what}, not text: {hint}")]
    NotText {
        /// Name of the file.
        origin: String,
        /// What it is.
        what: &'static str,
        /// What to do.
        hint: &'static str,
    },
    /// Bad data: text that begins like JSON and is none.
    #[error("{origin}:{line}:{column}: no JSON: {what}")]
    Json {
        /// Name of the file.
        origin: String,
        /// 1-based line.
        line: usize,
        /// 1-based column, in characters.
        column: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// Bad data: JSON of another shape than runs and judgements have.
    #[error(
        "{origin}:{line}: {found} at {path}, where it does not belong; a file is {{query: {{document: number}}}}, alone or below the names of subset and split as MTEB saves predictions"
    )]
    Nesting {
        /// Name of the file.
        origin: String,
        /// 1-based line.
        line: usize,
        /// The keys that lead there, or `the top level`.
        path: String,
        /// What was found.
        found: &'static str,
    },
    /// Bad data: a JSON key that stands twice in one object. Other readers keep one of the two and say nothing.
    #[error("{place}: the key `{key}` stands twice in one object: keep one of the two")]
    DuplicateKey {
        /// `file:line` of the repetition.
        place: String,
        /// The key.
        key: String,
    },
    /// User mistake: a file holds several runs and none is chosen, or not the one that is.
    #[error(
        "{origin} holds {found}: {}",
        wanted.as_ref().map_or_else(|| "say which of them, as subset, split or subset/split".to_owned(), |w| format!("`{w}` is not exactly one of them"))
    )]
    Section {
        /// Name of the file.
        origin: String,
        /// What it holds.
        found: String,
        /// What was asked for.
        wanted: Option<String>,
    },
    /// Bad data: a grade that is no whole number.
    #[error(
        "{origin}:{line}: grade `{grade}` of document `{document}` for query `{query}` must be a whole number (2 answer, 1 evidence, 0 not relevant)"
    )]
    Grade {
        /// Name of the file.
        origin: String,
        /// 1-based line.
        line: usize,
        /// Query id.
        query: String,
        /// Document id.
        document: String,
        /// The grade as written.
        grade: String,
    },
    /// Bad data: one document judged twice, differently.
    #[error(
        "{origin}:{line}: document `{document}` has grade {second} for query `{query}`, and {first} in line {first_line}: keep one of the two lines"
    )]
    ConflictingGrades {
        /// Name of the file.
        origin: String,
        /// 1-based line of the second judgement.
        line: usize,
        /// Query id.
        query: String,
        /// Document id.
        document: String,
        /// The grade met first.
        first: i64,
        /// The grade met second.
        second: i64,
        /// 1-based line of the first judgement.
        first_line: usize,
    },
    /// Bad data: a score that is no number.
    #[error(
        "{place}: score `{score}` of document `{document}` for query `{query}` is no number: it cannot be ranked; remove the line or mend the system that wrote it"
    )]
    Score {
        /// `file:line`, or the run's name.
        place: String,
        /// Query id.
        query: String,
        /// Document id.
        document: String,
        /// The score as written.
        score: String,
    },
    /// Bad data: one document retrieved twice for a query.
    #[error(
        "{place}: document `{document}` is retrieved twice for query `{query}`{also}: keep the better one, counting it twice would inflate every score"
    )]
    DuplicateHit {
        /// `file:line` of the repetition, or the run's name.
        place: String,
        /// Query id.
        query: String,
        /// Document id.
        document: String,
        /// Where it stands first (` (first in line 3)`), or nothing.
        also: String,
    },
    /// Bad data: an id that TREC's blank-separated lines cannot hold.
    #[error(
        "the {what} id `{id}` is empty, begins with `#` or contains white space: a TREC file cannot hold it; rename it, or export as JSON lines"
    )]
    UnwritableId {
        /// `query` or `document`.
        what: &'static str,
        /// The id.
        id: String,
    },
}

impl MeasureError {
    /// Whether the command was used wrongly, as opposed to given wrong data.
    pub const fn is_user_mistake(&self) -> bool {
        matches!(
            self,
            Self::UnknownMetric { .. } | Self::NotScored { .. } | Self::DifferentQueries { .. } | Self::Section { .. }
        )
    }
}
