//! Limits that a data set of a recipe is held to.
//!
//! They stand in the recipe because what is a flaw depends on what is asked: where one filing in three repeats a law's own
//! words, copied answers are the matter itself. A limit is one number under one key; which side of it is wrong belongs
//! to the check, not to the file. The road not taken is a switch per check: a check that is off says nothing, one with a
//! loose limit still shows its number.

use serde::{Deserialize, Serialize};

macro_rules! limits {
    ($($(#[$doc:meta])* $key:ident = $default:literal in $range:expr,)*) => {
        /// The limits of an audit: the `[audit]` table of a recipe.
        ///
        /// Shares are of queries unless said otherwise, from 0 to 1. "Above chance" and "from chance" are differences to what
        /// a system that cannot tell an answer from its rivals would get.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct AuditLimits {
            $($(#[$doc])* pub $key: f64,)*
        }

        impl Default for AuditLimits {
            fn default() -> Self {
                Self { $($key: $default,)* }
            }
        }

        impl AuditLimits {
            /// The keys, in the order of the table.
            pub const KEYS: &[&str] = &[$(stringify!($key),)*];

            /// The limit under a key; `None` for an unknown one.
            pub fn get(&self, key: &str) -> Option<f64> {
                match key {
                    $(stringify!($key) => Some(self.$key),)*
                    _ => None,
                }
            }

            /// Sets the limit under a key.
            ///
            /// # Errors
            /// What is wrong, as the end of a sentence that begins with the key: no such key, or a number out of its range.
            pub fn set(&mut self, key: &str, value: f64) -> Result<(), String> {
                match key {
                    $(stringify!($key) => {
                        if !$range.contains(&value) {
                            return Err(format!("must lie between {} and {}", $range.start(), $range.end()));
                        }
                        self.$key = value;
                    })*
                    _ => return Err(format!("is no limit; known are {}", Self::KEYS.join(", "))),
                }
                Ok(())
            }
        }
    };
}

limits! {
    /// Most answers that may name their filer.
    answers_naming_filer = 0.0 in 0.0..=1.0,
    /// Most queries that may hold a number of their answer.
    numbers_in_queries = 0.0 in 0.0..=1.0,
    /// Most queries whose filing's title may hold an amount of the answer.
    amounts_in_titles = 0.0 in 0.0..=1.0,
    /// Most queries for which a sentence of another filing may name the company and state the fact.
    facts_told_elsewhere = 0.0 in 0.0..=1.0,
    /// Most that `standard_recall@1` of BM25 on bare sentences may lie above chance.
    bm25_recall = 0.1 in 0.0..=1.0,
    /// Most that its `resolved@1` may lie above chance.
    bm25_resolved = 0.1 in 0.0..=1.0,
    /// Most that `resolved@1` of the query's words without the name may lie above chance.
    words_resolved = 0.1 in 0.0..=1.0,
    /// How far the rival AUC of the query's words without the name may lie from .5.
    words_auc = 0.1 in 0.0..=0.5,
    /// How far the rival AUC of a sentence's length may lie from .5.
    length_auc = 0.2 in 0.0..=0.5,
    /// How far the rival AUC of a sentence's position in its filing may lie from .5.
    position_auc = 0.2 in 0.0..=0.5,
    /// How far the rival AUC of how many numbers a sentence holds may lie from .5.
    numbers_auc = 0.2 in 0.0..=0.5,
    /// Most answers that may be the first sentence of their filing.
    first_of_filing = 0.5 in 0.0..=1.0,
    /// Most answers that may be the longest sentence of their filing.
    longest_of_filing = 0.5 in 0.0..=1.0,
    /// Most answers that may stand word for word in another company's filing.
    copied_answers = 1.0 in 0.0..=1.0,
    /// Most answers with such a copy that is not among the query's rivals.
    unlisted_copies = 0.0 in 0.0..=1.0,
    /// Most queries whose fact another filing of the same company may state.
    facts_in_two_filings = 0.0 in 0.0..=1.0,
    /// Most queries whose company's name may be another company's too.
    names_of_two_companies = 0.0 in 0.0..=1.0,
    /// Most queries whose company may have several filings in the corpus.
    names_of_two_filings = 0.5 in 0.0..=1.0,
    /// Most queries whose company's name may be part of another's, or another's part of it.
    nested_names = 0.2 in 0.0..=1.0,
    /// Most golds that may match the same chunk as another gold of their query.
    golds_sharing_a_chunk = 0.0 in 0.0..=1.0,
    /// Least that a perfect system must be able to score, on each metric.
    ceiling = 0.95 in 0.0..=1.0,
    /// Least queries that must have a rival.
    contested = 0.8 in 0.0..=1.0,
    /// Least rivals that the median query must have.
    rivals = 2.0 in 0.0..=1e9,
    /// Least queries that must have a near rival (recipe: `rivals.near`).
    near_rivals = 0.0 in 0.0..=1.0,
    /// How far the rival AUC of BM25 on bare sentences may lie from .5.
    bm25_auc = 0.1 in 0.0..=0.5,
    /// Most evidence that may stand next to its answer, as a share of the queries with evidence.
    evidence_beside = 0.9 in 0.0..=1.0,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_in_its_range_and_every_key_can_be_read_and_set() {
        let default = AuditLimits::default();
        let mut all = AuditLimits::default();
        for key in AuditLimits::KEYS {
            let value = default.get(key).unwrap();
            assert_eq!(all.set(key, value), Ok(()), "{key}");
            assert!(all.set(key, -0.1).unwrap_err().contains("between"), "{key}");
            assert!(all.set(key, f64::NAN).is_err(), "{key}");
            all.set(key, 0.5).unwrap();
            assert_eq!(all.get(key), Some(0.5));
        }
        assert!(all.set("ceilling", 0.5).unwrap_err().contains("ceiling"));
        assert_eq!(all.get("ceilling"), None);
    }
}
