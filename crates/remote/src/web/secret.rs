//! Keys, which go into one header and nowhere else.

use std::collections::BTreeSet;
use std::fmt;

use eightk_encode::EncodeError;

/// Shorter keys are placeholders of local servers (`x`, `EMPTY`); hiding them would only garble messages.
const SHORTEST_HIDDEN: usize = 6;

/// A piece of a key of this many letters is hidden as the whole is; shorter ones are what services show for telling keys apart.
const LONGEST_SHOWN: usize = 12;

/// An API key. Shown nowhere: its `Debug` says only where it came from, and it has no `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    key: String,
    origin: String,
}

impl Secret {
    /// A key, trimmed; `None` where nothing is left. `origin` says where it came from, for messages: the name of an environment variable.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Usage`] where it holds what no header can carry.
    pub fn new(text: &str, origin: &str) -> Result<Option<Self>, EncodeError> {
        let key = text.trim();
        if key.is_empty() {
            return Ok(None);
        }
        if !key.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(EncodeError::Usage(format!(
                "{origin} holds white space or characters that a key cannot have; copy the key again"
            )));
        }
        Ok(Some(Self { key: key.to_owned(), origin: origin.to_owned() }))
    }

    /// Where it came from.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The value of an `Authorization` header.
    pub(crate) fn header(&self) -> String {
        format!("Bearer {}", self.key)
    }

    /// A text without the key in it, plain or as JSON writes it: a service may repeat what it was sent. Long pieces of it go too, in
    /// whatever case: services show "the last letters" of a key, some of them most of it.
    pub(crate) fn redact(&self, text: &str) -> String {
        if self.key.len() < SHORTEST_HIDDEN {
            return text.to_owned();
        }
        let quoted = serde_json::to_string(&self.key).unwrap_or_default();
        let escaped = quoted.trim_matches('"');
        let whole = text.replace(&self.key, "***").replace(if escaped.is_empty() { &self.key } else { escaped }, "***");
        self.without_pieces(&whole)
    }

    /// A text without stretches of [`LONGEST_SHOWN`] or more letters of the key; a run of them becomes one `***`.
    fn without_pieces(&self, text: &str) -> String {
        let key = self.key.to_ascii_lowercase();
        let pieces: BTreeSet<&[u8]> = key.as_bytes().windows(LONGEST_SHOWN).collect();
        // Bytes that are part of a piece; keys are ASCII, so pieces begin and end between characters.
        let lower = text.to_ascii_lowercase();
        let mut hidden_until = 0;
        let mut kept = String::with_capacity(text.len());
        let mut windows = lower.as_bytes().windows(LONGEST_SHOWN);
        for (at, letter) in text.char_indices() {
            // Windows begin at every byte, letters only at some.
            let window = windows.next();
            for _ in 1..letter.len_utf8() {
                windows.next();
            }
            if window.is_some_and(|w| pieces.contains(w)) {
                if at >= hidden_until {
                    kept.push_str("***");
                }
                hidden_until = at + LONGEST_SHOWN;
            }
            if at >= hidden_until {
                kept.push(letter);
            }
        }
        kept
    }

    /// Whether a text holds the key.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.key.len() >= SHORTEST_HIDDEN && text.contains(&self.key)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret(*** from {})", self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_trimmed_checked_and_never_shown() {
        assert_eq!(Secret::new(" \n", "KILN_KEY").unwrap(), None);
        let key = Secret::new(" kiln-9931\n", "KILN_KEY").unwrap().unwrap();
        assert_eq!(key.header(), "Bearer kiln-9931");
        assert_eq!(key.redact("bad key kiln-9931!"), "bad key ***!");
        assert_eq!(format!("{key:?}"), "Secret(*** from KILN_KEY)");
        let error = Secret::new("kiln 9931", "KILN_KEY").unwrap_err();
        assert!(!error.to_string().contains("9931") && error.to_string().contains("KILN_KEY"), "{error}");
        let odd = Secret::new("kiln\"\\9931", "KILN_KEY").unwrap().unwrap();
        assert_eq!(odd.redact("{\"key\":\"kiln\\\"\\\\9931\"} kiln\"\\9931"), "{\"key\":\"***\"} ***");
    }

    #[test]
    fn long_pieces_are_hidden_too() {
        let key = Secret::new("sk-Kiln0123456789abcdefXYZ", "KEY").unwrap().unwrap();
        assert_eq!(key.redact("key sk-Kiln… and Kiln0123456789abcdefXYZ!"), "key sk-Kiln… and ***!");
        assert_eq!(key.redact("é BEARER SK-KILN0123456789ABCDEFXYZ é"), "é BEARER *** é");
        assert_eq!(key.redact("sk-Kiln01234567890123456789abcd"), "******", "two pieces side by side");
        assert_eq!(key.redact("ends in fXYZ, begins with sk-Kiln"), "ends in fXYZ, begins with sk-Kiln");
        assert_eq!(key.redact(""), "");
    }

    #[test]
    fn a_placeholder_garbles_nothing() {
        let key = Secret::new("e", "KEY").unwrap().unwrap();
        assert_eq!(key.redact("the server"), "the server");
    }
}
