//! Text to token ids, and which bytes each token stands for.
//!
//! What a `tokenizer.json` says about truncation and padding is switched off: some are saved with the settings of their training
//! (128 tokens, padded), and where a text is cut is for us to decide, count and report. The marks around a text (`[CLS] … [SEP]`)
//! are learnt once from the tokenizer and set by us, because a long context is cut into windows that need them each.

use eightk_core::Span;
use eightk_encode::EncodeError;
use serde_json::Value;
use tokenizers::Tokenizer;

use crate::folder::ModelFolder;

/// The file every tokenizer is read from.
pub(crate) const FILE: &str = "tokenizer.json";

/// A tokenizer of the bytes of its file; errors say what is wrong in words.
///
/// The library panics on some files that are not what they should be. Its decoder, which does so most readily, is left out: ids are never
/// turned back into text. What remains (a damaged table of a normalizer) is caught.
pub(crate) fn parse(bytes: &[u8]) -> Result<Tokenizer, String> {
    let mut file: serde_json::Map<String, Value> = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
    file.remove("decoder");
    let read = std::panic::catch_unwind(|| serde_json::from_value(Value::Object(file)));
    read.map_err(|_| "is damaged in a way that the tokenizers library does not tell".to_owned())?
        .map_err(|e| e.to_string())
}

/// The tokens of a text, without marks around them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    /// Ids.
    pub(crate) ids: Vec<u32>,
    /// The bytes of the text that each stands for, in order; may be empty for tokens that stand for nothing.
    pub(crate) spans: Vec<Span>,
}

impl Tokens {
    /// The tokens that share a byte with a span.
    pub(crate) fn within(&self, span: Span) -> std::ops::Range<usize> {
        let from = self.spans.partition_point(|s| s.end <= span.start);
        let to = self.spans.partition_point(|s| s.start < span.end);
        from..to.max(from)
    }

    /// The bytes that a stretch of tokens stands for, of a text of `length` bytes, from end to end; none where it is all tokens.
    pub(crate) fn bytes_of(&self, window: &std::ops::Range<usize>, length: usize) -> Option<Span> {
        if window.start == 0 && window.end >= self.ids.len() {
            return None;
        }
        let start = if window.start == 0 { 0 } else { self.spans.get(window.start)?.start };
        let end = if window.end >= self.ids.len() { length } else { self.spans.get(window.end.checked_sub(1)?)?.end };
        Some(Span::new(start, end.max(start)))
    }
}

/// A tokenizer and the marks it sets.
pub(crate) struct TextTokenizer {
    tokenizer: Tokenizer,
    lowercase: bool,
    before: Vec<u32>,
    after: Vec<u32>,
    largest_id: u32,
}

