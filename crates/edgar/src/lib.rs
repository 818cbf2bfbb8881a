//! From EDGAR to a folder of filings, politely, resumably, completely.
//!
//! ```text
//! Query ──▶ find (search | index) ──▶ Found ──▶ pick ──▶ plan ──▶ download ──▶ store
//!                       │                                            │
//!                       └───────────────── web ──────────────────────┘   one limiter, one log, one pause for all
//! ```
//!
//! Everything that needs an answer from EDGAR asks the [`web::Web`] seam, so searching, picking and resuming are tested
//! without a network, and "offline" is one more implementation of it. Blocking code on a few threads: EDGAR allows ten requests a
//! second, so an async runtime would only wait in a more complicated way.

pub mod address;
mod digest;
pub mod error;
pub mod event;
pub mod fetch;
pub mod find;
pub mod store;
pub mod web;

pub use error::EdgarError;
pub use event::{Event, Watcher};
pub use store::Store;
