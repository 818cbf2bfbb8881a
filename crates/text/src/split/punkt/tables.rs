//! The English parameters, searched where they lie.
//!
//! Each table is a sorted text file, one entry a line, compiled into the program as it stands. A look-up is a binary search over
//! its lines: nothing is parsed or built at start. A hash map would answer faster and cost a millisecond before the first answer;
//! a perfect hash would need generated code in place of files one can read. Look-ups are rare: about one candidate in five asks
//! the large table.

use std::cmp::Ordering;

use memchr::{memchr, memrchr};

static ABBREVIATIONS: &str = include_str!("../../../data/punkt/abbreviations.txt");
static COLLOCATIONS: &str = include_str!("../../../data/punkt/collocations.txt");
static STARTERS: &str = include_str!("../../../data/punkt/starters.txt");
static ORTHOGRAPHY: &str = include_str!("../../../data/punkt/ortho.txt");

/// Seen in upper case inside a sentence.
pub(super) const INSIDE_UPPER: u8 = 4;
/// Seen in upper case: at the beginning (2), inside (4), in unknown position (8).
pub(super) const ANY_UPPER: u8 = 2 | 4 | 8;
/// Seen in lower case at the beginning of a sentence.
pub(super) const BEGIN_LOWER: u8 = 16;
/// Seen in lower case: at the beginning (16), inside (32), in unknown position (64).
pub(super) const ANY_LOWER: u8 = 16 | 32 | 64;

/// The longest abbreviation, so that most words need no search.
const LONGEST_ABBREVIATION: usize = 7;

/// Whether a period after this word type marks an abbreviation.
pub(super) fn abbreviation(word: &str) -> bool {
    word.len() <= LONGEST_ABBREVIATION && find(ABBREVIATIONS, word).is_some()
}

/// Whether this word type often begins a sentence.
pub(super) fn starter(word: &str) -> bool {
    find(STARTERS, word).is_some()
}

/// Whether the word type is the first of some collocation.
pub(super) fn may_collocate(word: &str) -> bool {
    matches!(word, "##number##" | "b" | "i" | "j" | "o")
}

/// Whether the two word types belong together across a period.
pub(super) fn collocation(first: &str, second: &str) -> bool {
    let pair = |line: &str| line.split_once('\t').is_some_and(|(a, b)| a == first && b == second);
    COLLOCATIONS.lines().any(pair)
}

/// Where the word type was seen in which case; 0 where it was not seen.
pub(super) fn orthography(word: &str) -> u8 {
    find(ORTHOGRAPHY, word).and_then(|v| v.parse().ok()).unwrap_or(0)
}

/// The value on the line whose key is `key`; `""` where the line is a key alone.
fn find(table: &'static str, key: &str) -> Option<&'static str> {
    let bytes = table.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let begin = memrchr(b'\n', bytes.get(low..middle)?).map_or(low, |i| low + i + 1);
        let end = memchr(b'\n', bytes.get(middle..high)?).map_or(high, |i| middle + i);
        let line = table.get(begin..end)?;
        let (word, value) = line.split_once('\t').unwrap_or((line, ""));
        match word.cmp(key) {
            Ordering::Equal => return Some(value),
            Ordering::Less => low = end + 1,
            Ordering::Greater => high = begin,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        assert_eq!(ABBREVIATIONS.lines().count(), 156);
        assert_eq!(COLLOCATIONS.lines().count(), 37);
        assert_eq!(STARTERS.lines().count(), 39);
        assert_eq!(ORTHOGRAPHY.lines().count(), 20_366);
        assert_eq!(ABBREVIATIONS.lines().map(str::len).max(), Some(LONGEST_ABBREVIATION));
        assert!(COLLOCATIONS.lines().all(|l| may_collocate(l.split('\t').next().unwrap())));
    }

    #[test]
    fn every_entry_is_found_and_nothing_else() {
        for table in [ABBREVIATIONS, STARTERS, ORTHOGRAPHY] {
            for line in table.lines() {
                let (word, value) = line.split_once('\t').unwrap_or((line, ""));
                assert_eq!(find(table, word), Some(value), "{word}");
                assert_eq!(find(table, &format!("{word}\u{7f}")), None);
            }
            for missing in ["", "\t", "\n", "zzzz", "~", "é"] {
                assert_eq!(find(table, missing), None, "{missing:?}");
            }
        }
        assert!(ORTHOGRAPHY.lines().all(|l| orthography(l.split('\t').next().unwrap()) > 0));
    }
}
