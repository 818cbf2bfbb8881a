//! One fact's rule, applied to one sentence.

use std::borrow::Cow;

use super::values::mask_values;
use super::{Head, mask_dates};
use crate::pattern::Pattern;

/// Mark of the value that is looked at.
const THIS: u8 = b'@';
/// Mark of the sentence's other values.
pub(super) const OTHER: u8 = b'#';

/// How much of the fact a sentence gives. Ordered: the more, the better an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Whole {
    /// A component, or the amount of a part of the period.
    Part,
    /// Nothing says that it is less than the whole.
    Plain,
    /// It says that it is the total.
    Total,
}

/// Something that must stand in the sentence, or, with a weak word here, in what stands before it.
#[derive(Debug, Clone)]
pub(crate) struct Require {
    pub(crate) any: Pattern,
    pub(crate) weak: Option<Pattern>,
    /// What the sentences before must hold; `any` where it is not given.
    pub(crate) before: Option<Pattern>,
    pub(crate) previous: usize,
    pub(crate) items: Vec<String>,
}

/// What a rule may ask about a sentence's surroundings.
pub(crate) trait Context {
    /// Key of the `n`-th sentence before this one (1 = the one before); `None` before the first.
    fn previous_key(&self, n: usize) -> Option<String>;
    /// Numbers of the Item the sentence stands in.
    fn items(&self) -> &[String];
}

/// A compiled fact.
#[derive(Debug, Clone)]
pub(crate) struct FactRule {
    pub(crate) replace: Vec<(Pattern, String)>,
    pub(crate) values: Option<Pattern>,
    pub(crate) require: Vec<Require>,
    pub(crate) exclude: Option<Pattern>,
    pub(crate) reject: Option<Pattern>,
    pub(crate) head: Option<Head>,
    pub(crate) whole: Option<Pattern>,
    pub(crate) part: Option<Pattern>,
}

impl FactRule {
    /// How much of the fact the sentence with this key states; `None` when it does not state it.
    pub(crate) fn states(&self, key: &str, context: &dyn Context) -> Option<Whole> {
        let text = self.prepare(key);
        let (mut masked, at) = mask_values(self.values.as_ref(), &text);
        let hit = |re: &Option<Pattern>, text: &[u8]| re.as_ref().is_some_and(|re| re.is_match(text));
        // What is required first: most sentences end there, and a pattern that is never run never builds its states.
        if !self.require.iter().all(|r| self.holds(r, &masked, context)) || hit(&self.exclude, &masked) {
            return None;
        }
        if self.values.is_some() && !at.iter().any(|i| self.value_counts(&mut masked, *i)) {
            return None;
        }
        Some(match (hit(&self.part, &masked), hit(&self.whole, &masked)) {
            (_, true) => Whole::Total,
            (true, false) => Whole::Part,
            (false, false) => Whole::Plain,
        })
    }

    /// The key with dates masked and the recipe's replacements made.
    fn prepare(&self, key: &str) -> Vec<u8> {
        let mut text = mask_dates(key);
        for (find, with) in &self.replace {
            if let Cow::Owned(new) = find.replace(&text, |_| with.as_bytes()) {
                text = new;
            }
        }
        text
    }

    fn holds(&self, require: &Require, text: &[u8], context: &dyn Context) -> bool {
        if require.any.is_match(text) {
            return true;
        }
        let Some(weak) = &require.weak else { return false };
        if !weak.is_match(text) {
            return false;
        }
        let here = context.items().iter().any(|i| require.items.contains(i));
        here || (1..=require.previous)
            .map_while(|n| context.previous_key(n))
            .any(|k| require.before.as_ref().unwrap_or(&require.any).is_match(&self.prepare(&k)))
    }

    /// Whether the value at `at` states the fact, given that the sentence may.
    fn value_counts(&self, masked: &mut [u8], at: usize) -> bool {
        let Some(mark) = masked.get_mut(at) else { return false };
        *mark = THIS;
        let rejected = self.reject.as_ref().is_some_and(|r| r.is_match(masked));
        let counts = !rejected && self.head.as_ref().is_none_or(|h| h.accepts(masked, at));
        if let Some(mark) = masked.get_mut(at) {
            *mark = OTHER;
        }
        counts
    }
}
