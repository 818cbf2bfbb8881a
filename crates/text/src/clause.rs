//! Whether a clause is over, as far as its last word tells: what puts torn lines, pages and paragraphs together asks this.

/// Words that neither a sentence nor a title ends in.
const UNFINISHED: &[&str] = &[
    "a", "an", "and", "as", "at", "between", "by", "for", "from", "in", "into", "its", "of", "on", "or", "our", "that",
    "the", "their", "this", "to", "under", "which", "with",
];

/// Whether the text ends in a word, a label or a comma that something must follow.
pub(crate) fn hangs(text: &str) -> bool {
    let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let label = last.len() <= 5 && last.starts_with('(') && last.ends_with(')');
    let owner = last.ends_with("\u{2019}s") || last.ends_with("'s");
    last.ends_with(',') || owner || (label && last.len() < text.len()) || UNFINISHED.contains(&last)
}

/// Whether the text ends without any punctuation that could end a sentence or an entry of a list.
pub(crate) fn breaks_off(text: &str) -> bool {
    let end = text.trim_end_matches([')', ']', '"', '\u{201d}', '\u{2019}']);
    end.ends_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '%' | '\u{ae}' | '\u{2122}'))
}

/// A half of a sentence is at least this long: headings and labels at the edge of a page are shorter.
const SHORTEST_HALF: usize = 60;

/// Whether a page has torn `second` from `first`: the one ends inside a sentence and the other can be its rest. Small letters say
/// so by themselves; a capital only where both are `plain` passages.
pub(crate) fn is_torn(first: &str, second: &str, plain: bool) -> bool {
    if first.len() <= SHORTEST_HALF || !(breaks_off(first) || hangs(first)) {
        return false;
    }
    let word = second.split(char::is_whitespace).next().unwrap_or_default();
    let numbered = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    if word.len() <= 5 && (numbered || word.ends_with(['.', ')'])) {
        // A label, the number of an exhibit.
        return false;
    }
    if second.starts_with(char::is_lowercase) {
        return true;
    }
    let passage = second.len() > SHORTEST_HALF || second.ends_with('.');
    plain && passage && second.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '(' | '$' | '\u{201c}' | '"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_sentences() {
        let head = "On Monday the directors of the company met in the town hall and approved";
        let title = "Sale of the Mill and of its Looms to the Owners of the Neighbouring Forge";
        assert!(is_torn(head, "the sale.", false) && is_torn(head, "Mills for sale.", true));
        assert!(!is_torn(head, "Mills for sale.", false) && !is_torn("They met and", "voted.", true));
        assert!(!is_torn(&format!("{head} it."), "the sale.", true) && is_torn(title, "and more", true));
        for label in ["(a) the sale.", "a. the sale.", "4.8 Deed of the mill.", "12. Deed of the mill."] {
            assert!(!is_torn(head, label, true), "{label}");
        }
    }

    #[test]
    fn ends_of_clauses() {
        for s in ["the mill and", "plans to", "the mill,", "under", "the mill\u{2019}s", "the greater of (i)"] {
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
