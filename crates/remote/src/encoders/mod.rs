//! Encoders that are services.
//!
//! ```text
//! filings, queries ──▶ plan (units: texts that belong together) ──▶ batch ──▶ dialect writes ──▶ web ──▶ dialect reads ──▶ vectors in place
//! ```
//!
//! A **unit** is what a service must be handed as one document: a chunk alone, or the passages of a filing. Everything that differs between
//! services stands in its dialect: the body, the limits, the shape of the answer. Everything else – limits kept, what belongs together
//! sent together, vectors put where their index says – is written once and tested for all.

mod answer;
mod assembly;
mod build;
mod dialects;
mod encoder;
mod kind;
mod plan;
mod prices;
mod run;

pub use encoder::RemoteEncoder;
pub use kind::RemoteKind;

/// Reads bytes as the answer of a service to documents of so many texts each, for whoever tries what cannot come. Whether they were one.
#[doc(hidden)]
pub fn read_any_answer(kind: RemoteKind, dtype: &str, in_context: bool, texts: &[usize], body: &[u8]) -> bool {
    dialects::any(kind, dtype).is_some_and(|dialect| dialect.read(in_context, texts, body).is_ok())
}
