//! From `TARWICK COM INC` to Tarwick.com: the spelling that the filing itself uses.
//!
//! EDGAR keeps names in capitals without punctuation. Guessing the case gives `Qvantix` for `QVANTIX` and `Tarwick Com` for `Tarwick.com`; the filing knows
//! better, so its text is asked first and the guess is what remains for filings that never name themselves.

use std::ops::ControlFlow;

use super::fold::{Key, fold, squeeze};
use super::{suffix, words};

/// Whether a name is written in capitals, at least in one longer word, so that its spelling is not known.
pub(super) fn is_shouted(name: &str) -> bool {
    name.split_whitespace().filter(|w| !suffix::is_legal_word(w)).any(|word| {
        let letters = word.chars().filter(|c| c.is_alphabetic()).count();
        letters > 3 && word.chars().all(|c| !c.is_lowercase())
    })
}

/// Calls `visit` with the span of every mention of `key` in `text`.
pub(super) fn each_mention(text: &str, key: &Key, mut visit: impl FnMut(usize, usize) -> ControlFlow<()>) {
    let [a, b, c] = key.first_bytes();
    let mut next = 0;
    for at in memchr::memchr3_iter(a, b, c, text.as_bytes()) {
        if at < next || !text.is_char_boundary(at) {
            continue;
        }
        if let Some(end) = key.match_at(text, at) {
            next = end;
            if visit(at, end).is_break() {
                return;
            }
        }
    }
}

/// How a text spells a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Spelling {
    /// As it stands in running text: to be kept.
    Kept(String),
    /// Only in headings and the like, all in capitals: its punctuation is known, its case is not.
    Shouted(String),
}

/// How `text` spells the name: the commonest spelling with lower case in it or, for a single word, one in capitals that stands
/// in running text (`SPX said`); else the first in capitals. Ties go to the earlier one.
pub(super) fn in_text(text: &str, key: &Key) -> Option<Spelling> {
    let mut seen: Vec<(&str, usize)> = Vec::new();
    let mut shouted = None;
    each_mention(text, key, |start, end| {
        let Some(spelling) = text.get(start..end) else { return ControlFlow::Continue(()) };
        let mixed = spelling.chars().any(char::is_lowercase);
        // A single word may be spelled in capitals for good; several in capitals are a heading.
        if mixed || (!spelling.contains([' ', '.']) && in_running_text(text, start, end)) {
            if let Some((_, n)) = seen.iter_mut().find(|(s, _)| *s == spelling) {
                *n += 1;
            } else if seen.len() < 8 {
                seen.push((spelling, 1));
            }
        } else {
            shouted = shouted.or(Some(spelling));
        }
        if seen.iter().any(|(_, n)| *n >= 8) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let mut best: Option<(&str, usize)> = None;
    for &(spelling, n) in &seen {
        if best.is_none_or(|(_, most)| n > most) {
            best = Some((spelling, n));
        }
    }
    let tidy = |s: &str| s.split_whitespace().collect::<Vec<_>>().join(" ");
    best.map(|(s, _)| Spelling::Kept(tidy(s))).or_else(|| shouted.map(|s| Spelling::Shouted(tidy(s))))
}

/// The spelling of a name whose gaps were lost (`QUILLVANE` for Quill Vane): capitalised words of `text` that together have
/// the same letters.
pub(super) fn with_gaps(text: &str, name: &str) -> Option<String> {
    let letters = squeeze(name);
    let first = name.chars().find(|c| c.is_alphanumeric())?;
    if letters.len() < 5 || name.contains(' ') || !first.is_ascii() {
        return None;
    }
    for at in memchr::memchr_iter(first.to_ascii_uppercase() as u8, text.as_bytes()) {
        if text.get(..at).and_then(|b| b.chars().next_back()).is_some_and(char::is_alphanumeric) {
            continue;
        }
        if let Some(found) = gapped_at(text, at, &letters) {
            return Some(found.to_owned());
        }
    }
    None
}

fn gapped_at<'t>(text: &'t str, at: usize, letters: &str) -> Option<&'t str> {
    let rest = text.get(at..)?;
    let mut wanted = letters.chars();
    let mut next = wanted.next();
    let mut word_start = true;
    for (i, c) in rest.char_indices() {
        match next {
            None if c.is_alphanumeric() => return None,
            None => return rest.get(..i),
            Some(want) if c.is_alphanumeric() => {
                if fold(c) != want || (word_start && c.is_lowercase()) {
                    return None;
                }
                word_start = false;
                next = wanted.next();
            }
            Some(_) if matches!(c, ' ' | '-' | '&' | '\'' | '’') => word_start = c == ' ',
            Some(_) => return None,
        }
    }
    if next.is_none() { Some(rest) } else { None }
}

fn in_running_text(text: &str, start: usize, end: usize) -> bool {
    let has_lower = |w: Option<&str>| w.is_some_and(|w| w.chars().any(char::is_lowercase));
    let line_before = text.get(floor(text, start.saturating_sub(24))..start).unwrap_or_default();
    let line_after = text.get(end..floor(text, (end + 24).min(text.len()))).unwrap_or_default();
    has_lower(line_before.rsplit('\n').next().and_then(|l| l.split_whitespace().next_back()))
        || has_lower(
            line_after
                .split('\n')
                .next()
                .and_then(|l| l.split_whitespace().find(|w| w.len() > 1 && w.starts_with(char::is_alphabetic))),
        )
}

