//! JSON over HTTP, for services that cost money and are not always well.
//!
//! ```text
//! Client::reserve (from the budget) ──▶ Client::send ──▶ wire ──▶ refusal? ──▶ pause, again
//!                                                               └──▶ reader ──▶ value, tokens used ──▶ budget corrected
//! ```
//!
//! One place decides what every status means, how long to wait and what a message may say; encoders and rerankers above it know only
//! bodies and answers. Blocking and with a thread per request under way: four at once need no runtime. An SDK per service would have
//! brought four retry policies, most of which give up at 429 or wait at 401.

mod access;
mod budget;
mod client;
mod clock;
mod endpoint;
mod foreign;
mod pause;
mod refusal;
mod secret;
mod wire;

pub use access::{Access, Waiting};
pub use budget::{Budget, Used};
pub use clock::{Clock, MachineClock};
pub use secret::Secret;

pub(crate) use budget::{Need, Reservation};
pub(crate) use client::{Client, Refused};
pub(crate) use endpoint::Endpoint;
pub(crate) use foreign::{Unread, json};
