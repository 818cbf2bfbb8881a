//! Late chunking: the context through the encoder once, each chunk's vector from its own tokens (Günther et al. 2024).
//!
//! A context longer than the model has positions for goes through in overlapping windows; see [`windows`]. The prompt and the
//! marks stand around each window, and are pooled for no chunk.

pub(crate) mod windows;

use eightk_core::Span;
use eightk_encode::{Context, EncodeError};

use crate::pooling::Wanted;
use crate::sequences::{Place, Sequence};
use crate::tokens::{TextTokenizer, Tokens};

/// The sequences that give every chunk of a filing its vector, and for each chunk what of the context it saw.
pub(crate) struct Plan {
    pub(crate) sequences: Vec<Sequence>,
    /// Of each chunk: where its vector comes from; none for a chunk without a token, which is to be encoded alone.
    pub(crate) places: Vec<Option<Place>>,
    /// Of each chunk: its own text was longer than a window.
    pub(crate) truncated: Vec<bool>,
    /// Of each chunk: the bytes of the context that it saw; none for all of them.
    pub(crate) seen: Vec<Option<Span>>,
}

/// Plans the windows of a context in which `chunks` chunks stand. `limit` is how many tokens fit into one, marks and prompt included.
pub(crate) fn plan(
    tokenizer: &TextTokenizer,
    prompt: &str,
    context: &Context,
    chunks: usize,
    limit: usize,
) -> Result<Plan, EncodeError> {
    let spans = spans(context, chunks)?;
    let (prompt_ids, content) = split(tokenizer, prompt, context.text())?;
    let around = tokenizer.before().len() + tokenizer.after().len() + prompt_ids.len();
    // Settings are checked when the model is loaded; a prompt may still fuse with a context into one token more.
    let capacity = limit.saturating_sub(around).max(1);
    let count = content.ids.len();
    let parts: Vec<_> = spans.iter().map(|span| content.within(*span)).collect();
    let chosen: Vec<_> = parts.iter().map(|part| windows::choose(count, capacity, part)).collect();

    let mut used: Vec<_> = chosen.iter().flatten().map(|c| (c.window.start, c.window.end)).collect();
    used.sort_unstable();
    used.dedup();
    let lead = tokenizer.before().len() + prompt_ids.len();
    let mut sequences: Vec<Sequence> = used
        .iter()
        .map(|(from, to)| {
            let own = content.ids.get(*from..*to).unwrap_or_default();
            let parts = [tokenizer.before(), &prompt_ids, own, tokenizer.after()];
            Sequence { ids: parts.concat(), wanted: Vec::new() }
        })
        .collect();
    let mut plan = Plan { sequences: Vec::new(), places: Vec::new(), truncated: Vec::new(), seen: Vec::new() };
    for (chosen, span) in chosen.into_iter().zip(&spans) {
        let Some(chosen) = chosen else {
            plan.places.push(None);
            plan.truncated.push(false);
            plan.seen.push(Some(*span));
            continue;
        };
        let key = (chosen.window.start, chosen.window.end);
        let at = used.binary_search(&key).unwrap_or(0);
        let shift = |i: usize| lead + i - chosen.window.start;
        if let Some(sequence) = sequences.get_mut(at) {
            plan.places.push(Some(Place { sequence: at, wanted: sequence.wanted.len() }));
            sequence.wanted.push(Wanted::Part(shift(chosen.part.start)..shift(chosen.part.end)));
        }
        plan.truncated.push(chosen.truncated);
        plan.seen.push(content.bytes_of(&chosen.window, context.text().len()));
    }
    plan.sequences = sequences;
    Ok(plan)
}

/// Where each chunk stands in the context.
fn spans(context: &Context, chunks: usize) -> Result<Vec<Span>, EncodeError> {
    let mut spans = vec![None; chunks];
    for passage in context.passages() {
        if let Some(span) = passage.chunk.and_then(|c| spans.get_mut(c)) {
            span.get_or_insert(passage.span);
        }
    }
    let missing = spans.iter().position(Option::is_none);
    let no_place =
        |i| EncodeError::Bug(format!("chunk {i} of a filing has no place in the context it was handed over with"));
    spans.into_iter().collect::<Option<Vec<_>>>().ok_or_else(|| no_place(missing.unwrap_or(0)))
}

/// Tokens of prompt and context, which are read as one text as for a text alone, parted where the context begins. The spans of
/// the content are in bytes of the context.
fn split(tokenizer: &TextTokenizer, prompt: &str, text: &str) -> Result<(Vec<u32>, Tokens), EncodeError> {
    if prompt.is_empty() {
        return Ok((Vec::new(), tokenizer.tokens(text)?));
    }
    let whole = tokenizer.tokens(&format!("{prompt}{text}"))?;
    let first = whole.spans.partition_point(|s| s.end <= prompt.len());
    let (prompt_ids, ids) = whole.ids.split_at(first.min(whole.ids.len()));
    let back = |s: &Span| Span::new(s.start.saturating_sub(prompt.len()), s.end.saturating_sub(prompt.len()));
    let spans = whole.spans.get(first..).unwrap_or_default().iter().map(back).collect();
    Ok((prompt_ids.to_vec(), Tokens { ids: ids.to_vec(), spans }))
}
