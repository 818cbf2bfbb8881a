//! Encoders and rerankers that run elsewhere: HTTP services and child processes.
//!
//! What runs elsewhere can be slow, busy, dear or wrong, and its answers are foreign bytes. So everything here is about trust: what is sent is counted
//! before it is paid for, what comes back is placed by its index and checked, what is finished is handed over before more is asked, and a key is
//! in one header and nowhere else. Blocking throughout: a handful of requests at once need threads, not a runtime.

pub mod child;
mod encoders;
mod rerank;
mod settings;
mod web;

#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;

#[doc(hidden)]
pub use encoders::read_any_answer;
pub use encoders::{RemoteEncoder, RemoteKind};
pub use rerank::{RemoteReranker, RerankKind};
pub use web::{Access, Budget, Clock, MachineClock, Secret, Used, Waiting};
