//! Which sentences are worth a regular expression.
//!
//! A fact's gate is a list of groups of literal strings; a sentence that lacks a whole group cannot state the fact, by
//! definition of the recipe. One Aho–Corasick automaton over all literals of all facts reads each sentence once and
//! leaves a few in a hundred. Because the gate is part of the definition, there is no slower path it could disagree with.

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind, BuildError, MatchKind};

/// One bit per group of literals, over all facts of a recipe.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    automaton: AhoCorasick,
    /// For each literal, the groups it belongs to.
    bits: Vec<u64>,
    /// For each fact, the groups it needs.
    needs: Vec<u64>,
}

/// How many groups a recipe may have in all.
pub(crate) const MAX_GROUPS: usize = 64;

impl Gate {
    /// Builds the automaton. `facts` holds each fact's groups; at most [`MAX_GROUPS`] in all.
    pub(crate) fn new(facts: &[Vec<Vec<String>>]) -> Result<Self, BuildError> {
        let (mut literals, mut bits, mut needs): (Vec<&str>, Vec<u64>, Vec<u64>) = Default::default();
        let mut group = 0_u32;
        for fact in facts {
            let mut need = 0;
            for words in fact {
                let bit = 1_u64.checked_shl(group).unwrap_or_default();
                group += 1;
                need |= bit;
                for word in words {
                    match literals.iter().position(|l| l.eq_ignore_ascii_case(word)).and_then(|i| bits.get_mut(i)) {
                        Some(known) => *known |= bit,
                        None => {
                            literals.push(word);
                            bits.push(bit);
                        }
                    }
                }
            }
            needs.push(need);
        }
        let automaton = AhoCorasickBuilder::new()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::DFA))
            .build(literals)?;
        Ok(Self { automaton, bits, needs })
    }

    /// The groups of which some literal stands in `sentence`.
    pub(crate) fn groups(&self, sentence: &str) -> u64 {
        let all = self.needs.iter().fold(0, |a, n| a | n);
        let mut seen = 0;
        for hit in self.automaton.find_overlapping_iter(sentence) {
            seen |= self.bits.get(hit.pattern().as_usize()).copied().unwrap_or_default();
            if seen == all {
                break;
            }
        }
        seen
    }

    /// Whether these groups are enough for fact number `fact`.
    pub(crate) fn open(&self, fact: usize, groups: u64) -> bool {
        self.needs.get(fact).is_some_and(|need| need & groups == *need)
    }

    /// Whether these groups are enough for any fact.
    pub(crate) fn any(&self, groups: u64) -> bool {
        self.needs.iter().any(|need| need & groups == *need)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn facts() -> Vec<Vec<Vec<String>>> {
        let group = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        vec![vec![group(&["ab", "b"]), group(&["ca", "$"])], vec![group(&["abc", "ca"])]]
    }

    proptest! {
        #[test]
        fn agrees_with_looking_for_each_literal(s in "[abcABC$ ]{0,24}") {
            let gate = Gate::new(&facts()).unwrap();
            let groups = gate.groups(&s);
            let lower = s.to_ascii_lowercase();
            for (f, fact) in facts().iter().enumerate() {
                let open = fact.iter().all(|g| g.iter().any(|w| lower.contains(w.as_str())));
                prop_assert_eq!(gate.open(f, groups), open);
            }
            prop_assert_eq!(gate.any(groups), (0..2).any(|f| gate.open(f, groups)));
        }
    }
}
