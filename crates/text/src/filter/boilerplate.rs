//! Formulas that stand word for word in every filing.

use super::cues::{Cues, starts_ignore_case};

/// Whether a sentence says no more than that something is furnished and not filed, or is a formula of the form itself.
///
/// The formula counts only where it is all the sentence says: one that brings news and adds the formula stays.
pub(super) fn is_boilerplate(sentence: &str, cues: Cues) -> bool {
    let bare = sentence.trim_start_matches(|c: char| !c.is_alphabetic());
    let formulas = [
        "remainder of page",
        "remainder of this page",
        "the remainder of this page",
        "signature page follows",
        "check the appropriate box",
        "indicate by check mark",
        "if an emerging growth company",
    ];
    if formulas.iter().any(|f| starts_ignore_case(bare, f)) {
        return true;
    }
    let furnished = cues.has(Cues::NOT_FILED) || (cues.has(Cues::SECTION_18) && cues.has(Cues::NOT_INCORPORATED));
    let openings = [
        "the information",
        "this information",
        "such information",
        "the foregoing information",
        "all information",
        "all of the information",
        "information in",
        "information contained",
        "in accordance with general instruction",
        "pursuant to general instruction",
        "as provided in general instruction",
        "in accordance with",
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
        "the disclosure in",
        "the disclosures in",
        "the contents of",
        "the attached",
        "by furnishing",
        "by filing",
        "this exhibit",
        "for purposes of",
        "furthermore",
        "the above information",
    ];
    furnished && openings.iter().any(|o| starts_ignore_case(bare, o))
}
