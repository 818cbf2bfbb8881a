//! From a text to the tokens that count.
//!
//! Static models have two traditions, and a folder says by its layout which one made it. Model2vec cuts a text by characters (most
//! tokens times the median length of a token, so that a book is not tokenised for its first page), then by tokens, and only then
//! drops unknown tokens. Sentence-transformers cuts only where the tokenizer's file says so, and an unknown token counts like any other.

use tokenizers::Tokenizer;

/// Which library's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tradition {
    /// Model2vec, with the most tokens of a text.
    Model2vec(Option<usize>),
    /// Sentence-transformers' `StaticEmbedding`.
    SentenceTransformers,
}

/// A tokenizer with the rules around it.
#[derive(Debug)]
pub(super) struct Words {
    tokenizer: Tokenizer,
    dropped: Option<u32>,
    most_tokens: Option<usize>,
    most_characters: Option<usize>,
}

impl Words {
    /// From the bytes of a `tokenizer.json`; `most` tokens of a text in place of those that the tradition has. Errors say what is wrong
    /// in words.
    pub(super) fn read(bytes: &[u8], tradition: Tradition, most: Option<usize>) -> Result<Self, String> {
        let mut tokenizer = crate::tokens::parse(bytes)?;
        let limit_of_file = tokenizer.get_truncation().map(|t| t.max_length);
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|e| e.to_string())?;
        let words = match tradition {
            Tradition::Model2vec(limit) => Self {
                dropped: unknown_token(bytes, &tokenizer),
                most_characters: most.or(limit).map(|n| n.saturating_mul(median_length(&tokenizer))),
                most_tokens: most.or(limit),
                tokenizer,
            },
            Tradition::SentenceTransformers => {
                Self { tokenizer, dropped: None, most_tokens: most.or(limit_of_file), most_characters: None }
            }
        };
        Ok(words)
    }

    /// How many tokens there are.
    pub(super) fn vocabulary(&self) -> usize {
        // Numbers may have gaps: what counts is the highest.
        self.tokenizer.get_vocab(true).values().max().map_or(0, |id| *id as usize + 1)
    }

    /// Most tokens of a text.
    pub(super) const fn limit(&self) -> Option<usize> {
        self.most_tokens
    }

    /// The tokens that count, and whether some of the text was cut off.
    pub(super) fn of(&self, text: &str) -> Result<(Vec<u32>, bool), String> {
        let end = self.most_characters.and_then(|n| text.char_indices().nth(n)).map(|(at, _)| at);
        let text = end.and_then(|end| text.get(..end)).unwrap_or(text);
        let encoding = self.tokenizer.encode_fast(text, false).map_err(|e| e.to_string())?;
        let all = encoding.get_ids();
        let seen = self.most_tokens.and_then(|n| all.get(..n)).unwrap_or(all);
        let cut = end.is_some() || seen.len() < all.len();
        Ok((seen.iter().copied().filter(|id| Some(*id) != self.dropped).collect(), cut))
    }
}

/// The token that stands for what the vocabulary does not have: by name, or (unigram) by number.
fn unknown_token(bytes: &[u8], tokenizer: &Tokenizer) -> Option<u32> {
    let file: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    let model = file.get("model")?;
    match model.get("unk_token") {
        Some(name) => tokenizer.token_to_id(name.as_str()?),
        None => u32::try_from(model.get("unk_id")?.as_u64()?).ok(),
    }
}

/// The median length of a token in code points, rounded down; between two of them, half-way.
fn median_length(tokenizer: &Tokenizer) -> usize {
    let mut lengths: Vec<usize> = tokenizer.get_vocab(true).keys().map(|token| token.chars().count()).collect();
    lengths.sort_unstable();
    let at = |i: usize| lengths.get(i).copied().unwrap_or(1);
    (at(lengths.len().saturating_sub(1) / 2) + at(lengths.len() / 2)) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One token a word; `[UNK]` for others. The median length is 3.
    const WORDS: &str = r#"{"version": "1.0", "truncation": {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
        "padding": null, "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"}, "post_processor": null,
        "decoder": null, "model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "one": 1, "two": 2, "six": 3}, "unk_token": "[UNK]"}}"#;

    fn of(tradition: Tradition, text: impl AsRef<str>) -> (Vec<u32>, bool) {
        Words::read(WORDS.as_bytes(), tradition, None).unwrap().of(text.as_ref()).unwrap()
    }

    #[test]
    fn model2vec_drops_unknown_words_after_cutting() {
        fn model2vec(n: Option<usize>, text: impl AsRef<str>) -> (Vec<u32>, bool) {
            of(Tradition::Model2vec(n), text)
        }
        assert_eq!(model2vec(Some(9), "one ? two six"), (vec![1, 2, 3], false));
        assert_eq!(model2vec(Some(2), "one ? two six"), (vec![1], true));
        assert_eq!(model2vec(None, "one ".repeat(999)).0.len(), 999, "the file's own limit is not heeded");
        assert_eq!(model2vec(Some(9), "? ?"), (vec![], false));
        // Nine tokens of three characters each: of thirty letters, 27 are looked at.
        assert_eq!(model2vec(Some(9), format!("{}two", "é".repeat(27))), (vec![], true));
        assert_eq!(model2vec(Some(9), format!("{} two", "é".repeat(23))), (vec![2], false));
    }

    #[test]
    fn sentence_transformers_keeps_unknown_words_and_heeds_the_file() {
        assert_eq!(of(Tradition::SentenceTransformers, "one ? two six"), (vec![1, 0, 2], true));
        let free = WORDS.replace(r#""max_length": 3"#, r#""max_length": 9"#);
        let words = Words::read(free.as_bytes(), Tradition::SentenceTransformers, None).unwrap();
        assert_eq!(words.of("one ? two six").unwrap(), (vec![1, 0, 2, 3], false));
        assert_eq!((words.vocabulary(), words.limit()), (4, Some(9)));
        let fewer = Words::read(free.as_bytes(), Tradition::SentenceTransformers, Some(2)).unwrap();
        assert_eq!(fewer.of("one ? two six").unwrap(), (vec![1, 0], true));
    }

    #[test]
    fn no_tokenizer_no_panic() {
        assert!(Words::read(b"{}", Tradition::SentenceTransformers, None).is_err());
    }
}
