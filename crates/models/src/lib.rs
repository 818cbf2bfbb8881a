//! Embedding models that run here: folders of weights, in pure Rust.
//!
//! ```text
//! folder ──▶ configuration, weights, tokenizer ──▶ tokens ──▶ packed batches ──▶ transformer ──▶ states ──▶ pooled
//! ```

// What is loaded is not yet called from outside.
#![allow(dead_code, unused_imports)]

mod arch;
mod folder;
mod math;
mod statics;
mod tokens;

pub use folder::PoolingMode;
