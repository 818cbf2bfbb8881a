//! Embedding models that run here: folders of weights, in pure Rust.
