//! Embedding models that run here: folders of weights, in pure Rust.
//!
//! ```text
//! folder ──▶ configuration, weights, tokenizer ──▶ tokens ──▶ packed batches ──▶ transformer ──▶ states ──▶ pooled
//! ```

mod arch;
mod folder;
mod head;
mod late;
mod local;
mod math;
mod open;
mod pooling;
mod sequences;
mod settings;
mod statics;
mod tokens;

pub use folder::PoolingMode;
pub use local::LocalModel;
pub use open::open;
pub use settings::LocalSettings;
