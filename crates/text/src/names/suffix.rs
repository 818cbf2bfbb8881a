//! What of a registered name is form and what is name: EDGAR's decorations and legal suffixes.
//!
//! Suffixes go one by one from the end, and stop before only a word that means nothing by itself would be left: `We Company`
//! stays, `Tarwick Company` becomes `Tarwick`. A table of exceptions would be shorter and never complete.

use super::fold::squeeze;
use super::words;

/// How readily a suffix goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Suffix {
    /// The legal form: `Inc.`, `Corp.`, `N.V.`.
    Legal,
    /// A word that may be part of the name: `Company`, `Holdings`, `Group`.
    Structure,
    /// `International` and kin: goes only where two words stay.
    Reach,
}

/// Whether a word is a legal form, however it is spelled (`Inc.`, `INC`, `N.V.`).
pub(super) fn is_legal_word(word: &str) -> bool {
    matches!(suffix_of(word), Some(Suffix::Legal))
}

/// How many bytes of legal form `text` begins with, as it follows a name: `, Inc` of `, Inc. (the “Company”)`. A closing dot is left, since it
/// may close the sentence.
pub fn legal_form(text: &str) -> usize {
    let mut end = 0;
    // "Co., Ltd." is two.
    for _ in 0..2 {
        let Some(rest) = text.get(end..) else { break };
        let word = rest.trim_start_matches(['.', ',']).strip_prefix(' ').unwrap_or_default();
        let length = word.find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '/'))).unwrap_or(word.len());
        let Some(form) = word.get(..length).map(|w| w.trim_end_matches('.')).filter(|w| is_legal_word(w)) else {
            break;
        };
        end += rest.len() - word.len() + form.len();
    }
    end
}

/// Whether a word can end a registered name without being what tells companies apart.
pub(super) fn is_suffix_word(word: &str) -> bool {
    matches!(suffix_of(word), Some(Suffix::Legal | Suffix::Structure))
}

fn suffix_of(word: &str) -> Option<Suffix> {
    let mut buffer = [0; 13];
    let key = short_key(word, &mut buffer)?;
    let capitals = word.chars().all(|c| !c.is_lowercase());
    Some(match key {
        "inc" | "incorporated" | "corp" | "corporation" | "ltd" | "limited" | "llc" | "llp" | "lp" | "lllp" | "plc"
        | "ulc" | "gmbh" | "spa" | "sarl" | "asa" | "kgaa" | "oyj" | "pte" | "pty" | "bhd" | "srl" | "tbk" | "nv"
        | "bv" => Suffix::Legal,
        "sa" | "se" | "ag" | "ab" | "oy" | "kg" | "na" | "sas" | "psc" | "pllc" | "lc"
            if capitals && key.len() <= word.len() =>
        {
            Suffix::Legal
        }
        "as" if word.contains('/') => Suffix::Legal,
        "co" | "company" | "companies" | "holding" | "holdings" | "group" => Suffix::Structure,
        "international" | "intl" | "worldwide" => Suffix::Reach,
        _ => return None,
    })
}

/// A word of at most 13 letters squeezed without allocating; no suffix is longer.
fn short_key<'b>(word: &str, buffer: &'b mut [u8; 13]) -> Option<&'b str> {
    let mut len = 0;
    for byte in word.bytes() {
        if byte.is_ascii_alphanumeric() {
            *buffer.get_mut(len)? = byte.to_ascii_lowercase();
            len += 1;
        } else if !byte.is_ascii() {
            return None;
        }
    }
    std::str::from_utf8(buffer.get(..len)?).ok()
}

