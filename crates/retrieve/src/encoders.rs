//! Where systems get their encoders from.
//!
//! Systems know what an encoder does, not how one is made: whoever calls hands in something that turns a spec into a model, a server or
//! a child process, and a test something that turns it into ten lines.

use std::sync::Arc;

use eightk_encode::{EncodeError, Encoder, Reranker, VectorStore};

use crate::{EncoderSpec, RerankerSpec};

/// Makes encoders and rerankers, and holds the store of their vectors.
pub trait Encoders: Send + Sync {
    /// The encoder of a spec. Asked twice for equal specs it should give the same one.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made.
    fn encoder(&self, spec: &EncoderSpec) -> Result<Arc<dyn Encoder>, EncodeError>;

    /// The reranker of a spec.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being made.
    fn reranker(&self, spec: &RerankerSpec) -> Result<Arc<dyn Reranker>, EncodeError>;

    /// Where vectors stay between runs; none where each run makes its own.
    fn store(&self) -> Option<&dyn VectorStore>;
}

/// No encoders: for runs of systems that need none.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoEncoders;

impl NoEncoders {
    fn refused<T>(kind: &str, name: &str) -> Result<T, EncodeError> {
        Err(EncodeError::Usage(format!("`{kind}:{name}` needs an encoder, and none can be made here; use eightk eval")))
    }
}

impl Encoders for NoEncoders {
    fn encoder(&self, spec: &EncoderSpec) -> Result<Arc<dyn Encoder>, EncodeError> {
        Self::refused(spec.kind.as_str(), &spec.name)
    }

    fn reranker(&self, spec: &RerankerSpec) -> Result<Arc<dyn Reranker>, EncodeError> {
        Self::refused(spec.kind.as_str(), &spec.name)
    }

    fn store(&self) -> Option<&dyn VectorStore> {
        None
    }
}
