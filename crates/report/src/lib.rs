//! Scores as one HTML page, and the parts that pages of eightk are made of.
//!
//! [`report()`] makes one file of an account of runs. [`components`], [`style`] and [`script`] are what it is made with, and what the
//! local explorer is made with too; [`figures`] are the pictures, as data.
//!
//! HTML is written by `maud`: templates the compiler checks, which escape whatever comes into them. The road not taken is a template
//! language read at run time: a page with a field that does not exist would then be found by its reader.
#![deny(missing_docs)]

pub mod components;
mod error;
pub mod figures;
mod report;
pub mod script;
pub mod style;

pub use error::ReportError;
pub use report::{DEFAULT_MAX_BYTES, ReportOptions, Section, report, score_sections};
