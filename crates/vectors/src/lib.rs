//! Vectors in files: those made elsewhere, and the cache of those made here.
//!
//! Both stand on the seam of `eightk-encode` and on nothing else: [`Cache`] is its `VectorStore`. Which folder to use, whose
//! vectors to ask for and what to say to people is up to the caller; nothing here reads the environment or prints.

mod cache;

pub use cache::{Cache, CacheEntry};
