//! Scores as one HTML page, and the parts that pages of eightk are made of.
#![deny(missing_docs)]

pub mod components;
pub mod figures;
pub mod script;
pub mod style;
