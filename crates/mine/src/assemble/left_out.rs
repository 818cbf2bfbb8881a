//! Why a filing that states a fact gave no query for it.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// Why a filing that states a fact gave no query for it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum LeftOutReason {
            $($(#[$doc])* $variant,)*
        }

        impl LeftOutReason {
            /// Every reason, in the order they are checked.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name used in data.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

reasons! {
    /// No kept sentence states the fact and refers to the filer only by a coreferent.
    NoCoreferentAnswer = "no-coreferent-answer",
    /// The sentence that answers is no chunk: it is too short to be one.
    AnswerNotKept = "answer-not-kept",
    /// "The Company" in the sentence that states it is bound to another organisation: a merger target, or a name that the
    /// filer is not known by. Name it in the manifest ("names") where it is the filer after all.
    CompanyIsAnother = "company-is-another",
    /// Nothing says what the filer is called.
    NoName = "no-name",
    /// The answer holds the short name in the very spelling of the query, though not as a name of the filer.
    AnswerNamesCompany = "answer-names-company",
    /// Another company of the corpus goes by the same name.
    NameNotUnique = "name-not-unique",
    /// Several filings of the company state the fact.
    SeveralFilings = "several-filings",
    /// Another sentence of the filing gives the whole fact together with the name, so that no context is needed.
    NamedTotalAlternative = "named-total-alternative",
    /// The query would read like one that is already there.
    RepeatedQuery = "repeated-query",
}

impl fmt::Display for LeftOutReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One filing and fact without a query. A line of `audit/left-out.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The filing.
    pub source_url: String,
    /// The fact it states.
    pub fact: String,
    /// Why there is no query; the first reason that applies.
    pub reason: LeftOutReason,
    /// What to look at: the other filing, the other company's filing, the chunk.
    pub detail: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_serialised_ones() {
        for r in LeftOutReason::ALL {
            assert_eq!(serde_json::to_value(r).unwrap(), r.as_str());
        }
    }
}
