//! Questions of a query answered from a primary document, where no search was asked.

use std::collections::BTreeSet;

use eightk_text::clean::{clean, flat_text};
use eightk_text::items::narrative;
use eightk_text::metadata::declared;

use super::words::{Words, fold};

/// Whether the document holds the words of a query, as the full-text search would see it.
///
/// Looked for in the text with each tag a space, as an index has it, and in the text a reader sees: the first parts words that
/// tags split, the second joins some. Either is enough. No words are always held; what is no document holds none.
pub fn holds_phrase(document: &[u8], phrase: &str) -> bool {
    let words = Words::of(phrase);
    if words.is_empty() {
        return true;
    }
    flat_text(document).is_ok_and(|text| words.hold_in(&fold(&text)))
        || clean(document).is_ok_and(|cleaned| words.hold_in(&fold(&cleaned.text)))
}

/// The items whose headings the document has, in order, for filings whose header names none. Empty where nothing is found.
pub fn items_of(document: &[u8]) -> Vec<String> {
    let Ok(cleaned) = clean(document) else { return Vec::new() };
    let told = declared(&cleaned).items;
    let Ok(narrative) = narrative(&cleaned, &told) else { return told };
    let mut seen = BTreeSet::new();
    let numbers = narrative.items.into_iter().flat_map(|section| section.numbers).chain(told);
    numbers.filter(|n| seen.insert(n.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_references_do_not_hide_words() {
        let document = b"<html><body><p>The mill <b>expects&nbsp;to</b>\n incur&#32;charges.</p><p>A l<i>oo</i>m</p></body></html>";
        for (phrase, held) in [
            ("Expects to incur CHARGES", true),
            ("expects to incur charge", false),
            ("\"incur charges\" loom", true),
            ("\"incur charges\" -loom", true),
            ("\"incur charges\" -mill", false),
            ("\"incur charges\" wool", false),
            ("", true),
        ] {
            assert_eq!(holds_phrase(document, phrase), held, "{phrase}");
        }
        assert!(!holds_phrase(b"%PDF-1.7", "mill"));
        assert!(!holds_phrase(b"", "mill"));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..99), phrase in "\\PC{0,9}") {
            holds_phrase(&bytes, &phrase);
            items_of(&bytes);
        }
    }

    #[test]
    fn items_from_headings() {
        let document = b"<html><body><p>Item 7.01 Regulation FD Disclosure</p><p>The mill spoke to its friends at length.</p>
            <p>Item 2.05 Costs Associated with Exit or Disposal Activities</p><p>The mill closes a hall and pays for it.</p>
            <p>SIGNATURES</p></body></html>";
        assert_eq!(items_of(document), ["7.01", "2.05"]);
        assert_eq!(items_of(b"%PDF-1.7").len(), 0);
    }
}
