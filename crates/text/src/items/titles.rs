//! The official titles of the form's items, and how far a line agrees with one.
//!
//! Filers shorten, reorder, misspell and combine titles, so a line is compared as words, each allowed as often as the title has
//! it. Edit distance over the whole line is the road not taken: it cannot tell where a title ends when the news begins on the
//! same line, and finding that end is half of what a title is for.

use std::sync::LazyLock;

use eightk_core::FilingDate;

use crate::metadata::former_numbers;
use crate::official::{CURRENT, FORMER, Official, TITLE_502_UNTIL_2006};

/// Words that bind a title's words. They are never counted, and a title does not end in one.
const LINKS: &[&str] = &[
    "a", "an", "and", "by", "for", "from", "in", "into", "its", "of", "on", "or", "s", "that", "the", "to", "under",
    "with",
];

/// How a line agrees with a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct TitleMatch {
    /// Where the title ends in the line, closing punctuation included; 0 where nothing agrees.
    pub(super) end: usize,
    /// How many words that carry meaning agree.
    pub(super) words: usize,
    /// How many of those the shortest complete title has.
    pub(super) of: usize,
    /// Whether the title ends with the line or with closing punctuation, not in the middle of a clause.
    pub(super) closed: bool,
}

impl TitleMatch {
    /// Whether the agreement is good enough to call the line a title: two words, or one that is all there is.
    pub(super) fn is_title(&self) -> bool {
        self.words >= 2 || (self.words == 1 && (self.of == 1 || self.closed))
    }
}

/// A title taken apart.
struct Title {
    number: &'static str,
    former: bool,
    /// Its words that carry meaning, then those that filers add; at most 64.
    words: Vec<&'static str>,
    /// How many of them are official.
    official: usize,
}

static TITLES: LazyLock<Vec<Title>> = LazyLock::new(|| {
    let title = |former: bool| {
        move |row: &Official| {
            let words: Vec<&'static str> = content_words(row.title).chain(content_words(row.words)).take(64).collect();
            Title { number: row.number, former, words, official: content_words(row.title).count() }
        }
    };
    CURRENT.iter().map(title(false)).chain(FORMER.iter().map(title(true))).collect()
});

fn rows() -> impl Iterator<Item = &'static Official> {
    CURRENT.iter().chain(FORMER)
}

/// Whether the form has an item of this number.
pub fn is_known(number: &str) -> bool {
    rows().any(|row| row.number == number)
}

/// The numbers of all items that the form had on that day.
pub fn numbers_on(day: FilingDate) -> impl Iterator<Item = &'static str> {
    let table = if former_numbers(Some(day)) { FORMER } else { CURRENT };
    table.iter().map(|row| row.number)
}

/// The number of the item that has this title: in the numbering before August 2004 if `former`, else in the present one.
/// Case, punctuation and connecting words do not count.
pub fn number_of_title(title: &str, former: bool) -> Option<&'static str> {
    let asked: Vec<&str> = content_words(title).collect();
    let table = if former { FORMER } else { CURRENT };
    // Headers of 2004 to 2006 have the titles of their time.
    let title = |n: &str, official: &'static str| {
        if n == "5.02" && asked.iter().any(|w| w.eq_ignore_ascii_case("principal")) {
            TITLE_502_UNTIL_2006
        } else {
            official
        }
    };
    let same = |official: &str| {
        let mut words = content_words(official);
        asked.iter().all(|a| words.next().is_some_and(|w| same_word(a, w))) && words.next().is_none()
    };
    if asked.is_empty() {
        return None;
    }
    table.iter().find(|row| same(title(row.number, row.title))).map(|row| row.number)
}

/// Compares the beginning of `line` with the title of `number`.
pub(super) fn match_title(line: &str, number: &str) -> TitleMatch {
    TITLES.iter().find(|t| t.number == number).map_or_else(TitleMatch::default, |title| walk(line, title))
}

