//! Where the report ends and signatures, exhibits and attached documents begin.

use memchr::memmem;

use crate::Cleaned;

use super::lines;

/// Words of the signature sentence, as printed and in capitals: a search that takes any case is several times slower.
const MARKS: [&[u8]; 4] = [b"caused th", b"its behalf by the", b"CAUSED TH", b"ITS BEHALF BY THE"];

/// What the sentence begins with.
const BEGINNINGS: [&str; 3] = ["pursuant to the requirement", "pursuant to requirement", "in accordance with"];

/// Words that belong to no other sentence, should its beginning be missing.
const SURE: [&str; 3] = ["duly caused th", "its behalf by the undersigned", "caused this report to be signed"];

/// The sentence has no more bytes than this before one of the marks.
const SENTENCE: usize = 420;

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

/// Where the first signature sentence at or after `from` begins.
fn signature_sentence(cleaned: &Cleaned, from: usize) -> Option<usize> {
    let mut first: Option<usize> = None;
    for mark in MARKS {
        let end = first.unwrap_or(cleaned.text.len());
        let Some(rest) = cleaned.text.as_bytes().get(from..end) else { continue };
        let found = memmem::find_iter(rest, mark).find_map(|hit| sentence_around(cleaned, from, from + hit));
        first = found.or(first);
    }
    first
}

/// Where the signature sentence begins that has a mark at `hit`; `None` where the mark stands in another sentence.
fn sentence_around(cleaned: &Cleaned, from: usize, hit: usize) -> Option<usize> {
    let text = cleaned.text.as_str();
    let mut start = hit.saturating_sub(SENTENCE).max(from);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let before = text.get(start..hit)?.to_ascii_lowercase();
    if let Some(i) = BEGINNINGS.iter().filter_map(|b| before.rfind(b)).max() {
        return Some(start + i);
    }
    let mut end = (hit + 40).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let around = text.get(hit.saturating_sub(5).max(start)..end).unwrap_or_default().to_ascii_lowercase();
    if !SURE.iter().any(|s| around.contains(s)) {
        return None;
    }
    let p = cleaned.paragraphs.get(paragraph_at(cleaned, hit))?;
    Some(if p.span.len() <= SENTENCE + 180 { p.span.start.max(from) } else { hit })
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
