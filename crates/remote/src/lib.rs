//! Encoders and rerankers that run elsewhere: HTTP services and child processes.

// Until encoders stand on them.
#[allow(dead_code, unused_imports)]
mod settings;
#[allow(dead_code, unused_imports)]
mod web;

#[cfg(test)]
#[path = "../tests/support/mod.rs"]
mod support;

pub use web::{Access, Budget, Clock, MachineClock, Secret, Used, Waiting};
