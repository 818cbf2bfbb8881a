//! Rerankers that are services.
//!
//! ```text
//! query, passages ──▶ batches ──▶ dialect writes ──▶ web ──▶ dialect reads ──▶ scores where their index says
//! ```
//!
//! All five services answer the same question in nearly the same words; what differs stands in [`dialect`], a table rather than a
//! trait with five implementations. Results come sorted by score, so that their `index` is all that tells whose they are.
//!
//! **One query, several requests.** A service takes so many passages at once. The models behind these services score each pair of
//! query and passage by itself, so that the scores of several requests can be compared, and batches change nothing. A listwise model
//! (jina-reranker-v3) sees the passages side by side: for it a second request would be another scale, and is refused.
//!
//! Blank passages are not sent, as most services refuse the whole request for one: they have no score.

mod answer;
mod batch;
mod dialect;
mod kind;
mod reranker;

pub use kind::RerankKind;
pub use reranker::RemoteReranker;
