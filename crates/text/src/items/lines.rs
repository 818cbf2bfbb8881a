//! Lines that carry no news: page numbers, rules, running links, signature headings.

use super::candidates::is_section_line;

/// Whether nothing stands on the line but a page number, a rule, a link to the table of contents or a section line.
pub(super) fn is_furniture(line: &str) -> bool {
    let line = line.trim();
    if line.len() > 120 {
        return false;
    }
    let rule = !line.chars().any(char::is_alphanumeric);
    rule || is_page_number(line) || is_contents_link(line) || is_section_line(line)
}

/// `2`, `- 2 -`, `Page 2 of 5`, `iv`.
fn is_page_number(line: &str) -> bool {
    let core = line.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let roman = |b: u8| matches!(b, b'i' | b'v' | b'x' | b'I' | b'V' | b'X');
    if (1..=4).contains(&core.len()) && (core.bytes().all(roman) || core.bytes().all(|b| b.is_ascii_digit())) {
        return true;
    }
    let Some(rest) = strip_prefix(core, "page") else { return false };
    rest.split_whitespace().all(|w| w.eq_ignore_ascii_case("of") || w.bytes().all(|b| b.is_ascii_digit()))
}

/// The link that some filers print on top of every page.
pub(super) fn is_contents_link(line: &str) -> bool {
    letters_are(line, &["TABLEOFCONTENTS", "BACKTOCONTENTS"])
}

/// `SIGNATURE`, `S I G N A T U R E S`.
pub(super) fn is_signature_heading(line: &str) -> bool {
    letters_are(line, &["SIGNATURE", "SIGNATURES", "SIGNATUREPAGE", "SIGNATURESPAGE"])
}

/// `EXHIBIT INDEX` and its kin.
pub(super) fn is_exhibit_index(line: &str) -> bool {
    letters_are(line, &["EXHIBITINDEX", "EXHIBITSINDEX", "INDEXTOEXHIBITS", "INDEXOFEXHIBITS", "INDEXTOEXHIBIT"])
}

/// `Exhibit 99.1`, `EX-16`: a label on a page of its own.
pub(super) fn is_exhibit_label(line: &str) -> bool {
    let line = line.trim();
    let rest = strip_prefix(line, "exhibit").or_else(|| strip_prefix(line, "ex"));
    let number = rest.map(|r| r.trim_start_matches([' ', '-', '\u{2013}', '.']));
    line.len() <= 40
        && number.is_some_and(|n| {
            n.starts_with(|c: char| c.is_ascii_digit()) && n.bytes().all(|b| b.is_ascii_digit() || b" .()".contains(&b))
        })
}

/// A row of an exhibit list that begins with its label: `Ex-5.1 Opinion of …`, `EXHIBIT 10.2 …`.
pub(super) fn is_exhibit_row(line: &str) -> bool {
    let line = line.trim_start();
    let rest = strip_prefix(line, "exhibit").or_else(|| strip_prefix(line, "ex"));
    let number = rest.map(|r| r.trim_start_matches([' ', '-', '\u{2013}', '.']));
    number.is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
}

/// Where the running links and page numbers at the end of a flattened page begin: `… today. -2- Table of Contents`.
pub(super) fn trailing_furniture(line: &str) -> usize {
    let mut end = line.trim_end().len();
    loop {
        let head = line.get(..end).unwrap_or_default();
        let cut =
            without_contents_link(head).or_else(|| without_dashed_number(head)).or_else(|| without_page_number(head));
        let Some(cut) = cut else { return end };
        end = line.get(..cut).unwrap_or_default().trim_end().len();
    }
}

fn without_contents_link(head: &str) -> Option<usize> {
    let start = head.len().checked_sub("table of contents".len())?;
    head.get(start..)?.eq_ignore_ascii_case("table of contents").then_some(start)
}

/// `-2-`, `- 2 -`.
fn without_dashed_number(head: &str) -> Option<usize> {
    let inner = head.strip_suffix('-')?.trim_end();
    let digits = inner.bytes().rev().take_while(u8::is_ascii_digit).count();
    let before = inner.get(..inner.len() - digits)?.trim_end().strip_suffix('-')?;
    ((1..=3).contains(&digits) && (before.is_empty() || before.ends_with(' '))).then_some(before.len())
}

/// `Page 2` after a full stop or nothing.
fn without_page_number(head: &str) -> Option<usize> {
    let digits = head.bytes().rev().take_while(u8::is_ascii_digit).count();
    let before = head.get(..head.len() - digits)?.strip_suffix("Page ")?.trim_end();
    ((1..=3).contains(&digits) && (before.is_empty() || before.ends_with(['.', ')', '"', '\u{201d}'])))
        .then_some(before.len())
}

fn strip_prefix<'l>(line: &'l str, word: &str) -> Option<&'l str> {
    let head = line.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| line.get(word.len()..)).flatten()
}

/// Whether the letters of the line, in capitals and without anything between them, are one of these words.
fn letters_are(line: &str, words: &[&str]) -> bool {
    if line.len() > 60 {
        return false;
    }
    words.iter().any(|w| {
        let mut letters = line.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_uppercase());
        w.chars().all(|c| letters.next() == Some(c)) && letters.next().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn furniture_is_told_from_news() {
        for s in [
            "2",
            "- 2 -",
            "Page 2 of 5",
            "iv",
            "-----",
            "* * *",
            "Table of Contents",
            "Section 5 - Corporate Governance and Management",
            "SECTION 8. OTHER EVENTS",
            "(3)",
        ] {
            assert!(is_furniture(s), "{s}");
        }
        for s in [
            "Not applicable.",
            "On page 2 the board",
            "Mix",
            "Section 5(a) of the act says so",
            "Exhibits",
            "10\t20\t30",
            "$1,200",
        ] {
            assert!(!is_furniture(s), "{s}");
        }
    }

    #[test]
    fn labels_and_headings_of_the_end() {
        for s in ["SIGNATURE", "Signatures", "S I G N A T U R E S", "*SIGNATURES*"] {
            assert!(is_signature_heading(s), "{s}");
        }
        assert!(!is_signature_heading("Signatures of the parties"));
        assert!(is_exhibit_index("EXHIBIT INDEX") && is_exhibit_index("Index to Exhibits:"));
        assert!(is_exhibit_label("Exhibit 99.1") && is_exhibit_label("EX-16"));
        assert!(!is_exhibit_label("Exhibit 99.1 Press release"));
    }

    #[test]
    fn the_foot_of_a_flattened_page_is_cut() {
        let cut = |s: &str| s[..trailing_furniture(s)].to_owned();
        assert_eq!(cut("The mill closes today. -2- Table of Contents"), "The mill closes today.");
        assert_eq!(cut("The mill closes today. - 12 - "), "The mill closes today.");
        assert_eq!(cut("The mill closes today. Page 2 Table of Contents"), "The mill closes today.");
        assert_eq!(cut("It stands on Page 2"), "It stands on Page 2");
        assert_eq!(cut("A range of 1-2-"), "A range of 1-2-");
        assert_eq!(cut("-3-"), "");
        assert_eq!(cut(""), "");
    }
}
