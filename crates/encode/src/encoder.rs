//! The encoder itself.

use std::borrow::Cow;

use eightk_core::Span;

use crate::{Context, EncodeError, Estimate, Identity, Usage, Vector};

/// One chunk of a filing, as its view shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkInput<'a> {
    /// Its id.
    pub id: &'a str,
    /// The text to represent. With a context this is the chunk alone and stands in the context too.
    pub text: Cow<'a, str>,
}

/// One filing, or the part of it that is to be encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilingInput<'a> {
    /// What groups its chunks; the accession number where there is one.
    pub source_url: &'a str,
    /// Its title; empty where none is known or none may be seen.
    pub title: &'a str,
    /// The chunks that need a vector each, in document order.
    pub chunks: Vec<ChunkInput<'a>>,
    /// The text around them. None: each chunk is to be represented by its own text and nothing else.
    pub context: Option<Context>,
}

/// What an encoder returns for one chunk or query.
#[derive(Debug, Clone, PartialEq)]
pub struct EncodedChunk {
    /// The embedding.
    pub vector: Vector,
    /// Part of the chunk's or query's *own* text was cut off.
    pub truncated: bool,
    /// Which part of the context was in view, in bytes of its text; none where all of it was, or where nobody can tell.
    pub seen: Option<Span>,
}

impl EncodedChunk {
    /// A vector of a text that was seen whole.
    pub const fn whole(vector: Vector) -> Self {
        Self { vector, truncated: false, seen: None }
    }
}

/// Called with each finished filing: its position in what was handed over, and its chunks' vectors in order. What it was called with
/// is safe: whoever called keeps it before the encoder goes on.
pub type OnFiling<'f> = dyn FnMut(usize, Vec<EncodedChunk>) -> Result<(), EncodeError> + 'f;
/// The same for queries, one at a time.
pub type OnQuery<'f> = dyn FnMut(usize, EncodedChunk) -> Result<(), EncodeError> + 'f;

/// Something that turns filings and queries into vectors that can be compared.
pub trait Encoder: Send + Sync {
    /// Who it is. Does not change.
    fn identity(&self) -> &Identity;

    /// Whether it can represent a chunk by more than its own text: whether filings may be handed over with a [`Context`].
    fn sees_context(&self) -> bool {
        false
    }

    /// Whether its vectors belong to chunk ids instead of texts, as vectors made elsewhere do. Such an encoder is asked for every chunk, and
    /// without a context: equal texts share nothing, nothing is kept in a store, a sentence it has never seen is not put to it, and
    /// what its view was only its maker can say.
    fn goes_by_id(&self) -> bool {
        false
    }

    /// Encodes filings, in any order and grouping that suits it, and tells each as soon as it is finished. A filing with a
    /// context is never split silently: what did not fit is in [`EncodedChunk::seen`] or an error.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from encoding, and whatever `finished` returns. What was finished before stays so.
    fn encode_filings(&self, filings: &[FilingInput<'_>], finished: &mut OnFiling<'_>) -> Result<(), EncodeError>;

    /// Encodes queries, each for itself.
    ///
    /// # Errors
    ///
    /// As [`encode_filings`](Self::encode_filings).
    fn encode_queries(&self, queries: &[&str], finished: &mut OnQuery<'_>) -> Result<(), EncodeError>;

    /// What encoding these would take. Asks nobody and computes nothing but lengths.
    fn estimate(&self, filings: &[FilingInput<'_>], queries: &[&str]) -> Estimate {
        Estimate::by_length(filings, queries)
    }

    /// What it has used up since it was made.
    fn usage(&self) -> Usage {
        Usage::default()
    }
}
