//! What can go wrong between a system's name and its run.
//!
//! Nobody's fault is an empty result: a query that matches nothing has an empty ranking. An error means there is no
//! ranking at all, and a system without ranking has no score.

/// Why a system could not be made or run.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RetrieveError {
    /// Used wrong: no system has this name.
    #[error("there is no system `{spec}`; possible are:\n{possible}")]
    UnknownSystem {
        /// What was asked for.
        spec: String,
        /// What could have been, one form a line.
        possible: &'static str,
    },
    /// Used wrong: a view that does not exist or makes no sense.
    #[error(
        "`{part}` is no view ({why}); possible are bare, title, lead, prefix:FILE, lead:N, window:N, filing, filing:text, and several joined by `+` \
         as in title+lead"
    )]
    UnknownView {
        /// The part that could not be read.
        part: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Used wrong: a control that does not exist.
    #[error(
        "`{control}` is no control ({why}); possible are masked, minus-binding, swap, filing-shuffled, filing-shuffled:SEED, \
         filing-wrong, filing-wrong:SEED"
    )]
    UnknownControl {
        /// What was asked for.
        control: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Used wrong: a control that would change nothing, or cannot be had.
    #[error("control `{control}` makes no sense for view `{view}`: {why}")]
    Control {
        /// The control.
        control: String,
        /// The view it was asked for.
        view: String,
        /// What is missing, and what would be right.
        why: &'static str,
    },
    /// Used wrong: a view that this kind of system cannot use.
    #[error("`{system}` cannot see `{view}`: {why}")]
    ViewOf {
        /// The system.
        system: String,
        /// The view.
        view: String,
        /// Why, and what would be right.
        why: &'static str,
    },
    /// The control needs something that is not known of the data set.
    #[error("control `{control}` needs {what}")]
    NothingToControl {
        /// The control.
        control: String,
        /// What is missing, and where it would come from.
        what: &'static str,
    },
    /// Bad data: a line of a file of contexts that is none.
    #[error(
        "line {line} of the contexts {why}; every line is one object like {{\"chunk_id\": \"…\", \"prefix\": \"…\"}}"
    )]
    Prefix {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A view sees contexts made elsewhere that belong to no chunk, or were never read.
    #[error("view `{view}`: {why}")]
    NoPrefixes {
        /// The view.
        view: String,
        /// What is missing, and what to do.
        why: &'static str,
    },
    /// Used wrong: a setting that does not exist or is out of range.
    #[error("system `{spec}`: setting `{setting}` {why}")]
    Setting {
        /// The system.
        spec: String,
        /// The setting as it was written.
        setting: String,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// Used wrong: a view of the whole filing for an encoder that cannot see it.
    #[error(
        "`{system}`: {encoder} represents each chunk by its own text and cannot see `{view}`; views it can have are bare, title, lead, \
         lead:N, window:N, prefix:FILE and their combinations"
    )]
    NoContext {
        /// The system.
        system: String,
        /// The encoder's model.
        encoder: String,
        /// The view.
        view: String,
    },
    /// Used wrong: a spec that cannot be read.
    #[error("system `{spec}` {why}")]
    Malformed {
        /// What was asked for, or the part of it.
        spec: String,
        /// What is wrong, as the end of a sentence, and what would be right.
        why: String,
    },
    /// Used wrong: two systems that tables could not tell apart.
    #[error("{}", same_label(.label, .one, .two))]
    SameLabel {
        /// What both would be called.
        label: String,
        /// One.
        one: String,
        /// The other.
        two: String,
    },
    /// Used wrong: two queries with one id.
    #[error("query id `{0}` occurs twice; ids must be unique, one ranking belongs to each")]
    DuplicateQuery(String),
    /// The system needs titles and the data set has none.
    #[error(
        "`{0}` needs titles, and no chunk of this data set has one; leave it out, or use a data set with a `title` column"
    )]
    NoTitles(String),
    /// The system is a ceiling or floor that is made from judgements.
    #[error(
        "`{0}` is made from the judgements, and there are none for these chunks; does this data set have gold fragments?"
    )]
    NoJudgements(String),
    /// A tie too large to hold for every query.
    #[error(
        "`random` would tie all {chunks} chunks for query `{query}`, whose rivals are not known, and holds at most {limit}; \
         give the rivals (audit/rivals.jsonl), or use one seeded order: random:1"
    )]
    TieTooLarge {
        /// The query.
        query: String,
        /// How many chunks would tie.
        chunks: usize,
        /// How many may.
        limit: usize,
    },
    /// Bad data: one id for two chunks.
    #[error("chunk id `{0}` occurs twice; a run could not say which of them was found")]
    DuplicateChunk(String),
    /// Bad data: more than an index can number.
    #[error("{0} chunks or words are more than an index can number (2^32 - 2)")]
    TooLarge(usize),
    /// The encoder or reranker could not be made, or failed.
    #[error(transparent)]
    Encode(#[from] eightk_encode::EncodeError),
    /// Vectors that cannot be searched.
    #[error(transparent)]
    Search(#[from] crate::SearchError),
}

fn same_label(label: &str, one: &str, two: &str) -> String {
    if one == two {
        format!("system `{one}` is named twice")
    } else {
        format!("systems `{one}` and `{two}` would both be called `{label}`; name one of them otherwise, with as=NAME")
    }
}
