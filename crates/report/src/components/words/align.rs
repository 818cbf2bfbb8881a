//! Two sentences, word beside word.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::token::{is_word, tokens};

/// Above so many pairs of tokens there is no alignment but of the two ends: some 2,000 words against as many. Real sentences
/// stay at a tenth of it.
const MOST_PAIRS: usize = 4_000_000;

/// What a piece is to the gold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// In both.
    Equal,
    /// In the gold only.
    Deleted,
    /// In the other only.
    Inserted,
}

/// A run of words with one fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Which.
    pub change: Change,
    /// The words, with their blanks.
    pub text: String,
}

/// The difference from `gold` to `other`.
///
/// Equal and deleted pieces together make `gold`, equal and inserted ones `other`, byte for byte; where words are replaced the deleted
/// ones come first; no two neighbours have the same fate. Bounded: beyond 4,000,000 pairs of words (after what is equal at both ends)
/// the middle counts as replaced whole.
pub fn diff(gold: &str, other: &str) -> Vec<Piece> {
    let (a, b) = (tokens(gold), tokens(other));
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a_rest, b_rest) = (a.get(head..).unwrap_or_default(), b.get(head..).unwrap_or_default());
    let tail = a_rest.iter().rev().zip(b_rest.iter().rev()).take_while(|(x, y)| x == y).count();
    let a_middle = a_rest.get(..a_rest.len() - tail).unwrap_or_default();
    let b_middle = b_rest.get(..b_rest.len() - tail).unwrap_or_default();
    let mut runs = Runs::default();
    runs.push(Change::Equal, a.get(..head).unwrap_or_default());
    if a_middle.len().saturating_mul(b_middle.len()) > MOST_PAIRS {
        runs.push(Change::Deleted, a_middle);
        runs.push(Change::Inserted, b_middle);
    } else {
        for op in capture_diff_slices(Algorithm::Myers, a_middle, b_middle) {
            let old = a_middle.get(op.old_range()).unwrap_or_default();
            let new = b_middle.get(op.new_range()).unwrap_or_default();
            match op {
                DiffOp::Equal { .. } => runs.push(Change::Equal, old),
                _ => {
                    runs.push(Change::Deleted, old);
                    runs.push(Change::Inserted, new);
                }
            }
        }
    }
    runs.push(Change::Equal, a_rest.get(a_rest.len() - tail..).unwrap_or_default());
    runs.without_islands().pieces()
}

/// How alike two sentences are by their difference: the characters of common words, over those of the longer one; 1 for equal
/// sentences. Below about a third, a difference is harder to read than the two sentences.
pub fn likeness(pieces: &[Piece]) -> f64 {
    let count = |change: Change| -> usize {
        let of = pieces.iter().filter(|p| p.change == change);
        of.map(|p| p.text.chars().filter(|c| c.is_alphanumeric()).count()).sum()
    };
    let equal = count(Change::Equal);
    let longer = equal + count(Change::Deleted).max(count(Change::Inserted));
    if longer == 0 { 1.0 } else { equal as f64 / longer as f64 }
}

/// A stretch of common tokens, or of tokens that replace each other.
#[derive(Debug)]
enum Run<'t> {
    Equal(Vec<&'t str>),
    Changed { old: Vec<&'t str>, new: Vec<&'t str> },
}

/// Runs in order; equal and changed ones alternate.
#[derive(Debug, Default)]
struct Runs<'t>(Vec<Run<'t>>);

