//! Words of a sentence that an audit looks for.
//!
//! An audit must not lean on the recipe it audits, so it has its own, short notion of what refers to the filer.

/// Whether `name` stands in `text` as a word of its own, in this spelling.
pub(super) fn names(text: &str, name: &str) -> bool {
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !name.is_empty()
        && text.match_indices(name).any(|(at, found)| {
            let before = text.get(..at).and_then(|s| s.chars().next_back());
            let after = text.get(at + found.len()..).and_then(|s| s.chars().next());
            !word(before) && !word(after)
        })
}

/// Whether the sentence speaks of its filer by a word that any filer could use.
pub(super) fn is_coreferent(text: &str) -> bool {
    const BEFORE: &[&str] = &["the", "our", "such"];
    const NOUNS: &[&str] = &["company", "registrant", "corporation", "firm", "bank", "partnership", "trust", "issuer"];
    let mut previous = String::new();
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).any(|word| {
        let word = word.to_lowercase();
        let found = matches!(word.as_str(), "we" | "our" | "us")
            || (NOUNS.contains(&word.as_str()) && BEFORE.contains(&previous.as_str()));
        previous = word;
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_whole_word() {
        assert!(names("Tandem’s plan", "Tandem") && names("(Tandem)", "Tandem"));
        assert!(!names("Tandems plan", "Tandem") && !names("tandem", "Tandem") && !names("x", ""));
    }

    #[test]
    fn words_any_filer_could_use() {
        for yes in ["The Company expects", "the registrant’s plan", "We expect", "costs to us", "Such Trust will"] {
            assert!(is_coreferent(yes), "{yes}");
        }
        for no in ["A company expects", "Eastern Company expects", "charges are expected", "used", "the companys"] {
            assert!(!is_coreferent(no), "{no}");
        }
    }
}
