//! The words of a query, taken apart as the full-text search takes them.
//!
//! The same reading serves twice: to see whether an answer is about the words that were asked, and to answer them without any
//! search, from a document. `OR` is the road not taken: what it joins is found as EDGAR finds it, and checked as if all were
//! asked for would refuse right answers, so a query with `OR` is not checked.

/// Words and phrases in lower case, white space folded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Words {
    /// Each must occur.
    pub wanted: Vec<String>,
    /// None may occur.
    pub unwanted: Vec<String>,
    /// Whether `OR` joins some: then one of the wanted is enough.
    pub any: bool,
}

impl Words {
    /// Takes the words of a query apart. Without quotation marks they are one phrase; with any, what is quoted is a phrase and
    /// every other word stands for itself. `-` before either forbids it.
    pub fn of(phrase: &str) -> Self {
        let straight = straightened(phrase);
        let mut words = Self::default();
        if !straight.contains('"') {
            words.wanted.extend(folded(&straight));
            return words;
        }
        let mut negated = false;
        for (i, part) in straight.split('"').enumerate() {
            if i % 2 == 1 {
                let side = if std::mem::take(&mut negated) { &mut words.unwanted } else { &mut words.wanted };
                side.extend(folded(part));
                continue;
            }
            for word in part.split_whitespace() {
                negated = false;
                match word {
                    "OR" => words.any = true,
                    "AND" => {}
                    "NOT" | "-" => negated = true,
                    _ => match word.strip_prefix('-') {
                        Some(word) => words.unwanted.extend(folded(word)),
                        None => words.wanted.extend(folded(word)),
                    },
                }
            }
            negated &= part.trim_end().ends_with('-') || part.trim_end().ends_with("NOT");
        }
        words
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.wanted.is_empty() && self.unwanted.is_empty()
    }

    /// Whether a text, in lower case and with white space folded, holds what is wanted and nothing that is not.
    pub fn hold_in(&self, text: &str) -> bool {
        let holds = |phrase: &String| holds_phrase(text, phrase);
        let wanted = if self.any { self.wanted.iter().any(holds) } else { self.wanted.iter().all(holds) };
        wanted && !self.unwanted.iter().any(holds)
    }
}

/// What goes into the search's `q`: a phrase without quotation marks is put into them.
pub(super) fn search_text(phrase: &str) -> String {
    let straight = straightened(phrase);
    let trimmed = straight.trim();
    if trimmed.is_empty() || trimmed.contains('"') { trimmed.to_owned() } else { format!("\"{trimmed}\"") }
}

/// Curly quotation marks come from word processors and mean straight ones; apostrophes stay.
fn straightened(phrase: &str) -> String {
    phrase.replace(['\u{201C}', '\u{201D}', '\u{201E}'], "\"")
}

/// Lower case, each run of white space one space, none at the ends.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        for c in word.chars() {
            match c {
                '\u{2018}' | '\u{2019}' => out.push('\''),
                _ => out.extend(c.to_lowercase()),
            }
        }
    }
    out
}

fn folded(text: &str) -> Option<String> {
    let text = fold(text);
    (!text.is_empty()).then_some(text)
}

/// Whether the phrase stands in the text between ends of words. A `*` at its end stands for the rest of a word.
fn holds_phrase(text: &str, phrase: &str) -> bool {
    let (phrase, open) = match phrase.strip_suffix('*') {
        Some(stem) => (stem, true),
        None => (phrase, false),
    };
    let in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (first, last) = (phrase.chars().next(), phrase.chars().next_back());
    let mut finder = memchr::memmem::find_iter(text.as_bytes(), phrase.as_bytes());
    !phrase.is_empty()
        && finder.any(|at| {
            let before = text.get(..at).and_then(|t| t.chars().next_back());
            let after = text.get(at + phrase.len()..).and_then(|t| t.chars().next());
            !(in_word(first) && in_word(before)) && (open || !(in_word(last) && in_word(after)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_quotation_marks_it_is_one_phrase() {
        let words = Words::of("  Expects to\nclose MILLS ");
        assert_eq!(words.wanted, ["expects to close mills"]);
        assert_eq!(search_text("expects to close "), "\"expects to close\"");
        assert_eq!(search_text(" "), "");
        assert!(Words::of(" \n").is_empty());
    }

    #[test]
    fn with_them_it_is_as_it_stands() {
        let words = Words::of("\u{201C}Close mills\u{201D} weaving -paper -\"dye house\" AND wool NOT \"cotton\"");
        assert_eq!(words.wanted, ["close mills", "weaving", "wool"]);
        assert_eq!(words.unwanted, ["paper", "dye house", "cotton"]);
        assert_eq!(search_text("\"a b\" c"), "\"a b\" c");
        assert!(Words::of("\"a\" OR \"b\"").any);
    }

    #[test]
    fn phrases_end_where_words_end() {
        let text = fold("The mill\u{2019}s\u{a0}closing  costs, exiting");
        for (phrase, held) in [
            ("closing cost", false),
            ("closing costs", true),
            ("\"closing cost*\"", true),
            ("exit", false),
            ("mill's closing", true),
            ("\"closing\" -costs", false),
            ("\"closing\" -paper", true),
            ("\"paper\" OR \"closing\"", true),
            ("costs,", true),
            ("", true),
        ] {
            assert_eq!(Words::of(phrase).hold_in(&text), held, "{phrase}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_words(phrase in "[-\"* a-cé]{0,12}|\\PC{0,12}", text in "\\PC{0,30}") {
            let words = Words::of(&phrase);
            words.hold_in(&fold(&text));
            proptest::prop_assert!(Words::of(&search_text(&phrase)) == words);
        }
    }
}
