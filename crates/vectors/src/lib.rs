//! Vectors in files: those made elsewhere, and the cache of those made here.
//!
//! Both stand on the seam of `eightk-encode` and on nothing else: [`Cache`] is its `VectorStore`, [`Precomputed`] one of its encoders. Which folder to use, whose
//! vectors to ask for and what to say to people is up to the caller; nothing here reads the environment or prints.

mod cache;
mod precomputed;

pub use cache::{Cache, CacheEntry};
pub use precomputed::{Matrix, Precomputed, read_npy, read_safetensors};
