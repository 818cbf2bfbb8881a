//! What turns text into vectors, as one interface.
//!
//! ```text
//! filing ──▶ FilingInput ──▶ Encoder ──▶ EncodedChunk, one per chunk ──▶ checked ──▶ store
//!            (chunks, and    (local model, HTTP, child            (count, dimension,
//!             what is around) process, vectors made elsewhere)     NaN, zero)
//! ```
//!
//! **A filing, not a list.** An encoder always gets the chunks of one filing in order, and where the view asks for it the
//! text that they stand in. A contextual encoder is then the normal case, and any other looks at each chunk alone. The road
//! not taken, `encode(texts: &[str])`, is what every common library has; wrappers around it lose the document, and with it
//! all that this benchmark measures.
//!
//! **An identity, not a name.** Everything that can change a vector stands in [`Identity`], which keys the cache, is printed
//! and goes into results: the same text under another prompt, role, revision or context is another vector.

mod checks;
mod context;
mod encoder;
mod error;
mod estimate;
mod identity;
mod key;
mod reranker;
mod store;
mod vector;

pub use checks::{check_filing, check_vector};
pub use context::{Context, Passage};
pub use encoder::{ChunkInput, EncodedChunk, Encoder, FilingInput, OnFiling, OnQuery};
pub use error::EncodeError;
pub use estimate::{Estimate, Usage, estimated_tokens};
pub use identity::{Identity, Role, Similarity};
pub use key::VectorKey;
pub use reranker::Reranker;
pub use store::{Stored, VectorStore};
pub use vector::Vector;
