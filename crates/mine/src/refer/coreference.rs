//! Words that mean the filer without naming it: the Company, we, the Registrant.
//!
//! They are looked for in the sentence as it stands, not in its matching key: capitals tell "the Company" from "the
//! Company Common Stock" and "us" from "US". The road not taken is coreference resolution by a model: in a filing these
//! words are bound once, by a definition, and the definition can be read.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, BuildError, MatchKind};

/// The terms of a recipe.
#[derive(Debug, Clone)]
pub(crate) struct Coreference {
    automaton: AhoCorasick,
    terms: Vec<String>,
    quoted: bool,
}

/// What a sentence holds of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Terms {
    /// A word of the first person: it means the filer whatever "the Company" is bound to.
    pub(crate) first_person: bool,
    /// Any other term.
    pub(crate) third_person: bool,
    /// Some term is spelled as it should be: not "the Companys".
    pub(crate) well_spelled: bool,
}

impl Terms {
    pub(crate) fn any(self) -> bool {
        self.first_person || self.third_person
    }
}

const FIRST_PERSON: &[&str] = &["we", "our", "ours", "us", "ourselves"];

impl Coreference {
    pub(crate) fn new(terms: &[String], quoted: bool) -> Result<Self, BuildError> {
        let terms: Vec<String> = terms.iter().map(|t| t.trim().to_owned()).filter(|t| !t.is_empty()).collect();
        let automaton = AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostLongest)
            .build(&terms)?;
        Ok(Self { automaton, terms, quoted })
    }

    /// The terms that stand in `sentence` and mean the filer, or whoever they are bound to.
    pub(crate) fn find(&self, sentence: &str) -> Terms {
        let mut found = Terms::default();
        let quotations = if self.quoted { Vec::new() } else { quotations(sentence) };
        for hit in self.automaton.find_iter(sentence) {
            let (Some(term), Some(text)) = (self.terms.get(hit.pattern().as_usize()), sentence.get(hit.range())) else {
                continue;
            };
            let first_person = FIRST_PERSON.contains(&term.to_ascii_lowercase().as_str());
            let quoted = first_person && quotations.iter().any(|(s, e)| *s <= hit.start() && hit.end() <= *e);
            if !quoted && same_case(term, text) && stands_alone(sentence, hit.start(), hit.end(), first_person) {
                found.well_spelled |= !sentence.get(hit.end()..).is_some_and(|after| after.starts_with('s'));
                if first_person {
                    found.first_person = true;
                } else {
                    found.third_person = true;
                }
            }
        }
        found
    }
}

/// A capital in the term asks for a capital; a small letter takes either. An abbreviation (`US`) is no pronoun.
fn same_case(term: &str, text: &str) -> bool {
    let capitals = term.chars().zip(text.chars()).all(|(t, c)| !t.is_ascii_uppercase() || c.is_ascii_uppercase());
    capitals && !(text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase()))
}

/// Whether the words at `start..end` are whole words and no part of a name.
fn stands_alone(sentence: &str, start: usize, end: usize, first_person: bool) -> bool {
    let (before, after) = (sentence.get(..start).unwrap_or_default(), sentence.get(end..).unwrap_or_default());
    if before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '.' | '&')) {
        return false;
    }
    let whole = after;
    let after = strip_possessive(after, first_person);
    if after.starts_with(|c: char| c.is_alphanumeric() || c == '-') {
        return false;
    }
    // "the Company’s Leeds office" is about the Company, whatever follows.
    if first_person || after.len() < whole.len() {
        return true;
    }
    // "the Company Common Stock", "the Bank of Elsewhere", "the Trust Agreement"
    let mut next = after.strip_prefix(' ').unwrap_or_default().split(' ');
    match next.next().unwrap_or_default() {
        "of" => !next.next().is_some_and(|w| w.starts_with(char::is_uppercase)),
        word => !word.starts_with(char::is_uppercase),
    }
}

/// Without a possessive ending, also one whose apostrophe was lost ("the Companys plan").
fn strip_possessive(after: &str, first_person: bool) -> &str {
    // "we’ll", "we're": whatever follows is no part of the word.
    if first_person && after.starts_with(['\'', '’']) {
        return "";
    }
    for ending in ["'s", "’s", "'", "’"] {
        if let Some(rest) = after.strip_prefix(ending) {
            return rest;
        }
    }
    match after.strip_prefix('s') {
        Some(rest) if !first_person && !rest.starts_with(char::is_alphanumeric) => rest,
        _ => after,
    }
}

/// Byte ranges of quotations of at least four words; shorter ones are defined terms.
fn quotations(sentence: &str) -> Vec<(usize, usize)> {
    let (mut out, mut open) = (Vec::new(), None);
    for (i, c) in sentence.char_indices() {
        let closes = match (c, open) {
            ('“', _) => {
                open = Some(i + c.len_utf8());
                None
            }
            ('"', None) => {
                open = Some(i + 1);
                None
            }
            ('”' | '"', Some(start)) => Some((start, i)),
            _ => None,
        };
        if let Some((start, end)) = closes {
            if sentence.get(start..end).unwrap_or_default().split(' ').count() >= 4 {
                out.push((start, end));
            }
            open = None;
        }
    }
    // A quotation that runs on into the next sentence.
    if let Some(start) = open.filter(|s| sentence.get(*s..).unwrap_or_default().split(' ').count() >= 4) {
        out.push((start, sentence.len()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(s: &str) -> Terms {
        let terms = ["the company", "the registrant", "the Bank", "we", "our", "us"].map(str::to_owned);
        Coreference::new(&terms, false).unwrap().find(s)
    }

    #[test]
    fn whole_words_and_possessives() {
        for s in [
            "The Company expects it.",
            "by the Company’s plan",
            "under the Companys plan",
            "the company will",
            "We will.",
            "of our staff",
            "The Registrant's costs",
            "told us, in May",
            "The Bank will pay",
            "the Company, or X",
            "we’ll go",
            "the Company’s Gdansk factory",
            "the Registrant's Common Stock",
        ] {
            assert!(find(s).any(), "{s}");
        }
        assert!(!find("under the Companys plan").well_spelled);
        assert!(find("the Company and the Companys plan").well_spelled);
    }

    #[test]
    fn parts_of_names_and_other_words_are_none() {
        for s in [
            "The US plan",
            "Whitlock Paper Company plans",
            "the Company Common Stock",
            "the Bank of Elsewhere",
            "west wing",
            "the bank will pay",
            "hours later",
            "the companyman",
            "(the “Company”) is",
            "the Company-wide plan",
            "E-US",
        ] {
            assert!(!find(s).any(), "{s}");
        }
    }

    #[test]
    fn a_quoted_we_is_the_speaker() {
        assert!(!find("“It is hard for us to let so many go,” said Ms. Orr.").any());
        assert!(!find("\"We had to act in this market,\" said Ms. Orr.").any());
        assert!(find("We call this plan the “Plan”.").first_person);
        assert!(find("“It is hard to see them go,” our chief executive said.").first_person);
    }
}
