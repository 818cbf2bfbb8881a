//! What can go wrong between a text and its vector.

/// Why there is no vector.
///
/// Messages never hold a key, a header or a URL's user part: implementations see to that before they make one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EncodeError {
    /// Used wrong: a setting, a model or a view that this encoder cannot have. Says what to do instead.
    #[error("{0}")]
    Usage(String),
    /// Bad data: a file or an answer that is not what it should be. Says which, and where.
    #[error("{0}")]
    Data(String),
    /// A file could not be read or written.
    #[error("{path}: {why}")]
    Io {
        /// Which.
        path: String,
        /// What the system said.
        why: String,
    },
    /// A server or child process failed, refused or fell silent. Says which, what it said, and whether to try again.
    #[error("{0}")]
    Unavailable(String),
    /// The budget that was given would be exceeded. What is finished so far is in the store.
    #[error("{0}")]
    Budget(String),
    /// Other than one vector per chunk.
    #[error("{encoder}: {given} vectors came back for the {expected} chunks of {what}; each chunk needs exactly one")]
    Count {
        /// Who encoded.
        encoder: String,
        /// Of which filing, or which queries.
        what: String,
        /// How many chunks were handed over.
        expected: usize,
        /// How many vectors came.
        given: usize,
    },
    /// A vector of another length or kind than those before it.
    #[error("{encoder}: the vector of {what} has {given}, others have {expected}")]
    Dimension {
        /// Who encoded.
        encoder: String,
        /// Which chunk or query.
        what: String,
        /// Length and kind of those before.
        expected: String,
        /// Length and kind of this one.
        given: String,
    },
    /// A vector with NaN or infinity in it.
    #[error(
        "{encoder}: the vector of {what} holds {value} at position {at}; such a vector has no similarity to anything"
    )]
    NotFinite {
        /// Who encoded.
        encoder: String,
        /// Which chunk or query.
        what: String,
        /// Where.
        at: usize,
        /// What stands there.
        value: f32,
    },
    /// A vector of zeros, which has no direction.
    #[error(
        "{encoder}: the vector of {what} is all zeros; was its text cut to nothing, or the answer decoded wrongly?"
    )]
    Zero {
        /// Who encoded.
        encoder: String,
        /// Which chunk or query.
        what: String,
    },
    /// A fault of this program.
    #[error("internal error: {0}; please report it")]
    Bug(String),
}

impl EncodeError {
    /// An I/O error with its path.
    pub fn io(path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::Io { path: path.display().to_string(), why: error.to_string() }
    }
}
