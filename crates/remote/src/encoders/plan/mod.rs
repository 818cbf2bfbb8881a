//! What is sent together, and which vector belongs to whom.

mod alone;
mod batch;
mod document;
mod windows;

use eightk_core::Span;
use eightk_encode::{EncodeError, estimated_tokens};

pub(crate) use alone::alone;
pub(crate) use batch::{Limits, batch, need};
pub(crate) use document::document;

/// Texts that a service must see as one document, and that no other text may share it with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unit<'t> {
    /// Position of the filing or query that it belongs to.
    pub(crate) owner: usize,
    /// In order.
    pub(crate) texts: Vec<&'t str>,
    /// In all texts, by estimate.
    pub(crate) tokens: u64,
    /// Whose vectors its texts give; those of other texts are not wanted.
    pub(crate) places: Vec<Place>,
}

/// A text whose vector is a chunk's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// Position among the unit's texts.
    pub(crate) text: usize,
    /// Position among the owner's chunks.
    pub(crate) chunk: usize,
    /// Its text was cut.
    pub(crate) truncated: bool,
    /// The part of the context that the unit holds, where that is not all of it.
    pub(crate) seen: Option<Span>,
}

/// How long a unit may be, and what happens to longer ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// Who encodes, for messages.
    pub(crate) who: &'a str,
    /// Most tokens of a unit, by estimate.
    pub(crate) most: Option<u64>,
    /// Whether a text that is longer alone is cut, instead of refused.
    pub(crate) truncate: bool,
    /// Stands before each text, or before each document.
    pub(crate) prompt: &'a str,
}

impl Rules<'_> {
    /// A text that fits beside `taken` tokens, and whether it had to be cut for that. `what` and `of` name it in errors.
    fn fitted<'t>(&self, text: &'t str, taken: u64, what: &str, of: &str) -> Result<(&'t str, bool), EncodeError> {
        let tokens = estimated_tokens(text).saturating_add(taken);
        let Some(most) = self.most.filter(|most| tokens > *most) else { return Ok((text, false)) };
        if self.truncate {
            let room = most.saturating_sub(taken).saturating_sub(2);
            let mut bytes = usize::try_from(room.saturating_mul(3)).unwrap_or(usize::MAX).min(text.len());
            while !text.is_char_boundary(bytes) {
                bytes -= 1;
            }
            let cut = text.get(..bytes).unwrap_or_default();
            if !cut.trim().is_empty() {
                return Ok((cut, true));
            }
        }
        let who = self.who;
        Err(EncodeError::Usage(format!(
            "{who}: {what} of {of} has about {tokens} tokens, and {most} are the most that it takes at once; \
             set max-tokens= higher if the model takes more, or truncate=true to have the text cut and the cut recorded"
        )))
    }

    /// Services refuse empty texts, or give them a vector that means nothing.
    fn not_empty(&self, text: &str, what: &str, of: &str) -> Result<(), EncodeError> {
        if text.trim().is_empty() {
            let who = self.who;
            return Err(EncodeError::Data(format!(
                "{who}: {what} of {of} has no text, so it can have no vector; leave it out"
            )));
        }
        Ok(())
    }
}