/// The nearest character boundary at or before a byte.
pub(super) fn floor(text: &str, mut at: usize) -> usize {
    while at > 0 && !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A name in capitals, guessed into title case: short words without a vowel and words with digits stay in capitals, a word
/// that `text` spells somewhere is spelled that way.
pub(super) fn guessed(name: &str, text: &str) -> String {
    let parts: Vec<&str> = name.split_whitespace().collect();
    let mut out = String::new();
    for (i, word) in parts.iter().enumerate() {
        let last = parts.get(i + 1).is_none_or(|next| suffix::is_suffix_word(next));
        if i > 0 && last && word.eq_ignore_ascii_case("com") {
            out.push_str(".com");
            continue;
        }
        if i > 0 {
            out.push(' ');
        }
        let shouted = word.chars().any(char::is_alphabetic) && word.chars().all(|c| !c.is_lowercase());
        if !shouted {
            out.push_str(word);
        } else if let Some(Spelling::Kept(spelling)) =
            Key::new(word).filter(|k| k.len() > 3 && !text.is_empty()).and_then(|key| in_text(text, &key))
        {
            out.push_str(&spelling);
        } else {
            out.push_str(&title(word, i > 0));
        }
    }
    out
}

fn title(word: &str, inner: bool) -> String {
    let folded = squeeze(word);
    let vowels = folded.chars().filter(|c| "aeiouy".contains(*c)).count();
    let legal = suffix::is_suffix_word(word);
    if inner && matches!(folded.as_str(), "of" | "the" | "and" | "for" | "in" | "de") {
        return folded;
    }
    let known = legal
        || words::is_generic(&folded)
        || words::is_everyday(&folded)
        || matches!(folded.as_str(), "oil" | "gas" | "bio" | "car" | "ltd");
    let sayable = vowels > 0 && !(folded.len() <= 3 && starts_and_ends_alike(&folded));
    let capitals = matches!(
        folded.as_str(),
        "ii" | "iii" | "iv" | "usa" | "nv" | "plc" | "llc" | "lp" | "llp" | "sa" | "ag" | "bv" | "na"
    ) || folded.chars().any(|c| c.is_ascii_digit())
        || (!known && !sayable && folded.len() <= 4);
    if capitals {
        return word.to_owned();
    }
    let mut out = String::with_capacity(word.len());
    let mut start = true;
    for c in word.chars() {
        if start {
            out.push(c);
        } else {
            out.extend(c.to_lowercase());
        }
        // O'Norland, but Norland's.
        start = !c.is_alphanumeric() && (!matches!(c, '\'' | '’') || out.chars().count() == 2);
    }
    if let Some((front, after)) = out.rsplit_once(".Com").filter(|(_, after)| matches!(*after, "" | ",")) {
        return format!("{front}.com{after}");
    }
    // McNorland, not Mcnorland.
    if let Some(rest) = out.strip_prefix("Mc").filter(|r| r.len() > 3) {
        let mut letters = rest.chars();
        let capital: String = letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect();
        return format!("Mc{capital}");
    }
    out
}

/// Two or three letters that are no syllable: `AIG`, `AMC`, but not `Fox`.
fn starts_and_ends_alike(folded: &str) -> bool {
    let vowel = |c: char| "aeiouy".contains(c);
    match folded.chars().collect::<Vec<_>>().as_slice() {
        [a, b, c] => !(!vowel(*a) && vowel(*b) && !vowel(*c)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(name: &str, text: &str) -> Option<Spelling> {
        in_text(text, &Key::new(name).unwrap())
    }

    #[test]
    fn the_filing_knows_its_own_spelling() {
        let kept = |s: &str| Some(Spelling::Kept(s.to_owned()));
        let shouted = |s: &str| Some(Spelling::Shouted(s.to_owned()));
        assert_eq!(spelled("TARWICK COM", "TARWICK.COM\nOn May 2, Tarwick.com, Inc. said"), kept("Tarwick.com"));
        assert_eq!(spelled("NORLUX", "NORLUX CORPORATION\nNORLUX Corporation said"), kept("NORLUX"));
        assert_eq!(spelled("ELAN VITALE", "at Élan Vitale Inc."), kept("Élan Vitale"));
        assert_eq!(spelled("NORLUX", "NORLUX CORPORATION"), shouted("NORLUX"));
        assert_eq!(spelled("NOR LUX", "NOR-LUX MILLS"), shouted("NOR-LUX"));
        assert_eq!(spelled("NORLUX", "at noon"), None);
        assert_eq!(with_gaps("the board of Quill Vane Co., Inc.", "QUILLVANE").as_deref(), Some("Quill Vane"));
        assert_eq!(with_gaps("QuillVane, Inc.", "QUILLVANE").as_deref(), Some("QuillVane"));
        assert_eq!(with_gaps("Quill vane", "QUILLVANE"), None);
    }

    #[test]
    fn without_text_the_case_is_guessed() {
        for (name, want) in [
            ("HOME HEALTH CORP OF ARCADIA", "Home Health Corp of Arcadia"),
            ("SPX NORLAND", "SPX Norland"),
            ("TARWICK COM INC", "Tarwick.com Inc"),
            ("MCNORLAND", "McNorland"),
            ("TARWICK.COM, INC.", "Tarwick.com, Inc."),
            ("WAL-TARN", "Wal-Tarn"),
            ("FOX TARWICK II", "Fox Tarwick II"),
            ("7K CO", "7K Co"),
            ("O'NORLAND", "O'Norland"),
        ] {
            assert_eq!(guessed(name, ""), want);
        }
        assert_eq!(guessed("JQTARWICK VANE", "as JQTarwick did"), "JQTarwick Vane");
    }

    #[test]
    fn shouting_is_recognised() {
        assert!(is_shouted("TARWICK MILLS, INC.") && is_shouted("NORLAND Corp"));
        assert!(!is_shouted("SPX Norland Inc") && !is_shouted("7K CO") && !is_shouted("Tarwick"));
    }
}
