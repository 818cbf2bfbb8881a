//! What work would take, before it is done.

use crate::FilingInput;

/// Requests, tokens, money and time of work not yet done.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Estimate {
    /// Requests to a server; 0 for what runs here.
    pub requests: u64,
    /// Tokens, exact where the encoder has the tokenizer, else by length.
    pub tokens: u64,
    /// U.S. dollars, where a price is stated.
    pub dollars: Option<f64>,
    /// Seconds, where the encoder can tell.
    pub seconds: Option<f64>,
}

impl Estimate {
    /// By the length of the texts: [`estimated_tokens`].
    pub fn by_length(filings: &[FilingInput<'_>], queries: &[&str]) -> Self {
        let filing = |f: &FilingInput<'_>| match &f.context {
            Some(context) => estimated_tokens(context.text()),
            None => f.chunks.iter().map(|c| estimated_tokens(&c.text)).sum(),
        };
        let tokens = filings.iter().map(filing).sum::<u64>() + queries.iter().map(|q| estimated_tokens(q)).sum::<u64>();
        Self { tokens, ..Self::default() }
    }
}

/// What an encoder or reranker has used up since it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Requests sent, repeated ones included; 0 for what runs here.
    pub requests: u64,
    /// Tokens, as the service counts them or as the model read them; 0 where nobody counts.
    pub tokens: u64,
}

/// Tokens of a text by a rule that errs on the high side for English and for figures: one per three bytes, at least one, and two for the marks
/// around it.
pub fn estimated_tokens(text: &str) -> u64 {
    (text.len() as u64).div_ceil(3).max(1) + 2
}
