//! Types every eightk crate speaks.
//!
//! Data flows one way through the workspace — filings, text, sentences, facts, data set, runs, scores — and
//! these are the shapes it takes on the way. The crate does no I/O, knows no file format (but
//! [the names](store_layout) by which two crates find the same files) and holds no algorithm beyond what keeps a type true to
//! itself.
//!
//! **Two units of offset.** Rust slices strings by bytes; the published data sets count Unicode code points, as
//! Python's `text[a:b]` does. [`Span`] is always bytes, [`CharSpan`] always code points, and [`CharIndex`] is the only
//! place that turns one into the other. The road not taken is one span type with a unit noted in a comment: every
//! tool we looked at that went that way mixed the two at least once.

mod accession;
mod chunk;
mod date;
mod drop_reason;
mod error;
mod fact;
mod filing;
mod invented;
mod offsets;
mod qrels;
mod query;
mod rivals;
mod run;
mod span;
pub mod store_layout;
mod title;

pub use accession::Accession;
pub use chunk::{Chunk, chunk_id};
pub use date::FilingDate;
pub use drop_reason::DropReason;
pub use error::CoreError;
pub use fact::{Evidence, EvidenceKind, FactMention, Reference};
pub use filing::{Filing, FilingMeta, Form, ItemSection, Sentence};
pub use invented::{INVENTED_CIKS, is_invented};
pub use offsets::CharIndex;
pub use qrels::{ANSWER_GRADE, EVIDENCE_GRADE, Qrels};
pub use query::{Alternative, Gold, Query, Role, query_id};
pub use rivals::RivalSet;
pub use run::{Hit, Run};
pub use span::{CharSpan, Span};
pub use title::short_name;
