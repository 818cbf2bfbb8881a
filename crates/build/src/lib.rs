//! The pipeline from a folder of filings to a data set.
//!
//! ```text
//! inputs ──▶ reading ──▶ examining ──▶ assembling ──▶ writing
//! (which files) (bytes → Filing) (facts)  (queries, rivals)  (folder, whole or not at all)
//! ```
//!
//! Everything that touches more than one library crate lives here, so that the command line, a Python module and a
//! distributed worker share one pipeline. Files are read, cleaned, split and mined in parallel and independently; what
//! is kept of each is its narrative and findings, never its raw bytes. Then everything is put in `source_url` order and only
//! from there on do filings meet: the result cannot depend on how many threads there were.

mod build;
mod card;
mod error;
mod examined;
pub mod inputs;
mod reading;
mod summary;

pub use build::{BuildOptions, build};
pub use error::BuildError;
pub use examined::{Examined, examine_all, examine_one};
pub use inputs::{InputFile, Inputs, Refused, discover};
pub use reading::{MAX_FILE_BYTES, ReadFiling, ReadOptions, read_filing};
pub use summary::BuildSummary;
