//! How much room a text takes on a terminal, and how it is made to fit.
//!
//! A text is broken at blanks, or shortened in its middle with a sign: the beginning and the end of a name tell it from others, and
//! nothing is ever cut as if it had ended there.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Columns that every terminal has.
pub(crate) const COLUMNS: usize = 80;

/// What stands where a text was shortened: one column.
const LEFT_OUT: &str = "…";

/// Columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// A name on one line, without what steers a terminal or turns the direction of writing: names come from strangers.
pub(crate) fn one_line(text: &str) -> String {
    let steers = |c: char| {
        c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}

/// A text of at most `most` columns: what is too long loses its middle.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let room = most.saturating_sub(width(LEFT_OUT));
    let head = fitting(text.graphemes(true), room.div_ceil(2));
    let tail: Vec<&str> = fitting(text.graphemes(true).rev(), room - room.div_ceil(2)).into_iter().rev().collect();
    head.concat() + LEFT_OUT + &tail.concat()
}

/// As many of them as fit.
fn fitting<'t>(graphemes: impl Iterator<Item = &'t str>, room: usize) -> Vec<&'t str> {
    let mut left = room;
    let fits = |g: &&str| {
        let rest = left.checked_sub(width(g));
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    graphemes.take_while(fits).collect()
}

/// Breaks a paragraph at blanks into lines of at most 80 columns. A word longer than a line loses its middle.
pub(crate) fn wrapped(text: &str) -> String {
    broken(text.split_whitespace().map(|word| shortened(&one_line(word), COLUMNS)), 0, 0)
}

/// A line that, where it is too long, goes on below with this indent. Words stay whole, since they may be paths that are there
/// to be copied: one that is longer than a line is the only thing on it.
pub(crate) fn hanging(line: &str, indent: usize) -> String {
    if width(line) <= COLUMNS {
        return format!("{line}\n");
    }
    let first = line.len() - line.trim_start_matches(' ').len();
    broken(line.split_whitespace().map(str::to_owned), first, indent)
}

/// Words in lines, the first and the others with indents of their own.
fn broken(words: impl Iterator<Item = String>, first: usize, then: usize) -> String {
    let (mut out, mut used, mut fresh) = (" ".repeat(first), first, true);
    for word in words {
        let w = width(&word);
        if !fresh && used + 1 + w > COLUMNS {
            out.push('\n');
            out += &" ".repeat(then);
            (used, fresh) = (then, true);
        }
        if !fresh {
            out.push(' ');
            used += 1;
        }
        out += &word;
        used += w;
        fresh = false;
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_fit() {
        let text = "word ".repeat(60);
        let lines = wrapped(&text);
        assert!(lines.lines().count() == 4 && lines.lines().all(|l| width(l) <= 80), "{lines}");
        assert_eq!(wrapped("a  b\nc"), "a b c\n");
        let long = wrapped(&format!("see {} there", "x".repeat(200)));
        assert!(long.lines().count() == 3 && long.contains('…') && long.lines().all(|l| width(l) <= 80), "{long}");
    }

    #[test]
    fn a_long_line_goes_on_below() {
        assert_eq!(hanging("  12 short   line", 4), "  12 short   line\n");
        let list = hanging(&format!("  12 dropped ({})", ["heading"; 20].join(", ")), 5);
        assert!(
            list.starts_with("  12 dropped (heading,") && list.lines().skip(1).all(|l| l.starts_with("     heading"))
        );
        assert!(list.lines().count() == 3 && list.lines().all(|l| width(l) <= 80), "{list}");
        let path = format!("/{}", "folder/".repeat(20));
        assert_eq!(hanging(&format!("refused {path}: it is empty"), 2), format!("refused\n  {path}:\n  it is empty\n"));
    }

    #[test]
    fn a_name_loses_its_middle_and_says_so() {
        assert_eq!(shortened("abcdefgh", 8), "abcdefgh");
        assert_eq!(shortened("abcdefghi", 8), "abcd…ghi");
        // Letters of two columns: one column stays empty rather than half a letter.
        assert_eq!(shortened("検索検索検索", 8), "検索…索");
        // A mark stays with its letter.
        assert_eq!(shortened("e\u{301}e\u{301}e\u{301}e\u{301}", 3), "e\u{301}…e\u{301}");
        for most in 1..30 {
            let name = "a👩‍👩‍👧 検索-naïve/Modèle:window:2,revision=0123";
            assert!(width(&shortened(name, most)) <= most);
        }
    }

    #[test]
    fn names_of_strangers_stay_on_their_line() {
        assert_eq!(one_line("a\u{1b}[2J\nb\u{202e}c"), "a\u{fffd}[2J\u{fffd}b\u{fffd}c");
    }
}
