//! Answers of services: foreign bytes into vectors, each where its index says.

mod format;
mod placed;
mod raw;
mod shape;

pub(crate) use format::Format;
pub(crate) use shape::{Answer, bare, flat, nested};
