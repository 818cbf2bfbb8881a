//! One file per command.

pub(crate) mod audit;
pub(crate) mod build;
pub(crate) mod cache;
pub(crate) mod completions;
pub(crate) mod demo;
pub(crate) mod embed;
pub(crate) mod eval;
pub(crate) mod export;
pub(crate) mod fetch;
pub(crate) mod inspect;
pub(crate) mod recipe;
pub(crate) mod report;
pub(crate) mod score;
pub(crate) mod serve;
pub(crate) mod split;
pub(crate) mod synth;
