//! Repositories of the Hugging Face Hub as local folders.
//!
//! A name (`hf://datasets/OWNER/NAME@REV`) becomes a [`Listing`] of what the repository holds at one commit; the caller
//! says which of its files it needs; [`Hub::fetch`] makes them lie in a folder. Which files those are is never decided
//! here: a data set needs others than a model. The cache is the Hub's own, so that what Python fetched is not fetched
//! again, and the other way round. The road not taken is the official client crate, which brings an asynchronous runtime
//! for a handful of GETs.
//!
//! ```no_run
//! use eightk_hub::{Hub, Options, RepoKind, RepoName};
//!
//! # fn main() -> Result<(), eightk_hub::HubError> {
//! let hub = Hub::new(Options::from_environment()?)?;
//! let name = RepoName::parse("hf://datasets/acme/shelf@v2", RepoKind::Dataset)?;
//! let listing = hub.list(&name, &mut ())?;
//! let wanted: Vec<String> = listing.paths().filter(|p| p.ends_with(".parquet")).map(String::from).collect();
//! let folder = hub.fetch(&listing, &wanted, &mut ())?;
//! println!("{} at {}", folder.display(), listing.commit());
//! # Ok(())
//! # }
//! ```
#![deny(missing_docs)]

mod address;
mod cache;
mod client;
mod download;
mod environment;
mod error;
mod listing;
mod name;
mod observer;
mod options;
mod part;
mod web;

pub use client::Hub;
pub use error::HubError;
pub use listing::{Listing, RemoteFile};
pub use name::{RepoKind, RepoName};
pub use observer::Observer;
pub use options::{Options, Token};
pub use part::remove_unfinished;
