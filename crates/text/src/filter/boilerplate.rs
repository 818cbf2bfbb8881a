//! Formulas that stand word for word in every filing.

use super::cues::{Cues, starts_ignore_case};

/// What is a formula and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formula {
    /// A remark of the form about itself: the page is left blank, a box is to be checked.
    OfTheForm,
    /// What is furnished is not filed.
    NotFiled,
}

/// Tells whether a sentence is a formula.
///
/// "Furnished, not filed" counts only where it is all the sentence says: one that brings news and adds the formula is news.
pub(super) fn formula(sentence: &str, cues: Cues) -> Option<Formula> {
    let bare = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
    let begins = |openings: &[&str]| openings.iter().any(|o| starts_ignore_case(bare, o));
    if begins(OF_THE_FORM) {
        return Some(Formula::OfTheForm);
    }
    let says_so = cues.has(Cues::NOT_FILED) || cues.has(Cues::SECTION_18);
    (says_so && begins(NOT_FILED)).then_some(Formula::NotFiled)
}

const OF_THE_FORM: &[&str] = &[
    "remainder of page",
    "remainder of this page",
    "the remainder of this page",
    "the remainder of the page",
    "signature page follows",
    "signatures follow",
    "check the appropriate box",
    "indicate by check mark",
    "if an emerging growth company",
];

const NOT_FILED: &[&str] = &[
    "the information",
    "this information",
    "such information",
    "the foregoing information",
    "all information",
    "all of the information",
    "information in",
    "information contained",
    "in accordance with",
    "pursuant to general instruction",
    "as provided in",
    "the furnishing of",
    "neither the information",
    "none of the information",
    "except as",
    "except to the extent",
    "unless expressly",
    "this report",
    "this current report",
    "this form 8-k",
    "this item",
    "these materials",
    "the exhibit",
    "exhibit 99",
    "such exhibit",
    "the press release",
    "the presentation",
    "the slides",
    "accordingly",
    "it shall not",
    "it may only",
    "nor shall",
    "they shall not",
    "the disclosure",
    "the contents of",
    "the attached",
    "by furnishing",
    "by filing",
    "this exhibit",
    "for purposes of",
    "furthermore",
    "the above information",
];
