//! One fact's rule, applied to one sentence.

use std::borrow::Cow;

use regex::bytes::{NoExpand, Regex};

use super::{Head, mask_dates};

/// Mark of the value that is looked at.
const THIS: u8 = b'@';
/// Mark of the sentence's other values.
const OTHER: u8 = b'#';

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
    pub(crate) any: Regex,
    pub(crate) weak: Option<Regex>,
    /// What the sentences before must hold; `any` where it is not given.
    pub(crate) before: Option<Regex>,
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
    pub(crate) replace: Vec<(Regex, String)>,
    pub(crate) values: Option<Regex>,
    pub(crate) require: Vec<Require>,
    pub(crate) exclude: Option<Regex>,
    pub(crate) reject: Option<Regex>,
    pub(crate) head: Option<Head>,
    pub(crate) whole: Option<Regex>,
    pub(crate) part: Option<Regex>,
}

impl FactRule {
    /// How much of the fact the sentence with this key states; `None` when it does not state it.
    pub(crate) fn states(&self, key: &str, context: &dyn Context) -> Option<Whole> {
        let text = self.prepare(key);
        let hit = |re: &Option<Regex>, text: &[u8]| re.as_ref().is_some_and(|re| re.is_match(text));
        if hit(&self.exclude, &text) || !self.require.iter().all(|r| self.holds(r, &text, context)) {
            return None;
        }
        let (mut masked, at) = self.mask_values(&text);
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
            if let Cow::Owned(new) = find.replace_all(&text, NoExpand(with.as_bytes())) {
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

    /// The text with each value as one mark, and where the marks are.
    fn mask_values(&self, text: &[u8]) -> (Vec<u8>, Vec<usize>) {
        let (mut out, mut at, mut from) = (Vec::with_capacity(text.len()), Vec::new(), 0);
        let Some(values) = &self.values else { return (text.to_vec(), at) };
        for found in values.find_iter(text) {
            out.extend_from_slice(text.get(from..found.start()).unwrap_or_default());
            at.push(out.len());
            out.push(OTHER);
            from = found.end();
        }
        out.extend_from_slice(text.get(from..).unwrap_or_default());
        (out, at)
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
