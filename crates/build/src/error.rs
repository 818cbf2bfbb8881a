//! What stops a build as a whole. A bad filing never does: it is refused with its reason and the build goes on.

use std::path::PathBuf;

/// Why there is no data set.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// User mistake: an input that is not there.
    #[error("no file or folder {0}; name a folder of filings, or one filing")]
    NoSuchInput(PathBuf),
    /// User mistake: inputs in which there is nothing to read.
    #[error(
        "no filing found in {0} (looked for manifest.jsonl, then for .htm, .html, .xhtml, .txt, .sgml, .nc, each also .gz)"
    )]
    NothingToRead(PathBuf),
    /// User mistake: a store into which nothing was fetched yet.
    #[error("the store {0} holds no filings yet; `eightk fetch` brings them")]
    EmptyStore(PathBuf),
    /// Bad data: a store that cannot be read.
    #[error("{path}: {problem}")]
    Store {
        /// The store.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Bad data: every filing was refused.
    #[error("none of the {0} files could be used; the first: {1}")]
    AllRefused(usize, String),
    /// User mistake: the output would replace what is read.
    #[error("the output folder {out} holds {input}, which is an input; choose another folder")]
    OutputHoldsInput {
        /// The output.
        out: PathBuf,
        /// An input inside it.
        input: PathBuf,
    },
    /// Reading failed.
    #[error("cannot read {path}: {source}")]
    Io {
        /// What was read.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Writing the data set failed.
    #[error(transparent)]
    Dataset(#[from] eightk_dataset::DatasetError),
}