impl TextTokenizer {
    /// Of a folder's `tokenizer.json`. With `lowercase`, texts are lowercased first.
    pub(crate) fn open(folder: &ModelFolder, lowercase: bool) -> Result<Self, EncodeError> {
        let missing = || {
            let hint = if folder.has("vocab.txt") || folder.has("sentencepiece.bpe.model") || folder.has("vocab.json") {
                "the tokenizer; it has only the files of the slow one: load it in Python with AutoTokenizer.from_pretrained(FOLDER) and save_pretrained(FOLDER)"
            } else {
                "the tokenizer"
            };
            folder.missing(FILE, hint)
        };
        let bytes = folder.bytes(FILE)?.ok_or_else(missing)?;
        let mut tokenizer = parse(&bytes).map_err(|e| folder.bad(FILE, e))?;
        tokenizer.with_truncation(None).map_err(|e| folder.bad(FILE, e))?;
        tokenizer.with_padding(None);
        // Ids may have holes, so the count of tokens is no bound; they are asked for once.
        let largest_id = tokenizer.get_vocab(true).into_values().max();
        let largest_id = largest_id.ok_or_else(|| folder.bad(FILE, "knows no token at all"))?;
        let mut new = Self { tokenizer, lowercase, before: Vec::new(), after: Vec::new(), largest_id };
        // The library indexes its own table of marks by names that the file gives, and panics where one is missing.
        let marks = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| new.marks()));
        let marks = marks.map_err(|_| folder.bad(FILE, "sets a mark around texts that it does not define"))?;
        (new.before, new.after) = marks.map_err(|e| folder.bad(FILE, e))?;
        // Marks stand in a list of their own, which may say anything.
        new.largest_id = new.before.iter().chain(&new.after).copied().fold(largest_id, u32::max);
        Ok(new)
    }

    /// What the tokenizer sets before and after a text, seen from what it does to one.
    fn marks(&self) -> Result<(Vec<u32>, Vec<u32>), tokenizers::Error> {
        for probe in ["a", "the", "1", "."] {
            let plain = self.tokenizer.encode(probe, false)?;
            let marked = self.tokenizer.encode(probe, true)?;
            let (plain, marked) = (plain.get_ids(), marked.get_ids());
            if plain.is_empty() {
                continue;
            }
            if let Some(at) = marked.windows(plain.len()).position(|w| w == plain) {
                let (before, rest) = marked.split_at(at);
                return Ok((before.to_vec(), rest.get(plain.len()..).unwrap_or_default().to_vec()));
            }
        }
        // No letter and no digit has a token: then nothing can be told apart from the marks.
        Err("has no token for a letter, a digit or a full stop".into())
    }

    /// Tokens set before a text.
    pub(crate) fn before(&self) -> &[u32] {
        &self.before
    }

    /// Tokens set after a text.
    pub(crate) fn after(&self) -> &[u32] {
        &self.after
    }

    /// The largest id there can be: a model needs an embedding for it.
    pub(crate) const fn largest_id(&self) -> u32 {
        self.largest_id
    }

    /// The tokens of a text, without marks; spans are in bytes of `text`.
    pub(crate) fn tokens(&self, text: &str) -> Result<Tokens, EncodeError> {
        let lower = self.lowercase.then(|| Lowercased::of(text));
        let seen = lower.as_ref().map_or(text, |l| l.text.as_str());
        let encoding =
            self.tokenizer.encode(seen, false).map_err(|e| EncodeError::Data(format!("the tokenizer failed: {e}")))?;
        let ids = encoding.get_ids().to_vec();
        // The one place where the tokenizer's offsets come in. `encode` counts bytes of what it was given.
        // They are in order for every tokenizer known; that they are is made sure of, because they are searched by halving.
        let (mut start, mut end) = (0, 0);
        let mut spans = Vec::with_capacity(ids.len());
        for (from, to) in encoding.get_offsets() {
            let (from, to) = lower.as_ref().map_or((*from, *to), |l| (l.start(*from), l.end(*to, text)));
            start = from.clamp(start, text.len().max(start));
            end = to.clamp(end.max(start), text.len().max(start));
            spans.push(Span::new(start, end));
        }
        Ok(Tokens { ids, spans })
    }

    /// The ids of a text, without marks.
    pub(crate) fn ids(&self, text: &str) -> Result<Vec<u32>, EncodeError> {
        let lower = self.lowercase.then(|| text.to_lowercase());
        let encoding = self.tokenizer.encode_fast(lower.as_deref().unwrap_or(text), false);
        encoding.map(|e| e.get_ids().to_vec()).map_err(|e| EncodeError::Data(format!("the tokenizer failed: {e}")))
    }
}

/// A lowercased text that knows where its bytes came from: lowercase letters can be longer or shorter than their capitals.
struct Lowercased {
    text: String,
    /// Original offset of each byte of `text`, and of its end; empty where they are the same.
    from: Vec<usize>,
}

impl Lowercased {
    fn of(text: &str) -> Self {
        let lower = text.to_lowercase();
        if text.is_ascii() {
            return Self { text: lower, from: Vec::new() };
        }
        // Letter by letter, as `to_lowercase` does but for the final sigma, which is as long as the other.
        let mut from = Vec::with_capacity(lower.len() + 1);
        for (at, letter) in text.char_indices() {
            let length: usize = letter.to_lowercase().map(char::len_utf8).sum();
            from.extend(std::iter::repeat_n(at, length));
        }
        from.push(text.len());
        Self { text: lower, from }
    }

    /// Where the letter begins that byte `at` came from.
    fn start(&self, at: usize) -> usize {
        if self.from.is_empty() { at } else { self.from.get(at).or(self.from.last()).copied().unwrap_or(at) }
    }

