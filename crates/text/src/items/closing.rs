//! Where the report ends and signatures, exhibits and attached documents begin.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::Cleaned;

use super::lines;

/// The signature sentence in its parts, as printed and in capitals: spelt out, because a search that takes any case is several
/// times slower. The first [`OPENINGS`] stand near its beginning.
const PARTS: &[&str] = &[
    "equirements of the Secur",
    "equirement of the Secur",
    "equirements of Section 1",
    "equirements of section 1",
    "equirements of the secur",
    "EQUIREMENTS OF THE SECUR",
    "EQUIREMENT OF THE SECUR",
    "EQUIREMENTS OF SECTION 1",
    "duly caused th",
    "signed on its behalf by the undersigned",
    "aused this report to be signed",
    "aused this Report to be signed",
    "DULY CAUSED TH",
    "SIGNED ON ITS BEHALF BY THE UNDERSIGNED",
    "AUSED THIS REPORT TO BE SIGNED",
];

const OPENINGS: usize = 8;

/// What the sentence begins with, and how far before the words that give it away.
const FIRST_WORDS: [&str; 2] = ["pursuant to", "in accordance with"];
const LEAD: usize = 32;

/// The sentence is over within this many bytes of its beginning.
const SENTENCE: usize = 420;

static SIGNATURE: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(PARTS).ok());

/// The first byte at or after `from` that belongs to the signatures, or the text's end. `last_heading` is the first byte after
/// the last Item heading that is known.
pub(super) fn find(cleaned: &Cleaned, from: usize, last_heading: usize) -> usize {
    signature_sentence(cleaned, from)
        .map(|at| with_heading(cleaned, at))
        .or_else(|| bare_ending(cleaned, last_heading.max(from)))
        .map_or(cleaned.text.len(), |at| without_furniture(cleaned, at).max(from))
}

/// Index of the paragraph that holds byte `at`, or of the first after it.
fn paragraph_at(cleaned: &Cleaned, at: usize) -> usize {
    cleaned.paragraphs.partition_point(|p| p.span.end <= at)
}

fn signature_sentence(cleaned: &Cleaned, from: usize) -> Option<usize> {
    let parts = SIGNATURE.as_ref()?;
    let rest = cleaned.text.get(from..)?;
    let mut opened: Option<usize> = None;
    for hit in parts.find_iter(rest) {
        let at = from + hit.start();
        if hit.pattern().as_usize() < OPENINGS {
            opened = beginning(&cleaned.text, at).filter(|b| *b >= from).or(opened);
        } else if let Some(opening) = opened.filter(|o| at - o <= SENTENCE) {
            return Some(opening);
        } else {
            let p = cleaned.paragraphs.get(paragraph_at(cleaned, at))?;
            return Some(if p.span.len() <= SENTENCE + 180 { p.span.start.max(from) } else { at });
        }
    }
    None
}

/// Where the sentence begins whose words stand at `at`.
fn beginning(text: &str, at: usize) -> Option<usize> {
    let mut start = at.saturating_sub(LEAD);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let before = text.get(start..at)?.to_ascii_lowercase();
    FIRST_WORDS.iter().find_map(|w| before.rfind(w)).map(|i| start + i)
}

/// `at` moved up over the heading `SIGNATURES`, in the same paragraph or up to four above.
fn with_heading(cleaned: &Cleaned, at: usize) -> usize {
    let index = paragraph_at(cleaned, at);
    let Some(own) = cleaned.paragraphs.get(index) else { return at };
    let before = cleaned.text.get(own.span.start..at).unwrap_or_default().trim_end();
    if !before.is_empty() {
        return signature_word(before).map_or(at, |start| own.span.start + start);
    }
    let start = own.span.start;
    if let Some(above) = index.checked_sub(1).and_then(|i| cleaned.paragraphs.get(i))
        && let Some(word) = signature_word(above.span.of(&cleaned.text))
    {
        return above.span.start + word;
    }
    for p in cleaned.paragraphs.get(index.saturating_sub(4)..index).unwrap_or_default().iter().rev() {
        let line = p.span.of(&cleaned.text);
        if lines::is_signature_heading(line) {
            return p.span.start;
        }
        if !lines::is_furniture(line) && line.len() > 40 {
            break;
        }
    }
    start
}

/// Where the heading begins that ends this text, if one does: the word in capitals or after a full stop.
fn signature_word(text: &str) -> Option<usize> {
    let tail = text.trim_end_matches([':', '.', '-', '*', '_', ' ']);
    ["signatures", "signature"].iter().find_map(|word| {
        let start = tail.len().checked_sub(word.len())?;
        let found = tail.get(start..)?;
        let before = tail.get(..start)?.trim_end();
        let heading = found.bytes().all(|b| b.is_ascii_uppercase())
            || (found.starts_with('S') && (before.is_empty() || before.ends_with(['.', ')'])));
        (found.eq_ignore_ascii_case(word) && heading).then_some(start)
    })
}

/// Where no signature sentence stands: a signature heading after the last Item, or exhibits that begin on a new page.
fn bare_ending(cleaned: &Cleaned, from: usize) -> Option<usize> {
    let after = cleaned.paragraphs.get(paragraph_at(cleaned, from)..)?;
    let heading = after.iter().find(|p| p.span.start >= from && lines::is_signature_heading(p.span.of(&cleaned.text)));
    let exhibits = || {
        after.iter().find(|p| {
            let line = p.span.of(&cleaned.text);
            p.after_page_break
                && p.span.start >= from
                && (lines::is_exhibit_index(line) || lines::is_exhibit_label(line))
        })
    };
    heading.or_else(exhibits).map(|p| p.span.start)
}

/// `at` moved up over rules, links and notes such as `[Signature page follows]`.
fn without_furniture(cleaned: &Cleaned, at: usize) -> usize {
    let mut end = at;
    let index = cleaned.paragraphs.partition_point(|p| p.span.end <= at);
    for p in cleaned.paragraphs.get(..index).unwrap_or_default().iter().rev() {
        let line = p.span.of(&cleaned.text).trim();
        let bracketed = line.len() < 90 && line.starts_with(['[', '(', '*', '<']) && {
            let lower = line.to_ascii_lowercase();
            lower.contains("signature") || lower.contains("intentionally") || lower.contains("left blank")
        };
        let rule = !line.chars().any(char::is_alphanumeric);
        if !rule && !bracketed && !lines::is_contents_link(line) {
            break;
        }
        end = p.span.start;
    }
    end
}
