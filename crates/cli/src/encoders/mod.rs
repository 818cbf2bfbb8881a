//! From a spec to something that encodes: here models, servers, programs, files and the environment meet.
//!
//! The libraries below know none of each other: a model wants a folder, a service a key and a budget, a program someone to read
//! what it complains of. One room holds what all systems of a run share: each encoder once, however many views it serves; one budget;
//! one cache.

mod args;
mod keys;
mod room;
mod watched;

pub(crate) use args::EncodingArgs;
pub(crate) use room::Room;