    /// Where the letter ends that the byte before `at` came from.
    fn end(&self, at: usize, text: &str) -> usize {
        if self.from.is_empty() || at == 0 {
            return at;
        }
        let start = self.start(at - 1);
        start + text.get(start..).and_then(|t| t.chars().next()).map_or(0, char::len_utf8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{put, tokenizer, vocabulary};

    fn open(lowercase: bool) -> TextTokenizer {
        let dir = tempfile::tempdir().unwrap();
        put(dir.path(), FILE, &tokenizer());
        TextTokenizer::open(&ModelFolder::open(dir.path()).unwrap(), lowercase).unwrap()
    }

    fn pieces<'t>(tokens: &Tokens, text: &'t str) -> Vec<(String, &'t str)> {
        let words = vocabulary();
        tokens
            .ids
            .iter()
            .zip(&tokens.spans)
            .map(|(id, s)| (words[*id as usize].clone(), &text[s.start..s.end]))
            .collect()
    }

    fn said<'t>(pairs: &[(&str, &'t str)]) -> Vec<(String, &'t str)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), *b)).collect()
    }

    #[test]
    fn neither_cut_nor_padded_and_the_marks_are_known() {
        let tokenizer = open(false);
        assert_eq!((tokenizer.before(), tokenizer.after()), (&[2][..], &[3][..]));
        assert_eq!(tokenizer.tokens("the plant closed about the company the").unwrap().ids.len(), 7);
        assert_eq!(tokenizer.tokens("the").unwrap().ids.len(), 1);
        assert_eq!(tokenizer.ids("the ab").unwrap(), tokenizer.tokens("the ab").unwrap().ids);
        assert_eq!(tokenizer.largest_id() as usize, vocabulary().len() - 1);
    }

    #[test]
    fn spans_are_bytes_of_the_text_as_it_was() {
        let text = "é the éa";
        let tokens = open(false).tokens(text).unwrap();
        assert_eq!(pieces(&tokens, text), said(&[("é", "é"), ("the", "the"), ("é", "é"), ("##a", "a")]));
        // Lowercased, some letters are longer or shorter: the sign of the kelvin has three bytes, its small letter one.
        let text = "\u{212a}É THE ΑΣ ẞ A";
        let tokens = open(true).tokens(text).unwrap();
        let expected = [("k", "\u{212a}"), ("##é", "É"), ("the", "THE"), ("[UNK]", "ΑΣ"), ("[UNK]", "ẞ"), ("a", "A")];
        assert_eq!(pieces(&tokens, text), said(&expected));
        let text = "\u{130} a";
        let tokens = open(true).tokens(text).unwrap();
        assert_eq!(tokens.spans.first(), Some(&Span::new(0, 2)), "two letters of one capital stand for all of it");
        assert_eq!(tokens.spans.last(), Some(&Span::new(3, 4)));
    }

    #[test]
    fn tokens_of_a_span_share_a_byte_with_it() {
        let tokens = open(false).tokens("the ab plant").unwrap();
        assert_eq!(tokens.ids.len(), 4);
        let within = |a, b| tokens.within(Span::new(a, b));
        assert_eq!(within(0, 3), 0..1);
        assert_eq!(within(4, 6), 1..3);
        assert_eq!(within(5, 8), 2..4, "part of a token is enough");
        assert_eq!(within(3, 4), 1..1, "between two");
        assert_eq!(within(0, 12), 0..4);
        assert_eq!(tokens.bytes_of(&(0..4), 12), None);
        assert_eq!(tokens.bytes_of(&(0..2), 12), Some(Span::new(0, 5)));
        assert_eq!(tokens.bytes_of(&(2..4), 12), Some(Span::new(5, 12)));
    }

    #[test]
    fn a_tokenizer_of_the_slow_kind_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let folder = ModelFolder::open(dir.path()).unwrap();
        std::fs::write(dir.path().join("vocab.txt"), "a").unwrap();
        assert!(TextTokenizer::open(&folder, false).err().unwrap().to_string().contains("save_pretrained"));
        let mut damaged = tokenizer();
        damaged["normalizer"] = serde_json::json!({"type": "Precompiled", "precompiled_charsmap": "AAAA"});
        for file in [serde_json::json!({}), serde_json::json!([]), damaged] {
            put(dir.path(), FILE, &file);
            assert!(TextTokenizer::open(&folder, false).err().unwrap().to_string().contains(FILE), "{file}");
        }
        let mut unmarked = tokenizer();
        unmarked["post_processor"] = serde_json::json!({
            "type": "TemplateProcessing", "pair": [], "special_tokens": {},
            "single": [{"SpecialToken": {"id": "[NO]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        });
        put(dir.path(), FILE, &unmarked);
        assert!(TextTokenizer::open(&folder, false).err().unwrap().to_string().contains("does not define"));
        let mut odd = tokenizer();
        odd["decoder"] = serde_json::json!({"type": "of another world"});
        put(dir.path(), FILE, &odd);
        assert!(TextTokenizer::open(&folder, false).is_ok(), "the decoder is not asked");
    }
}
