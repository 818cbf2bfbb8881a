//! From sentences to queries.
//!
//! ```text
//! recipe.toml ─▶ Recipe ─┐
//! Filing, Names ─────────┴▶ examine ─▶ Findings ─┐ (one filing, pure)
//!                                                └▶ assemble ─▶ queries, rivals, what was left out (the corpus)
//! ```
//!
//! A recipe says in TOML what a fact looks like; this crate applies it, decides how each sentence refers to the filer,
//! picks answers and evidence, and asks what else in the corpus a retriever could mistake for them. It reads no files and
//! knows no file format but the recipe's. The road not taken is a trained extractor: a benchmark has to be able to say
//! why a sentence is in it.
#![deny(missing_docs)]

mod assemble;
mod error;
mod examine;
mod fact;
mod pattern;
mod recipe;
mod refer;

pub use assemble::{Assembly, LeftOut, LeftOutReason, Record, assemble};
pub use error::MineError;
pub use examine::{Findings, examine};
pub use recipe::{AuditLimits, Fact, QueryTemplate, Recipe, Source};
