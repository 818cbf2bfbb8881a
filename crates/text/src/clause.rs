//! Whether a clause is over, as far as its last word tells: what puts torn lines, pages and paragraphs together asks this.

/// Words that neither a sentence nor a title ends in.
const UNFINISHED: &[&str] = &[
    "a", "an", "and", "as", "at", "between", "by", "for", "from", "in", "into", "its", "of", "on", "or", "our", "that",
    "the", "their", "this", "to", "under", "which", "with",
];

/// Whether the text ends in a word or a comma that something must follow.
pub(crate) fn hangs(text: &str) -> bool {
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    last.ends_with(',') || UNFINISHED.contains(&last)
}

/// Whether the text ends without any punctuation that could end a sentence or an entry of a list.
pub(crate) fn breaks_off(text: &str) -> bool {
    let end = text.trim_end_matches([')', ']', '"', '\u{201d}', '\u{2019}']);
    end.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '%' | '\u{ae}' | '\u{2122}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_clauses() {
        for s in ["the mill and", "plans to", "the mill,", "under"] {
            assert!(hangs(s) && breaks_off(s), "{s}");
        }
        for s in ["the mill", "(the \u{201c}Mill\u{201d})", "by 5%"] {
            assert!(!hangs(s) && breaks_off(s), "{s}");
        }
        for s in ["the mill.", "as follows:", "one;", "the \u{201c}mill.\u{201d}", "", "-"] {
            assert!(!hangs(s) && !breaks_off(s), "{s}");
        }
    }
}
