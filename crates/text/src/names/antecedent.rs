//! From a parenthesis leftwards to the name it explains, over whatever is put between the two.
//!
//! ```text
//! the Board of Directors of Ostrova N.V., a Dutch corporation (NYSE: OSTV) (the “Company”)
//!                           ^^^^^^^^^^^^ the name             ^ over brackets   ^ from here
//! ```

use std::sync::LazyLock;

use eightk_core::Span;
use memchr::memmem::Finder;

use super::fold::squeeze;
use super::{spelling, suffix, words};

/// How far to the left a name is looked for, in bytes.
const REACH: usize = 320;
/// Most words of a name.
const LONGEST: usize = 14;

/// The name that ends before byte `open`, or `None` where no name stands there.
pub(super) fn before(text: &str, open: usize) -> Option<Span> {
    let floor = spelling::floor(text, open.saturating_sub(REACH));
    let window = text.get(floor..open)?;
    let window = window.rsplit('\n').next().unwrap_or(window);
    let base = open - window.len();
    let mut end = trimmed(window);
    for _ in 0..3 {
        let Some(at) = bracket_start(window.get(..end)?) else { break };
        end = trimmed(window.get(..at)?);
    }
    // At most two appositions: "Ostrova N.V., a Dutch corporation, formerly known as Tarwick Mills".
    for _ in 0..3 {
        let part = window.get(..end)?;
        let Some(at) = former(part).or_else(|| apposition(part)) else { break };
        end = trimmed(window.get(..at)?);
        while let Some(at) = bracket_start(window.get(..end)?) {
            end = trimmed(window.get(..at)?);
        }
    }
    let start = name_start(window.get(..end)?)?;
    Some(Span::new(base + start, base + end))
}

/// The name before `, a wholly owned subsidiary of` where that stands directly before byte `start` of `text`, as it does
/// in "Tarwick Sub, Inc., a subsidiary of Ostrova N.V. (“Tarwick Sub”)" before Ostrova.
pub(super) fn farther(text: &str, start: usize) -> Option<Span> {
    let floor = spelling::floor(text, start.saturating_sub(REACH));
    let window = text.get(floor..start)?;
    let window = window.rsplit('\n').next().unwrap_or(window).trim_end();
    let window = window.strip_suffix(" the").unwrap_or(window);
    let relation = ["subsidiary of", "affiliate of", "division of", "company of", "parent of", "company for"];
    if !relation.iter().any(|r| window.ends_with(r)) {
        return None;
    }
    let at = opening(window, &["a ", "an ", "the ", "each a "])?;
    let line = text.get(floor..start)?.rfind('\n').map_or(floor, |i| floor + i + 1);
    before(text, line + at)
}

/// The last comma of `part` that one of `openings` follows.
fn opening(part: &str, openings: &[&str]) -> Option<usize> {
    memchr::memrchr_iter(b',', part.as_bytes()).find(|&at| {
        part.get(at + 1..).and_then(|p| p.strip_prefix(' ')).is_some_and(|p| openings.iter().any(|o| p.starts_with(o)))
    })
}

/// The length without trailing space and commas.
fn trimmed(part: &str) -> usize {
    part.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';')).len()
}