/// The best agreement of the beginning of `line` with any title of the same numbering: headings with a wrong number have one.
pub(super) fn match_any_title(line: &str, former: bool) -> TitleMatch {
    let all = TITLES.iter().filter(|t| t.former == former).map(|title| walk(line, title));
    let close = all.filter(|m| m.words * 3 >= m.of * 2 || (m.words >= 3 && m.closed));
    close.max_by_key(|m| (m.words, m.end)).unwrap_or_default()
}

/// Words of a title that carry meaning.
fn content_words(s: &str) -> impl Iterator<Item = &str> + '_ {
    words(s).map(|(_, w)| w).filter(|w| !is_link(w))
}

pub(super) fn is_link(word: &str) -> bool {
    LINKS.iter().any(|l| l.eq_ignore_ascii_case(word))
}

/// Same word, up to case, and beyond five letters up to its ending.
fn same_word(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    let (a, b) = (a.as_bytes(), b.as_bytes());
    match (a.get(..5), b.get(..5)) {
        (Some(x), Some(y)) => x.eq_ignore_ascii_case(y),
        // `event` and `events`, `plan` and `plans`.
        _ => {
            let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
            short.len() >= 4
                && long.len() == short.len() + 1
                && long.ends_with(b"s") | long.ends_with(b"S")
                && long.get(..short.len()).is_some_and(|l| l.eq_ignore_ascii_case(short))
        }
    }
}

/// Runs of letters with their places.
fn words(s: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = s.get(at..)?;
        let start = at + rest.find(|c: char| c.is_alphanumeric())?;
        let rest = s.get(start..)?;
        let len = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        at = start + len;
        rest.get(..len).map(|w| (start, w))
    })
}

/// Walks along `line` as long as its words are the title's, each at most as often as it occurs there.
fn walk(line: &str, title: &Title) -> TitleMatch {
    // One bit per word of the title that was met.
    let mut met = 0_u64;
    let mut found = TitleMatch { of: title.official, ..TitleMatch::default() };
    let mut matched = 0;
    let mut segment_words = 0;
    let mut end_of_last = 0;
    let mut previous_end = 0;
    let mut first_segment = true;
    for (start, word) in words(line) {
        let gap = line.get(previous_end..start).unwrap_or_default();
        // `(b)` opens the text. `Accountant(s)` goes on: no space stands before the bracket.
        if let Some(bracket) = gap.rfind('(')
            && word.len() <= 2
            && line.as_bytes().get(start + word.len()) == Some(&b')')
            && (gap.get(..bracket).is_some_and(|g| g.ends_with(' ') || g.ends_with('.')))
        {
            break;
        }
        if ends_sentence(gap) && segment_words > 0 {
            // What follows a full stop may be the rest of the title, or the news that opens with the same word.
            found = TitleMatch { end: closing_end(line, end_of_last), words: matched, closed: true, ..found };
            first_segment = false;
            segment_words = 0;
        } else if !gap.is_empty() && gap.contains(['"', '\u{201c}']) {
            break;
        }
        let next = title.words.iter().enumerate().position(|(i, w)| met & (1 << i) == 0 && same_word(w, word));
        if let Some(i) = next {
            met |= 1 << i;
            matched += 1;
            segment_words += 1;
            end_of_last = start + word.len();
        } else if !is_link(word) {
            let closed = is_closed(line, end_of_last);
            if first_segment && matched > 0 {
                let end = closing_end(line, end_of_last);
                found = TitleMatch { end, words: matched, closed, ..found };
            }
            return found;
        }
        previous_end = start + word.len();
    }
    let closed = is_closed(line, end_of_last);
    if matched > 0 && (first_segment || (segment_words >= 2 && closed)) {
        found = TitleMatch { end: closing_end(line, end_of_last), words: matched, closed, ..found };
    }
    found
}

fn ends_sentence(gap: &str) -> bool {
    gap.trim_end().ends_with('.') && gap.len() > 1
}

