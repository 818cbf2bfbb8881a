//! 8-K filings from bytes to sentences.
//!
//! ```text
//! bytes ──▶ decode ──▶ submission ──▶ clean ──▶ items ──▶ split ──▶ filter
//!           (charset)  (primary doc)  (text+map) (narrative) (spans)  (reasons)
//! ```
//!
//! Pure functions: no I/O, no clock, no threads. The same code serves the command line, a worker and the fuzzers.

mod clause;
pub mod clean;
mod decode;
pub mod document;
mod error;
pub mod filter;
pub mod items;
pub mod metadata;
pub mod names;
mod official;
mod sniff;
pub mod split;
mod submission;

pub use document::{Cleaned, Declared, DocumentKind, InlineFact, Narrative, Paragraph, ParagraphKind};
pub use error::TextError;
