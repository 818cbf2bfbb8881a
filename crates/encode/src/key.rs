//! What a stored vector goes by.
//!
//! Never the text alone: in fifty filings "the Company expects to incur" would then share one vector, and a benchmark of
//! contextual encoders would measure nothing. The key covers the encoder's identity, the role, and for a chunk in its context the whole
//! context with every chunk's place in it.

use sha2::{Digest, Sha256};

use crate::{FilingInput, Identity, Role};

/// A SHA-256 that stands for one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VectorKey(pub [u8; 32]);

/// Length first, so that no two lists of fields have the same bytes.
fn field(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

impl VectorKey {
    /// Of a text that is represented alone: the same text has the same key in every filing and view.
    pub fn of_text(who: &Identity, role: Role, text: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(who.hash());
        field(&mut hash, if role == Role::Query { b"query" } else { b"passage" });
        field(&mut hash, text.as_bytes());
        Self(hash.finalize().into())
    }

    /// Of the scores that a reranker gives these passages for a query: all of them in one entry, as some services score them together.
    pub fn of_reranking(who: &Identity, query: &str, passages: &[&str]) -> Self {
        let mut hash = Sha256::new();
        hash.update(who.hash());
        field(&mut hash, b"rerank");
        field(&mut hash, query.as_bytes());
        passages.iter().for_each(|passage| field(&mut hash, passage.as_bytes()));
        Self(hash.finalize().into())
    }

    /// Of every chunk of a filing, in order.
    pub fn of_filing(who: &Identity, filing: &FilingInput<'_>) -> Vec<Self> {
        let Some(context) = &filing.context else {
            return filing.chunks.iter().map(|c| Self::of_text(who, Role::Passage, &c.text)).collect();
        };
        let mut hash = Sha256::new();
        hash.update(who.hash());
        field(&mut hash, b"context");
        field(&mut hash, filing.title.as_bytes());
        field(&mut hash, context.text().as_bytes());
        for passage in context.passages() {
            let chunk = passage.chunk.map_or(u64::MAX, |c| c as u64);
            for n in [passage.span.start as u64, passage.span.end as u64, chunk] {
                hash.update(n.to_le_bytes());
            }
        }
        for chunk in &filing.chunks {
            field(&mut hash, chunk.text.as_bytes());
        }
        let whole = hash.finalize();
        let one = |i: usize| {
            let mut hash = Sha256::new();
            hash.update(whole);
            hash.update((i as u64).to_le_bytes());
            Self(hash.finalize().into())
        };
        (0..filing.chunks.len()).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::example;
    use crate::{ChunkInput, Context};

    fn filing(texts: &[&'static str], context: bool) -> FilingInput<'static> {
        let chunks = texts.iter().map(|t| ChunkInput { id: "", text: (*t).into() }).collect();
        let context = context.then(|| Context::joined(texts.iter().enumerate().map(|(i, t)| (*t, Some(i)))));
        FilingInput { source_url: "f", title: "", chunks, context }
    }

    #[test]
    fn a_text_alone_has_one_key_everywhere() {
        let who = example();
        let (a, b) = (
            VectorKey::of_filing(&who, &filing(&["x", "y"], false)),
            VectorKey::of_filing(&who, &filing(&["z", "x"], false)),
        );
        assert_eq!(a[0], b[1]);
        assert_ne!(a[0], VectorKey::of_text(&who, Role::Query, "x"));
    }

    #[test]
    fn scores_are_keyed_by_the_query_and_all_passages_in_order() {
        let who = example();
        let of = |query, passages: &[&str]| VectorKey::of_reranking(&who, query, passages);
        let base = of("q", &["a", "b"]);
        assert_eq!(base, of("q", &["a", "b"]));
        for other in [of("p", &["a", "b"]), of("q", &["b", "a"]), of("q", &["ab"]), of("q", &["a"]), of("qa", &["b"])] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn a_chunk_in_context_is_keyed_by_all_of_it() {
        let who = example();
        let of = |texts: &[&'static str]| VectorKey::of_filing(&who, &filing(texts, true));
        let (a, b) = (of(&["x", "y"]), of(&["x", "z"]));
        assert_ne!(a[0], b[0]);
        assert_ne!(a[0], VectorKey::of_text(&who, Role::Passage, "x"));
        let twice = of(&["x", "x"]);
        assert_ne!(twice[0], twice[1]);
        assert_ne!(of(&["x y"])[0], a[0], "the same text cut otherwise");
    }
}