/// Whether the title that ends at `at` is followed by nothing, or by punctuation that closes it.
fn is_closed(line: &str, at: usize) -> bool {
    let rest = line.get(at..).unwrap_or_default().trim_start_matches([')', '\u{201d}', '"']);
    let bytes = rest.trim_start().as_bytes();
    let label = bytes.first() == Some(&b'(') && bytes.iter().take(4).any(|b| *b == b')');
    label
        || rest.trim_start().is_empty()
        || rest.starts_with(['.', ':'])
        || rest.trim_start().starts_with(['-', '\u{2013}', '\u{2014}', '|'])
}

/// `at` moved on over punctuation that belongs to the title.
fn closing_end(line: &str, at: usize) -> usize {
    let rest = line.get(at..).unwrap_or_default();
    let mut end = 0;
    for (i, c) in rest.char_indices() {
        match c {
            // The plural in `Accountant(s)`.
            '(' if rest.get(i..).is_some_and(|r| r.starts_with("(s)") || r.starts_with("(S)")) => end = i + 3,
            's' | 'S' if i > 0 && i < end => {}
            '.' | ':' | ';' | ',' | ')' | '|' | '-' | '\u{2013}' | '\u{2014}' | '_' | '*' => {
                end = end.max(i + c.len_utf8());
            }
            ' ' | '\t' => {}
            _ if i < end => {}
            _ => break,
        }
    }
    at + end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title_of<'l>(line: &'l str, number: &str) -> (&'l str, usize) {
        let m = match_title(line, number);
        (&line[..m.end], m.words)
    }

    #[test]
    fn every_title_is_found_by_itself() {
        for Official { number, title, .. } in rows() {
            let m = match_title(title, number);
            assert_eq!((m.end, m.words, m.closed), (title.len(), m.of, true), "{number}");
        }
        for Official { number, title, .. } in CURRENT {
            assert_eq!(number_of_title(title, false), Some(*number));
        }
        for Official { number, title, .. } in FORMER {
            assert_eq!(number_of_title(&title.to_uppercase(), true), Some(*number));
        }
        let header = "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers: Compensatory \
                      Arrangements of Certain Officers";
        assert_eq!(number_of_title(header, false), Some("5.02"));
        assert_eq!(number_of_title(TITLE_502_UNTIL_2006, false), Some("5.02"));
        assert_eq!(number_of_title("Cost Associated with Exit or Disposal Activities", false), Some("2.05"));
        assert_eq!(number_of_title("Weather", false), None);
        assert_eq!(number_of_title("", false), None);
    }

    #[test]
    fn a_title_ends_where_the_news_begins() {
        assert_eq!(title_of("Other Events. On Monday the mill burnt down.", "8.01"), ("Other Events.", 2));
        assert_eq!(title_of("Other Events On Monday the mill burnt down.", "8.01"), ("Other Events", 2));
        assert_eq!(
            title_of("Changes in Registrant's Certifying Accountant. The Registrant's accountant left.", "4.01").0,
            "Changes in Registrant's Certifying Accountant."
        );
        assert_eq!(
            title_of("Financial Statements and Exhibits. (d) Exhibits", "9.01").0,
            "Financial Statements and Exhibits."
        );
        assert_eq!(
            title_of("Changes in Registrant\u{2019}s Certifying Accountant(s) (a) On Monday", "4.01").0,
            "Changes in Registrant\u{2019}s Certifying Accountant(s)"
        );
    }

    #[test]
    fn shortened_and_reordered_titles_agree() {
        assert!(match_title("Exhibits", "9.01").is_title());
        assert!(match_title("Exhibits.", "9.01").is_title());
        assert!(match_title("Appointment of Certain Officers; Election of Directors", "5.02").is_title());
        assert!(match_title("OTHER EVENTS AND REGULATION FD DISCLOSURE", "5").closed);
        assert!(!match_title("above is incorporated here", "9.01").is_title());
        assert!(!match_title("financial matters came up", "9.01").is_title());
    }

    #[test]
    fn a_wrong_number_still_shows_a_title() {
        assert!(
            match_any_title("Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year", false)
                .is_title()
        );
        assert!(!match_any_title("On Monday the company amended a lease", false).is_title());
    }
}
