//! Embedding models that run here: folders of weights, in pure Rust.
//!
//! ```text
//! folder ──▶ configuration, ──▶ texts to tokens; ──▶ packed  ──▶ transformer ──▶ states ──▶ one vector ──▶ dense, length 1,
//!            weights,           contexts to           batches     (on each core     (of each    per text or     dimensions
//!            tokenizer          windows                            its own)          token)      chunk
//! ```
//!
//! [`open`] finds out what a folder holds. Three things are held to throughout: vectors are those that the model's own library makes; equal
//! texts get equal vectors to the last bit, in any company; and what a folder says is believed only as far as its files bear it out.
//!
//! The road not taken is candle or a runtime for ONNX graphs. Either brings more code than all of this crate, and neither promises the second:
//! their products may round a text alone otherwise than the same text among others.

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
#[cfg(test)]
mod testing;
mod tokens;

pub use folder::PoolingMode;
pub use local::LocalModel;
pub use open::open;
pub use settings::LocalSettings;
