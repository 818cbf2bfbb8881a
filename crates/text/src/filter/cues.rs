//! Tell-tale phrases, found in one pass.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// Which phrases a text holds, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Cues(u32);

macro_rules! cues {
    ($($(#[$doc:meta])* $name:ident = $bit:literal: [$($phrase:literal),* $(,)?];)*) => {
        impl Cues {
            $($(#[$doc])* pub(super) const $name: Self = Self(1 << $bit);)*
        }
        static PHRASES: &[(&str, Cues)] = &[$($(($phrase, Cues::$name),)*)*];
    };
}

cues! {
    /// Names forward-looking statements outright, or the acts that shelter them.
    FORWARD = 0: [
        "forward-looking statement", "forward looking statement", "forward-looking information", "forward looking information",
        "forward–looking statement", "forward‑looking statement", "securities litigation reform act", "section 21e", "section 27a",
        "safe harbor", "safe harbour",
    ];
    /// Readers are warned.
    RELIANCE = 1: ["undue reliance"];
    /// Results may turn out otherwise.
    DIFFER = 2: ["differ materially", "differ significantly", "to differ from those", "materially different from"];
    /// Who takes on no duty …
    DUTY = 3: ["no obligation", "any obligation", "no duty", "not undertake", "no intention", "not intend to"];
    /// … to bring the statement up to date.
    UPDATE = 4: ["update", "revise"];
    /// Statements of their date.
    AS_OF = 5: ["speak only as of", "speaks only as of"];
    /// Risks in general.
    RISKS = 6: [
        "uncertainties", "risk factors", "these statements", "such statements", "actual results", "factors that could",
        "cautionary statement", "these factors", "such factors", "words such as", "similar expressions", "beyond our control",
        "beyond the company",
    ];
    /// Furnished …
    NOT_FILED = 7: [
        "deemed “filed", "deemed \"filed", "deemed to be “filed", "deemed to be \"filed", "deemed filed", "deemed to be filed",
        "deemed ''filed", "deemed ‘filed", "deemed as “filed", "deemed as \"filed",
    ];
    /// … and so outside Section 18.
    SECTION_18 = 8: ["section 18", "liabilities of that section", "liability of that section", "liabilities under that section"];
    /// What exhibits leave out.
    OMITTED = 9: [
        "601(b)", "601(a)", "omitted pursuant", "been omitted", "furnish supplementally", "supplementally furnish",
        "confidential treatment"
    ];
}

static AUTOMATON: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let phrases = PHRASES.iter().map(|(p, _)| p);
    AhoCorasick::builder().ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(phrases).ok()
});

impl Cues {
    /// Searches a text. No phrase holds another, so that matches need not overlap.
    pub(super) fn of(text: &str) -> Self {
        let mut found = Self::default();
        if let Some(automaton) = AUTOMATON.as_ref() {
            for m in automaton.find_iter(text) {
                found.0 |= PHRASES.get(m.pattern().as_usize()).map_or(0, |(_, cue)| cue.0);
            }
        }
        found
    }

    /// Whether all of these were found.
    pub(super) const fn has(self, all: Self) -> bool {
        self.0 & all.0 == all.0
    }

    /// Whether nothing was found.
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Whether `text` holds `phrase` (ASCII, in lower case), in whatever case.
pub(super) fn contains_ignore_case(text: &str, phrase: &str) -> bool {
    let phrase = phrase.as_bytes();
    text.as_bytes().windows(phrase.len().max(1)).any(|w| w.eq_ignore_ascii_case(phrase))
}

/// Whether `text` begins with `phrase` (ASCII), in whatever case.
pub(super) fn starts_ignore_case(text: &str, phrase: &str) -> bool {
    text.as_bytes().get(..phrase.len()).is_some_and(|b| b.eq_ignore_ascii_case(phrase.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_in_any_case() {
        assert!(Cues::of("Forward-Looking Statements").has(Cues::FORWARD));
        assert!(Cues::of("SHALL NOT BE DEEMED \"FILED\" under Section 18").has(Cues::NOT_FILED));
        assert!(Cues::of("The mill was sold.").is_empty());
        assert!(contains_ignore_case("Statements and EXHIBITS", "exhibits") && !contains_ignore_case("", "exhibits"));
    }
}
