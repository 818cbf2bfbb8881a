//! From a spec to something that encodes: here models, servers, programs, files and the environment meet.
//!
//! The libraries below know none of each other: a model wants a folder, a service a key and a budget, a program someone to read
//! what it complains of. One room holds what all systems of a run share: each encoder once, however many views it serves; one budget;
//! one cache. Who wants a single encoder and has no data set names and makes just that.

mod args;
mod keys;
mod make;
mod one;
mod room;
mod watched;

pub(crate) use args::{BudgetArgs, EncodingArgs};
pub(crate) use make::make;
pub(crate) use one::OneEncoder;
pub(crate) use room::Room;
