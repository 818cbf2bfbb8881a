//! Another organisation as the subject of a sentence.
//!
//! "Brightweld GmbH, a subsidiary of the Company, expects …" refers to the filer and yet speaks of another. Only clear
//! cases count: a subject with a legal suffix, a subject said to be somebody's subsidiary, or a name that the filing
//! itself has bound to another company.

use std::sync::LazyLock;

use regex::Regex;

static LEGAL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:(?:[A-Z0-9][^\s,;()]*|&|of|and|de|du|des|la) ){1,7}?",
        r"(?:Inc\.?|Corp\.?|Corporation|Co\.|Ltd\.?|Limited|LLC|L\.L\.C\.|LLP|LP|L\.P\.|PLC|plc|GmbH|AG|SE|AB|ASA|A/S|Oy|S\.A\.|S\.p\.A\.|SpA|S\.r\.l\.|N\.V\.|NV|B\.V\.|BV|KK|K\.K\.|Pty)",
        r"(?:,| |’s|'s|$)",
    ))
    .ok()
});

static SUBSIDIARY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:[A-Z0-9][^\s,;()]*(?: (?:&|of|and))? ?){1,8}(?:, (?:Inc\.|Ltd\.|LLC|L\.L\.C\.|L\.P\.|LP|Corp\.))?(?: ?\([^)]*\))?, (?:(?:a|an|the|one of|our|its|which is)\b[^,]{0,60} ?)",
        r"\b(?:subsidiary|subsidiaries|affiliate|joint venture|business unit|division|unit)\b",
    ))
    .ok()
});

/// Whether the subject of `sentence` is an organisation that is not the filer. `others` are names that the filing binds
/// to somebody else; `is_filer` says whether a text names the filer.
pub(crate) fn other_subject(sentence: &str, others: &[String], is_filer: &dyn Fn(&str) -> bool) -> bool {
    subjects(sentence).any(|subject| {
        let named = [&LEGAL, &SUBSIDIARY].into_iter().filter_map(|re| re.as_ref()?.find(subject)).any(|m| {
            let words = m.as_str().trim_end_matches([',', ' ']);
            let lead = words.split(',').next().unwrap_or(words);
            // "The Corporation" is a word for somebody, not a name.
            const NOBODY: &[&str] = &["the company", "the corporation", "our company", "our corporation"];
            !is_filer(lead) && !NOBODY.iter().any(|n| lead.trim_end_matches(['\'', '’', 's']).eq_ignore_ascii_case(n))
        });
        named || others.iter().any(|name| begins_with_word(subject, name))
    })
}

/// Where a subject may begin: at the start, and after an introduction's comma.
fn subjects(sentence: &str) -> impl Iterator<Item = &str> {
    let introduced = sentence.split_once(", ").filter(|(intro, _)| {
        let first = intro.split(' ').next().unwrap_or_default();
        const INTRODUCES: &[&str] = &[
            "In",
            "On",
            "As",
            "To",
            "Following",
            "After",
            "Before",
            "Under",
            "With",
            "Pursuant",
            "For",
            "By",
            "At",
            "During",
            "Upon",
            "Because",
            "While",
            "Accordingly",
            "Also",
            "Separately",
            "Additionally",
            "Further",
            "Furthermore",
            "Moreover",
        ];
        INTRODUCES.contains(&first)
    });
    std::iter::once(sentence).chain(introduced.map(|(_, rest)| rest))
}

fn begins_with_word(text: &str, word: &str) -> bool {
    let rest = text.strip_prefix(word).filter(|_| !word.is_empty());
    rest.is_some_and(|r| r.starts_with(' ') || r.starts_with(", which"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(sentence: &str) -> bool {
        other_subject(sentence, &["Rooksby".to_owned()], &|s| s.contains("Castellan"))
    }

    #[test]
    fn named_organisations_that_are_not_the_filer() {
        assert!(other("Brightweld GmbH, a wholly owned subsidiary of the Company, expects costs of €9 million."));
        assert!(other("On Monday, Tarn & Beck Ltd. said that it will cut 40 jobs."));
        assert!(other("Brightweld Foods, LLC, a subsidiary of the Company, expects costs of $3 million."));
        assert!(other("Rooksby expects to incur costs of $3 million."));
        assert!(other("In connection with the sale, Orrin Foundry, our indirect subsidiary, will cut 40 jobs."));
    }

    #[test]
    fn the_filer_and_ordinary_subjects() {
        for s in [
            "Castellan Group N.V. expects costs of €9 million.",
            "The Company expects costs of $3 million.",
            "The Corporation expects costs of $3 million.",
            "The Corporation’s costs will be $3 million.",
            "Management estimates that the Company will incur costs.",
            "Severance costs of $3 million are expected.",
            "In total, we expect costs of $3 million.",
            "As part of the plan, the Company, a Delaware corporation, expects costs.",
            "Rooksbyshire staff will not be affected.",
        ] {
            assert!(!other(s), "{s}");
        }
    }
}
