//! Encoders and rerankers that run elsewhere: HTTP services and child processes.

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