/// Where the bracket group begins that `part` ends with.
fn bracket_start(part: &str) -> Option<usize> {
    if !part.ends_with(')') {
        return None;
    }
    let mut depth = 0usize;
    for (i, byte) in part.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' if depth == 1 => return Some(i),
            b'(' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Where `, formerly known as Tarwick Mills, Inc.` begins, if `part` ends with it.
fn former(part: &str) -> Option<usize> {
    // Looked for on every step to the left, found almost never.
    static MAY: LazyLock<[Finder<'static>; 3]> = LazyLock::new(|| ["ormerly", "known as ", "/k/a "].map(Finder::new));
    if !MAY.iter().any(|m| m.find(part.as_bytes()).is_some()) {
        return None;
    }
    const MARKS: [&str; 6] =
        ["formerly known as ", "previously known as ", "f/k/a ", "formerly named ", "now known as ", "formerly "];
    let (at, len) =
        MARKS.iter().filter_map(|m| part.rfind(m).map(|at| (at, m.len()))).max_by_key(|&(at, len)| (at, len))?;
    let name = part.get(at + len..)?;
    let start = name_start(name)?;
    (name.get(..start)?.trim().is_empty() || matches!(name.get(..start)?.trim(), "the" | "as")).then_some(at)
}

/// Words an apposition to a company ends in or turns on.
const KINDS: [&str; 13] = [
    "corporation",
    "company",
    "partnership",
    "association",
    "trust",
    "bank",
    "entity",
    "subsidiary",
    "society",
    "firm",
    "organization",
    "manufacturer",
    "provider",
];

/// Where `, a Delaware corporation` or `, a wholly owned subsidiary of the Company` begins, if `part` ends with it.
fn apposition(part: &str) -> Option<usize> {
    let at = opening(part, &["a ", "an ", "each a ", "the ", "one of ", "organized "])?;
    let phrase = part.get(at + 2..)?;
    let mut has_kind = false;
    let mut last = "";
    for word in phrase.split_whitespace() {
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
        has_kind |= KINDS.contains(&plain) || matches!(plain, "organized" | "incorporated" | "existing" | "registered");
        last = plain;
    }
    let by_law = [
        "laws of",
        "incorporated in",
        "incorporated under",
        "organized in",
        "organized under",
        "registered in",
        "existing under",
    ];
    let ends_low = last.starts_with(char::is_lowercase) && (KINDS.contains(&last) || !suffix::is_legal_word(last));
    let of_role =
        ["of the Company", "of Parent", "of the Registrant", "of the Corporation"].iter().any(|r| phrase.ends_with(r));
    (has_kind && (ends_low || of_role || by_law.iter().any(|l| phrase.contains(l)))).then_some(at)
}

/// Where the capitalised words begin that `part` ends with.
fn name_start(part: &str) -> Option<usize> {
    let mut start = part.len();
    let mut words_taken: Vec<&str> = Vec::new();
    let mut only_suffixes = true;
    let mut rest = part;
    while words_taken.len() < LONGEST {
        let trimmed_rest = rest.trim_end();
        let word_start = trimmed_rest.rfind(char::is_whitespace).map_or(0, |i| i + next_len(trimmed_rest, i));
        let Some(word) = trimmed_rest.get(word_start..).filter(|w| !w.is_empty()) else { break };
        if !(words_taken.is_empty() || continues(word, trimmed_rest, &words_taken, only_suffixes)) {
            break;
        }
        if words_taken.is_empty() && !begins_name(word) && (!suffix::is_legal_word(word) || KINDS.contains(&word)) {
            break;
        }
        if !matches!(word, "of" | "and") {
            start = word_start;
        }
        only_suffixes &= suffix::is_legal_word(word);
        words_taken.push(word);
        rest = trimmed_rest.get(..word_start).unwrap_or_default();
    }
    let start = without_lead(part, start);
    part.get(start..).is_some_and(|n| n.chars().any(char::is_alphanumeric)).then_some(start)
}

fn next_len(s: &str, at: usize) -> usize {
    s.get(at..).and_then(|r| r.chars().next()).map_or(1, char::len_utf8)
}

fn begins_name(word: &str) -> bool {
    let word = word.trim_start_matches(['“', '"', '(']);
    word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
        || word.chars().nth(1).is_some_and(char::is_uppercase)
}

/// Whether `word` belongs to the name whose further words have been taken (last first).
fn continues(word: &str, upto: &str, taken: &[&str], only_suffixes: bool) -> bool {
    let Some(end) = word.chars().next_back() else { return false };
    let folded = squeeze(word);
    match end {
        // "Ostrova Marine, Inc." goes on over the comma, "Citizens, Ostrova" does not.
        ',' => return only_suffixes && (begins_name(word) || lower_name(word)),
        ';' | ':' | ')' | '”' | '"' | '?' => return false,
        '.' if folded.len() > 3 && !suffix::is_suffix_word(word) && !word.trim_end_matches('.').contains('.') => {
            return false;
        }
        _ => {}
    }
    match word {
        "&" => true,
        "of" => upto.split_whitespace().rev().nth(1).is_some_and(|w| OF.binary_search(&squeeze(w).as_str()).is_ok()),
        "and" => {
            let right = taken.iter().rev().find(|w| !suffix::is_legal_word(w));
            let left = upto.split_whitespace().rev().nth(1);
            let sole = taken.iter().filter(|w| !suffix::is_legal_word(w)).count() == 1;
            sole && right.is_some_and(|w| words::is_industry(&squeeze(w)))
                && left.is_some_and(|w| begins_name(w) && !suffix::is_legal_word(w) && !w.ends_with(','))
        }
        "de" | "van" | "von" | "la" | "del" | "und" => true,
        _ if lower_name(word) && taken.len() <= 3 && taken.iter().all(|w| lower_or_form(w)) => true,
        _ => begins_name(word) && !word.starts_with(['(', '“', '"']),
    }
}

/// A lower-case word that may be the name before a legal form (`norlux inc.`).
fn lower_name(word: &str) -> bool {
    let folded = squeeze(word);
    folded.len() > 3
        && !matches!(
            folded.as_str(),
            "with" | "from" | "that" | "which" | "between" | "among" | "into" | "when" | "than" | "this"
        )
}

fn lower_or_form(word: &str) -> bool {
    suffix::is_legal_word(word) || word.starts_with(char::is_lowercase)
}

/// Words that "of" may follow inside a name; sorted.
static OF: &[&str] = &[
    "bancorp",
    "bancshares",
    "bank",
    "best",
    "co",
    "company",
    "corp",
    "corporation",
    "federation",
    "house",
    "industries",
    "insurance",
    "life",
    "power",
    "products",
    "savings",
    "telephone",
];

/// Skips words that only begin the sentence: `On`, `In December`, `The`.
fn without_lead(part: &str, mut start: usize) -> usize {
    while let Some(name) = part.get(start..) {
        let Some((word, rest)) = name.split_once(char::is_whitespace) else { break };
        let folded = squeeze(word);
        let year = folded.len() == 4
            && (folded.starts_with("19") || folded.starts_with("20"))
            && folded.bytes().all(|b| b.is_ascii_digit());
        let after_day = part.get(..start).is_some_and(|b| b.trim_end().ends_with(','));
        if !(LEAD.binary_search(&folded.as_str()).is_ok() || (year && after_day) || word.trim_matches('-').is_empty()) {
            break;
        }
        start = part.len() - rest.trim_start().len();
    }
    start
}

/// Whether a capitalised word is so because it begins a sentence.
pub(super) fn is_lead(word: &str) -> bool {
    LEAD.binary_search(&squeeze(word).as_str()).is_ok()
}

/// Words that begin sentences and no names; sorted.
static LEAD: &[&str] = &[
    "also",
    "and",
    "april",
    "as",
    "at",
    "august",
    "because",
    "beginning",
    "between",
    "by",
    "december",
    "during",
    "each",
    "effective",
    "february",
    "following",
    "for",
    "friday",
    "from",
    "if",
    "in",
    "january",
    "july",
    "june",
    "march",
    "may",
    "monday",
    "november",
    "october",
    "on",
    "our",
    "pursuant",
    "september",
    "since",
    "the",
    "thursday",
    "today",
    "tuesday",
    "under",
    "upon",
    "we",
    "wednesday",
    "when",
    "while",
    "with",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> &str {
        before(text, text.len()).map_or("", |s| s.of(text))
    }

    #[test]
    fn appositions_and_brackets_are_stepped_over() {
        for (text, want) in [
            ("On May 2, Ostrova N.V. ", "Ostrova N.V."),
            ("the Board of Directors of Ostrova Marine, Inc. ", "Ostrova Marine, Inc."),
            ("Ostrova Marine, Inc., a Delaware corporation ", "Ostrova Marine, Inc."),
            ("Ostrova plc, a company incorporated in England and Wales ", "Ostrova plc"),
            ("Ostrova N.V., a corporation organized under the laws of the State of Ohio, ", "Ostrova N.V."),
            ("Ostrova N.V. (NYSE: OSTV), a Dutch company, ", "Ostrova N.V."),
            ("Delmont Inc., formerly known as Berrick Lights, Inc. ", "Delmont Inc."),
            ("Tarwick Sub, Inc., a wholly owned subsidiary of the Company ", "Tarwick Sub, Inc."),
            ("Tarwick Sub, Inc., a wholly owned subsidiary of Ostrova Marine, Inc. ", "Ostrova Marine, Inc."),
            ("by and between Citadel Bank and Ostrova Marine, Inc. ", "Ostrova Marine, Inc."),
            ("of Ledger Programs and Systems, Inc. ", "Ledger Programs and Systems, Inc."),
            ("for Home Health Corporation of Arcadia, Inc. ", "Home Health Corporation of Arcadia, Inc."),
            ("In December 2024, Ostrova ", "Ostrova"),
            ("In December Ostrova Mills ", "Ostrova Mills"),
            ("On May 21, 2016 Ostrova Mills, Inc. ", "Ostrova Mills, Inc."),
            ("The Quill & Vane Company ", "Quill & Vane Company"),
            ("at 99¢ Bazaar Stores ", "99¢ Bazaar Stores"),
            ("shops of norluxia athletics inc. ", "norluxia athletics inc."),
            ("among Citadel N.A., Ostrova N.V. ", "Ostrova N.V."),
            ("and eNorlux ", "eNorlux"),
            ("we agreed to it ", ""),
            ("", ""),
            (", Inc. ", "Inc."),
        ] {
            assert_eq!(name(text), want, "{text}");
        }
    }

    #[test]
    fn word_lists_are_sorted() {
        assert!(OF.is_sorted() && LEAD.is_sorted());
    }
}
