//! Encoders against servers on this machine: what they are sent, what is made of their answers, and what of their faults.

#![allow(clippy::unwrap_used, clippy::panic)]

// What the shared server module takes from its root.
use eightk_remote::Clock;

#[path = "../support/encoding.rs"]
mod encoding;
#[path = "../support/mod.rs"]
mod support;

mod dialects;
mod faults;
mod flow;
mod secrets;
mod setting_up;
