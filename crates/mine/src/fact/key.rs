//! The form of a sentence that patterns are matched against.
//!
//! Lower case (ASCII), straight quotes, plain dashes, single spaces. Patterns are then compiled without Unicode tables
//! and without case folding, which makes them some ten times cheaper to build and run. The road not taken, `(?i)` with
//! Unicode classes, costs tens of milliseconds before the first sentence is read. Offsets into the key mean nothing
//! outside this module: facts are reported by sentence.

/// Writes the key of `sentence` into `out`, which is emptied first.
pub(crate) fn matching_key(sentence: &str, out: &mut String) {
    out.clear();
    out.reserve(sentence.len());
    let mut space = true;
    for c in sentence.chars() {
        let c = match c {
            'A'..='Z' => c.to_ascii_lowercase(),
            '\u{2018}' | '\u{2019}' | '\u{02BC}' | '`' => '\'',
            '\u{201C}' | '\u{201D}' | '\u{201E}' => '"',
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            // The marks that stand for values: they must not come from the text.
            '#' | '@' => ' ',
            c if c.is_whitespace() => ' ',
            c => c,
        };
        if c == ' ' && space {
            continue;
        }
        space = c == ' ';
        out.push(c);
    }
    if out.ends_with(' ') {
        out.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(s: &str) -> String {
        let mut out = String::new();
        matching_key(s, &mut out);
        out
    }

    #[test]
    fn quotes_dashes_and_spaces_are_plain() {
        assert_eq!(key("  The “Company’s”\u{a0} plan — №\t# @ 5–7% €9 "), "the \"company's\" plan - № 5-7% €9");
    }

    proptest! {
        #[test]
        fn a_key_is_its_own_key(s in "\\PC{0,80}") {
            let once = key(&s);
            prop_assert_eq!(key(&once), once);
        }
    }
}
