//! From bytes to code points and back: the one place where the unit changes.

use crate::{CharSpan, Span};

/// How many bytes lie between two remembered positions.
const STRIDE: usize = 256;

/// Converts offsets in one text between bytes and Unicode code points.
///
/// Remembers the code-point count at every 256th byte, so a conversion counts at most 256 bytes; an ASCII text needs no
/// table at all. The naive way, counting from the start each time, is quadratic over a filing's sentences.
#[derive(Debug, Clone)]
pub struct CharIndex<'t> {
    text: &'t str,
    /// Code points that begin before byte `i * STRIDE`; empty when the text is ASCII.
    before: Vec<u32>,
    chars: usize,
}

/// Code points that begin in these bytes: those that are no continuation byte.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| (**b & 0xC0) != 0x80).count()
}

impl<'t> CharIndex<'t> {
    /// Indexes a text in one pass.
    pub fn new(text: &'t str) -> Self {
        if text.is_ascii() {
            return Self { text, before: Vec::new(), chars: text.len() };
        }
        let mut before = Vec::with_capacity(text.len() / STRIDE + 1);
        let mut chars = 0;
        for block in text.as_bytes().chunks(STRIDE) {
            before.push(u32::try_from(chars).unwrap_or(u32::MAX));
            chars += starts(block);
        }
        Self { text, before, chars }
    }

    /// Code points in the whole text.
    pub fn char_len(&self) -> usize {
        self.chars
    }

    /// The number of code points that begin before byte `byte`. Past the end: the whole text's.
    pub fn to_char(&self, byte: usize) -> usize {
        if byte >= self.text.len() {
            return self.chars;
        }
        if self.before.is_empty() {
            return byte;
        }
        let block = byte / STRIDE;
        self.before[block] as usize + starts(&self.text.as_bytes()[block * STRIDE..byte])
    }

    /// The byte at which code point number `char` begins. Past the end: the text's length.
    pub fn to_byte(&self, char: usize) -> usize {
        if char >= self.chars {
            return self.text.len();
        }
        if self.before.is_empty() {
            return char;
        }
        let block = self.before.partition_point(|n| *n as usize <= char).saturating_sub(1);
        let mut left = char - self.before[block] as usize;
        let begin = block * STRIDE;
        for (i, b) in self.text.as_bytes()[begin..].iter().enumerate() {
            if (*b & 0xC0) != 0x80 {
                if left == 0 {
                    return begin + i;
                }
                left -= 1;
            }
        }
        self.text.len()
    }

    /// The same range in code points.
    pub fn to_chars(&self, span: Span) -> CharSpan {
        CharSpan::new(self.to_char(span.start), self.to_char(span.end))
    }

    /// The same range in bytes.
    pub fn to_bytes(&self, span: CharSpan) -> Span {
        Span::new(self.to_byte(span.start), self.to_byte(span.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_counting(text in "(\\PC|[a-z ]{0,40}){0,60}") {
            let index = CharIndex::new(&text);
            prop_assert_eq!(index.char_len(), text.chars().count());
            for (n, (byte, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(index.to_char(byte), n);
                prop_assert_eq!(index.to_byte(n), byte);
            }
            prop_assert_eq!(index.to_char(text.len()), text.chars().count());
            prop_assert_eq!(index.to_byte(usize::MAX), text.len());
        }
    }
}
