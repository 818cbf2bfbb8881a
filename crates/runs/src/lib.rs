//! The folder of runs.
#![deny(missing_docs)]
