//! A sentence's words without what makes it particular.
//!
//! Two charge sentences are near when only the amounts, dates and names differ. So these are masked, and the rest is a
//! set of words. Jaccard on single words is meant: on real filings three-word shingles at 0.6 find almost nothing across
//! companies, because every lawyer varies the template a little.

use std::collections::HashMap;
use std::sync::LazyLock;

use eightk_text::names::Names;

use crate::fact::{mask_dates, matching_key};
use crate::pattern::Pattern;

/// The words of one corpus, numbered as they come.
#[derive(Default)]
pub(super) struct Interner {
    ids: HashMap<Vec<u8>, u32>,
}

/// A set of words: sorted, without repeats.
pub(super) type WordSet = Vec<u32>;

static NUMBERS: LazyLock<Option<Pattern>> = LazyLock::new(|| {
    let p = r"(?:us|u\.s\.|c|a)?(?:\$|€|£|¥) ?[0-9.,]*[0-9](?: ?(?:million|billion|thousand)\b)?|[0-9][0-9.,]*(?: ?(?:%|percent\b|million\b|billion\b|thousand\b))?|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred)\b";
    Pattern::own(p)
});

impl Interner {
    /// The masked words of `sentence`, whose filer is called `names`.
    pub(super) fn words(&mut self, sentence: &str, names: &Names) -> WordSet {
        let (mut key, mut rest, mut plain) = (String::new(), sentence, String::with_capacity(sentence.len()));
        while let Some(span) = names.mention(rest).filter(|s| s.end > s.start) {
            plain.push_str(rest.get(..span.start).unwrap_or_default());
            plain.push_str(" namex ");
            rest = rest.get(span.end..).unwrap_or_default();
        }
        plain.push_str(rest);
        matching_key(&plain, &mut key);
        let dates = mask_dates(&key);
        let masked = match NUMBERS.as_ref() {
            Some(re) => re.replace(&dates, |_| b" valuex ").into_owned(),
            None => dates,
        };
        let words = masked.split(|b| !(b.is_ascii_alphanumeric() || *b >= 0x80)).filter(|w| !w.is_empty());
        let mut out: WordSet = words.map(|w| self.id(w)).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    fn id(&mut self, word: &[u8]) -> u32 {
        if let Some(id) = self.ids.get(word) {
            return *id;
        }
        let id = u32::try_from(self.ids.len()).unwrap_or(u32::MAX);
        self.ids.insert(word.to_vec(), id);
        id
    }
}

/// Shared words by all words; 0 where both sets are empty.
pub(super) fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    let (mut i, mut j, mut both) = (0, 0, 0_usize);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        both += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    let all = a.len() + b.len() - both;
    if all == 0 { 0.0 } else { both as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eightk_core::FilingMeta;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn names(company: &str) -> Names {
        let meta = FilingMeta { company: Some(company.to_owned()), ..FilingMeta::default() };
        Names::new(&meta, "", &[])
    }

    #[test]
    fn only_amounts_dates_and_names_differ() {
        let mut i = Interner::default();
        let a =
            i.words("Tessaly Foods expects charges of $4.5 million by June 30, 2025.", &names("Tessaly Foods Corp."));
        let b =
            i.words("Vantrell Optics expects charges of $22 million by May 2, 2026.", &names("Vantrell Optics, Inc."));
        assert_eq!(a, b);
    }

    proptest! {
        #[test]
        fn jaccard_agrees_with_sets(
            a in proptest::collection::btree_set(0_u32..30, 0..20),
            b in proptest::collection::btree_set(0_u32..30, 0..20),
        ) {
            let (x, y): (Vec<_>, Vec<_>) = (a.iter().copied().collect(), b.iter().copied().collect());
            let all: BTreeSet<_> = a.union(&b).collect();
            let want = if all.is_empty() { 0.0 } else { a.intersection(&b).count() as f64 / all.len() as f64 };
            prop_assert!((jaccard(&x, &y) - want).abs() < 1e-12);
        }
    }
}
