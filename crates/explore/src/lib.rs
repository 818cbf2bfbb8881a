//! A data set and its runs as local web pages.
//!
//! [`bind`] takes an address, [`Bound::serve`] answers there until told to stop. Every page is made on this side, works without
//! script, and shows strangers' text only as text.
#![deny(missing_docs)]

mod assets;
mod download;
mod error;
mod explorer;
mod link;
mod live;
mod pages;
mod paging;
mod params;
mod routes;
mod server;
mod site;

pub use error::ExploreError;
pub use explorer::Explorer;
pub use live::{LiveError, LiveState, LiveSystem, LiveSystems, NoSystems};
pub use server::{Bound, Limits, ServerOptions, bind};