/// The names in a `company` field without EDGAR's decorations: `  (TICK)  (CIK …)`, `/DE/`, `\WA\`, a trailing slash; a
/// combined field (`Tarwick Mills / Norland Paper`, `Norland Paper (f/k/a Tarwick Mills)`) gives both names.
pub(super) fn undecorated(field: &str) -> Vec<String> {
    let cut = field.find("  (").map_or(field, |at| field.get(..at).unwrap_or(field));
    let mut names = Vec::new();
    for part in cut.split([';', '|']).flat_map(|p| p.split(" / ")).flat_map(split_former) {
        let name = bare(part);
        if name.chars().any(char::is_alphanumeric) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// `Norland Paper (formerly Tarwick Mills)` → both.
fn split_former(name: &str) -> impl Iterator<Item = &str> {
    const MARKS: [&str; 8] = [
        "(f/k/a ",
        " f/k/a ",
        "(fka ",
        " fka ",
        "(formerly known as ",
        " formerly known as ",
        "(formerly ",
        " formerly ",
    ];
    let at = MARKS.iter().find_map(|m| name.find(m).map(|at| (at, m.len())));
    let (first, second) = match at {
        Some((at, len)) => (name.get(..at).unwrap_or(name), name.get(at + len..)),
        None => (name, None),
    };
    std::iter::once(first).chain(second.map(|s| s.trim_end_matches(')')))
}

fn bare(name: &str) -> String {
    let mut name = name.trim().trim_end_matches([',', ';']).trim_end();
    while let Some(mark) = name.chars().next_back().filter(|c| matches!(c, '/' | '\\')) {
        let inside = name.strip_suffix(mark).unwrap_or(name);
        // `/DE/` and `\WA\`: the opening mark stands at most five characters back, after a space.
        let open = inside
            .rfind(mark)
            .filter(|&at| inside.len() - at <= 6 && inside.get(..at).is_some_and(|b| b.ends_with(' ')));
        name = open.and_then(|at| inside.get(..at)).unwrap_or(inside).trim_end();
    }
    if let Some((front, last)) = name.rsplit_once(' ') {
        let state = last.strip_prefix(['/', '\\']).is_some_and(|s| (2..=4).contains(&s.len()) && is_capitals(s));
        if state {
            name = front.trim_end();
        }
    }
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_capitals(s: &str) -> bool {
    s.chars().all(|c| c.is_ascii_uppercase())
}

/// The name without "The", a closing parenthesis and suffixes, and every stage on the way there, longest first.
/// The last is the short name.
pub(super) fn stages(name: &str) -> Vec<String> {
    let mut name = without_article(name);
    let bracket = name.rfind(" (").filter(|&at| name.ends_with(')') && name.len() - at <= 24 && at > 0);
    if let Some(at) = bracket {
        name = name.get(..at).unwrap_or(name);
    }
    let mut words: Vec<&str> = name.split_whitespace().collect();
    let mut out = vec![joined(&words)];
    while let Some(keep) = shorter(&words) {
        words.truncate(keep);
        out.push(joined(&words));
    }
    out.dedup();
    out
}

/// A name without its leading "The".
pub(super) fn without_article(name: &str) -> &str {
    let name = name.trim();
    match name.split_once(' ') {
        Some((the, rest)) if the.eq_ignore_ascii_case("the") && rest.split_whitespace().next().is_some() => {
            rest.trim_start()
        }
        _ => name,
    }
}

fn joined(words: &[&str]) -> String {
    let name = words.join(" ");
    let end = name.trim_end_matches([',', ';', '-', '–']).trim_end();
    // The dot of `Inc.` belongs to it, a dot after `Tarwick` would not stand there.
    end.to_owned()
}

/// How many words stay when one more suffix goes, or `None` when nothing may go.
fn shorter(words: &[&str]) -> Option<usize> {
    let last = *words.last()?;
    let n = words.len();
    let letters = |from: usize| words.get(from..).map(|w| squeeze(&w.concat())).unwrap_or_default();
    let single = |i: usize| words.get(i).is_some_and(|w| squeeze(w).len() == 1);
    let kind = suffix_of(last);
    // EDGAR writes `L P`, `N V`, `P L C` with gaps.
    let spaced = match () {
        () if n > 3
            && single(n - 1)
            && single(n - 2)
            && single(n - 3)
            && is_legal_word(&letters(n - 3).to_uppercase()) =>
        {
            3
        }
        () if n > 2 && single(n - 1) && single(n - 2) && is_legal_word(&letters(n - 2).to_uppercase()) => 2,
        // S.A. de C.V.
        () if n > 3 && squeeze(last) == "cv" && letters(n - 2).starts_with("de") => 2,
        () => 0,
    };
    let (mut keep, kind) = match (spaced, kind) {
        (0, None) => return None,
        (0, Some(kind)) => (n - 1, kind),
        (gone, _) => (n - gone, Suffix::Legal),
    };
    while keep > 0 && words.get(keep - 1).is_some_and(|w| matches!(*w, "&" | "and" | "And" | "AND" | "," | "-")) {
        keep -= 1;
    }
    let rest = words.get(..keep)?;
    let alone = match rest {
        [] => return None,
        [word] => Some(squeeze(word)),
        _ => None,
    };
    let ends_open = rest.last().is_some_and(|w| matches!(squeeze(w).as_str(), "of" | "the" | "for" | "de" | "in"));
    let fine = match (kind, alone) {
        _ if ends_open => false,
        // "National Western Group" would mean nothing without it.
        (Suffix::Structure, None)
            if squeeze(last) == "group"
                && rest.iter().all(|w| *w == "&" || (words::is_generic(&squeeze(w)) && !is_suffix_word(w))) =>
        {
            false
        }
        (Suffix::Reach, None) => true,
        (Suffix::Reach, Some(_)) => false,
        (_, None) => true,
        (Suffix::Legal, Some(word)) => !words::is_generic(&word) || word.len() > 5,
        (Suffix::Structure, Some(word)) => !words::is_generic(&word) && !words::is_everyday(&word),
    };
    fine.then_some(keep)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(name: &str) -> String {
        let names = undecorated(name);
        stages(names.first().unwrap()).pop().unwrap()
    }

    #[test]
    fn the_form_after_a_name_is_found() {
        for (text, form) in [
            (", Inc. (the “Company”)", ", Inc"),
            (" Co. and others", ""),
            (", LLC", ", LLC"),
            (" N.V.’s board", " N.V"),
            (" Corp., Ltd. said", " Corp., Ltd"),
            (" incorporates", ""),
            ("", ""),
            (", é", ""),
        ] {
            assert_eq!(text.get(..legal_form(text)), Some(form), "{text}");
        }
    }

    #[test]
    fn suffixes_go_one_by_one() {
        for (name, want) in [
            ("Tarwick Mills, Inc.", "Tarwick Mills"),
            ("TARWICK MILLS INC /DE/", "TARWICK MILLS"),
            ("NORLAND Corp \\WA\\", "NORLAND"),
            ("NORLAND CO/", "NORLAND"),
            ("NORLAND CO /NEW", "NORLAND"),
            ("Norland Paper Company", "Norland Paper"),
            ("The Norland Paper Companies Inc.", "Norland Paper"),
            ("Brackwater Energy L P", "Brackwater Energy"),
            ("Ostrova N.V.", "Ostrova"),
            ("Ostrova Marine A/S", "Ostrova Marine"),
            ("Kelmar S.A. de C.V.", "Kelmar"),
            ("Quill & Vane & Co.", "Quill & Vane"),
            ("Quill Vane and Company, Ltd.", "Quill Vane"),
            ("Pelm Holdings Group, Inc.", "Pelm"),
            ("Hobb Sellick International, Inc.", "Hobb Sellick"),
            ("Sellick International, Inc.", "Sellick International"),
            ("7K Company", "7K"),
            ("9U, Inc.", "9U"),
            ("TARWICK INC  (TRWK, TRWKW)  (CIK 0000000001)", "TARWICK"),
        ] {
            assert_eq!(short(name), want, "{name}");
        }
    }

    #[test]
    fn a_word_that_means_nothing_alone_keeps_its_suffix() {
        for (name, want) in [
            ("We Company Group Holdings", "We Company"),
            ("Trust Co Holdings (DELAWARE)", "Trust Co"),
            ("Gap Holdings Inc.", "Gap Holdings"),
            ("Southern Co", "Southern Co"),
            ("National Western Group Inc", "National Western Group"),
            ("Norland Financial Group Inc", "Norland Financial"),
            ("First Corp.", "First Corp."),
            ("Home Health Corp of Arcadia Inc", "Home Health Corp of Arcadia"),
            ("Ledger Programs and Systems, Inc.", "Ledger Programs and Systems"),
            ("Inc.", "Inc."),
        ] {
            assert_eq!(short(name), want, "{name}");
        }
    }

    #[test]
    fn a_field_may_hold_two_names() {
        assert_eq!(undecorated("STUNN International / Ambric Works"), ["STUNN International", "Ambric Works"]);
        assert_eq!(undecorated("Norland Paper, Inc. (f/k/a Tarwick Mills)"), ["Norland Paper, Inc.", "Tarwick Mills"]);
        assert_eq!(undecorated("Ostrova\n Marine A/S"), ["Ostrova Marine A/S"]);
        assert!(undecorated(" / ").is_empty());
    }

    proptest::proptest! {
        #[test]
        fn something_of_the_name_always_stays(name in "\\PC{1,40}") {
            for n in undecorated(&name) {
                proptest::prop_assert!(!stages(&n).is_empty());
            }
        }
    }
}