impl<'t> Runs<'t> {
    fn push(&mut self, change: Change, tokens: &[&'t str]) {
        if tokens.is_empty() {
            return;
        }
        if change == Change::Equal {
            match self.0.last_mut() {
                Some(Run::Equal(run)) => run.extend(tokens),
                _ => self.0.push(Run::Equal(tokens.to_vec())),
            }
            return;
        }
        if !matches!(self.0.last(), Some(Run::Changed { .. })) {
            self.0.push(Run::Changed { old: Vec::new(), new: Vec::new() });
        }
        if let Some(Run::Changed { old, new }) = self.0.last_mut() {
            (if change == Change::Deleted { old } else { new }).extend(tokens);
        }
    }

    /// A comma or an “of” between two long replacements is common by chance: marked as common it cuts one change into two that
    /// mean nothing.
    fn without_islands(self) -> Self {
        let mut out: Vec<Run<'t>> = Vec::with_capacity(self.0.len());
        let mut runs = self.0.into_iter().peekable();
        while let Some(run) = runs.next() {
            let Run::Equal(common) = &run else {
                match (out.last_mut(), run) {
                    // After an island that was taken in.
                    (Some(Run::Changed { old, new }), Run::Changed { old: more_old, new: more_new }) => {
                        old.extend(more_old);
                        new.extend(more_new);
                    }
                    (_, run) => out.push(run),
                }
                continue;
            };
            if let (Some(Run::Changed { old, new }), Some(Run::Changed { old: next_old, new: next_new })) =
                (out.last_mut(), runs.peek())
            {
                let room = words(old).max(words(new)).min(words(next_old).max(words(next_new)));
                if is_chance(common, room) {
                    old.extend(common);
                    new.extend(common);
                    continue;
                }
            }
            out.push(run);
        }
        Self(out)
    }

    fn pieces(self) -> Vec<Piece> {
        let mut out = Vec::new();
        let mut push = |change, tokens: Vec<&str>| {
            if !tokens.is_empty() {
                out.push(Piece { change, text: tokens.concat() });
            }
        };
        for run in self.0 {
            match run {
                Run::Equal(common) => push(Change::Equal, common),
                Run::Changed { old, new } => {
                    push(Change::Deleted, old);
                    push(Change::Inserted, new);
                }
            }
        }
        out
    }
}

fn words(tokens: &[&str]) -> usize {
    tokens.iter().filter(|t| is_word(t)).count()
}

/// Whether common tokens between two changes, the smaller of which has `room` words, are better taken into them.
fn is_chance(common: &[&str], room: usize) -> bool {
    let count = words(common);
    let short = common.iter().all(|t| t.trim().chars().count() <= 3 && !t.contains(char::is_numeric));
    match count {
        0 => room >= 2,
        1 => room >= 3 && short,
        _ => room >= 8 && count <= 2 && short,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(pieces: &[Piece]) -> String {
        let one = |p: &Piece| match p.change {
            Change::Equal => p.text.clone(),
            Change::Deleted => format!("[-{}-]", p.text),
            Change::Inserted => format!("[+{}+]", p.text),
        };
        pieces.iter().map(one).collect()
    }

    fn side(pieces: &[Piece], left_out: Change) -> String {
        pieces.iter().filter(|p| p.change != left_out).map(|p| p.text.as_str()).collect()
    }

    #[test]
    fn an_amount_is_marked_whole() {
        let found = diff("It expects charges of $12.5 million in 2031.", "It expects charges of $15 million in 2031.");
        assert_eq!(written(&found), "It expects charges of[- $12.5-][+ $15+] million in 2031.");
        assert!(likeness(&found) > 0.8);
        assert_eq!(written(&diff("same", "same")), "same");
        assert_eq!(written(&diff("", "")), "");
        assert_eq!(written(&diff("", "new words")), "[+new words+]");
        assert_eq!(likeness(&diff("one two", "three four")), 0.0);
        assert_eq!(likeness(&[]), 1.0);
    }

    #[test]
    fn a_word_that_is_common_by_chance_does_not_cut_a_change() {
        let found = diff(
            "Northwind will close its two plants of the east and the south.",
            "Northwind has begun layoffs across most of several more states this week.",
        );
        assert_eq!(found.iter().filter(|p| p.change == Change::Deleted).count(), 1, "{}", written(&found));
    }

    #[test]
    fn long_and_hostile_sentences_are_soon_done() {
        let long = |seed: usize| -> String { (0..40_000).map(|i| format!("{} ", (i * seed) % 977)).collect() };
        let found = diff(&long(31), &long(57));
        assert!(found.len() < 100_000);
        // All punctuation, nothing in order.
        let (a, b): (String, String) = (".,;:".repeat(1100), ";.,:,".repeat(900));
        let found = diff(&a, &b);
        assert_eq!((side(&found, Change::Inserted), side(&found, Change::Deleted)), (a, b));
    }

    proptest! {
        #[test]
        fn both_sentences_can_be_read_off(
            gold in "([a-d]{1,3}|[0-9$.]{1,4}|\\PC|[ \n\u{a0}]){0,60}",
            other in "([a-d]{1,3}|[0-9$.]{1,4}|\\PC|[ \n\u{a0}]){0,60}",
        ) {
            let found = diff(&gold, &other);
            prop_assert_eq!(side(&found, Change::Inserted), gold);
            prop_assert_eq!(side(&found, Change::Deleted), other);
            prop_assert!(found.windows(2).all(|w| w[0].change != w[1].change));
            prop_assert!(found.iter().all(|p| !p.text.is_empty()));
        }

        #[test]
        fn one_changed_word_is_one_change(words in proptest::collection::vec("[a-z]{1,8}", 1..30), at in 0usize..30) {
            let at = at % words.len();
            let mut changed = words.clone();
            changed[at] = "1".into();
            let found = diff(&words.join(" "), &changed.join(" "));
            let marked: Vec<&Piece> = found.iter().filter(|p| p.change != Change::Equal).collect();
            prop_assert_eq!(marked.len(), 2);
            prop_assert_eq!(marked[1].text.trim(), "1");
        }
    }
}
